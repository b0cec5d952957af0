/** Which rows of a list are chosen. It lasts as long as the page does. */
import { useState } from 'react';

export interface Selection {
  keys: ReadonlySet<string>;
  count: number;
  all: boolean;
  some: boolean;
  isSelected: (key: string) => boolean;
  toggle: (key: string) => void;
  toggleAll: () => void;
  clear: () => void;
  /** The selection as a list of some of the rows shows it: "all" are those of the list. */
  within: (some: readonly string[]) => Omit<Selection, 'within'>;
}

export function useSelection(shown: readonly string[]): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const of = (some: readonly string[]) => ({
    keys,
    count: keys.size,
    all: some.length > 0 && some.every((key) => keys.has(key)),
    some: some.some((key) => keys.has(key)),
    isSelected: (key: string) => keys.has(key),
    toggle: (key: string) =>
      setKeys((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    toggleAll: () =>
      setKeys((before) => {
        const others = new Set(before).difference(new Set(some));
        return some.every((key) => before.has(key)) ? others : others.union(new Set(some));
      }),
    clear: () => setKeys(new Set()),
  });
  const whole = of(shown);
  return {
    ...whole,
    some: keys.size > 0,
    toggleAll: () => setKeys(whole.all ? new Set() : new Set(shown)),
    within: of,
  };
}
