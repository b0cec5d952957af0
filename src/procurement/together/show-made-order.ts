/** A new order as the API shows it, from what it was made of: nothing of it has been received or shipped yet. */
import { numberOf } from '../../quantity.ts';
import type { LineType } from '../records/line.ts';
import type { OrderWithLines } from '../records/orders.schema.ts';
import { showLine } from '../records/show-procurement.ts';
import type { MadeLines } from './draft-order.ts';

export function showMadeOrder(type: LineType, { order, lines: made }: MadeLines): OrderWithLines {
  const lines = made.map(({ line }) => line).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const sum = (of: (line: (typeof lines)[number]) => bigint) =>
    numberOf(lines.reduce((total, line) => total + of(line), 0n));
  return {
    id: order.id,
    type,
    number: order.number,
    name: order.name,
    state: order.state,
    supplier: order.supplier,
    totals: {
      lines: lines.length,
      openLines: lines.length,
      quantity: sum(({ quantity }) => quantity),
      receivedQty: 0,
      shippedQty: 0,
      reservedQty: sum(({ reserved }) => reserved),
      openQty: sum(({ open }) => open),
    },
    createdAt: order.createdAt,
    lines: lines.map(showLine),
  };
}
