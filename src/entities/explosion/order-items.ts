/** Puts items in an order in which every item stands after all items that it is a component of. */
import type { LinkGraph } from './explode.ts';

export interface ItemOrder {
  /** Items in order; items of a cycle are left out. */
  readonly order: Uint32Array;
  /** The place of each item in the order. */
  readonly place: Uint32Array;
  /** Items that contain themselves, or lie between items that do. */
  readonly inCycle: readonly number[];
}

/** `level` takes what is nearest first; `depth` lets an item follow an assembly that it completes, so that a list reads like a structure. */
export function orderItems(
  count: number,
  { from, child }: Pick<LinkGraph, 'from' | 'child'>,
  by: 'level' | 'depth' = 'level',
): ItemOrder {
  const parentsLeft = new Uint32Array(count);
  for (const item of child) parentsLeft[item] = (parentsLeft[item] as number) + 1;
  const order = new Uint32Array(count);
  let end = 0;
  // The items that are ready wait in the order itself, or in a stack.
  const stack: number[] | null = by === 'depth' ? [] : null;
  const ready = (item: number) => {
    if (stack === null) order[end] = item;
    else stack.push(item);
    end++;
  };
  // The last of a stack is taken first.
  for (let at = 0; at < count; at++) {
    const item = stack === null ? at : count - 1 - at;
    if (parentsLeft[item] === 0) ready(item);
  }
  const eachChild = (parent: number, visit: (item: number) => void) => {
    const last = from[parent + 1] as number;
    for (let link = from[parent] as number; link < last; link++) visit(child[link] as number);
  };
  const leave = (item: number) => {
    const left = (parentsLeft[item] as number) - 1;
    parentsLeft[item] = left;
    if (left === 0) ready(item);
  };
  let next = 0;
  const walk = () => {
    while (next < end) {
      if (stack !== null) order[next] = stack.pop() as number;
      eachChild(order[next++] as number, leave);
    }
  };
  walk();
  const inCycle = end === count ? [] : itemsOfCycles(count, parentsLeft, eachChild);
  // Items below a cycle are planned without its needs.
  const isInCycle = new Set(inCycle);
  for (const parent of inCycle)
    eachChild(parent, (item) => {
      if (!isInCycle.has(item)) leave(item);
    });
  walk();
  const place = new Uint32Array(count);
  for (let at = 0; at < end; at++) place[order[at] as number] = at;
  return { order: order.subarray(0, end), place, inCycle };
}

/** Returns those of the items with parents left that lead back to one another. */
function itemsOfCycles(
  count: number,
  parentsLeft: Uint32Array,
  eachChild: (parent: number, visit: (item: number) => void) => void,
): number[] {
  const parentsOf = new Map<number, number[]>();
  const childrenLeft = new Map<number, number>();
  const done: number[] = [];
  for (let item = 0; item < count; item++) {
    if (parentsLeft[item] === 0) continue;
    let children = 0;
    eachChild(item, (one) => {
      if (parentsLeft[one] === 0) return;
      children++;
      const parents = parentsOf.get(one);
      if (parents === undefined) parentsOf.set(one, [item]);
      else parents.push(item);
    });
    childrenLeft.set(item, children);
    if (children === 0) done.push(item);
  }
  for (let item = done.pop(); item !== undefined; item = done.pop()) {
    childrenLeft.delete(item);
    for (const parent of parentsOf.get(item) ?? []) {
      const left = (childrenLeft.get(parent) as number) - 1;
      childrenLeft.set(parent, left);
      if (left === 0) done.push(parent);
    }
  }
  return [...childrenLeft.keys()];
}
