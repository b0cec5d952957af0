/** The first so many of what a person asked for, and whether there are more. */
import { type Command, Option } from 'commander';
import type { Page } from '../typescript/list-items.ts';
import { UsageError } from './exit-codes.ts';
import type { Columns, Output } from './output.ts';

/** Reads a number that a person wrote. */
export function wholeNumber(name: string, text: string, least: 0 | 1 = 1): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least) {
    const range = least === 0 ? ', 0 or more' : ' above 0';
    throw new UsageError(`${name} is a whole number${range}, not "${text}".`);
  }
  return value;
}

export interface LimitFlags {
  limit: string;
  all?: boolean | undefined;
}

/** The options of a list that may be long. */
export function limited(command: Command, count: number): Command {
  return command
    .option('-n, --limit <count>', 'how many', String(count))
    .addOption(new Option('--all', 'all that there are').conflicts('limit'));
}

/**
 * As many as were asked for. Where a list was cut off people are told so, by what is left of the page in hand: to look for one
 * more could take thousands of pages, since those of a list that is narrowed may be empty.
 */
export class FirstItems<Item> implements AsyncIterable<Item> {
  readonly #pages: AsyncIterable<Page<Item>>;
  readonly #most: number;
  readonly #output: Output;
  #rest: 'none' | 'some' | 'unknown' = 'none';

  constructor(pages: AsyncIterable<Page<Item>>, { limit, all }: LimitFlags, output: Output) {
    this.#pages = pages;
    this.#most = all === true ? Number.POSITIVE_INFINITY : wholeNumber('--limit', limit);
    this.#output = output;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    let left = this.#most;
    for await (const { items, nextCursor } of this.#pages) {
      const taken = items.slice(0, left);
      yield* taken;
      left -= taken.length;
      if (left > 0) continue;
      if (items.length > taken.length) this.#rest = 'some';
      else if (nextCursor !== null) this.#rest = 'unknown';
      return;
    }
  }

  /** When those are shown: what is said last is read first. */
  tellMore(): void {
    if (this.#output.form !== 'text' || this.#rest === 'none') return;
    const further = `-n ${this.#most * 10}`;
    this.#output.say(
      this.#rest === 'some'
        ? `There are more: ${further} shows further ones, --all shows all.`
        : `There may be more: ${further} looks for further ones, --all for all.`,
    );
  }
}

export async function listFirst<Item>(
  output: Output,
  pages: AsyncIterable<Page<Item>>,
  flags: LimitFlags,
  columns: Columns<Item>,
  none: string,
): Promise<void> {
  const first = new FirstItems(pages, flags, output);
  await output.list(first, columns, none);
  first.tellMore();
}
