/** An order with its lines, made in one piece: the first line opens the order, the others join it. */
import type { Tx } from '../db/transaction.ts';
import type { Mover } from '../entities/transition-entity.ts';
import { createLine } from './create-line.ts';
import type { NewOrder } from './orders.schema.ts';
import { amountOf, pointingAtLine } from './refusals.ts';

/** Returns the order's id. Throws what `createLine` does, pointing at the line. */
export async function createOrder(tx: Tx, by: Mover, { type, lines, note }: NewOrder): Promise<string> {
  let order: string | null = null;
  for (const [index, given] of lines.entries()) {
    const {
      itemEntityId: item,
      locationEntityId: location,
      requirementId: requirement,
      quantity,
      ...rest
    } = given;
    const line = await pointingAtLine(index, () =>
      createLine(tx, by, {
        type,
        item,
        location,
        requirement,
        order,
        ...rest,
        amount: amountOf(quantity),
        note: note ?? null,
      }),
    );
    order = line.orderId;
  }
  if (order === null) throw new Error('An order without lines');
  return order;
}
