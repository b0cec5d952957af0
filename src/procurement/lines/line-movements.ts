/** Movements that a line makes as a part of a transition or of a change of its quantity. The line is locked. */
import type { ConsumeMode } from '../../configuration/categories/behaviour.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { recordMovements } from '../../stock/movements/record-movements.ts';
import { openPositions, startRecording } from '../../stock/movements/record-requests.ts';
import { receiveBuild } from '../builds/receive-build.ts';
import { AvailableStock } from '../records/available-stock.ts';
import { lockRequirement } from '../records/find-procured.ts';
import { refreshRequirement } from '../records/follow-state.ts';
import { heldBy, isSupply, type Line, movementsOf, openOf } from '../records/line.ts';
import { requireWanted } from '../records/refusals.ts';
import type { Requirement } from '../records/requirement.ts';
import { reserveArrived } from '../records/reserve-arrived.ts';

/**
 * Raises what the line holds to what it has still to receive or ship (OnOrderAdd, SOReservation); does nothing where
 * it holds that already. Throws `insufficient_stock`, and `over_requirement`, `requirement_cancelled` where the line
 * is for a requirement.
 */
export async function beginLine(tx: Tx, by: Mover, line: Line, note: string | null): Promise<void> {
  const amount = line.quantity - line.received - line.shipped - heldBy(line);
  if (amount <= 0n) return;
  if (isSupply(line.type) && line.requirementId !== null && line.orderedFor === 0n)
    requireWanted(await lockRequirement(tx, line.requirementId), amount);
  await holdMore(tx, by, line, amount, note);
}

/**
 * Raises what the line holds by an amount above zero: for its requirement what that needs, and the rest for nobody. A sales line that may
 * wait holds what is available. Throws `insufficient_stock`, `requirement_cancelled`.
 */
export async function holdMore(
  tx: Tx,
  by: Mover,
  line: Line,
  amount: bigint,
  note: string | null,
): Promise<void> {
  if (amount <= 0n) return;
  const requirement = await lockRequirementOf(tx, line);
  if (requirement?.status === 'cancelled') requireWanted(requirement, amount);
  const open = requirement?.open ?? 0n;
  const held = line.allowBackorder ? (await availableOf(tx, line)).take(line, amount) : amount;
  if (held === 0n) return;
  await recordMovements(tx, by.actor, movementsOf(line, 'begin', held, { note, open }));
  if (requirement !== null) await refreshRequirement(tx, by, requirement.id);
}

/** Locks the requirement that a line is for; null: it is for none. */
async function lockRequirementOf(tx: Tx, { type, requirementId }: Line): Promise<Requirement | null> {
  return isSupply(type) && requirementId !== null ? lockRequirement(tx, requirementId) : null;
}

/** Locks the position of the line. */
async function availableOf(tx: Tx, line: Line): Promise<AvailableStock> {
  const recording = await startRecording(tx, await openPositions(tx, [line]));
  return new AvailableStock((position) => recording.balanceOf(position));
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
  const movements = movementsOf(line, 'fulfil', amount, { note });
  const reserves = await reservesArrived(tx, line);
  if (consume !== null) await receiveBuild(tx, by, line, { movements, consume, reserves });
  else {
    const reserved = reserves ? reserveArrived(movements, movements, await availableOf(tx, line)) : [];
    await recordMovements(tx, by.actor, [...movements, ...reserved]);
  }
}

/** Whether what arrives is reserved for the requirement of the line, which is then locked. */
async function reservesArrived(tx: Tx, line: Line): Promise<boolean> {
  if (!isSupply(line.type) || line.requirementId === null) return false;
  if (!(await configurationForWriting(tx)).stock.reserveReceived) return false;
  return (await lockRequirement(tx, line.requirementId)).status !== 'cancelled';
}

/** Gives back everything that the line holds (OnOrderRelease, SORelease). */
export async function releaseLine(tx: Tx, by: Mover, line: Line, note: string | null): Promise<void> {
  await holdLess(tx, by, line, heldBy(line), note);
}

/** Gives back so much of what the line holds; its requirement needs again what was for it. */
export async function holdLess(
  tx: Tx,
  by: Mover,
  line: Line,
  amount: bigint,
  note: string | null,
): Promise<void> {
  if (amount <= 0n) return;
  const requirement = await lockRequirementOf(tx, line);
  await recordMovements(tx, by.actor, movementsOf(line, 'release', amount, { note }));
  if (requirement !== null) await refreshRequirement(tx, by, requirement.id);
}
