/** Walks structures downwards. */
import type { PlanLinks } from './planning-input.ts';

/** Returns 1 for each of some items and all that they are made of, and for what else lies below each of these. */
export function itemsBelow(
  items: readonly number[],
  { from, child }: Pick<PlanLinks, 'from' | 'child'>,
  alsoBelow: (item: number) => readonly number[] = () => [],
): Uint8Array {
  const found = new Uint8Array(from.length - 1);
  const ahead: number[] = [];
  const add = (item: number) => {
    if (found[item] === 1) return;
    found[item] = 1;
    ahead.push(item);
  };
  for (const item of items) add(item);
  for (let item = ahead.pop(); item !== undefined; item = ahead.pop()) {
    for (let link = from[item] as number; link < (from[item + 1] as number); link++)
      add(child[link] as number);
    for (const other of alsoBelow(item)) add(other);
  }
  return found;
}
