/** Sheets of an .xlsx workbook, row by row as they are inflated. */
import { decoded } from '../csv/decode-text.ts';
import type { FileSource } from '../file-source.ts';
import { FileFault } from '../findings.ts';
import { xmlFeed } from '../xml/parse-xml.ts';
import { formatOf, type ShowNumber, showGeneral } from './number-format.ts';
import { openZip, readEntry, type ZipEntry } from './open-zip.ts';
import { readSharedStrings, SharedStrings, unescapeText } from './shared-strings.ts';

/** A text, or a number with the text that is shown. A formula that failed is a text such as `#REF!` with `isError`. */
export type Cell = string | { text: string; value: number } | { text: string; isError: true };

export interface SheetRow {
  /** From 1, as the spreadsheet numbers them. */
  line: number;
  cells: Cell[];
  isHidden?: true;
}

export interface Sheet {
  name: string;
  isHidden: boolean;
  rows(): AsyncGenerator<SheetRow>;
}

const ROW_CELLS_MAX = 16_384;
const SMALL_PART_BYTES_MAX = 64 * 1024 * 1024;

export async function openWorkbook(source: FileSource): Promise<Sheet[]> {
  const entries = await openZip(source);
  const text = (name: string, bytesMax?: number) => {
    const entry = entries.get(name);
    return entry === undefined ? null : decoded(readEntry(source, entry, bytesMax), 'utf-8');
  };
  const small = (name: string) => text(name, SMALL_PART_BYTES_MAX);
  const workbook = await workbookPart(small, entries);
  const relations = await readRelations(small, workbook);
  const book = await readBook(small(workbook));
  const target = (type: string) => relations.find((one) => one.type.endsWith(`/${type}`))?.target;
  let strings: Promise<SharedStrings> | null = null;
  const stringsName = target('sharedStrings');
  const stringsText = () => (stringsName === undefined ? null : text(stringsName));
  const loadStrings = () => {
    const content = stringsText();
    return content === null ? Promise.resolve(new SharedStrings()) : readSharedStrings(content);
  };
  const stylesName = target('styles');
  const styles = await readStyles(stylesName === undefined ? null : small(stylesName), book.isSince1904);
  return book.sheets.flatMap(({ name, isHidden, relation }) => {
    const found = relations.find((one) => one.id === relation);
    if (found === undefined || !found.type.endsWith('/worksheet')) return [];
    return [
      {
        name,
        isHidden,
        rows: async function* () {
          const content = text(found.target);
          if (content === null)
            throw new FileFault('sheet_missing', `The sheet "${name}" is not in the file.`);
          strings ??= loadStrings();
          yield* readRows(content, name, await strings, styles);
        },
      },
    ];
  });
}

type OpenPart = (name: string) => AsyncIterable<string> | null;

