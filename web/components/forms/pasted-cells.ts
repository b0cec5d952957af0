/** Blocks of cells as spreadsheets put them on the clipboard, and what stands in such cells. */
/** More than that is a file, which an import takes. */
const PASTED_ROWS_MAX = 1000;

/** Whether it is more than one cell. */
export function isBlock(text: string): boolean {
  return /[\t\n]/.test(text.trimEnd());
}

/** Rows of cells: tabs between cells, line ends between rows, quotes around a cell that holds either. */
export function readCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/g)) {
    const isNothing = quoted === undefined && plain === '' && end === '';
    if (!(isNothing && row.length === 0)) row.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
    if (end !== '\t' && row.length > 0) {
      if (row.some((cell) => cell !== '')) rows.push(row);
      row = [];
      if (rows.length >= PASTED_ROWS_MAX) break;
    }
  }
  return rows;
}

/** `2026-12-24` of that or of `24.12.2026`; null where it is no day. */
export function readCellDay(text: string): string | null {
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text.trim());
  const day =
    german === null
      ? text.trim()
      : `${german[3]}-${german[2]?.padStart(2, '0')}-${german[1]?.padStart(2, '0')}`;
  const at = new Date(`${day}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
    ? day
    : null;
}
