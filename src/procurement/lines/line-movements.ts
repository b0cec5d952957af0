/** Movements that a line makes as a part of a transition or of a change of its quantity. The line is locked. */
import type { ConsumeMode } from '../../configuration/categories/behaviour.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { recordMovements } from '../../stock/movements/record-movements.ts';
import { receiveBuild } from '../builds/receive-build.ts';
import { lockRequirement } from '../records/find-procured.ts';
import { refreshRequirement } from '../records/follow-state.ts';
import { heldBy, isSupply, type Line, movementOf, openOf } from '../records/line.ts';
import { requireRoom } from '../records/refusals.ts';

/**
 * Raises what the line holds to what it has still to receive or ship (OnOrderAdd, SOReservation); does nothing where
 * it holds that already. Throws `insufficient_stock`, and `over_requirement`, `requirement_cancelled` where the line
 * is for a requirement.
 */
export async function beginLine(tx: Tx, by: Mover, line: Line, note: string | null): Promise<void> {
  await holdMore(tx, by, line, line.quantity - line.received - line.shipped - heldBy(line), note);
}

/** Raises what the line holds by an amount above zero. Throws as `beginLine` does. */
export async function holdMore(
  tx: Tx,
  by: Mover,
  line: Line,
  amount: bigint,
  note: string | null,
): Promise<void> {
  if (amount <= 0n) return;
  const requirementId = isSupply(line.type) ? line.requirementId : null;
  if (requirementId !== null) {
    const requirement = await lockRequirement(tx, requirementId);
    requireRoom(requirement, amount, requirement.open, 'Ordering');
  }
  await recordMovements(tx, by.actor, [movementOf(line, 'begin', amount, note)]);
  if (requirementId !== null) await refreshRequirement(tx, by, requirementId);
}

/**
 * Receives or ships what is open (POReceipt, MOReceipt, SOShipment). What is not on order cannot be received. A manufacturing line takes
 * its components as `consume` says, and then requires none any more; null: it takes none, and they stay required.
 */
export async function fulfilLine(
  tx: Tx,
  by: Mover,
  line: Line,
  note: string | null,
  consume: ConsumeMode | null,
): Promise<void> {
  const open = openOf(line);
  const amount = isSupply(line.type) ? line.onOrder : open;
  if (open <= 0n || amount <= 0n) return;
  const movement = movementOf(line, 'fulfil', amount, note);
  if (consume === null) await recordMovements(tx, by.actor, [movement]);
  else await receiveBuild(tx, by, line, { movement, consume });
}

/** Gives back everything that the line holds (OnOrderRelease, SORelease). */
export async function releaseLine(tx: Tx, by: Mover, line: Line, note: string | null): Promise<void> {
  await holdLess(tx, by, line, heldBy(line), note);
}

/** Gives back so much of what the line holds; its requirement needs it again. */
export async function holdLess(
  tx: Tx,
  by: Mover,
  line: Line,
  amount: bigint,
  note: string | null,
): Promise<void> {
  if (amount <= 0n) return;
  const requirementId = isSupply(line.type) ? line.requirementId : null;
  if (requirementId !== null) await lockRequirement(tx, requirementId);
  await recordMovements(tx, by.actor, [movementOf(line, 'release', amount, note)]);
  if (requirementId !== null) await refreshRequirement(tx, by, requirementId);
}
