/** What is done with an open line: receive, ship, reserve or release by hand, close or cancel. */
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { type Mover, transitionEntity } from '../../entities/transition-entity.ts';
import type { Micro } from '../../quantity.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { recordMovements } from '../../stock/movements/record-movements.ts';
import { findLine, lockLine } from '../records/find-procured.ts';
import { followState } from '../records/follow-state.ts';
import { belonging, type Line } from '../records/line.ts';
import { requireOpen, requireType } from '../records/refusals.ts';
import { lastEntryOf } from './line-entries.ts';

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

export type LineAct = 'receive' | 'ship' | 'reserve' | 'release';

/** The state that a line is in when such an act has left nothing open. */
export const endsOfActs: Readonly<Record<LineAct, string | null>> = {
  receive: 'Received',
  ship: 'Shipped',
  reserve: null,
  release: null,
};

/**
 * What the act writes into the ledger: POReceipt or MOReceipt from On Order to On Hand; SOShipment from what the line has
 * reserved first, the rest from Available; SOReservation up to what is open and not reserved, SORelease up to what is
 * reserved. Throws `line_not_open`, `over_receipt`, `over_shipment`, `over_reservation`, `over_release`.
 */
export function movementOf(act: LineAct, line: Line, amount: Micro, note: string | null): Movement {
  const own = { amount, note, ...belonging(line) };
  switch (act) {
    case 'receive':
      requireType(line, ['purchaseOrder', 'manufacturingOrder'], 'received');
      requireOpen(line, amount, line.open, 'over_receipt', 'Receiving');
      return { type: line.type === 'purchaseOrder' ? 'POReceipt' : 'MOReceipt', ...own };
    case 'ship':
      requireType(line, ['salesOrder'], 'shipped');
      requireOpen(line, amount, line.open, 'over_shipment', 'Shipping');
      return { type: 'SOShipment', reservedAmount: line.reserved < amount ? line.reserved : amount, ...own };
    case 'reserve':
      requireType(line, ['salesOrder'], 'reserved for');
      requireOpen(line, amount, line.open - line.reserved, 'over_reservation', 'Reserving');
      return { type: 'SOReservation', ...own };
    case 'release':
      requireType(line, ['salesOrder'], 'released');
      requireOpen(line, amount, line.reserved, 'over_release', 'Releasing');
      return { type: 'SORelease', ...own };
  }
}

/**
 * Does one act; the line is Received or Shipped when nothing is open any more. Throws what `movementOf` does,
 * `line_not_found` and `insufficient_stock`.
 */
export async function workOnLine(
  tx: Tx,
  by: Mover,
  act: LineAct,
  { line: ref, amount, note }: LineWork,
): Promise<LineDone> {
  const line = await lockLine(tx, ref);
  const before = await lastEntryOf(tx, line.id);
  await recordMovements(tx, by.actor, [movementOf(act, line, amount, note)]);
  const toState = endsOfActs[act];
  if (toState !== null && amount === line.open) await followState(tx, by, { entity: line.id, toState, note });
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
