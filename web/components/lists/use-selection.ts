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
}

export function useSelection(shown: readonly string[]): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const all = shown.length > 0 && shown.every((key) => keys.has(key));
  return {
    keys,
    count: keys.size,
    all,
    some: keys.size > 0,
    isSelected: (key) => keys.has(key),
    toggle: (key) =>
      setKeys((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    toggleAll: () => setKeys(all ? new Set() : new Set(shown)),
    clear: () => setKeys(new Set()),
  };
}
