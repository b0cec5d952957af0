/** Several lines of one order, made in one piece: of a new order, which the first line opens, or of one that is there. */
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import type { Line, LineType } from '../records/line.ts';
import type { NewOrderLines } from '../records/orders.schema.ts';
import { amountOf, pointingAtLine } from '../records/refusals.ts';
import { createLine, type WantedLine } from './create-line.ts';

export type OrderedLine = Omit<WantedLine, 'type' | 'order' | 'supplier'>;

/** What a body wants, line by line. Throws `zero_quantity`, `quantity_out_of_range`, pointing at the line. */
export async function orderedLines({ lines, note }: NewOrderLines): Promise<OrderedLine[]> {
  const wanted: OrderedLine[] = [];
  for (const [index, given] of lines.entries()) {
    const { itemEntityId: item, locationEntityId: location, requirementId, quantity, ...rest } = given;
    const amount = await pointingAtLine(index, async () => amountOf(quantity));
    wanted.push({ ...rest, item, location, requirement: requirementId, amount, note: note ?? null });
  }
  return wanted;
}

/** Of a new order where none is named. Throws what `createLine` does, pointing at the line. */
export async function createLines(
  tx: Tx,
  by: Mover,
  { type, order, supplier = null }: { type: LineType; order: EntityRef | null; supplier?: string | null },
  lines: readonly OrderedLine[],
): Promise<Line[]> {
  const made: Line[] = [];
  for (const [index, wanted] of lines.entries()) {
    const of = order ?? made[0]?.orderId ?? null;
    const line = { ...wanted, type, order: of, supplier };
    made.push(await pointingAtLine(index, () => createLine(tx, by, line)));
  }
  return made;
}
