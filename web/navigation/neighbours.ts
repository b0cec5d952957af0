/**
 * What stands before and behind a page in the list that it was opened from: kept for the tab when a row is opened, so that a
 * list is worked through without going back to it.
 */
import { useMemo } from 'react';

interface Opened {
  /** What the list is called. */
  label: string;
  hrefs: string[];
}

export interface Neighbours {
  label: string;
  /** From 1. */
  place: number;
  count: number;
  before: string | null;
  behind: string | null;
}

const KEY = 'partbook.opened-list';
/** More are not worked through one by one. */
const KEPT_MAX = 1000;

export function keepOpenedList(opened: Opened): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...opened, hrefs: opened.hrefs.slice(0, KEPT_MAX) }));
  } catch {
    // Full, or not to be had: then there are no neighbours.
  }
}

/** Null where the page was not opened from a list. A tab of it that is open stays open in the next one. */
export function useNeighbours(pathname: string): Neighbours | null {
  return useMemo(() => {
    const opened = read();
    const at = opened?.hrefs.findIndex((href) => pathname === href || pathname.startsWith(`${href}/`)) ?? -1;
    const here = opened?.hrefs[at];
    if (opened === null || here === undefined || opened.hrefs.length < 2) return null;
    const tab = pathname.slice(here.length);
    const step = (to: number) => {
      const href = opened.hrefs[to];
      return href === undefined ? null : `${href}${tab}`;
    };
    return {
      label: opened.label,
      place: at + 1,
      count: opened.hrefs.length,
      before: step(at - 1),
      behind: step(at + 1),
    };
  }, [pathname]);
}

function read(): Opened | null {
  try {
    const opened = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Opened | null;
    return Array.isArray(opened?.hrefs) ? opened : null;
  } catch {
    return null;
  }
}
