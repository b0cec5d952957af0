/**
 * The commit of a reviewed plan does what was reviewed or nothing: what the plan rests on is compared with what the
 * dry run kept, and must still be so when it is written.
 */
import type { Tx } from '../../db/transaction.ts';
import { selectBasis } from '../chunk/batch.sql.ts';
import type { ClaimedChunk } from '../chunk/claim-chunk.ts';
import { StalePlanError } from '../chunk/stale-plan.ts';
import { type BatchRef, pair } from '../chunk/thread-context.ts';
import type { PreparedEntity } from '../elements/prepare-elements.ts';
import { lockEntitiesByGuid } from './compare-elements.sql.ts';
import { staleGuids, versionsIn } from './plan-basis.ts';
import type { PlannedChunk } from './plan-chunk.ts';

/** Locks the entities and parents that a plan of these elements rests on, by GUID, until the transaction ends. */
export async function lockBasis(tx: Tx, entities: readonly PreparedEntity[]): Promise<void> {
  const guids = new Set<string>();
  for (const { guid, carrier, others } of entities) {
    guids.add(guid);
    for (const { parentGuid } of [carrier.element, ...others]) if (parentGuid !== null) guids.add(parentGuid);
  }
  await tx.query(lockEntitiesByGuid, [tx.workspaceId, [...guids].sort()]);
}

/** Throws when this batch commits a dry run and what that rests on has changed. */
export async function requireBasis(
  tx: Tx,
  ref: BatchRef,
  chunk: Pick<ClaimedChunk, 'ordinal' | 'commit_of'>,
  planned: PlannedChunk,
): Promise<void> {
  if (chunk.commit_of === null) return;
  const [then] = await tx.query<{ basis: Buffer }>(selectBasis, [
    ref.workspaceId,
    chunk.commit_of,
    chunk.ordinal,
  ]);
  if (then === undefined) throw new StalePlanError([]);
  const stale = staleGuids(then.basis, planned.basis, StalePlanError.GUIDS_MAX);
  if (stale.length > 0) throw new StalePlanError(stale);
}

/** The versions that the plan pass of a committed plan has checked; null for any other batch, and where an earlier release planned it. */
export async function checkedVersions(
  tx: Tx,
  ref: BatchRef,
  chunk: ClaimedChunk,
): Promise<Map<string, number> | null> {
  if (chunk.commit_of === null) return null;
  const [checked] = await tx.query<{ basis: Buffer }>(selectBasis, [...pair(ref), chunk.ordinal]);
  return checked === undefined ? null : versionsIn(checked.basis);
}
