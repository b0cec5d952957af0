/**
 * Delimited text (RFC 4180 and what tools make of it) into rows of cells, as it arrives. What is held is one row.
 * A field is quoted where its first character that is no blank is a quote; a quote inside of an unquoted field is text.
 */
import { FileFault } from '../findings.ts';

export interface TextRow {
  /** Line of the file that the row begins in, from 1. */
  line: number;
  cells: string[];
}

/** The maximum of one row: a longer one has a quote that was never closed, or is no list. */
const ROW_CHARACTERS_MAX = 1_000_000;
const ROW_CELLS_MAX = 2_000;

export async function* splitCsv(
  text: AsyncIterable<string> | Iterable<string>,
  delimiter: string,
): AsyncGenerator<TextRow> {
  const splitter = new CsvSplitter(delimiter);
  for await (const piece of text) yield* splitter.take(piece);
  yield* splitter.end();
}

/** The same for whoever has the pieces at hand. */
class CsvSplitter {
  readonly #delimiter: string;
  #cells: string[] = [];
  #field = '';
  /** `start`: nothing but blanks so far. `closed`: behind the closing quote. `quote`: a quote within quotes, of which the next character decides. */
  #state: 'start' | 'plain' | 'quoted' | 'quote' | 'closed' = 'start';
  #line = 1;
  #rowLine = 1;
  #quoteLine = 1;
  #characters = 0;
  #afterReturn = false;
  #quotedReturn = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  *take(piece: string): Generator<TextRow> {
    let at = 0;
    while (at < piece.length) {
      const code = piece.charCodeAt(at);
      if (this.#state === 'quoted') {
        const quote = piece.indexOf('"', at);
        const end = quote === -1 ? piece.length : quote;
        this.#append(piece.slice(at, end));
        this.#countLines(piece, at, end);
        at = end;
        if (quote !== -1) {
          this.#state = 'quote';
          at += 1;
        }
        continue;
      }
      if (this.#state === 'quote') {
        if (code === 0x22) {
          this.#append('"');
          this.#quotedReturn = false;
          this.#state = 'quoted';
          at += 1;
          continue;
        }
        this.#state = 'closed';
      }
      if (code === 0x0a && this.#afterReturn) {
        this.#afterReturn = false;
        at += 1;
        continue;
      }
      this.#afterReturn = false;
      if (code === 0x0a || code === 0x0d) {
        this.#afterReturn = code === 0x0d;
        this.#line += 1;
        yield this.#row();
        at += 1;
      } else if (piece[at] === this.#delimiter) {
        this.#cell();
        at += 1;
      } else if (this.#state === 'start' && code === 0x22) {
        this.#field = '';
        this.#quoteLine = this.#line;
        this.#quotedReturn = false;
        this.#state = 'quoted';
        at += 1;
      } else {
        const isBlank = code === 0x20 || code === 0x09;
        if (this.#state === 'closed') {
          if (!isBlank) {
            throw new FileFault('text_after_quote', 'Text follows a closing quote.', { line: this.#line });
          }
          at += 1;
          continue;
        }
        if (!isBlank) this.#state = 'plain';
        const end = this.#state === 'plain' ? this.#endOfPlain(piece, at) : at + 1;
        this.#append(piece.slice(at, end));
        at = end;
      }
    }
  }

  *end(): Generator<TextRow> {
    if (this.#state === 'quoted') {
      throw new FileFault('quote_open', 'A quote is opened here and never closed.', {
        line: this.#quoteLine,
      });
    }
    if (this.#cells.length > 0 || this.#field !== '' || this.#state !== 'start') yield this.#row();
  }

  #endOfPlain(piece: string, from: number): number {
    const delimiter = this.#delimiter.charCodeAt(0);
    let at = from;
    for (; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (code === delimiter || code === 0x0a || code === 0x0d) break;
    }
    return at;
  }

  #append(text: string): void {
    this.#characters += text.length;
    if (this.#characters > ROW_CHARACTERS_MAX) {
      throw new FileFault('row_too_long', `A row has more than ${ROW_CHARACTERS_MAX} characters.`, {
        line: this.#rowLine,
      });
    }
    this.#field += text;
  }

  #cell(): void {
    this.#cells.push(this.#field);
    this.#field = '';
    this.#state = 'start';
    if (this.#cells.length > ROW_CELLS_MAX) {
      throw new FileFault('row_too_wide', `A row has more than ${ROW_CELLS_MAX} cells.`, {
        line: this.#rowLine,
      });
    }
  }

  #row(): TextRow {
    this.#cell();
    const row = { line: this.#rowLine, cells: this.#cells };
    this.#cells = [];
    this.#characters = 0;
    this.#rowLine = this.#line;
    return row;
  }

  /** A return at the end of a piece and the line feed that begins the next one are one end of a line. */
  #countLines(piece: string, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const code = piece.charCodeAt(at);
      if (code === 0x0d || (code === 0x0a && !this.#quotedReturn)) this.#line += 1;
      this.#quotedReturn = code === 0x0d;
    }
  }
}

const DELIMITERS = [',', ';', '\t', '|'];
const LINES_LOOKED_AT = 30;

/**
 * The delimiter of a text by its beginning: the one with which most rows have the same number of cells, more than one.
 * Of delimiters that do equally well the one with more cells. A comma where there is but one column.
 */
export function guessDelimiter(beginning: string): string {
  let best = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const score = consistency(beginning, delimiter);
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

function consistency(beginning: string, delimiter: string): number {
  const rows: string[][] = [];
  const splitter = new CsvSplitter(delimiter);
  try {
    for (const part of [splitter.take(beginning), splitter.end()]) {
      for (const { cells } of part) if (cells.some((cell) => cell.trim() !== '')) rows.push(cells);
    }
  } catch {
    // The beginning was cut within quotes, or the file cannot be read with this delimiter: the rows before count.
  }
  if (rows.length === 0) return 0;
  rows.splice(LINES_LOOKED_AT);
  const widths = Map.groupBy(
    rows.filter((cells) => cells.length > 1),
    (cells) => cells.length,
  );
  const scores = [...widths].map(([width, of]) => of.length / rows.length + Math.min(width, 50) / 1000);
  return Math.max(0, ...scores);
}
