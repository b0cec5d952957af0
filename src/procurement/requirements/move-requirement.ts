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
import { refuseItem, refuseLocation } from '../records/refusals.ts';
import type { Requirement } from '../records/requirement.ts';
import { type HeldRow, selectHeld } from '../records/requirements.sql.ts';
import type { MovedRequirement } from './reserve-requirements.ts';

export interface RequirementWork {
  requirement: EntityRef;
  /** The substitute that is reserved; null for the item of the requirement. */
  substitute: EntityRef | null;
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
  work: RequirementWork,
): Promise<MovedRequirement> {
  const { amount, entered, effectiveOn, note, lots } = work;
  const requirement = await lockRequirement(tx, work.requirement);
  const location = await findLocation(tx, work.location);
  const substitute = await findSubstitute(tx, work.substitute);
  const wanted = { type, amount, location, substitute };
  const covers = await requireHeld(tx, requirement, wanted);
  const movement: Movement = {
    type,
    itemId: substitute?.id ?? requirement.itemId,
    locationId: location.id,
    amount,
    ...(covers === null ? {} : { coveredQuantity: covers }),
    entered,
    effectiveOn: effectiveOn ?? null,
    note,
    orderId: requirement.orderId,
    requirementId: requirement.id,
  };
  const entries = await recordMovements(tx, by.actor, await dividedByLots(tx, movement, lots));
  return { requirement: await refreshRequirement(tx, by, requirement.id), substitute, location, entries };
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

async function findSubstitute(tx: Tx, ref: EntityRef | null): Promise<StockEntity | null> {
  if (ref === null) return null;
  const item = (await findStockEntities(tx, [ref])).get(ref);
  if (item === undefined) throw refuseItem(ref, undefined);
  return item;
}

interface WantedHeld {
  type: 'MRRelease' | 'MRIssue';
  amount: Micro;
  location: StockEntity;
  substitute: StockEntity | null;
}

/** Returns how much of the required item the quantity of a substitute covers; null for the item itself. */
async function requireHeld(
  tx: Tx,
  { id, number, itemId }: Requirement,
  { type, amount, location, substitute }: WantedHeld,
): Promise<Micro | null> {
  const rows = await tx.query<HeldRow>(selectHeld, [tx.workspaceId, id]);
  const found = rows.find(
    (row) =>
      row.location_id === location.id &&
      row.item_id === (substitute?.id ?? itemId) &&
      (row.covers === null) === (substitute === null),
  );
  const held = found === undefined ? 0n : microOfDecimal(found.held);
  if (found !== undefined && amount <= held)
    return found.covers === null ? null : (microOfDecimal(found.covers) * amount) / held;
  const of = substitute === null ? '' : ` of ${substitute.number ?? substitute.name} as a substitute`;
  throw new AppError(type === 'MRRelease' ? 'over_release' : 'over_issue', {
    detail: `Requirement ${number ?? id} holds ${numberOf(held)}${of} at ${location.number ?? location.id}, not ${numberOf(amount)}.`,
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
  const held = await tx.query<HeldRow>(selectHeld, [tx.workspaceId, id]);
  const movements = held.map(
    (row): Movement => ({
      type: 'MRRelease',
      itemId: row.item_id,
      locationId: row.location_id,
      amount: microOfDecimal(row.held),
      ...(row.covers === null ? {} : { coveredQuantity: microOfDecimal(row.covers) }),
      note,
      orderId,
      requirementId: id,
    }),
  );
  await recordMovements(tx, actor, movements);
}
