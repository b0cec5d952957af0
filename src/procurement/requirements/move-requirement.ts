/** Gives back what a requirement holds reserved, or hands it out. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import type { Entered, Movement } from '../../stock/entries/movement.ts';
import { byShares } from '../../stock/movements/by-shares.ts';
import { findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import { dividingByExpiry, type LotsWanted } from '../../stock/movements/lot-shares.ts';
import { recordMovements } from '../../stock/movements/record-movements.ts';
import { openPositions } from '../../stock/movements/record-requests.ts';
import { lockRequirement } from '../records/find-procured.ts';
import { refreshRequirement } from '../records/follow-state.ts';
import { refuseLocation } from '../records/refusals.ts';
import type { Requirement } from '../records/requirement.ts';
import { selectHeld } from '../records/requirements.sql.ts';
import type { MovedRequirement } from './reserve-requirements.ts';

export interface RequirementWork {
  requirement: EntityRef;
  location: EntityRef;
  amount: Micro;
  entered?: Entered | null | undefined;
  effectiveOn?: string | null | undefined;
  note: string | null;
  /** Lots of an issue. */
  lots: LotsWanted;
}

/**
 * MRRelease or MRIssue, up to what the requirement holds at that location. Throws `requirement_not_found`,
 * `over_release`, `over_issue`, `entity_not_found`, `not_a_location`, `insufficient_stock`.
 */
export async function moveRequirement(
  tx: Tx,
  by: Mover,
  type: 'MRRelease' | 'MRIssue',
  { requirement: ref, location: place, amount, entered, effectiveOn, note, lots }: RequirementWork,
): Promise<MovedRequirement> {
  const requirement = await lockRequirement(tx, ref);
  const location = await findLocation(tx, place);
  await requireHeld(tx, requirement, location, amount, type);
  const movement: Movement = {
    type,
    itemId: requirement.itemId,
    locationId: location.id,
    amount,
    entered,
    effectiveOn: effectiveOn ?? null,
    note,
    orderId: requirement.orderId,
    requirementId: requirement.id,
  };
  const entries = await recordMovements(tx, by.actor, await dividedByLots(tx, movement, lots));
  return { requirement: await refreshRequirement(tx, by, requirement.id), location, entries };
}

async function dividedByLots(tx: Tx, movement: Movement, lots: LotsWanted): Promise<Movement[]> {
  if (lots === null) return [movement];
  if (lots !== 'firstExpired') return byShares(movement, lots);
  await openPositions(tx, [movement]);
  return (await dividingByExpiry(tx, [movement])).divide(movement);
}

async function findLocation(tx: Tx, ref: EntityRef): Promise<StockEntity> {
  const location = (await findStockEntities(tx, [ref])).get(ref);
  if (location?.isLocation !== true) throw refuseLocation(ref, location);
  return location;
}

async function requireHeld(
  tx: Tx,
  { id, number }: Requirement,
  location: StockEntity,
  amount: Micro,
  type: 'MRRelease' | 'MRIssue',
): Promise<void> {
  const rows = await tx.query<{ location_id: string; held: string }>(selectHeld, [tx.workspaceId, id]);
  const found = rows.find((row) => row.location_id === location.id);
  const held = found === undefined ? 0n : microOfDecimal(found.held);
  if (amount <= held) return;
  throw new AppError(type === 'MRRelease' ? 'over_release' : 'over_issue', {
    detail: `Requirement ${number ?? id} holds ${numberOf(held)} at ${location.number ?? location.id}, not ${numberOf(amount)}.`,
    extensions: { heldQty: numberOf(held) },
  });
}

/**
 * Gives back everything that it holds reserved and that was not issued: MRRelease at each location. The requirement
 * is locked.
 */
export async function releaseRequirement(
  tx: Tx,
  actor: Actor,
  { id, orderId }: Requirement,
  note: string | null,
): Promise<void> {
  const held = await tx.query<{ item_id: string; location_id: string; held: string }>(selectHeld, [
    tx.workspaceId,
    id,
  ]);
  const movements = held.map(
    (row): Movement => ({
      type: 'MRRelease',
      itemId: row.item_id,
      locationId: row.location_id,
      amount: microOfDecimal(row.held),
      note,
      orderId,
      requirementId: id,
    }),
  );
  await recordMovements(tx, actor, movements);
}
