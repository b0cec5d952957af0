/** Reservations for requirements, those of callers of the same time in one transaction. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import { isEntityId } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { listeningSlug } from '../../events/record-events.ts';
import type { CombinedCall, CombinedWork, Verdict } from '../../group-commit/combined-calls.ts';
import { showEntry } from '../../stock/entries/show-stock.ts';
import { findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import {
  type LockedRow,
  lockedBy,
  type Recording,
  startRecording,
} from '../../stock/movements/record-requests.ts';
import { requireRoom } from '../records/refusals.ts';
import { type RequirementRow, selectRequirements } from '../records/requirements.sql.ts';
import { showRequirement } from '../records/show-procurement.ts';
import { moveRequirement, type RequirementWork } from '../requirements/move-requirement.ts';
import { allowed } from './move-lines.ts';
import { writeMoves } from './plain-moves.ts';
import { RequirementStates } from './requirement-states.ts';
import { type LockedEntity, lockFreeEntities, lockNamedPositions } from './together.sql.ts';

export interface RequirementCall extends CombinedCall {
  by: Mover;
  work: RequirementWork;
}

export const reservingRequirements: CombinedWork<RequirementCall> = {
  what: 'reservations for requirements',
  together: reserveRequirements,
  apart: async (tx, { by, work }) => {
    const { requirement, entries } = await moveRequirement(tx, by, 'MRReservation', work);
    return { status: 201, body: { requirement: showRequirement(requirement), entries } };
  },
};

/** As move-lines.ts does it. */
async function reserveRequirements(
  tx: Tx,
  calls: readonly RequirementCall[],
  claimed: Promise<readonly (Verdict | null)[]>,
): Promise<Verdict[]> {
  const plain = calls
    .map(({ work }) => work)
    .filter(({ requirement, location }) => isEntityId(requirement) && isEntityId(location));
  const ids = [...new Set(plain.map(({ requirement }) => requirement))].toSorted();
  const none = plain.map(() => null);
  const [known, configuration, locked, rows, positions, found, slug] = await Promise.all([
    claimed,
    configurationForWriting(tx),
    tx.queryPrepared<LockedEntity>(lockFreeEntities, [tx.workspaceId, ids]),
    tx.queryPrepared<RequirementRow>(selectRequirements, [tx.workspaceId, ids]),
    lockedBy(
      tx,
      tx.queryPrepared<LockedRow>(lockNamedPositions, [
        tx.workspaceId,
        none,
        plain.map(({ location }) => location),
        none,
        plain.map(({ requirement }) => requirement),
      ]),
    ),
    findStockEntities(
      tx,
      plain.map(({ location }) => location),
    ),
    listeningSlug(tx, 'lifecycleTransition'),
  ]);
  const states = new RequirementStates(configuration, locked, rows);
  const recording = await startRecording(tx, positions);
  const verdicts: Verdict[] = [];
  for (const [index, call] of calls.entries()) {
    verdicts.push(known[index] ?? (await reserve(states, recording, found.get(call.work.location), call)));
  }
  await recording.write();
  writeMoves(tx, states.moves, { slug });
  return verdicts;
}

async function reserve(
  states: RequirementStates,
  recording: Recording,
  location: StockEntity | undefined,
  { by, work: { requirement: id, amount, note } }: RequirementCall,
): Promise<Verdict> {
  const requirement = states.find(id);
  if (requirement === null || location?.isLocation !== true) return 'apart';
  const fits = allowed(() => {
    requireRoom(requirement, amount, requirement.reservable, 'Reserving');
    return true;
  });
  const change = fits === null ? null : states.plan(id, by, { reserved: amount });
  if (change === null) return 'apart';
  const movement = {
    type: 'MRReservation' as const,
    itemId: requirement.itemId,
    locationId: location.id,
    amount,
    note,
    orderId: requirement.orderId,
    requirementId: id,
  };
  const { entries } = await recording.decide({ actor: by.actor, movements: [movement] });
  const entry = entries?.[0];
  if (entry === undefined) return 'apart';
  states.keep(change);
  const shown = showEntry(entry, requirement.itemNumber, location.number, by.actor);
  return { status: 201, body: { requirement: showRequirement(change.requirement), entries: [shown] } };
}
