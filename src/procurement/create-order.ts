/** An order with its lines, made in one piece: the first line opens the order, the others join it. */
import type { Tx } from '../db/transaction.ts';
import type { Mover } from '../entities/transition-entity.ts';
import { createLine, type WantedLine } from './create-line.ts';
import type { LineType } from './line.ts';
import type { NewOrder } from './orders.schema.ts';
import { amountOf, pointingAtLine } from './refusals.ts';

export type OrderedLine = Omit<WantedLine, 'type' | 'order'>;

/** What a body wants, line by line. Throws `zero_quantity`, `quantity_out_of_range`, pointing at the line. */
export async function orderedLines({ lines, note }: NewOrder): Promise<OrderedLine[]> {
  const wanted: OrderedLine[] = [];
  for (const [index, given] of lines.entries()) {
    const { itemEntityId: item, locationEntityId: location, requirementId, quantity, ...rest } = given;
    const amount = await pointingAtLine(index, async () => amountOf(quantity));
    wanted.push({ ...rest, item, location, requirement: requirementId, amount, note: note ?? null });
  }
  return wanted;
}

/** Returns the order's id. Throws what `createLine` does, pointing at the line. */
export async function createOrder(
  tx: Tx,
  by: Mover,
  type: LineType,
  lines: readonly OrderedLine[],
): Promise<string> {
  let order: string | null = null;
  for (const [index, wanted] of lines.entries()) {
    const line = await pointingAtLine(index, () => createLine(tx, by, { ...wanted, type, order }));
    order = line.orderId;
  }
  if (order === null) throw new Error('An order without lines');
  return order;
}
