/** Cancels and retries batches, and commits reviewed plans. */
import type { Actor } from '../../actor.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { waitForChunks } from '../chunk/batch.sql.ts';
import { recordNotApplied } from '../chunk/record-not-applied.ts';
import { type BatchRef, pair } from '../chunk/thread-context.ts';
import { mergedMeanwhile, refuseTooMany, takePlaceInLine } from '../intake/accept-batch.ts';
import { lockAcceptance } from '../intake/stage-batch.sql.ts';
import {
  cancelBatch as cancelBatchSql,
  copyBatch,
  copyChunks,
  copyPayload,
  forgetAttempts,
  forgetResults,
  lockBatch,
  lockLinkingBatch,
  replanChunks,
  requeueBatch,
  selectMergedSince,
} from './control-batch.sql.ts';

interface LockedBatch {
  status: 'queued' | 'processing' | 'completed' | 'cancelled' | 'failed';
  dry_run: boolean;
  payload_kept: boolean;
}

export interface Cancelling {
  actor: Pick<Actor, 'type' | 'name'>;
  /** The operator's reason, which the sender can read; null if a sender controls the batch. */
  reason: string | null;
}

/**
 * Stops what has not been processed; what is done stays done. Where entities are written that are not linked yet the
 * batch ends when they are: announce it. Again meanwhile it changes nothing. Throws `batch_not_found`,
 * `batch_finished`. Resolves to whether it has ended with that.
 */
export async function cancelBatch(tx: Tx, ref: BatchRef, { actor, reason }: Cancelling): Promise<boolean> {
  const [linking] = await tx.query<LockedBatch>(lockLinkingBatch, pair(ref));
  if (linking === undefined) await tx.query(waitForChunks, pair(ref));
  const { status } = linking ?? (await locked(tx, ref));
  if (status !== 'queued' && status !== 'processing') {
    throw new AppError('batch_finished', `The batch is ${status}: there is nothing left to cancel.`);
  }
  const [cancelled] = await tx.query<{ ended: boolean }>(cancelBatchSql, [
    ...pair(ref),
    actor.type,
    actor.name,
    reason,
  ]);
  const hasEnded = cancelled?.ended === true;
  if (hasEnded) await recordNotApplied(tx, ref, 'cancelled');
  return hasEnded;
}

/** A failed batch goes on where it stopped, at the end of the line. Throws `batch_not_found`, `batch_not_failed`, `payload_gone`, `merged_meanwhile`. */
export async function retryBatch(tx: Tx, ref: BatchRef): Promise<void> {
  await tx.query(lockAcceptance, [ref.workspaceId]);
  const { status, payload_kept: kept } = await locked(tx, ref);
  if (status !== 'failed') {
    const remedy =
      status === 'completed' ? ' Correct what it has rejected, and send these elements again.' : '';
    throw new AppError(
      'batch_not_failed',
      `The batch is ${status}; only a failed one can be retried.${remedy}`,
    );
  }
  requirePayload(kept);
  await requireNoMergeSince(tx, ref);
  await tx.query(forgetAttempts, pair(ref));
  await tx.query(replanChunks, pair(ref));
  await tx.query(forgetResults, pair(ref));
  await tx.query(requeueBatch, [...pair(ref), await takePlaceInLine(tx)]);
}

export interface Commit {
  actorId: string;
  requestId: string;
  traceparent: string | null;
  queuedBatchesMax: number;
}

/**
 * Puts exactly the payload of a completed dry run in line as a new batch, which fails with `plan_stale` before
 * it writes anything when its plan is another by then. Returns its id.
 * Throws `batch_not_found`, `not_a_plan`, `payload_gone`, `merged_meanwhile`, `too_many_batches`.
 */
export async function commitPlan(tx: Tx, ref: BatchRef, commit: Commit): Promise<string> {
  await tx.query(lockAcceptance, [ref.workspaceId]);
  const { status, dry_run: dryRun, payload_kept: kept } = await locked(tx, ref);
  if (!dryRun || status !== 'completed') {
    throw new AppError(
      'not_a_plan',
      dryRun
        ? `The dry run is ${status}, not completed.`
        : 'The batch is no dry run: it has been applied already.',
    );
  }
  requirePayload(kept);
  await requireNoMergeSince(tx, ref);
  await refuseTooMany(tx, commit.queuedBatchesMax);
  const batchId = newId();
  const { actorId, requestId, traceparent } = commit;
  await tx.query(copyBatch, [ref.workspaceId, batchId, ref.batchId, actorId, requestId, traceparent]);
  await tx.query(copyChunks, [ref.workspaceId, batchId, ref.batchId]);
  await tx.query(copyPayload, [ref.workspaceId, batchId, ref.batchId]);
  return batchId;
}

function requirePayload(kept: boolean): void {
  if (kept) return;
  throw new AppError('payload_gone', 'The payload is past its retention and no longer kept: send it again.');
}

/** A merge may have made one entity of two that lie in different chunks. The acceptance lock is held, which a merge takes. */
async function requireNoMergeSince(tx: Tx, ref: BatchRef): Promise<void> {
  const [found] = await tx.query<{ merged: boolean }>(selectMergedSince, pair(ref));
  if (found?.merged === true) throw mergedMeanwhile();
}

async function locked(tx: Tx, ref: BatchRef): Promise<LockedBatch> {
  const [batch] = await tx.query<LockedBatch>(lockBatch, pair(ref));
  if (batch === undefined) {
    throw new AppError('batch_not_found', `There is no batch ${ref.batchId} in this workspace.`);
  }
  return batch;
}
