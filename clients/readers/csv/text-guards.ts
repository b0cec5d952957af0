/** Removes the guards by which texts are kept from spreadsheets: `="00456"`, `'00789`, `'=SUM(A1)`. This product writes them too. */
import type { TextRow } from './split-csv.ts';

const APOSTROPHE = 0x27;
const EQUALS = 0x3d;

export async function* withoutGuards(rows: AsyncIterable<TextRow>): AsyncGenerator<TextRow> {
  for await (const row of rows) {
    const { cells } = row;
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] as string;
      const first = cell.charCodeAt(0);
      if (first === APOSTROPHE || first === EQUALS) cells[at] = unguarded(cell);
    }
    yield row;
  }
}

/** The text without its guard; other texts stay. */
function unguarded(text: string): string {
  const formula = /^="((?:[^"]|"")*)"\s*$/.exec(text)?.[1];
  if (formula !== undefined) return formula.replaceAll('""', '"');
  return /^'[=+\-@\t\r\d]/.test(text) ? text.slice(1) : text;
}
