/** Reserves more for a sales line by hand, or gives some of it back. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import { recordMovements } from '../stock/record-movements.ts';
import { findLine } from './find-line.ts';
import { belonging } from './line.ts';
import { lastEntryOf } from './line-entries.ts';
import { lockLine } from './lock-line.ts';
import type { LineDone, LineWork } from './receive-line.ts';
import { requireOpen, requireType } from './refuse-line.ts';

/**
 * SOReservation up to what is open and not reserved, SORelease up to what is reserved. Throws `line_not_found`,
 * `line_not_open`, `over_reservation`, `over_release`, `insufficient_stock`.
 */
export async function changeReservation(
  tx: Tx,
  actor: Actor,
  type: 'SOReservation' | 'SORelease',
  { line: ref, amount, note }: LineWork,
): Promise<LineDone> {
  const line = await lockLine(tx, ref);
  const before = await lastEntryOf(tx, line.id);
  requireType(line, ['salesOrder'], type === 'SOReservation' ? 'reserved for' : 'released');
  if (type === 'SOReservation') {
    requireOpen(line, amount, line.open - line.reserved, 'over_reservation', 'Reserving');
  } else {
    requireOpen(line, amount, line.reserved, 'over_release', 'Releasing');
  }
  await recordMovements(tx, actor, [{ type, amount, note, ...belonging(line) }]);
  return { line: await findLine(tx, line.id), before };
}
