/** Reservations of stock for requirements, of one caller or of many. Two round trips, as in move-lines.ts. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { type Gathering, type Outcome, orRefusal } from '../../group-commit/gathering.ts';
import type { Micro } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import type { Entered } from '../../stock/entries/movement.ts';
import { findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import { holdsFor, type LotsWanted } from '../../stock/movements/lot-shares.ts';
import {
  type LockedRow,
  lockedBy,
  type Recording,
  startRecording,
} from '../../stock/movements/record-requests.ts';
import { refuseMovements } from '../../stock/movements/refuse-movements.ts';
import { EntityMoves } from '../records/entity-moves.ts';
import { findRequirement, idsOf } from '../records/find-procured.ts';
import {
  type LockedEntity,
  lockEntities,
  lockNamedPositions,
  waiting,
} from '../records/procured-entities.sql.ts';
import { refuseLocation, requireRoom } from '../records/refusals.ts';
import type { Requirement } from '../records/requirement.ts';
import { RequirementChanges } from '../records/requirement-changes.ts';
import { type RequirementRow, selectRequirements } from '../records/requirements.sql.ts';

export interface ReservationRequest {
  by: Mover;
  requirement: EntityRef;
  location: EntityRef;
  amount: Micro;
  entered?: Entered | null | undefined;
  note: string | null;
  /** Lots that the reservation holds. */
  lots?: LotsWanted;
}

export interface MovedRequirement {
  requirement: Requirement;
  /** The substitute that moved; absent: the item of the requirement. */
  substitute?: StockEntity | null;
  location: StockEntity;
  entries: LedgerEntry[];
}

interface Group {
  ids: ReadonlyMap<EntityRef, string>;
  requirements: RequirementChanges;
  locations: ReadonlyMap<EntityRef, StockEntity>;
  recording: Recording;
  moves: EntityMoves;
}

/**
 * MRReservation up to what is open or was received for the requirement. Refuses with `requirement_not_found`,
 * `requirement_cancelled`, `over_requirement`, `entity_not_found`, `not_a_location`, `insufficient_stock`.
 */
export async function reserveRequirements(
  tx: Tx,
  requests: readonly ReservationRequest[],
  { answered, isSingle }: Gathering,
): Promise<Outcome<MovedRequirement>[]> {
  const ids = await idsOf(
    tx,
    requests.flatMap(({ requirement, location }) => [requirement, location]),
  );
  const named = requests.flatMap((request) => {
    const [requirement, location] = [ids.get(request.requirement), ids.get(request.location)];
    return requirement === undefined || location === undefined ? [] : [{ requirement, location }];
  });
  const requirementIds = [...new Set(named.map(({ requirement }) => requirement))].toSorted();
  const none = named.map(() => null);
  const moves = new EntityMoves(
    tx,
    requests.map(({ by }) => by),
  );
  const [isAnswered, configuration, locked, rows, positions, locations] = await Promise.all([
    answered,
    configurationForWriting(tx),
    tx.queryPrepared<LockedEntity>(lockEntities[waiting(isSingle)], [tx.workspaceId, requirementIds]),
    tx.queryPrepared<RequirementRow>(selectRequirements, [tx.workspaceId, requirementIds]),
    lockedBy(
      tx,
      tx.queryPrepared<LockedRow>(lockNamedPositions, [
        tx.workspaceId,
        none,
        named.map(({ location }) => location),
        none,
        named.map(({ requirement }) => requirement),
      ]),
    ),
    findStockEntities(
      tx,
      requests.map(({ location }) => location),
    ),
  ]);
  const requirements = new RequirementChanges({ configuration, isSingle }, locked, rows);
  const group = { ids, requirements, locations, recording: await startRecording(tx, positions), moves };
  const outcomes: Outcome<MovedRequirement>[] = [];
  for (const [index, request] of requests.entries())
    outcomes.push(isAnswered[index] === true ? null : await reserve(group, request));
  await group.recording.write();
  const isEventful = moves.hasEventful;
  await moves.write();
  if (isEventful) await refresh(tx, outcomes);
  return outcomes;
}

async function reserve(group: Group, request: ReservationRequest): Promise<Outcome<MovedRequirement>> {
  const { ids, requirements, recording, moves } = group;
  const planned = orRefusal(() => plan(group, request));
  if (planned instanceof AppError || planned === 'separately') return planned;
  const { by, amount, entered, note } = request;
  const { requirement, location } = planned;
  const movement = {
    type: 'MRReservation' as const,
    itemId: requirement.itemId,
    locationId: location.id,
    amount,
    entered,
    note,
    orderId: requirement.orderId,
    requirementId: ids.get(request.requirement) ?? null,
  };
  const movements = [movement, ...holdsFor(movement, request.lots)];
  const { entries, refusals } = await recording.decide({ actor: by.actor, movements });
  if (refusals !== null) {
    requirements.drop();
    const item = { number: requirement.itemNumber, name: requirement.itemName };
    return refuseMovements(
      refusals,
      new Map([
        [requirement.itemId, item],
        [location.id, location],
      ]),
    );
  }
  requirements.keep(moves);
  return { done: { requirement, location, entries } };
}

function plan(
  { ids, requirements, locations }: Group,
  { by, requirement: ref, location: place, amount }: ReservationRequest,
): 'separately' | { requirement: Requirement; location: StockEntity } {
  const id = ids.get(ref);
  const found = id === undefined ? null : requirements.find(id);
  if (id === undefined || found === null)
    throw new AppError('requirement_not_found', `There is no material requirement ${ref}.`);
  if (found === 'separately') return found;
  const location = locations.get(place);
  if (location?.isLocation !== true) throw refuseLocation(place, location);
  requireRoom(found, amount, found.needed, 'Reserving');
  const requirement = requirements.raise(id, by, { reserved: amount });
  return requirement === 'separately' ? requirement : { requirement, location };
}

/** Reads the requirements again: a feature automation of a transition may have changed more. */
async function refresh(tx: Tx, outcomes: readonly Outcome<MovedRequirement>[]): Promise<void> {
  for (const outcome of outcomes) {
    if (outcome === null || outcome === 'separately' || outcome instanceof AppError) continue;
    outcome.done.requirement = await findRequirement(tx, outcome.done.requirement.id);
  }
}
