/** What is said where: data on standard output, everything for people on standard error. */
import { styleText } from 'node:util';

export type Form = 'text' | 'json' | 'ndjson';

type Style = Parameters<typeof styleText>[0];

export class Output {
  readonly form: Form;
  readonly #isColoured: boolean;

  constructor(form: Form, environment: Readonly<Record<string, string | undefined>> = {}) {
    this.form = form;
    this.#isColoured = process.stderr.isTTY === true && !environment.NO_COLOR;
  }

  /** Whether somebody sits there who can be asked. */
  get isAttended(): boolean {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  }

  /** For people. */
  say(text: string, style?: Style): void {
    process.stderr.write(`${style === undefined || !this.#isColoured ? text : styleText(style, text)}\n`);
  }

  /** One answer: as JSON, or as lines of text. */
  answer(value: unknown, text: () => string): void {
    if (this.form === 'text') this.#write(text());
    else this.#write(this.form === 'json' ? JSON.stringify(value, null, 2) : JSON.stringify(value));
  }

  /** Many of a kind: a line each, or one array, or a table; `none` says to people what it means that there are none. */
  async list<Item>(
    items: AsyncIterable<Item> | Iterable<Item>,
    columns: Columns<Item>,
    none: string,
  ): Promise<number> {
    if (this.form === 'ndjson') {
      let count = 0;
      for await (const item of items) {
        this.#write(JSON.stringify(item));
        count += 1;
      }
      return count;
    }
    const all: Item[] = [];
    for await (const item of items) all.push(item);
    if (this.form === 'json') this.#write(JSON.stringify(all, null, 2));
    else if (all.length === 0) this.say(none);
    else this.#write(tableText(all, columns));
    return all.length;
  }

  #write(text: string): void {
    process.stdout.write(`${text}\n`);
  }
}

export type Columns<Item> = Readonly<
  Record<string, (item: Item) => string | number | boolean | null | undefined>
>;

/** How wide a column becomes; on a terminal its cells are cut to that, too. */
const COLUMN_CHARACTERS_MAX = 60;

/** Where somebody looks, rows stay lines; a pipe or a file gets every cell whole, since what reads it cannot ask for the rest. */
function cellCharactersMax(): number {
  return process.stdout.isTTY === true ? COLUMN_CHARACTERS_MAX : Number.POSITIVE_INFINITY;
}

/** Numbers to the right, texts to the left, as wide as what stands in them: one very long cell widens no other row. */
export function tableText<Item>(
  items: readonly Item[],
  columns: Columns<Item>,
  charactersMax = cellCharactersMax(),
): string {
  const titles = Object.keys(columns);
  const cells = items.map((item) => titles.map((title) => columns[title]?.(item)));
  const isNumeric = titles.map((_, at) =>
    cells.every((row) => typeof row[at] === 'number' || row[at] == null),
  );
  const texts = [titles, ...cells.map((row) => row.map((cell) => shown(cell, charactersMax)))];
  const widths = titles.map((_, at) =>
    texts.reduce(
      (width, row) => Math.max(width, Math.min((row[at] as string).length, COLUMN_CHARACTERS_MAX)),
      0,
    ),
  );
  return texts
    .map((row) =>
      row
        .map((text, at) =>
          isNumeric[at] ? text.padStart(widths[at] as number) : text.padEnd(widths[at] as number),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One value in a line, cut where it goes to a terminal. */
export function shown(
  value: string | number | boolean | null | undefined,
  charactersMax = cellCharactersMax(),
): string {
  const text = plain(String(value ?? ''));
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}

/** Control characters out of names must not reach a terminal; a sentence that says what is wrong is never cut. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}
