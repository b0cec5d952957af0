/** A line of CSV, and the columns of a table. */

/** Possible values of a cell. */
export type Cell = string | number | boolean | null | undefined;

/** A column of a table: its title, and its cell of a row. */
export type CsvColumn<Row> = readonly [title: string, cell: (row: Row) => Cell];

/**
 * Returns the columns with these titles, in their order; all columns if no titles are given. Unknown titles are
 * ignored.
 */
export function pickColumns<Row>(
  columns: readonly CsvColumn<Row>[],
  wanted: readonly string[] | undefined,
): readonly CsvColumn<Row>[] {
  if (wanted === undefined) return columns;
  const byTitle = new Map(columns.map((column) => [column[0], column]));
  return wanted.map((title) => byTitle.get(title)).filter((column) => column !== undefined);
}

/**
 * Formats a line by RFC 4180, with its line end. A text that a spreadsheet would treat as a formula is prefixed
 * with an apostrophe; numbers stay numbers.
 */
export function csvLine(values: readonly Cell[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

/**
 * Characters that spreadsheets treat as the beginning of a formula, including full width forms; some look past a
 * line end.
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function field(value: Cell): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
