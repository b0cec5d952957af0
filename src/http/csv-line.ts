/** One line of CSV, and the columns of a table. */

/** What a cell may hold. */
export type Cell = string | number | boolean | null | undefined;

/** A column of a table: its title, and its cell of a row. */
export type CsvColumn<Row> = readonly [title: string, cell: (row: Row) => Cell];

/** Those of the titles, in their order; all of them where none are wanted. Titles that no column has are passed over. */
export function pickColumns<Row>(
  columns: readonly CsvColumn<Row>[],
  wanted: readonly string[] | undefined,
): readonly CsvColumn<Row>[] {
  if (wanted === undefined) return columns;
  const byTitle = new Map(columns.map((column) => [column[0], column]));
  return wanted.map((title) => byTitle.get(title)).filter((column) => column !== undefined);
}

/**
 * By RFC 4180, with its line end. A text that a spreadsheet would take for a formula is kept from it by an
 * apostrophe; numbers stay numbers.
 */
export function csvLine(values: readonly Cell[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

/** What spreadsheets take for the beginning of a formula, in full width too; some look past a line's end. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function field(value: Cell): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
