/** The first so many of what a person asked for. */
import { UsageError } from './exit-codes.ts';

/** What a person wrote for a number. */
export function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 1)
    throw new UsageError(`${name} is a whole number above 0, not "${text}".`);
  return value;
}

export async function* takeItems<Item>(items: AsyncIterable<Item>, limit: string): AsyncGenerator<Item> {
  const most = wholeNumber('--limit', limit);
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (count === most) return;
  }
}
