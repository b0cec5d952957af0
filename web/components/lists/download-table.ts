/** Writes a table as a file that the browser saves. */
export interface Table {
  name: string;
  head: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
}

/** As RFC 4180 has it. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function downloadCsv(table: Table): void {
  const lines = [table.head, ...table.rows].map((row) => row.map(csvCell).join(','));
  save(
    new Blob(['\ufeff', lines.join('\r\n'), '\r\n'], { type: 'text/csv;charset=utf-8' }),
    `${fileName(table)}.csv`,
  );
}

export async function downloadXlsx(table: Table): Promise<void> {
  const { default: writeXlsxFile } = await import('write-excel-file/browser');
  const head = table.head.map((value) => ({ value, fontWeight: 'bold' as const }));
  const rows = table.rows.map((row) =>
    row.map((value) =>
      value === null ? null : typeof value === 'number' ? { value, type: Number } : { value, type: String },
    ),
  );
  const file = await writeXlsxFile([head, ...rows], { sheet: table.name.slice(0, 31) }).toBlob();
  save(file, `${fileName(table)}.xlsx`);
}

export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function fileName({ name }: Table): string {
  return `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${new Date().toISOString().slice(0, 10)}`;
}

/** What spreadsheets take for the beginning of a formula, in full width too; the service writes its tables by the same rule. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
