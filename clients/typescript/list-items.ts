/** All items of a list, page by page, as they are asked for. */
import type { Answer, CallOptions, Input, Partbook, Route } from './connect.ts';

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
export async function* listPages<R extends ListRoute>(
  partbook: Partbook,
  route: R,
  input?: Input<R>,
  options: ListOptions = {},
): AsyncGenerator<Page<ItemOf<R>>> {
  const fields = (input ?? {}) as { query?: object };
  let cursor: string | undefined;
  do {
    const query = { limit: options.pageItems ?? PAGE_ITEMS, ...fields.query, cursor };
    const page = (await partbook(route, { ...fields, query } as Input<R>, options)) as Page<ItemOf<R>>;
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
