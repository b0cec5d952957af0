/** A delivery: what came of several lines of one order, or all that is open. */
import { forgettingRows } from '../../db/forget-rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import type { OrderReceipt, OrderWithLines } from '../records/orders.schema.ts';
import { amountOf, pointingAtLine } from '../records/refusals.ts';
import { workOnLine } from './work-on-line.ts';

/**
 * Throws `line_not_open` where nothing is open, what `workOnLine` does, pointing at the line, and `line_not_found` for one
 * that is not the order's.
 */
export async function receiveOrder(
  tx: Tx,
  by: Mover,
  order: OrderWithLines,
  { lines, note }: OrderReceipt,
): Promise<void> {
  const wanted =
    lines ??
    order.lines
      .filter((line) => line.openQty > 0 && line.state === 'Ordered')
      .map((line) => ({ lineId: line.id, quantity: line.openQty }));
  if (wanted.length === 0) {
    throw new AppError(
      'line_not_open',
      'No line of the order has anything open: there is nothing to receive.',
    );
  }
  // In one order whoever receives: two deliveries at once wait for each other.
  const inOrder = wanted
    .map((line, index) => ({ ...line, index }))
    .toSorted((a, b) => (a.lineId < b.lineId ? -1 : 1));
  for (const { lineId, quantity, index } of inOrder) {
    await pointingAtLine(index, async () => {
      if (!order.lines.some((line) => line.id === lineId)) {
        throw new AppError('line_not_found', `Order ${order.number ?? order.id} has no line ${lineId}.`);
      }
      const work = { line: lineId, amount: amountOf(quantity), note: note ?? null };
      await forgettingRows(tx, () => workOnLine(tx, by, 'receive', work));
    });
  }
}
