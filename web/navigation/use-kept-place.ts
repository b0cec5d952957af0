/**
 * Where a list was left: how far it was scrolled, and which row was used last. It is kept for each entry of the browser's history, so
 * that Back and Forward find the list as it was, while a fresh visit begins at the top.
 */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';

export interface KeptPlace {
  top: number;
  /** Key of the row that was used last; null where none was. */
  row: string | null;
}

const PLACES_MAX = 100;
const places = new Map<string, KeptPlace>();

/** The place that this list was left at, null on a fresh visit; and a note of where it is now, which is kept when the list goes. */
export function useKeptPlace(label: string): { left: KeptPlace | null; now: KeptPlace } {
  const { history } = useRouter();
  const entry = `${history.location.state.__TSR_key ?? history.location.href} ${label}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what this visit began with, whatever is typed into the address later
  const left = useMemo(() => places.get(entry) ?? null, []);
  const now = useRef<KeptPlace>({ top: left?.top ?? 0, row: left?.row ?? null });
  useEffect(() => {
    const here = now.current;
    return () => {
      places.delete(entry);
      places.set(entry, { ...here });
      const oldest = places.size > PLACES_MAX ? places.keys().next().value : undefined;
      if (oldest !== undefined) places.delete(oldest);
    };
  }, [entry]);
  return { left, now: now.current };
}
