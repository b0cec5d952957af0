/** All items of a list, page by page, as they are asked for. */
import type { Answer, CallOptions, Input, Partbook, Route } from './connect.ts';
import { PartbookError } from './errors.ts';

/** Routes that answer a page. */
export type ListRoute = {
  [R in Route]: Answer<R> extends { items: unknown[]; nextCursor: string | null } ? R : never;
}[Route];
export type ItemOf<R extends ListRoute> = Answer<R> extends { items: (infer Item)[] } ? Item : never;

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

type ListOptions = CallOptions & { pageItems?: number };

const PAGE_ITEMS = 500;

export async function* listItems<R extends ListRoute>(
  partbook: Partbook,
  route: R,
  input?: Input<R>,
  options: ListOptions = {},
): AsyncGenerator<ItemOf<R>> {
  for await (const { items } of listPages(partbook, route, input, options)) yield* items;
}

/** For whoever goes by what is left of a page: one may be shorter than its limit, or empty, and not be the last. */
export function listPages<R extends ListRoute>(
  partbook: Partbook,
  route: R,
  input?: Input<R>,
  options: ListOptions = {},
): AsyncGenerator<Page<ItemOf<R>>> {
  const fields = (input ?? {}) as { query?: object };
  return eachPage(async (cursor) => {
    const query = { limit: options.pageItems ?? PAGE_ITEMS, ...fields.query, cursor };
    return (await partbook(route, { ...fields, query } as Input<R>, options)) as Page<ItemOf<R>>;
  });
}

/**
 * Page after page until there is no cursor. One that has come before would lead round for ever, as where a proxy leaves the query out:
 * what comes with it was there before, too. A list of a million items has some thousand cursors.
 */
export async function* eachPage<One extends { nextCursor: string | null }>(
  ask: (cursor: string | undefined) => Promise<One>,
): AsyncGenerator<One> {
  const followed = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await ask(cursor);
    const next = page.nextCursor ?? undefined;
    if (next !== undefined && followed.has(next))
      throw new PartbookError(
        'The list goes round in a circle and has no end: the service, or a proxy before it, answers with a page that was there before. What came until now is not all.',
      );
    yield page;
    if (next === undefined) return;
    followed.add(next);
    cursor = next;
  }
}
