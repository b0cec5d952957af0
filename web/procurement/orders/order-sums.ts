/** What the lines of an order are together. Quantities of different items are never added: sixty straps and a cap are not 61. */
import type { OrderWithLines, StockLine } from '../../client/operations.ts';
import { fromMillionths, toMillionths } from '../../components/forms/exact-quantity.ts';

export interface OrderSums {
  /** All of what was ordered has come or gone. */
  complete: number;
  cancelled: number;
  /** Null where the lines are of several items. */
  ofOneItem: { ordered: number; done: number; open: number; doneOfCancelled: number } | null;
}

/** Null where not all lines are known: an order is read with its first thousand. Cancelled lines count neither as ordered nor as done. */
export function sumsOf({
  type,
  totals,
  lines,
}: Pick<OrderWithLines, 'type' | 'totals' | 'lines'>): OrderSums | null {
  if (totals.lines !== lines.length) return null;
  const doneOf = (line: StockLine) => (type === 'salesOrder' ? line.shippedQty : line.receivedQty);
  const cancelled = lines.filter(({ state }) => state === 'Cancelled');
  const standing = lines.filter(({ state }) => state !== 'Cancelled');
  const isOneItem = new Set(lines.map(({ itemEntityId }) => itemEntityId)).size === 1;
  return {
    complete: standing.filter((line) => doneOf(line) >= line.quantity).length,
    cancelled: cancelled.length,
    ofOneItem: isOneItem
      ? {
          ordered: sum(standing, ({ quantity }) => quantity),
          done: sum(standing, doneOf),
          open: sum(standing, ({ openQty }) => openQty),
          doneOfCancelled: sum(cancelled, doneOf),
        }
      : null,
  };
}

function sum(lines: readonly StockLine[], of: (line: StockLine) => number): number {
  return fromMillionths(lines.reduce((total, line) => total + toMillionths(of(line)), 0n));
}
