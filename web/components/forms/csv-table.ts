/** A list as a table that a spreadsheet reads by a link. */
import type { CsvTable } from '../../client/operations.ts';

export type ColumnOf<Of extends CsvTable['of']> = NonNullable<
  Extract<CsvTable, { of: Of }>['columns']
>[number];

/** The titles that the service has for these columns of a grid; those that it has none for are left out. */
export function titlesOf<Title extends string>(
  columns: readonly string[],
  titles: Readonly<Record<string, Title>>,
): Title[] | undefined {
  const known = columns.map((key) => titles[key]).filter((title) => title !== undefined);
  return known.length === 0 ? undefined : known;
}

/** Of a parameter that may be there several times. */
export function listOf(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  return (Array.isArray(value) ? value : [value]).map(String);
}

export function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

const names: Record<CsvTable['of'], string> = {
  entities: 'Items',
  positions: 'Stock positions',
  ledger: 'Ledger',
  lots: 'Lots',
};

/** In words: which list, what of it, in which order. */
export function tableText(table: CsvTable): string {
  const { of, columns, ...filters } = table;
  const parts = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${[value].flat().join(' or ')}`);
  const shown = columns === undefined ? 'all columns' : `${columns.length} columns`;
  return [names[of], ...parts, shown].join(', ');
}
