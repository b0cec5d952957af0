/**
 * What stands beside a list on a wide screen: the address of a page, kept as a parameter of the list's own address, so that a
 * link and the Back key know both. Where there is no room for two, the same link leads to the page itself.
 */
import { createContext, use } from 'react';
import { useAddress } from './address.ts';
import { useGo } from './link.tsx';
import { within } from './paths.ts';

/** The parameter that holds it, below the workspace: `/entities/ID/uses?level=2`. */
export const BESIDE = 'beside';

/** True within what stands beside: pages there do not open a third one. */
export const BesideContext = createContext(false);

export function useIsBeside(): boolean {
  return use(BesideContext);
}

export interface BesidePlace {
  /** The whole address of what is shown; null where nothing is. */
  href: string | null;
  open: (href: string, how?: 'push' | 'replace') => void;
  close: () => void;
  /** Leaves the list for the page itself. */
  enlarge: () => void;
}

/** What stands beside the page of the tab. */
export function useBeside(): BesidePlace {
  const address = useAddress();
  const go = useGo();
  const kept = address.get(BESIDE);
  const root = rootOf(address.pathname);
  const href = kept === undefined ? null : within(root, kept);
  return {
    href,
    open: (next, how) => address.set({ [BESIDE]: next.slice(root.length) }, how),
    close: () => address.set({ [BESIDE]: undefined }),
    enlarge: () => href !== null && go(href, { replace: true }),
  };
}

/** `/w/demo` of `/w/demo/entities`. */
function rootOf(pathname: string): string {
  return pathname.split('/').slice(0, 3).join('/');
}

/** What follows another of its kind stays beside; anything else, the list itself too, is a page of its own. */
export function staysBeside(from: string, to: string): boolean {
  return kindOf(from) !== null && kindOf(from) === kindOf(to);
}

/** `/entities`, `/procurement/orders`: the path without the workspace, up to its first id. */
function kindOf(href: string): string | null {
  const parts = (href.split('?')[0] ?? '').split('/').slice(3);
  const at = parts.findIndex((part) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(part));
  return at < 1 ? null : parts.slice(0, at).join('/');
}
