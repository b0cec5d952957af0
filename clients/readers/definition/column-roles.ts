/** Gives the columns of a table their roles: titles propose, values veto. */
import type { ColumnFacts } from './column-facts.ts';
import { fits, isCalledQuantity } from './column-fits.ts';
import { bareTitle, otherMatters, rolesOfTitle } from './column-titles.ts';
import type { ColumnRole } from './titles/title-list.ts';

/** The order in which roles choose their columns. */
const order: readonly ColumnRole[] = [
  'guid',
  'number',
  'mpn',
  'parentLocation',
  'parent',
  'parentName',
  'level',
  'item',
  'quantity',
  'references',
  'name',
  'category',
  'unit',
  'note',
  'lineKind',
  'value',
  'footprint',
];

/** Roles that several columns may have. */
const shared: readonly ColumnRole[] = [
  'notFitted',
  'fitted',
  'standard',
  'size',
  'material',
  'manufacturer',
  'revision',
];

/** A row is a header only with one of these. */
const heading: ReadonlySet<ColumnRole> = new Set([
  'guid',
  'number',
  'mpn',
  'weakNumber',
  'name',
  'quantity',
  'references',
  'item',
  'level',
  'parent',
  'value',
]);

export class Roles {
  readonly table: readonly ColumnFacts[];
  readonly #single = new Map<ColumnRole, ColumnFacts>();
  readonly #several = new Map<ColumnRole, ColumnFacts[]>();

  constructor(table: readonly ColumnFacts[]) {
    this.table = table;
  }

  set(role: ColumnRole, column: ColumnFacts): void {
    if (shared.includes(role)) this.#several.set(role, [...this.all(role), column]);
    else this.#single.set(role, column);
  }

  facts(role: ColumnRole): ColumnFacts | undefined {
    return this.#single.get(role);
  }

  title(role: ColumnRole): string | undefined {
    return this.#single.get(role)?.title;
  }

  at(role: ColumnRole): number | undefined {
    return this.#single.get(role)?.at;
  }

  all(role: ColumnRole): readonly ColumnFacts[] {
    return this.#several.get(role) ?? [];
  }

