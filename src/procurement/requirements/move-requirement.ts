/** Reserves stock for a requirement, gives it back, or hands it out. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityId } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { type Micro, microOfDecimal, numberOf } from '../../quantity.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { showEntry } from '../../stock/entries/show-stock.ts';
import type { StockLedgerEntry } from '../../stock/entries/stock.schema.ts';
import { findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import { recordMovements } from '../../stock/movements/record-movements.ts';
import { lockRequirement } from '../records/find-procured.ts';
import { refreshRequirement } from '../records/follow-state.ts';
import { requireRoom } from '../records/refusals.ts';
import type { Requirement } from '../records/requirement.ts';
import { selectHeld } from '../records/requirements.sql.ts';

export interface RequirementWork {
  requirement: EntityRef;
  location: EntityRef;
  amount: Micro;
  note: string | null;
}

/**
 * MRReservation up to what is open or was received for it; MRRelease and MRIssue up to what it holds at that
 * location. Throws `requirement_not_found`, `requirement_cancelled`, `over_requirement`, `over_release`,
 * `over_issue`, `not_a_location`, `insufficient_stock`.
 */
export async function moveRequirement(
  tx: Tx,
  by: Mover,
  type: 'MRReservation' | 'MRRelease' | 'MRIssue',
  { requirement: ref, location: place, amount, note }: RequirementWork,
): Promise<{ requirement: Requirement; entries: StockLedgerEntry[] }> {
  const requirement = await lockRequirement(tx, ref);
  const location = await findLocation(tx, place);
  if (type === 'MRReservation') requireRoom(requirement, amount, requirement.reservable, 'Reserving');
  else await requireHeld(tx, requirement, location, amount, type);
  const recorded = await recordMovements(tx, by.actor, [
    {
      type,
      itemId: requirement.itemId,
      locationId: location.id,
      amount,
      note,
      orderId: requirement.orderId,
      requirementId: requirement.id,
    },
  ]);
  return {
    requirement: await refreshRequirement(tx, by, requirement.id),
    entries: recorded.map((entry) => showEntry(entry, requirement.itemNumber, location.number, by.actor)),
  };
}

async function findLocation(tx: Tx, ref: EntityRef): Promise<StockEntity> {
  const location = (await findStockEntities(tx, [ref])).get(ref);
  if (location?.isLocation) return location;
  const id = await resolveEntityId(tx, ref);
  const message = `${location?.number ?? id} is of a category that is not for locations.`;
  throw new AppError('not_a_location', {
    detail: message,
    errors: [{ pointer: '/locationEntityId', code: 'not_a_location', message }],
  });
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
