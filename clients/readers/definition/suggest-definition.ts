/**
 * Suggests a definition for a table by its first rows. The values of a column decide first, its title second: a column that
 * counts its lines is no part number whatever it is called. The suggestion states every rule that it applies.
 */
import { cellText, distinctTitles } from '../table/header.ts';
import type { Cell } from '../xlsx/read-workbook.ts';
import { assembliesApart } from './assemblies-apart.ts';
import { ColumnFacts, decimalOfNumbers, isAsRequired } from './column-facts.ts';
import { assignRoles, type Roles, rolesInRow } from './column-roles.ts';
import { bareTitle, decimalOfTitles, NO_QUANTITIES } from './column-titles.ts';
import { completeDefinition } from './complete-definition.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { type Identity, identityOf, type KeyColumns, keyOf, placeholdersOf } from './suggest-key.ts';
import { leftOutRules } from './suggest-left-out.ts';
import { hintOf } from './suggest-properties.ts';
import { structureOf } from './suggest-structure.ts';
import type { Suggestion, SuggestionNote, WorkspaceHints } from './suggestion.ts';
import { profileOf } from './tools/tool-profiles.ts';

const HEADER_ROWS_LOOKED_AT = 50;
const ROWS_LOOKED_AT = 200;
const VALUES_MAX = 100;
/** The key of the category of locations in new workspaces. */
const LOCATION = 'location';

/** Null where no row looks like a header, or nothing in it tells parts apart. */
export function suggestDefinition(
  rows: readonly (readonly Cell[])[],
  hints: WorkspaceHints = {},
): Suggestion | null {
  const headerAt = headerOf(rows);
  if (headerAt === -1) return null;
  const table = tableBelow(rows, headerAt);
  const titles = table.map(({ title }) => title);
  const profile = profileOf(titles);
  const roles = assignRoles(table, profile?.roles ?? {});
  const key = keyOf(roles);
  if (key === null) return null;
  const isMerged = profile?.merged?.includes(roles.title('parent') ?? '') === true;
  const structure = structureOf(table, roles, key, isMerged);
  const warnings: SuggestionNote[] = [...structure.warnings];
  const placeholders = placeholdersOf(roles);
  const identity = identityOf(table, roles, key, placeholders);
  if (identity.differing.length > 0) {
    const message = `Lines of one part differ in ${identity.differing.join(', ')}: they are read as the same part. Where these are different parts, name the column among those of "key".`;
    warnings.push({ code: 'lines_differ', message });
  }
  const keys =
    structure.isKeyInLevels === true ? {} : keyColumns(key, identity, placeholders, roles, warnings);
  const decimal = decimalRule(table, roles, titles, hints, warnings);
  const quantities = roles.facts('quantity')?.texts ?? [];
  const words = [...new Set(quantities.filter(isAsRequired))].slice(0, 20);
  const leftOut = leftOutRules(roles, structure);
  warnings.push(...leftOut.warnings);
  const categories = categoriesOf(roles, hints);
  const note = hintOf(roles.title('note'), hints.properties ?? []) === undefined;
  const unit = roles.facts('unit')?.texts.some((text) => /^\d|\d[.,]\d/.test(text)) === true;
  const name = roles.title('name') ?? (keys.key === undefined ? roles.title('value') : undefined);
  const definition: ImportDefinitionInput = {
    format: 'table',
    columns: {
      ...keys,
      ...given('name', name),
      ...given('guid', roles.title('guid')),
      ...given('category', categories.column),
      ...given('parentLocation', roles.title('parentLocation')),
      ...given('quantity', roles.title('quantity')),
      ...structure.columns,
      ...given('references', roles.title('references')),
      // A column that identifies the rows of the whole list holds no positions in an assembly.
      ...given('findNumber', structure.columns.row === roles.title('item') ? undefined : roles.title('item')),
      // A price for each is called the same.
      ...given('unit', unit ? undefined : roles.title('unit')),
      // A column that the workspace has a property for is about the part.
      ...given('note', note ? roles.title('note') : undefined),
    },
    structure: structure.structure,
    ...structure.rules,
    decimal,
    ...assembliesApart(hints.categories),
    ...(leftOut.exclude.length === 0 ? {} : { exclude: leftOut.exclude }),
    ...(words.length === 0 ? {} : { quantityWords: Object.fromEntries(words.map((word) => [word, 0])) }),
    ...(placeholders.length === 0 ? {} : { placeholders }),
    ...(hasVersions(roles) ? { withoutVersion: true } : {}),
    ...profile?.rules,
  };
  if (categories.rules.length > 0) {
    definition.categories = { ...definition.categories, rules: categories.rules };
  }
  const isOfLocations = roles.title('parentLocation') !== undefined && categories.column === undefined;
  if (isOfLocations && hints.categories?.includes(LOCATION) !== false)
    definition.categories = { ...definition.categories, default: LOCATION };
  if (
    !isOfLocations &&
    definition.columns?.quantity === undefined &&
    definition.columns?.references === undefined
  ) {
    warnings.push({ code: 'no_quantities', message: NO_QUANTITIES });
  }
  const { notes, ...complete } = completeDefinition(definition, titles, hints.properties ?? []);
  const watched = identity.watched.filter((title) => complete.unused.includes(title));
  if (watched.length > 0) complete.definition.watch = watched;
  return {
    ...complete,
    headerAt,
    warnings: [...warnings, ...notes],
    problems: structure.problems,
    tool: profile?.tool ?? null,
    categories: categories.open,
  };
}