  isTaken(column: ColumnFacts): boolean {
    return [...this.#single.values(), ...[...this.#several.values()].flat()].includes(column);
  }

  /** `number "Part No."`, for people. */
  described(): string[] {
    return [
      ...this.#single,
      ...[...this.#several].flatMap(([role, of]) => of.map((one) => [role, one] as const)),
    ].map(([role, { title }]) => `${role} "${title}"`);
  }
}

/** How many roles the cells of a row name; 0 where it is no header. */
export function rolesInRow(cells: readonly string[]): number {
  const named = cells.flatMap((cell) =>
    /\p{L}|#|°/u.test(cell) && cell.length <= 100 ? rolesOfTitle(cell) : [],
  );
  const plain = new Set(named.filter(({ by }) => by < 3).map(({ role }) => role));
  if (![...plain].some((role) => heading.has(role))) return 0;
  // One cell has several roles, and is still one title.
  const filled = new Set(cells.filter((cell) => rolesOfTitle(cell).length > 0).map(bareTitle));
  return filled.size;
}

/** `forced` gives roles by title, for a tool whose titles mean something of their own. */
export function assignRoles(
  table: readonly ColumnFacts[],
  forced: Readonly<Record<string, ColumnRole | 'nothing'>>,
): Roles {
  const roles = new Roles(table);
  const byTitle = new Map(Object.entries(forced).map(([title, role]) => [bareTitle(title), role]));
  const taken = new Set<ColumnFacts>();
  const take = (role: ColumnRole, column: ColumnFacts) => {
    roles.set(role, column);
    taken.add(column);
  };
  for (const column of table) {
    const role = byTitle.get(bareTitle(column.title));
    if (role === 'nothing') taken.add(column);
    else if (role !== undefined && (column.isEmpty || fits(role, column))) take(role, column);
  }
  const fitting = table.map((column) => ({ column, fits: plainest(column.title) }));
  const bestFor = (role: ColumnRole) =>
    fitting
      .flatMap(({ column, fits: of }) =>
        of.filter((fit) => fit.role === role).map((fit) => ({ column, ...fit })),
      )
      .filter(({ column }) => !taken.has(column) && (column.isEmpty || fits(role, column)))
      .toSorted(
        (a, b) =>
          Number(a.column.isEmpty) - Number(b.column.isEmpty) ||
          a.by - b.by ||
          a.rank - b.rank ||
          a.column.at - b.column.at,
      );
  for (const role of order) {
    if (roles.facts(role) !== undefined) continue;
    if (role === 'value') {
      const isProposed = bestFor('value').length > 0 || bestFor('footprint').length > 0;
      takeNumber(
        roles,
        taken,
        bestFor('weakNumber').map(({ column }) => column),
        isProposed,
      );
    }
    const [best] = bestFor(role);
    if (best !== undefined) take(role, best.column);
    if (role === 'references') takeReferences(table, roles, taken);
  }
  if (roles.facts('quantity') === undefined) {
    const column = fitting.find(
      ({ column: one, fits: of }) => !taken.has(one) && isCalledQuantity(one, of),
    )?.column;
    if (column !== undefined) take('quantity', column);
  }
  for (const role of shared) for (const { column } of bestFor(role)) take(role, column);
  takeCodes(roles, taken);
  takeCounter(table, roles, taken);
  return roles;
}

/** Only the fits that are as plain as the plainest one. */
function plainest(title: string): ReturnType<typeof rolesOfTitle> {
  const found = rolesOfTitle(title);
  const by = Math.min(...found.map((fit) => fit.by));
  return found.filter((fit) => fit.by === by);
}

/** Without a title for it, a column whose texts are designators has them. */
function takeReferences(table: readonly ColumnFacts[], roles: Roles, taken: Set<ColumnFacts>): void {
  if (roles.facts('references') !== undefined) return;
  const column = table.find(
    (one) =>
      !taken.has(one) &&
      one.isReferences &&
      one.distinct === one.texts.length &&
      one.texts.length > 1 &&
      rolesOfTitle(one.title).length === 0,
  );
  if (column === undefined) return;
  roles.set('references', column);
  taken.add(column);
}

/**
 * The number, where no title plainly says which column has it: that of the manufacturer; a column such as `Part` or `Référence`
 * whose values differ from line to line; in lists of components a column of codes.
 */
function takeNumber(
  roles: Roles,
  taken: Set<ColumnFacts>,
  weak: readonly ColumnFacts[],
  hasValues: boolean,
): void {
  if (roles.facts('number') !== undefined) return;
  const mpn = roles.facts('mpn');
  if (mpn !== undefined) {
    roles.set('number', mpn);
    return;
  }
  const hasReferences = roles.facts('references') !== undefined;
  const best = weak.find((column) => {
    if (column.isEmpty || column.distinct < column.texts.length * 0.5) return false;
    if (isNamesOnly(column)) return false;
    // Steel and aluminium are in a column called Material as often as numbers are.
    if (/^materials?$/.test(bareTitle(column.title))) {
      return (
        column.isCodes &&
        roles.table.some(({ title }) =>
          /kurztext|materialdescription|objectdescription/.test(bareTitle(title)),
        )
      );
    }
    if (hasReferences && hasValues) return column.isCodes;
    return column.isCodes || column.share((text) => /\d/.test(text) || !/\s/.test(text)) >= 0.8;
  });
  if (best !== undefined) {
    roles.set('number', best);
    taken.add(best);
    return;
  }
  const names = weak.find((column) => !taken.has(column) && isNamesOnly(column));
  if (names === undefined || roles.facts('name') !== undefined || hasReferences) return;
  roles.set('name', names);
  taken.add(names);
}

/** Words without digits that stand again: names that something beside them tells apart, and no numbers. */
function isNamesOnly(column: ColumnFacts): boolean {
  return column.distinct < column.texts.length && column.share((text) => /\d/.test(text)) < 0.5;
}

/** In a list of components without value and footprint together, a column of codes has the manufacturers' numbers. */
function takeCodes(roles: Roles, taken: Set<ColumnFacts>): void {
  const { table } = roles;
  if (roles.facts('number') !== undefined || roles.facts('references') === undefined) return;
  if (roles.facts('value') !== undefined && roles.facts('footprint') !== undefined) return;
  const codes = table.filter(
    (column) =>
      !taken.has(column) &&
      column.isCodes &&
      !otherMatters.test(bareTitle(column.title)) &&
      rolesOfTitle(column.title).length === 0,
  );
  const [best] = codes.toSorted((a, b) => b.distinct - a.distinct);
  if (best === undefined) return;
  roles.set('number', best);
  taken.add(best);
}

/** A column that counts and has a title of numbers or positions is the position. */
function takeCounter(table: readonly ColumnFacts[], roles: Roles, taken: Set<ColumnFacts>): void {
  if (roles.facts('item') !== undefined) return;
  const column = table.find(
    (one) =>
      !taken.has(one) &&
      (one.isCounting || one.isDottedIndex) &&
      rolesOfTitle(one.title).some(
        ({ role }) => role === 'number' || role === 'weakNumber' || role === 'item',
      ),
  );
  if (column === undefined) return;
  roles.set('item', column);
  taken.add(column);
}
