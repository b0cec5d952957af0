/** Operations as queries: what is cached, under which name, and how a list is read page by page. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, call, callWithTag, type Input, type OperationName } from './request.ts';

/** Names of operations that answer a page of a list. */
export type ListName = {
  [Name in OperationName]: Answer<Name> extends { items: unknown[]; nextCursor: string | null }
    ? Name
    : never;
}[OperationName];
export type ItemOf<Name extends ListName> = Answer<Name> extends { items: (infer Item)[] } ? Item : never;

/** One answer. Invalidate by `[name]`, or by `[name, input]`. */
export function ask<Name extends OperationName>(name: Name, input: Input<Name>) {
  return queryOptions({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
  });
}

/** One answer with its entity tag, for what is going to be changed. */
export function askTagged<Name extends OperationName>(name: Name, input: Input<Name>) {
  return queryOptions({
    queryKey: [name, input, 'tagged'],
    queryFn: ({ signal }) => callWithTag(name, input, { signal }),
  });
}

const PAGE_ITEMS = 100;

/** A list, page by page; what was found before stays in view while the filters change. */
export function askPages<Name extends ListName>(name: Name, input: Input<Name>, limit = PAGE_ITEMS) {
  return infiniteQueryOptions({
    queryKey: [name, input, 'pages', limit],
    queryFn: ({ pageParam, signal }) => page(name, input, { limit, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** All items of a list that is known to be short (categories, definitions, lifecycles): at most `itemsMax`. */
export function askAll<Name extends ListName>(name: Name, input: Input<Name>, itemsMax = 5000) {
  return queryOptions({
    queryKey: [name, input, 'all'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const items: ItemOf<Name>[] = [];
      let cursor: string | undefined;
      do {
        const next = await page(name, input, { limit: 1000, cursor }, signal);
        items.push(...next.items);
        cursor = next.nextCursor ?? undefined;
      } while (cursor !== undefined && items.length < itemsMax);
      return items;
    },
  });
}

/** One page; for exports and bulk actions that read a list to its end. */
export async function page<Name extends ListName>(
  name: Name,
  input: Input<Name>,
  { limit, cursor }: { limit: number; cursor: string | undefined },
  signal?: AbortSignal,
): Promise<{ items: ItemOf<Name>[]; nextCursor: string | null }> {
  const query = { ...(input as { query?: object }).query, limit, cursor };
  const answer = await call(name, { ...input, query } as Input<Name>, { signal });
  return answer as { items: ItemOf<Name>[]; nextCursor: string | null };
}
