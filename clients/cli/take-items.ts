/** The first so many of what a person asked for, and whether there are more. */
import { type Command, Option } from 'commander';
import { UsageError } from './exit-codes.ts';
import type { Columns, Output } from './output.ts';

/** What a person wrote for a number. */
export function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 1)
    throw new UsageError(`${name} is a whole number above 0, not "${text}".`);
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

/** As many as were asked for. For people one more is looked for, so that they are told where a list was cut off. */
export class FirstItems<Item> implements AsyncIterable<Item> {
  readonly #items: AsyncIterable<Item>;
  readonly #most: number;
  readonly #output: Output;
  #isMore = false;

  constructor(items: AsyncIterable<Item>, { limit, all }: LimitFlags, output: Output) {
    this.#items = items;
    this.#most = all === true ? Number.POSITIVE_INFINITY : wholeNumber('--limit', limit);
    this.#output = output;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    let count = 0;
    for await (const item of this.#items) {
      if (count === this.#most) {
        this.#isMore = true;
        return;
      }
      yield item;
      count += 1;
      if (count === this.#most && this.#output.form !== 'text') return;
    }
  }

  /** When those are shown: what is said last is read first. */
  tellMore(): void {
    if (this.#isMore)
      this.#output.say(`There are more: -n ${this.#most * 10} shows further ones, --all shows all.`);
  }
}

export async function listFirst<Item>(
  output: Output,
  items: AsyncIterable<Item>,
  flags: LimitFlags,
  columns: Columns<Item>,
  none: string,
): Promise<void> {
  const first = new FirstItems(items, flags, output);
  await output.list(first, columns, none);
  first.tellMore();
}
