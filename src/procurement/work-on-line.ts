/** What is done with an open line: receive, ship, reserve or release by hand, close or cancel. */
import type { Actor } from '../actor.ts';
import type { Tx } from '../db/transaction.ts';
import type { EntityRef } from '../entities/resolve-entity.ts';
import { type Mover, transitionEntity } from '../entities/transition-entity.ts';
import type { Micro } from '../quantity.ts';
import { recordMovements } from '../stock/record-movements.ts';
import { findLine, lockLine } from './find-line.ts';
import { followState } from './follow-state.ts';
import { belonging, type Line } from './line.ts';
import { lastEntryOf } from './line-entries.ts';
import { receive, ship } from './line-movements.ts';
import { requireOpen, requireType } from './refusals.ts';

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
  by: Mover,
  { line: ref, amount, note }: LineWork,
): Promise<LineDone> {
  const line = await lockLine(tx, ref);
  const before = await lastEntryOf(tx, line.id);
  requireType(line, ['purchaseOrder', 'manufacturingOrder'], 'received');
  requireOpen(line, amount, line.open, 'over_receipt', 'Receiving');
  await receive(tx, by.actor, line, amount, note);
  if (amount === line.open) await followState(tx, by, { entity: line.id, toState: 'Received', note });
  return { line: await findLine(tx, line.id), before };
}

/**
 * Takes from what the line has reserved first, the rest from Available; the line is Shipped when nothing is
 * open any more. Throws `line_not_found`, `line_not_open`, `over_shipment`, `insufficient_stock`.
 */
export async function shipLine(tx: Tx, by: Mover, { line: ref, amount, note }: LineWork): Promise<LineDone> {
  const line = await lockLine(tx, ref);
  const before = await lastEntryOf(tx, line.id);
  requireType(line, ['salesOrder'], 'shipped');
  requireOpen(line, amount, line.open, 'over_shipment', 'Shipping');
  await ship(tx, by.actor, line, amount, note);
  if (amount === line.open) await followState(tx, by, { entity: line.id, toState: 'Shipped', note });
  return { line: await findLine(tx, line.id), before };
}

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

/** Throws `line_not_found`, `transition_not_allowed`, and what a feature automation refuses. */
export async function endLine(
  tx: Tx,
  by: Mover,
  { line: ref, toState, note }: { line: EntityRef; toState: 'Closed' | 'Cancelled'; note: string | null },
): Promise<LineDone> {
  const { id } = await lockLine(tx, ref);
  const before = await lastEntryOf(tx, id);
  await transitionEntity(tx, by, { entity: id, toState, note });
  return { line: await findLine(tx, id), before };
}
