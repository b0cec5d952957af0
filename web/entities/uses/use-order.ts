/** The order of a level of a structure: as on the drawing's list, or as the reader of the page has chosen. */
import { inReadingOrder } from '../../../clients/typescript/reading-order.ts';
import type { Use } from '../../client/operations.ts';

export const USE_SORTS = ['number', 'name', 'findNumber', 'quantity'] as const;

export interface UseOrder {
  /** Null: by find number, then by number. */
  by: (typeof USE_SORTS)[number] | null;
  order: 'asc' | 'desc';
}

const collator = new Intl.Collator('en', { numeric: true });
/** Of a level that is drawn again and again, the order that it had last. */
const lastOrders = new WeakMap<readonly Use[], { key: string; ordered: readonly UseLine[] }>();

/** A row of a level: a child, or one of its lines where it stands in several. */
export interface UseLine extends Use {
  /** The find number of the line, empty for one without; undefined where the child has a single line. */
  line?: string;
  /** The quantity that the level below is for: the last of several lines has that of all of them, the others null. */
  total: number | null;
}

/** Returns a row for each line of the children. */
export function linesOf(uses: readonly Use[]): UseLine[] {
  return uses.flatMap((use): UseLine[] => {
    const { lines, quantity } = use;
    if (lines === undefined) return [{ ...use, total: quantity }];
    return lines.map((line, place) => ({
      ...use,
      ...line,
      lines: undefined,
      line: line.findNumber ?? '',
      total: place === lines.length - 1 ? quantity : null,
    }));
  });
}

/** What has no value stands behind, whatever the direction; what is equal keeps the order of the drawing's list. */
export function usesInOrder(uses: readonly Use[], { by, order }: UseOrder): readonly UseLine[] {
  const key = `${by ?? ''} ${order}`;
  const last = lastOrders.get(uses);
  if (last?.key === key) return last.ordered;
  const reading = inReadingOrder(linesOf(uses));
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
