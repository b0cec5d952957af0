/** All items of a list, page by page, as they are asked for. */
import type { Answer, CallOptions, Input, Partbook, Route } from './connect.ts';

/** Routes that answer a page. */
export type ListRoute = {
  [R in Route]: Answer<R> extends { items: unknown[]; nextCursor: string | null } ? R : never;
}[Route];
export type ItemOf<R extends ListRoute> = Answer<R> extends { items: (infer Item)[] } ? Item : never;

const PAGE_ITEMS = 500;

export async function* listItems<R extends ListRoute>(
  partbook: Partbook,
  route: R,
  input?: Input<R>,
  options: CallOptions & { pageItems?: number } = {},
): AsyncGenerator<ItemOf<R>> {
  const fields = (input ?? {}) as { query?: object };
  let cursor: string | undefined;
  do {
    const query = { limit: options.pageItems ?? PAGE_ITEMS, ...fields.query, cursor };
    const page = (await partbook(route, { ...fields, query } as Input<R>, options)) as {
      items: ItemOf<R>[];
      nextCursor: string | null;
    };
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
