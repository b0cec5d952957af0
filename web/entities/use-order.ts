/** The order in which people read a level of a structure: by the item numbers of its lines, as on the drawing's list. */
import type { Use } from '../client/operations.ts';

const collator = new Intl.Collator('en', { numeric: true });

/**
 * By find number, those without one behind; then by number, and by name where there is none. 2 comes before 10. The answer of
 * the service is in order of the ids, which say no more than when an entity was made.
 */
export function inReadingOrder(uses: readonly Use[]): Use[] {
  return uses.toSorted(
    (a, b) =>
      compare(a.findNumber, b.findNumber) || compare(a.number, b.number) || collator.compare(a.name, b.name),
  );
}

/** Null behind all texts. */
function compare(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return collator.compare(a, b);
}