/** Describes a table for somebody who must write the definition: its titles, and the roles that were found in them. */
export function describeTable(rows: readonly (readonly Cell[])[]): string {
  const headerAt = headerOf(rows);
  const at =
    headerAt === -1
      ? rows.findIndex((cells) => cells.filter((cell) => cellText(cell).trim() !== '').length > 1)
      : headerAt;
  const header = rows[at];
  if (header === undefined) return 'It has no row with several cells.';
  const table = tableBelow(rows, at);
  const titles = table.map(({ title }) => `"${title}"`).join(', ');
  const found = assignRoles(table, {}).described();
  const missing = ['number', 'name', 'quantity'].filter(
    (role) => !found.some((one) => one.startsWith(`${role} `)),
  );
  return [
    `Its titles are ${titles || 'empty'}.`,
    found.length === 0 ? 'None of them is known.' : `Understood: ${found.join(', ')}.`,
    `Missing: ${missing.join(', ') || 'a column that tells parts apart'}.`,
  ].join(' ');
}

function headerOf(rows: readonly (readonly Cell[])[]): number {
  const scores = rows.slice(0, HEADER_ROWS_LOOKED_AT).map((cells) => rolesInRow(cells.map(cellText)));
  const most = Math.max(0, ...scores);
  return most === 0 ? -1 : scores.indexOf(most);
}

function tableBelow(rows: readonly (readonly Cell[])[], headerAt: number): ColumnFacts[] {
  const below = rows
    .slice(headerAt + 1, headerAt + 1 + ROWS_LOOKED_AT)
    .filter((cells) => cells.some((cell) => cellText(cell).trim() !== ''));
  return distinctTitles(rows[headerAt] ?? []).flatMap((title, at) =>
    title === ''
      ? []
      : [
          new ColumnFacts(
            at,
            title,
            below.map((cells) => cellText(cells[at])),
          ),
        ],
  );
}

