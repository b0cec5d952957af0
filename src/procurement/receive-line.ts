/** A goods receipt, or the completion of what is manufactured. */
import type { Actor } from '../access/actor.ts';
import type { Tx } from '../db/transaction.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import type { TransitionEffect } from '../entities/transition-entity.ts';
import type { Micro } from '../quantity.ts';
import { recordMovements } from '../stock/record-movements.ts';
import { findLine } from './find-line.ts';
import { followState } from './follow-state.ts';
import { belonging, type Line } from './line.ts';
import { lastEntryOf } from './line-entries.ts';
import { lockLine } from './lock-line.ts';
import { requireOpen, requireType } from './refuse-line.ts';

export interface LineWork {
  line: EntityRef;
  amount: Micro;
  note: string | null;
}

export interface LineDone {
  line: Line;
  /** Id of the line's last entry before; null where it had none. */
  before: string | null;
}

/**
 * Moves the amount from On Order to On Hand; the line is Received when nothing is open any more. Throws
 * `line_not_found`, `line_not_open`, `over_receipt`.
 */
export async function receiveLine(
  tx: Tx,
  actor: Actor,
  { line: ref, amount, note }: LineWork,
  effects: readonly TransitionEffect[],
): Promise<LineDone> {
  const line = await lockLine(tx, ref);
  const before = await lastEntryOf(tx, line.id);
  requireType(line, ['purchaseOrder', 'manufacturingOrder'], 'received');
  requireOpen(line, amount, line.open, 'over_receipt', 'Receiving');
  await receive(tx, actor, line, amount, note);
  if (amount === line.open)
    await followState(tx, actor, { entity: line.id, toState: 'Received', note }, effects);
  return { line: await findLine(tx, line.id), before };
}

/** The movement alone, for the transition to Received as well. */
export async function receive(
  tx: Tx,
  actor: Actor,
  line: Line,
  amount: Micro,
  note: string | null,
): Promise<void> {
  const type = line.type === 'purchaseOrder' ? 'POReceipt' : 'MOReceipt';
  await recordMovements(tx, actor, [{ type, amount, note, ...belonging(line) }]);
}
