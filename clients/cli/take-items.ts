/** The first so many of what a person asked for. */
import { UsageError } from './exit-codes.ts';

export async function* takeItems<Item>(items: AsyncIterable<Item>, limit: string): AsyncGenerator<Item> {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1) throw new UsageError('--limit is a whole number above 0.');
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (count === most) return;
  }
}
