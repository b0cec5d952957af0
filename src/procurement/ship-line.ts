/** Ships goods of a sales line. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import type { TransitionEffect } from '../entities/transition-entity.ts';
import type { Micro } from '../quantity.ts';
import { recordMovements } from '../stock/record-movements.ts';
import { findLine } from './find-line.ts';
import { followState } from './follow-state.ts';
import { belonging, type Line } from './line.ts';
import { lastEntryOf } from './line-entries.ts';
import { lockLine } from './lock-line.ts';
import type { LineDone, LineWork } from './receive-line.ts';
import { requireOpen, requireType } from './refuse-line.ts';

/**
 * Takes from what the line has reserved first, the rest from Available; the line is Shipped when nothing is
 * open any more. Throws `line_not_found`, `line_not_open`, `over_shipment`, `insufficient_stock`.
 */
export async function shipLine(
  tx: Tx,
  actor: Actor,
  { line: ref, amount, note }: LineWork,
  effects: readonly TransitionEffect[],
): Promise<LineDone> {
  const line = await lockLine(tx, ref);
  const before = await lastEntryOf(tx, line.id);
  requireType(line, ['salesOrder'], 'shipped');
  requireOpen(line, amount, line.open, 'over_shipment', 'Shipping');
  await ship(tx, actor, line, amount, note);
  if (amount === line.open)
    await followState(tx, actor, { entity: line.id, toState: 'Shipped', note }, effects);
  return { line: await findLine(tx, line.id), before };
}

/** The movement alone, for the transition to Shipped as well. */
export async function ship(
  tx: Tx,
  actor: Actor,
  line: Line,
  amount: Micro,
  note: string | null,
): Promise<void> {
  const reservedAmount = line.reserved < amount ? line.reserved : amount;
  await recordMovements(tx, actor, [
    { type: 'SOShipment', amount, reservedAmount, note, ...belonging(line) },
  ]);
}