async function workbookPart(open: OpenPart, entries: ReadonlyMap<string, ZipEntry>): Promise<string> {
  const relations = await readRelations(open, '');
  const named = relations.find((one) => one.type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml';
  if (entries.has(named) && !named.endsWith('.bin')) return named;
  throw new FileFault('not_workbook', 'This is a ZIP archive, but no .xlsx workbook.');
}

interface Relation {
  id: string;
  type: string;
  /** From the root of the archive. */
  target: string;
}

/** Relations of a part; the empty name stands for the whole package. */
async function readRelations(open: OpenPart, part: string): Promise<Relation[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const content = open(`${folder}_rels/${part.slice(folder.length)}.rels`);
  const relations: Relation[] = [];
  if (content === null) return relations;
  await feedAll(content, (name, attributes) => {
    if (name !== 'Relationship') return;
    const target = attributes.Target ?? '';
    relations.push({
      id: attributes.Id ?? '',
      type: attributes.Type ?? '',
      target: target.startsWith('/') ? target.slice(1) : normal(`${folder}${target}`),
    });
  });
  return relations;
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

interface Book {
  isSince1904: boolean;
  sheets: { name: string; isHidden: boolean; relation: string }[];
}

async function readBook(content: AsyncIterable<string> | null): Promise<Book> {
  const book: Book = { isSince1904: false, sheets: [] };
  if (content === null) return book;
  await feedAll(content, (name, attributes) => {
    if (name === 'workbookPr') book.isSince1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
    if (name !== 'sheet') return;
    const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
    const isHidden = attributes.state === 'hidden' || attributes.state === 'veryHidden';
    book.sheets.push({ name: attributes.name ?? '', isHidden, relation });
  });
  return book;
}

/** How the cells of a style are shown. */
interface CellStyle {
  show: ShowNumber;
  /** Steps by which the text stands in from the left; a bill of materials may say its levels so. */
  indent: number;
}

const INDENT_MAX = 250;
const INDENT_BLANKS = 3;

async function readStyles(content: AsyncIterable<string> | null, isSince1904: boolean): Promise<CellStyle[]> {
  const codes = new Map<number, string>();
  const styles: CellStyle[] = [];
  if (content === null) return styles;
  await feedAll(content, (name, attributes, path) => {
    if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
    if (name === 'xf' && path.at(-2) === 'cellXfs') {
      const id = Number(attributes.numFmtId ?? 0);
      styles.push({ show: formatOf(id, codes.get(id), isSince1904), indent: 0 });
    }
    const style = styles.at(-1);
    if (name === 'alignment' && path.at(-3) === 'cellXfs' && style !== undefined) {
      const indent = Number(attributes.indent ?? 0);
      if (indent > 0 && attributes.horizontal !== 'right') style.indent = Math.min(indent, INDENT_MAX);
    }
  });
  return styles;
}

type OnOpen = (name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]) => void;

async function feedAll(content: AsyncIterable<string>, open: OnOpen): Promise<void> {
  const feed = xmlFeed({ open });
  for await (const piece of content) feed.write(piece);
  feed.end();
}

async function* readRows(
  content: AsyncIterable<string>,
  sheet: string,
  strings: SharedStrings,
  styles: readonly CellStyle[],
): AsyncGenerator<SheetRow> {
  const reader = new RowReader(strings, styles);
  const feed = xmlFeed(reader);
  try {
    for await (const piece of content) {
      feed.write(piece);
      yield* reader.rows.splice(0);
    }
    feed.end();
  } catch (error) {
    if (error instanceof FileFault) error.place.sheet ??= sheet;
    throw error;
  }
}

class RowReader {
  readonly rows: SheetRow[] = [];
  readonly #strings: SharedStrings;
  readonly #styles: readonly CellStyle[];
  #row: SheetRow | null = null;
  #line = 0;
  #column = 0;
  #type = 'n';
  #style = 0;
  #value: string | null = null;
  #inline = '';

  constructor(strings: SharedStrings, styles: readonly CellStyle[]) {
    this.#strings = strings;
    this.#styles = styles;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      // Numbers of rows and cells may be left out: then they go on from the ones before.
      this.#line = attributes.r === undefined ? this.#line + 1 : Number(attributes.r);
      const isHidden = /^(?:1|true)$/.test(attributes.hidden ?? '');
      this.#row = { line: this.#line, cells: [], ...(isHidden ? { isHidden } : {}) };
      this.#column = -1;
    } else if (name === 'c') {
      this.#column = attributes.r === undefined ? this.#column + 1 : columnOf(attributes.r);
      this.#type = attributes.t ?? 'n';
      this.#style = Number(attributes.s ?? 0);
      this.#value = null;
      this.#inline = '';
    }
  }

  close(name: string, text: string, path: readonly string[]): void {
    if (name === 'v') this.#value = text;
    else if (name === 't' && !path.includes('rPh')) this.#inline += text;
    else if (name === 'c' && this.#row !== null) this.#put(this.#row.cells);
    else if (name === 'row' && this.#row !== null) {
      this.rows.push(this.#row);
      this.#row = null;
    }
  }

  #put(cells: Cell[]): void {
    const read = this.#cell();
    if (read === '') return;
    const cell = this.#indented(read);
    if (this.#column >= ROW_CELLS_MAX) {
      throw new FileFault('row_too_wide', `A row has more than ${ROW_CELLS_MAX} cells.`, {
        line: this.#line,
      });
    }
    while (cells.length < this.#column) cells.push('');
    cells[this.#column] = cell;
  }

  /** An indentation by the cell's alignment is to be seen as one by blanks is. */
  #indented(cell: Cell): Cell {
    const indent = this.#styles[this.#style]?.indent ?? 0;
    return indent > 0 && typeof cell === 'string' ? ' '.repeat(INDENT_BLANKS * indent) + cell : cell;
  }

  #cell(): Cell {
    const value = this.#value;
    switch (this.#type) {
      case 's': {
        if (value === null || value.trim() === '') return '';
        const text = this.#strings.at(Number(value));
        if (text === undefined) {
          throw new FileFault('string_missing', 'A cell refers to a text that is not in the file.', {
            cell: cellName(this.#column, this.#line),
          });
        }
        return text;
      }
      case 'inlineStr':
        return unescapeText(this.#inline);
      case 'str':
        return unescapeText(value ?? '');
      case 'd':
        return value ?? '';
      case 'b':
        return value === null ? '' : value === '1' ? 'TRUE' : 'FALSE';
      case 'e':
        return { text: value ?? '#ERROR', isError: true };
      default: {
        if (value === null || value === '') return '';
        const number = Number(value);
        if (!Number.isFinite(number)) return value;
        return { text: (this.#styles[this.#style]?.show ?? showGeneral)(number), value: number };
      }
    }
  }
}

/** `AB12` is column 27, from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at) | 0x20;
    if (code < 0x61 || code > 0x7a) break;
    column = column * 26 + code - 0x60;
  }
  return column - 1;
}

/** Column from 0, row from 1. */
export function cellName(column: number, line: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(0x41 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${line}`;
}
