/** Writes data to standard output, and everything for people to standard error. */
import { once } from 'node:events';
import { styleText } from 'node:util';
import { here } from './surroundings.ts';

export type Form = 'text' | 'json' | 'ndjson';

type Style = Parameters<typeof styleText>[0];

export class Output {
  readonly form: Form;
  readonly #isColoured: boolean;

  constructor(form: Form) {
    const { stderr, env } = here();
    this.form = form;
    this.#isColoured = stderr.isTTY === true && !env.NO_COLOR;
  }

  /** Whether somebody sits there who can be asked. */
  get isAttended(): boolean {
    const { stdin, stderr } = here();
    return stdin.isTTY === true && stderr.isTTY === true;
  }

  /** For people. */
  say(text: string, style?: Style): void {
    const lines = plainLines(text);
    here().stderr.write(`${style === undefined || !this.#isColoured ? lines : styleText(style, lines)}\n`);
  }

  /** One answer: as JSON, or as lines of text. */
  answer(value: unknown, text: () => string): void {
    if (this.form === 'text') this.#write(plainLines(text()));
    else this.#write(this.form === 'json' ? JSON.stringify(value, null, 2) : JSON.stringify(value));
  }

  /**
   * Many of a kind, each written as it comes: a line each, or one array, or in rows; `none` says to people what it means that there
   * are none. A million of them fit neither into one string nor, while what reads them is slow, into memory.
   */
  async list<Item>(
    items: AsyncIterable<Item> | Iterable<Item>,
    rows: Rows<Item>,
    none: string,
  ): Promise<number> {
    let count = 0;
    const counted = async function* () {
      for await (const item of items) {
        count += 1;
        yield item;
      }
    };
    const { stdout } = here();
    for await (const text of this.#texts(counted(), rows))
      if (!stdout.write(text)) await once(stdout, 'drain');
    if (count === 0 && this.form === 'text') this.say(none);
    return count;
  }

  #texts<Item>(items: AsyncIterable<Item>, rows: Rows<Item>): AsyncIterable<string> {
    if (this.form === 'json') return arrayTexts(items);
    if (this.form === 'ndjson') return linesOf(items, (item) => JSON.stringify(item));
    return typeof rows === 'function' ? linesOf(items, rows) : tableTexts(items, rows);
  }

  #write(text: string): void {
    here().stdout.write(`${text}\n`);
  }
}

async function* linesOf<Item>(
  items: AsyncIterable<Item>,
  text: (item: Item) => string,
): AsyncGenerator<string> {
  for await (const item of items) yield `${text(item)}\n`;
}

/** As `JSON.stringify` writes the whole array. Nothing before the first item: a refusal leaves the output empty. */
async function* arrayTexts<Item>(items: AsyncIterable<Item>): AsyncGenerator<string> {
  let before = '[\n  ';
  for await (const item of items) {
    yield before + JSON.stringify(item, null, 2).replaceAll('\n', '\n  ');
    before = ',\n  ';
  }
  yield before.startsWith('[') ? '[]\n' : '\n]\n';
}

/**
 * The columns are as wide as the first rows want them: whoever looks sees those at once, and no row is kept. Those that came before
 * the list broke off are shown all the same.
 */
async function* tableTexts<Item>(items: AsyncIterable<Item>, columns: Columns<Item>): AsyncGenerator<string> {
  const first: Item[] = [];
  let table: Table<Item> | undefined;
  let failure: { error: unknown } | null = null;
  try {
    for await (const item of items) {
      if (table !== undefined) yield `${table.row(item)}\n`;
      else if (first.push(item) === ROWS_MEASURED) {
        table = new Table(first, columns, cellCharactersMax());
        yield table.text(first);
      }
    }
  } catch (error) {
    failure = { error };
  }
  if (table === undefined && first.length > 0)
    yield new Table(first, columns, cellCharactersMax()).text(first);
  if (failure !== null) throw failure.error;
}

export type Columns<Item> = Readonly<
  Record<string, (item: Item) => string | number | boolean | null | undefined>
>;

/** A cell with a quantity, and the base unit of its item if it has one. */
export function measured(quantity: number, unit: string | null): number | string {
  return unit === null ? quantity : `${quantity} ${plain(unit)}`;
}

/** The view of each item for people: the columns of a table, or a text. */
type Rows<Item> = Columns<Item> | ((item: Item) => string);

const ROWS_MEASURED = 1000;

/** How wide a column becomes; on a terminal its cells are cut to that, too. */
const COLUMN_CHARACTERS_MAX = 60;

/** On a terminal each row is one line; a pipe or a file gets every cell whole, because its reader cannot ask for the rest. */
function cellCharactersMax(): number {
  return here().stdout.isTTY === true ? COLUMN_CHARACTERS_MAX : Number.POSITIVE_INFINITY;
}

/** Numbers to the right, texts to the left, as wide as what stands in them: one very long cell widens no other row. */
class Table<Item> {
  readonly #columns: Columns<Item>;
  readonly #charactersMax: number;
  readonly #titles: string[];
  readonly #isNumeric: boolean[];
  readonly #widths: number[];

  constructor(measured: readonly Item[], columns: Columns<Item>, charactersMax: number) {
    this.#columns = columns;
    this.#charactersMax = charactersMax;
    this.#titles = Object.keys(columns);
    const cells = measured.map((item) => this.#cells(item));
    this.#isNumeric = this.#titles.map((_, at) =>
      cells.every((row) => typeof row[at] === 'number' || row[at] == null),
    );
    this.#widths = this.#titles.map((title, at) =>
      cells.reduce(
        (width, row) =>
          Math.max(width, Math.min(shown(row[at], charactersMax).length, COLUMN_CHARACTERS_MAX)),
        Math.min(title.length, COLUMN_CHARACTERS_MAX),
      ),
    );
  }

  /** The titles, and those rows. */
  text(items: readonly Item[]): string {
    return [this.#line(this.#titles), ...items.map((item) => this.row(item)), ''].join('\n');
  }

  row(item: Item): string {
    return this.#line(this.#cells(item).map((cell) => shown(cell, this.#charactersMax)));
  }

  #cells(item: Item): ReturnType<Columns<Item>[string]>[] {
    return this.#titles.map((title) => this.#columns[title]?.(item));
  }

  #line(texts: readonly string[]): string {
    return texts
      .map((text, at) => {
        const width = this.#widths[at] as number;
        return this.#isNumeric[at] ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  }
}

/** A table of few rows, as part of an answer. */
export function tableText<Item>(
  items: readonly Item[],
  columns: Columns<Item>,
  charactersMax = cellCharactersMax(),
): string {
  return new Table(items, columns, charactersMax).text(items).trimEnd();
}

/** One value in a line, cut where it goes to a terminal. */
export function shown(
  value: string | number | boolean | null | undefined,
  charactersMax = cellCharactersMax(),
): string {
  const text = plain(String(value ?? ''));
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}

/**
 * Control characters out of names must not reach a terminal, nor overrides of the direction of writing, behind which a text reads as
 * another one; a sentence that says what is wrong is never cut.
 */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}

/** The same of what is said in lines of its own: whatever of names, messages and addresses is in it. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}
