/** The order in which people read a structure: by the item numbers of its lines, as on the drawing's list. */

/** The fields of a line that decide its place. */
export interface ReadLine {
  findNumber: string | null;
  number: string | null;
  name: string;
}

const collator = new Intl.Collator('en', { numeric: true });

/**
 * One level: by find number, those without one behind; then by number, and by name where there is none. 2 comes before 10. The
 * answers of the service are in order of the ids, which say no more than when an entity was made.
 */
export function inReadingOrder<Line extends ReadLine>(lines: readonly Line[]): Line[] {
  return lines.toSorted(
    (a, b) =>
      compare(a.findNumber, b.findNumber) || compare(a.number, b.number) || collator.compare(a.name, b.name),
  );
}

/** Returns the find numbers of all lines of a child; empty if no line has one. */
export function findNumbersOf({
  findNumber,
  lines = [{ findNumber }],
}: Pick<ReadLine, 'findNumber'> & { lines?: readonly Pick<ReadLine, 'findNumber'>[] | undefined }): string {
  return lines.flatMap((line) => line.findNumber ?? []).join(', ');
}

/** The lines of a child that stands in several lines of one assembly. */
export interface Lined<Line> {
  quantity: number;
  extendedQuantity?: number;
  lines?: readonly Line[];
}

/**
 * Gives each line of a child an item of its own, in the order of the answer: the last has the place of the child, with what is below it
 * behind. Children with one line stay as they are.
 */
export function eachLine<Line extends { quantity: number }, Item extends Lined<Line>>(
  items: readonly Item[],
): Item[] {
  return items.flatMap((item) => {
    const { lines, quantity, extendedQuantity } = item;
    if (lines === undefined) return [item];
    return lines.map((line) => ({
      ...item,
      ...line,
      lines: undefined,
      ...(extendedQuantity === undefined
        ? {}
        : { extendedQuantity: Number(((extendedQuantity * line.quantity) / quantity).toPrecision(15)) }),
    }));
  });
}

/** The items of a tree in pre-order: each of its levels in reading order, with what is below each item still behind it. */
export function treeInReadingOrder<Item extends ReadLine & { level: number }>(
  items: readonly Item[],
): Item[] {
  const below = new Map<Item, Item[]>();
  const roots: Item[] = [];
  const above: Item[] = [];
  for (const item of items) {
    above.length = Math.min(above.length, item.level);
    const parent = above.at(-1);
    if (parent === undefined) roots.push(item);
    else if (!below.get(parent)?.push(item)) below.set(parent, [item]);
    above.push(item);
  }
  const ordered: Item[] = [];
  const waiting = inReadingOrder(roots).toReversed();
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    ordered.push(item);
    for (const child of inReadingOrder(below.get(item) ?? []).toReversed()) waiting.push(child);
  }
  return ordered;
}

/** Sorts the parents of an entity by number, or by name if there is none. Find numbers are those of different lists. */
export function byNumber<Line extends Omit<ReadLine, 'findNumber'>>(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => compare(a.number, b.number) || collator.compare(a.name, b.name));
}

/** Sorts the entities above an entity: level by level from the nearest, each in the order of the numbers. */
export function nearestFirst<Item extends Omit<ReadLine, 'findNumber'> & { level: number }>(
  items: readonly Item[],
): Item[] {
  return items.toSorted(
    (a, b) => a.level - b.level || compare(a.number, b.number) || collator.compare(a.name, b.name),
  );
}

/** Null behind all texts. */
function compare(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return collator.compare(a, b);
}
