/** One line of CSV. */

/**
 * By RFC 4180, with its line end. A text that a spreadsheet would take for a formula is kept from it by an
 * apostrophe; numbers stay numbers.
 */
export function csvLine(values: readonly (string | number | boolean | null | undefined)[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

/** What spreadsheets take for the beginning of a formula, in full width too; some look past a line's end. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function field(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
