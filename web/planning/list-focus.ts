/** Keeps the keyboard with fields that are added and removed. */
import { type RefObject, useEffect, useRef } from 'react';

/**
 * Returns the box of so many sets of fields. The first field of a set that was added gets the focus; when a set is removed, the last button of the
 * box does: the one that adds another set.
 */
export function useListFocus(count: number): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const isMore = count > before.current;
    if (count === before.current) return;
    before.current = count;
    const sets = [...(box.current?.querySelectorAll('fieldset') ?? [])];
    const added = isMore ? sets.at(-1)?.querySelector<HTMLElement>('input, select') : null;
    (added ?? [...(box.current?.querySelectorAll('button') ?? [])].at(-1))?.focus();
  }, [count]);
  return box;
}
