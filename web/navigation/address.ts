/** The state of a page that belongs in its address: filters, sort, columns, tab. */
import { useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

export interface Address {
  pathname: string;
  search: URLSearchParams;
  get(key: string): string | undefined;
  all(key: string): string[];
  /** Changes some of it; undefined, '' and [] take a key away. Typing replaces, choosing pushes. */
  set(patch: Record<string, string | string[] | undefined>, how?: 'push' | 'replace'): void;
}

export function useAddress(): Address {
  const { history } = useRouter();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const text = useRouterState({ select: (state) => state.location.searchStr });
  const search = useMemo(() => new URLSearchParams(text), [text]);
  const set = useCallback<Address['set']>(
    (patch, how = 'push') => {
      // What stands in the address now, not at the last rendering: two changes in one turn both count.
      const next = new URLSearchParams(history.location.search);
      for (const [key, value] of Object.entries(patch)) {
        next.delete(key);
        for (const one of [value ?? []].flat()) if (one !== '') next.append(key, one);
      }
      const href = `${history.location.pathname}${next.size === 0 ? '' : `?${next}`}`;
      if (how === 'push') history.push(href);
      else history.replace(href);
    },
    [history],
  );
  return useMemo(
    () => ({
      pathname,
      search,
      get: (key) => search.get(key) ?? undefined,
      all: (key) => search.getAll(key),
      set,
    }),
    [pathname, search, set],
  );
}

/** A parameter of the path. */
export function usePathParam(name: string): string {
  const params = useParams({ strict: false }) as Record<string, string | undefined>;
  return params[name] ?? '';
}
