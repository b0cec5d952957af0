/** An order in the form of the API. */
import { rfc3339 } from '../db/time.ts';
import { microOfDecimal, numberOf } from '../quantity.ts';
import type { Order } from './orders.schema.ts';
import type { OrderRow } from './orders.sql.ts';

export function showOrder(row: OrderRow): Order {
  const figure = (decimal: string) => numberOf(microOfDecimal(decimal));
  return {
    id: row.id,
    type: row.type,
    number: row.number,
    name: row.name,
    state: row.state,
    totals: {
      lines: row.lines,
      openLines: row.open_lines,
      quantity: figure(row.quantity),
      receivedQty: figure(row.received),
      shippedQty: figure(row.shipped),
      reservedQty: figure(row.reserved),
      openQty: figure(row.open),
    },
    createdAt: rfc3339(row.created_at),
  };
}
