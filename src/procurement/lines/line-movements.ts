/** What lines write into the ledger, whether a call asks for it or a transition. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import type { Micro } from '../../quantity.ts';
import { recordMovements } from '../../stock/movements/record-movements.ts';
import { lockRequirement } from '../records/find-procured.ts';
import { refreshRequirement } from '../records/follow-state.ts';
import { belonging, type Line } from '../records/line.ts';
import { requireRoom } from '../records/refusals.ts';

/**
 * Raises On Order to what the line has still to receive (OnOrderAdd); does nothing where it stands there
 * already. The line is locked. Throws `over_requirement`, `requirement_cancelled` where it is for one.
 */
export async function orderSupply(tx: Tx, by: Mover, line: Line, note: string | null): Promise<void> {
  const amount = line.quantity - line.received - line.onOrder;
  if (amount <= 0n) return;
  if (line.requirementId !== null) {
    const requirement = await lockRequirement(tx, line.requirementId);
    requireRoom(requirement, amount, requirement.open, 'Ordering');
  }
  await recordMovements(tx, by.actor, [{ type: 'OnOrderAdd', amount, note, ...belonging(line) }]);
  if (line.requirementId !== null) await refreshRequirement(tx, by, line.requirementId);
}

/** POReceipt or MOReceipt: a goods receipt, or the completion of what is manufactured. */
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

/** SOShipment: from what the line has reserved first. */
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

/**
 * Reserves what the line needs and has not reserved (SOReservation); does nothing where it has. The line is
 * locked. Throws `insufficient_stock`.
 */
export async function reserveSales(tx: Tx, actor: Actor, line: Line, note: string | null): Promise<void> {
  const amount = line.quantity - line.shipped - line.reserved;
  if (amount <= 0n) return;
  await recordMovements(tx, actor, [{ type: 'SOReservation', amount, note, ...belonging(line) }]);
}

/**
 * Gives back what is still on order, or still reserved (OnOrderRelease, SORelease); does nothing where the line holds
 * nothing. The line is locked.
 */
export async function releaseLine(tx: Tx, by: Mover, line: Line, note: string | null): Promise<void> {
  if (line.reserved > 0n) {
    await recordMovements(tx, by.actor, [
      { type: 'SORelease', amount: line.reserved, note, ...belonging(line) },
    ]);
  }
  if (line.onOrder <= 0n) return;
  if (line.requirementId !== null) await lockRequirement(tx, line.requirementId);
  await recordMovements(tx, by.actor, [
    { type: 'OnOrderRelease', amount: line.onOrder, note, ...belonging(line) },
  ]);
  // The requirement needs it again.
  if (line.requirementId !== null) await refreshRequirement(tx, by, line.requirementId);
}
