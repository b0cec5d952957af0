/** Puts jobs in line for what a batch does next. A queue that takes none is no failure of the batch. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Queues } from '../../queue/queues.ts';
import { nextInLine } from '../chunk/batch.sql.ts';
import type { BatchRef } from '../chunk/thread-context.ts';

interface Announcing {
  config: Config;
  db: Db;
  queues: Queues;
}

interface InLine {
  id: string;
  place: string;
  status: 'queued' | 'processing';
}

/** The step was taken, and the queue does not take the next one: nothing is wrong with the batch. */
export class QueueAwayError extends Error {
  override readonly name = 'QueueAwayError';
}

/** Throws `QueueAwayError`, whatever the queue says: it may be full, loading, read-only, without a master. */
export async function announce(
  { queues }: Pick<Announcing, 'queues'>,
  ...job: Parameters<Queues['announce']>
): Promise<void> {
  try {
    await queues.announce(...job);
  } catch (cause) {
    throw new QueueAwayError('The next step could not be announced', { cause });
  }
}

export async function fanOut(worker: Pick<Announcing, 'queues'>, ref: BatchRef, jobs: number): Promise<void> {
  for (let job = 0; job < jobs; job++) await announce(worker, 'sync.advance', ref);
}

/** The workspace's next batch gets its turn. */
export async function announceNext(
  worker: Pick<Announcing, 'db' | 'queues'>,
  workspaceId: string,
): Promise<void> {
  const next = await firstInLine(worker, workspaceId);
  if (next === null) return;
  // By its place in line: however many jobs of the batch before say so, it is one job.
  const jobId = `turn-${next.id}-${next.place}`;
  await announce(worker, 'sync.advance', { workspaceId, batchId: next.id }, { jobId });
}

/**
 * Announces batches that were held back, with as many jobs as they had. A job that was announced meanwhile is not
 * announced twice.
 */
export async function announceResumed(worker: Announcing, workspaceId: string): Promise<void> {
  const next = await firstInLine(worker, workspaceId);
  if (next === null) return;
  const { SYNC_JOBS_PER_BATCH: jobs, QUEUE_PATIENCE_MS: patienceMs } = worker.config;
  for (let job = 0; job < (next.status === 'processing' ? jobs : 1); job++)
    await announce(worker, 'sync.advance', { workspaceId, batchId: next.id }, { patienceMs });
}

async function firstInLine({ db }: Pick<Announcing, 'db'>, workspaceId: string): Promise<InLine | null> {
  const [first] = await inTransaction(db, { workspaceId }, (tx) =>
    tx.query<InLine>(nextInLine, [workspaceId]),
  );
  return first ?? null;
}
