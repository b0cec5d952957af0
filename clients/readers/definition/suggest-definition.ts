/**
 * A definition for a table by its first rows: which row is the header, what its columns are called in the languages that
 * lists come in, how the structure is written. A suggestion: whoever knows the file has the last word.
 */
import { cellText } from '../table/header.ts';
import type { Cell } from '../xlsx/read-workbook.ts';
import { assembliesApart } from './assemblies-apart.ts';
import {
  NO_QUANTITIES,
  otherMatters,
  otherParts,
  type ColumnRole as Role,
  columnWords as words,
  wordsWithin,
} from './column-words.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import {
  bareName as bare,
  hintOf,
  type PropertyHint,
  propertiesOf,
  sourceColumn,
  takesColumn,
} from './suggest-properties.ts';

/** What the workspace has, where it is known. */
export interface WorkspaceHints {
  properties?: readonly PropertyHint[];
  /** Keys of categories. */
  categories?: readonly string[];
}

export interface Suggestion {
  definition: ImportDefinitionInput;
  /** Place of the header among the rows, from 0. */
  headerAt: number;
  /** Columns that nothing was made of. */
  unused: string[];
  /** What would be read otherwise than it may be meant. */
  warnings: { code: 'no_quantities'; message: string }[];
}

const HEADER_ROWS_LOOKED_AT = 50;
const ROWS_LOOKED_AT = 200;

/** Null where no row looks like a header. */
export function suggestDefinition(
  rows: readonly (readonly Cell[])[],
  { properties: hints = [], categories: known }: WorkspaceHints = {},
): Suggestion | null {
  const categories = new Set(known);
  const heads = rows.slice(0, HEADER_ROWS_LOOKED_AT).map((cells) => rolesOf(cells));
  const scores = heads.map((roles) => roles.size);
  const headerAt = scores.indexOf(Math.max(0, ...scores));
  const roles = heads[headerAt];
  if (roles === undefined || roles.size === 0) return null;
  const below = rows.slice(headerAt + 1, headerAt + 1 + ROWS_LOOKED_AT);
  takePartForNumber(roles, rows[headerAt] ?? [], below);
  const titles = (rows[headerAt] ?? []).map((cell) => cellText(cell).replaceAll(/\s+/g, ' ').trim());
  const column = (role: Role) => {
    const at = roles.get(role);
    return at === undefined ? undefined : titles[at];
  };
  const texts = (role: Role) => {
    const at = roles.get(role);
    return at === undefined
      ? []
      : below.map((cells) => cellText(cells[at])).filter((text) => text.trim() !== '');
  };
  const key = keyOf(column, texts);
  if (key === null) return null;
  const structure = structureOf(roles, texts);
  // Item numbers such as 1.2 say nothing of the decimal sign.
  const silent = new Set([roles.get('item'), roles.get('level'), roles.get('number')]);
  const decimal =
    decimalOf(texts('quantity')) ??
    decimalOf(below.flatMap((cells) => cells.filter((_, at) => !silent.has(at)).map(cellText))) ??
    '.';
  const definition: ImportDefinitionInput = {
    format: 'table',
    columns: {
      ...key,
      ...given('name', column('name') ?? (key.key === undefined ? column('value') : undefined)),
      ...given('guid', column('guid')),
      // A word that is no key of a category would be refused line by line.
      ...given(
        'category',
        texts('category').every((text) => categories.has(text.trim())) ? column('category') : undefined,
      ),
      ...given('quantity', column('quantity')),
      ...given('parent', structure === 'parent' ? column('parent') : undefined),
      ...given('level', levelColumn(structure, column)),
      ...given('references', column('references')),
      ...given('findNumber', column('item')),
      // A price for each is called the same.
      ...given('unit', texts('unit').some((text) => /\d/.test(text)) ? undefined : column('unit')),
      // What the workspace has a property for is said of the part.
      ...given('note', hintOf(column('note'), hints) === undefined ? column('note') : undefined),
    },
    structure,
    decimal,
    ...assembliesApart(known),
    ...(column('exclude') === undefined ? {} : { exclude: [{ column: column('exclude') as string }] }),
  };
  const taken = new Set([...Object.values(definition.columns ?? {}).flat(), column('exclude')]);
  const free = titles.filter(
    (title, at) => title !== '' && !taken.has(title) && titles.indexOf(title) === at,
  );
  const properties = propertiesOf(free, hints);
  return {
    definition: { ...definition, properties },
    headerAt,
    warnings:
      column('quantity') === undefined && column('references') === undefined
        ? [{ code: 'no_quantities', message: NO_QUANTITIES }]
        : [],
    unused: free.filter(
      (title) => !Object.values(properties).some((source) => takesColumn(sourceColumn(source), title)),
    ),
  };
}

