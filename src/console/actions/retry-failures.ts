/** Retries failures one by one, each in its own transaction, and stores the outcome of each. */
import type { Logger } from 'pino';
import type { Actor } from '../../actor.ts';
import { isRetried, retryRun } from '../../automation/runs/retry-run.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { restingState } from '../../db/resting.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { Queues } from '../../queue/queues.ts';
import { retryBatch } from '../../sync/batch/control-batch.ts';
import { isLockKept } from '../../sync/batch/count-failure.ts';
import { resendFailed } from '../../webhooks/resend-delivery.ts';
import { insertOutcome } from './console.sql.ts';
import type { Failure, Work } from './group-failures.ts';
import { recordAction } from './record-action.ts';

/** Bounds the time of one call. */
export const RETRIED_MAX = 200;
const LOCKED = 'Another call or import of the workspace holds a lock on it. Nothing was changed. Try again.';
const RESTS = 'The workspace is held, or is being moved to another installation.';

export interface Retrying {
  db: Db;
  queues: Queues;
  log: Logger;
  config: Config;
}

export interface Retry {
  work: Work;
  /** Description of what they share. */
  subject: string;
  failures: readonly Failure[];
  operator: Actor;
}

/** Returns the id of the action. Items that were retried before have a refusal as their outcome. */
export async function retryFailures(
  ctx: Retrying,
  { work, subject, failures, operator }: Retry,
): Promise<string> {
  const some = failures.slice(0, RETRIED_MAX);
  const slugs = new Set(some.map(({ slug }) => slug));
  const workspace = slugs.size === 1 ? (some[0]?.slug ?? null) : null;
  const about = { work, workspace, subject, items: some.length };
  const id = await inTransaction(ctx.db, 'instance', (tx) =>
    recordAction(tx, operator, { action: 'retry', ...about }),
  );
  // The other items of such a workspace would wait as long.
  const locked = new Set<string>();
  for (const [ordinal, failure] of some.entries()) {
    const { workspaceId } = failure;
    const refusal = locked.has(workspaceId)
      ? LOCKED
      : await retryOne(ctx, failure).catch((error: unknown) => {
          const why = refusalOf(error);
          if (why === null) throw error;
          if (why === LOCKED) locked.add(workspaceId);
          return why;
        });
    await inTransaction(ctx.db, 'instance', (tx) =>
      tx.query(insertOutcome, [id, ordinal, failure.slug, failure.id, refusal]),
    );
  }
  ctx.log.info({ operator: true, action: id, work, items: some.length }, 'operator retried failures');
  return id;
}

/** Returns why an item was refused, or null if the error is not a refusal. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof AppError) return error.message;
  if (restingState(error) !== null) return RESTS;
  return isLockKept(error) ? LOCKED : null;
}

/** Returns null if it is queued again, or the reason; other errors are thrown. */
async function retryOne(ctx: Retrying, { work, workspaceId, id, parent }: Failure): Promise<string | null> {
  const refusal = await inTransaction(ctx.db, { workspaceId }, async (tx) => {
    if (work === 'batch') await retryBatch(tx, { workspaceId, batchId: id });
    else if (work === 'automation') {
      // Another operator may have retried it at the same time. A run must not be repeated twice.
      if (await isRetried(tx, id)) return 'It was already retried.';
      await retryRun(tx, id, 'current');
    } else {
      const status = await resendFailed(tx, parent as string, id);
      if (status !== 'failed') return `Its status is now ${status}.`;
    }
    return null;
  });
  if (refusal === null && work === 'batch') await announceAgain(ctx, workspaceId, id);
  return refusal;
}

/** If the queue does not respond, healing announces the batch. */
export async function announceAgain(
  { queues, config, log }: Retrying,
  workspaceId: string,
  batchId: string,
): Promise<void> {
  const patience = { patienceMs: config.QUEUE_PATIENCE_MS };
  await queues
    .announce('sync.advance', { workspaceId, batchId }, patience)
    .catch((error: unknown) =>
      log.warn({ err: error, batchId }, 'a batch that the operator has changed waits for healing'),
    );
}