function keyColumns(
  key: KeyColumns,
  identity: Identity,
  placeholders: readonly string[],
  roles: Roles,
  warnings: SuggestionNote[],
): KeyColumns & { identity?: string[] } {
  const checked = identity.checked.length === 0 ? {} : { identity: identity.checked };
  if (key.key !== undefined && identity.apart.length > 0) {
    const columns = [...new Set([key.key, identity.apart].flat())];
    const message = `Lines with the same ${[key.key].flat().join(' and ')} differ in ${identity.apart.join(', ')}: all of them together tell parts apart.`;
    warnings.push({ code: 'kept_apart', message });
    return { ...key, key: columns, ...checked };
  }
  if (key.keyElse !== undefined && identity.apartElse.length > 0) {
    const columns = [...new Set([...key.keyElse, ...identity.apartElse])];
    const message = `Lines without a number are told apart by ${columns.join(' and ')}: lines with the same ${key.keyElse.join(' and ')} differ there.`;
    warnings.push({ code: 'kept_apart', message });
    return { ...key, keyElse: columns, ...checked };
  }
  if (placeholders.length > 0) {
    const other =
      key.keyElse ?? (roles.title('name') === undefined ? undefined : [roles.title('name') as string]);
    const message = `${placeholders.map((word) => `"${word}"`).join(', ')} stands in place of a number: those lines are told apart by ${other?.join(' and ') ?? 'nothing'}.`;
    warnings.push({ code: 'placeholders', message });
    return { ...key, ...(other === undefined ? {} : { keyElse: other }), ...checked };
  }
  if (key.keyElse !== undefined && key.number !== undefined) {
    const message = `Lines without a number are told apart by ${key.keyElse.join(' and ')}.`;
    warnings.push({ code: 'by_name', message });
  }
  return { ...key, ...checked };
}

/** By the figures of the quantities, then of other columns, then by the language of the titles and the sign between columns. */
function decimalRule(
  table: readonly ColumnFacts[],
  roles: Roles,
  titles: readonly string[],
  { delimiter }: WorkspaceHints,
  warnings: SuggestionNote[],
): '.' | ',' | 'unambiguous' {
  const quantities = roles.facts('quantity')?.texts ?? [];
  const own = decimalOfNumbers(quantities);
  if (own === '.' || own === ',') return own;
  // Item numbers such as 1.2 say nothing of the decimal sign.
  const silent = new Set(
    ['item', 'level', 'number', 'mpn', 'references', 'parent'].map((role) => roles.at(role as 'item')),
  );
  const others = table.filter(
    (column) =>
      !silent.has(column.at) &&
      column.isPlainNumbers &&
      !column.isDottedIndex &&
      column !== roles.facts('quantity'),
  );
  const other = own === null ? decimalOfNumbers(others.flatMap(({ texts }) => texts)) : null;
  if (other === '.' || other === ',') return other;
  const ofTitles = decimalOfTitles(titles);
  if (own === null && other === null) {
    if (ofTitles === '.' && delimiter === ',') return '.';
    if (ofTitles === ',' && delimiter !== ',') return ',';
  }
  if (own === 'mixed' || other === 'mixed') {
    const message =
      'Numbers in this table are written with both decimal signs: numbers that can be read in two ways are refused.';
    warnings.push({ code: 'decimal_unknown', message });
  }
  return 'unambiguous';
}

/** Whether half of the names end in a version, as those of Fusion do. */
function hasVersions(roles: Roles): boolean {
  const names = roles.facts('name');
  return names !== undefined && names.share((text) => /\sv\d+(?:\s*\(\d+\))?$/i.test(text)) >= 0.5;
}

/** A column whose texts are keys of categories gives the category; one whose texts are names of them gives it by rules. */
function categoriesOf(
  roles: Roles,
  { categories = [], categoryNames = {} }: WorkspaceHints,
): {
  column: string | undefined;
  rules: { column: string; values: string[]; category: string }[];
  open: Suggestion['categories'];
} {
  const facts = roles.facts('category');
  if (facts === undefined) return { column: undefined, rules: [], open: null };
  const known = new Set(categories);
  const values = [...new Set(facts.texts)].slice(0, VALUES_MAX);
  if (values.every((value) => known.has(value))) return { column: facts.title, rules: [], open: null };
  const byName = new Map(
    [...Object.entries(categoryNames), ...categories.map((key) => [key, key] as const)].map(([key, name]) => [
      bareTitle(name),
      key,
    ]),
  );
  const rules = values.flatMap((value) => {
    const category = byName.get(bareTitle(value)) ?? byName.get(bareTitle(value).replace(/s$/, ''));
    return category === undefined ? [] : [{ column: facts.title, values: [value], category }];
  });
  const mapped = new Set(rules.map(({ values: [value] }) => value));
  const open = values.filter((value) => !mapped.has(value));
  return {
    column: undefined,
    rules,
    open: open.length === 0 || open.length > VALUES_MAX / 2 ? null : { column: facts.title, values: open },
  };
}

function given<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: string });
}
