/** The order of a level of a structure: as on the drawing's list, or as the reader of the page has chosen. */
import { inReadingOrder } from '../../clients/typescript/reading-order.ts';
import type { Use } from '../client/operations.ts';

export const USE_SORTS = ['number', 'name', 'findNumber', 'quantity'] as const;

export interface UseOrder {
  /** Null: by find number, then by number. */
  by: (typeof USE_SORTS)[number] | null;
  order: 'asc' | 'desc';
}

const collator = new Intl.Collator('en', { numeric: true });
/** Of a level that is drawn again and again, the order that it had last. */
const lastOrders = new WeakMap<readonly Use[], { key: string; ordered: readonly Use[] }>();

/** What has no value stands behind, whatever the direction; what is equal keeps the order of the drawing's list. */
export function usesInOrder(uses: readonly Use[], { by, order }: UseOrder): readonly Use[] {
  const key = `${by ?? ''} ${order}`;
  const last = lastOrders.get(uses);
  if (last?.key === key) return last.ordered;
  const reading = inReadingOrder(uses);
  const sign = order === 'desc' ? -1 : 1;
  const ordered = by === null ? reading : reading.sort((a, b) => compare(a[by], b[by], sign));
  lastOrders.set(uses, { key, ordered });
  return ordered;
}

function compare(a: string | number | null, b: string | number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * collator.compare(String(a), String(b));
}
