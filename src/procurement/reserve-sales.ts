/** Reserves stock for a sales line. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import { recordMovements } from '../stock/record-movements.ts';
import { belonging, type Line } from './line.ts';

/**
 * Reserves what the line needs and has not reserved (SOReservation); does nothing where it has. The line is
 * locked. Throws `insufficient_stock`.
 */
export async function reserveSales(tx: Tx, actor: Actor, line: Line, note: string | null): Promise<void> {
  const amount = line.quantity - line.shipped - line.reserved;
  if (amount <= 0n) return;
  await recordMovements(tx, actor, [{ type: 'SOReservation', amount, note, ...belonging(line) }]);
}