function rolesOf(cells: readonly Cell[]): Map<Role, number> {
  const roles = new Map<Role, number>();
  const plain = cells.map((cell) => (typeof cell === 'string' ? bare(cell) : ''));
  const taken = new Set<number>();
  for (const [role, names] of words) {
    for (const name of names) {
      const at = plain.findIndex((text, place) => text === name && !taken.has(place));
      if (at === -1) continue;
      roles.set(role, at);
      taken.add(at);
      break;
    }
  }
  // A row is a header by what it says plainly.
  if (roles.size === 0) return roles;
  takeFirstOfNumbered(roles, plain, taken);
  for (const [role, parts] of wordsWithin) {
    if (roles.has(role)) continue;
    const at = plain.findIndex(
      (text, place) =>
        !taken.has(place) &&
        parts.some((part) => text.includes(part)) &&
        !otherMatters.test(text) &&
        !(role === 'number' && otherParts.test(text)),
    );
    if (at === -1) continue;
    roles.set(role, at);
    taken.add(at);
  }
  return roles;
}

/** `Manufacturer Part Number 1`, `MPN 1`: the first choice is the part's, the others are alternatives. */
function takeFirstOfNumbered(roles: Map<Role, number>, plain: readonly string[], taken: Set<number>): void {
  const names = words.find(([role]) => role === 'number')?.[1] ?? [];
  if (roles.has('number')) return;
  const at = plain.findIndex(
    (text, place) => !taken.has(place) && /\D1$/.test(text) && names.includes(text.slice(0, -1)),
  );
  if (at === -1) return;
  roles.set('number', at);
  taken.add(at);
}

/** `Part` heads reference designators in lists of electronics and numbers in others: what stands below it tells. */
function takePartForNumber(
  roles: Map<Role, number>,
  header: readonly Cell[],
  below: readonly (readonly Cell[])[],
): void {
  const at = roles.get('references');
  if (at === undefined || roles.has('number') || !/^parts?$/.test(bare(cellText(header[at])))) return;
  const texts = below.map((cells) => cellText(cells[at]).trim()).filter((text) => text !== '');
  if (texts.length === 0 || texts.every((text) => DESIGNATORS.test(text))) return;
  roles.delete('references');
  roles.set('number', at);
}

/** `R1`, `C3, C4`, `R1-R4`. */
const DESIGNATORS = /^[A-Za-z]{1,4}\d{1,4}(?:\s*[,; -]\s*[A-Za-z]{1,4}\d{1,4})*$/;

type ColumnOf = (role: Role) => string | undefined;
type TextsOf = (role: Role) => string[];

/**
 * The number where most lines have one, value and footprint for those that have none, as lists of components have them;
 * else the name.
 */
function keyOf(
  column: ColumnOf,
  texts: TextsOf,
): { key?: string | string[]; number?: string; keyElse?: string[] } | null {
  const number = column('number');
  const lines = Math.max(texts('references').length, texts('quantity').length);
  // A footprint alone is shared by parts that have nothing else in common.
  const value = column('value') ?? column('name');
  const footprint = value === undefined ? undefined : column('footprint');
  const own = column('value') ?? footprint;
  const parts = own === undefined ? [] : [value, footprint].filter((name) => name !== undefined);
  if (number !== undefined && texts('number').length >= lines / 2) {
    return texts('number').length < lines && parts.length > 0 ? { number, keyElse: parts } : { number };
  }
  if (parts.length > 0) return { key: parts };
  if (number !== undefined) return { number };
  const name = column('name');
  return name === undefined ? null : { key: name };
}

function structureOf(
  roles: ReadonlyMap<Role, number>,
  texts: TextsOf,
): NonNullable<ImportDefinitionInput['structure']> {
  const levels = texts('level');
  if (levels.length > 0) {
    if (levels.every((text) => /^\s*\d+\s*$/.test(text))) return 'levels';
    if (levels.every((text) => /^[.\s]*\d+\s*$/.test(text))) return 'levels';
    if (levels.some((text) => /^\s*\d+(?:\.\d+)+\.?\s*$/.test(text))) return 'items';
    if (levels.some((text) => /^\./.test(text))) return 'dots';
  }
  if (roles.has('parent')) return 'parent';
  if (texts('item').some((text) => /^\s*\d+(?:\.\d+)+\.?\s*$/.test(text))) return 'items';
  for (const role of ['number', 'name'] as const) if (isIndented(texts(role))) return 'indented';
  return 'flat';
}

/** More than a stray blank: the first line stands at the margin, and a tenth of the others does not. */
function isIndented(texts: readonly string[]): boolean {
  const [first = ' ', ...others] = texts;
  return !/^\s/.test(first) && others.filter((text) => /^\s+\S/.test(text)).length > others.length / 10;
}

function levelColumn(structure: ImportDefinitionInput['structure'], column: ColumnOf): string | undefined {
  if (structure === 'levels' || structure === 'dots') return column('level');
  if (structure === 'items') return column('level') ?? column('item');
  if (structure === 'indented') return column('number') ?? column('name');
  return undefined;
}

/** The sign that most numbers with a fraction have; null where none has one. */
function decimalOf(texts: readonly string[]): '.' | ',' | null {
  // A unit may stand behind.
  const numbers = texts.map((text) => text.trim().replace(/\s*\p{L}{1,5}$/u, ''));
  const count = (form: RegExp) => numbers.filter((text) => form.test(text)).length;
  const [commas, points] = [count(/^-?[\d.]*\d,\d{1,6}$/), count(/^-?[\d,]*\d\.\d{1,6}$/)];
  return commas === points ? null : commas > points ? ',' : '.';
}

function given<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: string });
}
