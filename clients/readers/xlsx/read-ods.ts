/** Sheets of an OpenDocument spreadsheet (.ods), row by row as they are inflated. */
import { decoded } from '../csv/decode-text.ts';
import type { FileSource } from '../file-source.ts';
import { FileFault } from '../findings.ts';
import { xmlFeed } from '../xml/parse-xml.ts';
import { openZip, readEntry } from './open-zip.ts';
import type { Cell, Sheet, SheetRow } from './read-workbook.ts';

const CONTENT = 'content.xml';
const ROW_CELLS_MAX = 16_384;
const BLANKS_MAX = 250;
/** Empty rows and cells at the end are written as one that is repeated a million times. */
const REPEATED_MAX = 10_000;

export async function openSpreadsheet(source: FileSource): Promise<Sheet[]> {
  const entries = await openZip(source);
  const entry = entries.get(CONTENT);
  if (entry === undefined) throw new FileFault('not_workbook', 'The spreadsheet has no content.xml.');
  if (entries.get('META-INF/manifest.xml') !== undefined && entry.isEncrypted) {
    throw new FileFault('zip_encrypted', 'The file is protected by a password.');
  }
  const text = () => decoded(readEntry(source, entry), 'utf-8');
  const reader = new SpreadsheetReader(null);
  for await (const _ of rowsOf(text(), reader)) {
    // The names of the sheets are all that this pass is for.
  }
  return reader.sheets.map(({ name, isHidden }, at) => ({
    name,
    isHidden,
    rows: () => rowsOf(text(), new SpreadsheetReader(at)),
  }));
}

async function* rowsOf(content: AsyncIterable<string>, reader: SpreadsheetReader): AsyncGenerator<SheetRow> {
  const feed = xmlFeed(reader);
  for await (const piece of content) {
    feed.write(piece);
    yield* reader.rows.splice(0);
    if (reader.isDone) return;
  }
  feed.end();
  yield* reader.rows.splice(0);
}

interface OpenCell {
  attributes: Readonly<Record<string, string>>;
  paragraphs: string[];
  /** How many notes are open: their text is not the text of the cell. */
  notes: number;
}

class SpreadsheetReader {
  readonly sheets: { name: string; isHidden: boolean }[] = [];
  readonly rows: SheetRow[] = [];
  readonly #wanted: number | null;
  readonly #hiddenStyles = new Set<string>();
  #style = '';
  #line = 0;
  #row: SheetRow | null = null;
  #repeatedRows = 1;
  #cell: OpenCell | null = null;

  /** Null reads the names of the sheets alone. */
  constructor(wanted: number | null) {
    this.#wanted = wanted;
  }

  get isDone(): boolean {
    return this.#wanted !== null && this.sheets.length > this.#wanted + 1;
  }

  get #isWanted(): boolean {
    return this.#wanted !== null && this.sheets.length === this.#wanted + 1;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'style') this.#style = attributeOf(attributes, 'name') ?? '';
    if (name === 'table-properties' && attributeOf(attributes, 'display') === 'false') {
      this.#hiddenStyles.add(this.#style);
    }
    if (name === 'table') {
      this.#line = 0;
      const style = attributeOf(attributes, 'style-name') ?? '';
      this.sheets.push({
        name: attributeOf(attributes, 'name') ?? '',
        isHidden: this.#hiddenStyles.has(style),
      });
    }
    if (!this.#isWanted) return;
    if (name === 'table-row') {
      this.#repeatedRows = countOf(attributes, 'number-rows-repeated');
      const visibility = attributeOf(attributes, 'visibility') ?? 'visible';
      this.#row = {
        line: this.#line + 1,
        cells: [],
        ...(visibility === 'visible' ? {} : { isHidden: true }),
      };
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#cell = { attributes, paragraphs: [], notes: 0 };
    } else if (name === 'annotation' && this.#cell !== null) this.#cell.notes += 1;
    else if (name === 'p' && this.#cell?.notes === 0) this.#cell.paragraphs.push('');
    else if (name === 's') this.#append(' '.repeat(Math.min(countOf(attributes, 'c'), BLANKS_MAX)));
  }

  text(text: string, path: readonly string[]): void {
    if (path.includes('p')) this.#append(text);
  }

  #append(text: string): void {
    if (this.#cell === null || this.#cell.notes > 0) return;
    const at = this.#cell.paragraphs.length - 1;
    if (at >= 0) this.#cell.paragraphs[at] += text;
  }

  close(name: string): void {
    if (name === 'annotation' && this.#cell !== null) this.#cell.notes -= 1;
    else if ((name === 'table-cell' || name === 'covered-table-cell') && this.#cell !== null) this.#put();
    else if (name === 'table-row' && this.#row !== null) this.#endRow(this.#row);
  }

  #put(): void {
    const { attributes, paragraphs } = this.#cell as OpenCell;
    this.#cell = null;
    if (this.#row === null) return;
    const cell = cellOf(attributes, paragraphs.join('\n'));
    const repeated = countOf(attributes, 'number-columns-repeated');
    const { cells } = this.#row;
    if (cell === '' && repeated > REPEATED_MAX / 10) return;
    if (cells.length + repeated > ROW_CELLS_MAX) {
      if (cell === '') return;
      throw new FileFault('row_too_wide', `A row has more than ${ROW_CELLS_MAX} cells.`, {
        line: this.#line + 1,
      });
    }
    for (let at = 0; at < repeated; at++) cells.push(cell);
  }

  #endRow(row: SheetRow): void {
    this.#row = null;
    const isEmpty = row.cells.every((cell) => cell === '');
    const repeated = isEmpty ? 1 : Math.min(this.#repeatedRows, REPEATED_MAX);
    for (let at = 0; at < repeated; at++) this.rows.push({ ...row, line: this.#line + 1 + at });
    this.#line += this.#repeatedRows;
  }
}

/** An attribute, whatever the prefix of its name. */
function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const found = Object.entries(attributes).find(([key]) => key.slice(key.indexOf(':') + 1) === name);
  return found?.[1];
}

function countOf(attributes: Readonly<Record<string, string>>, name: string): number {
  const count = Number(attributeOf(attributes, name) ?? 1);
  return Number.isInteger(count) && count > 0 ? count : 1;
}

function cellOf(attributes: Readonly<Record<string, string>>, shown: string): Cell {
  const type = attributeOf(attributes, 'value-type');
  if (type === 'float' || type === 'percentage' || type === 'currency') {
    const value = Number(attributes['office:value'] ?? attributeOf(attributes, 'value'));
    if (Number.isFinite(value)) return { text: shown === '' ? String(value) : shown, value };
  }
  if (type === 'date') return attributeOf(attributes, 'date-value') ?? shown;
  if (/^(?:#(?:REF|VALUE|NAME|DIV\/0|N\/A|NUM)[!?]?|Err:\d+)$/.test(shown))
    return { text: shown, isError: true };
  return shown;
}
