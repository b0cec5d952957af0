/**
 * The handler of `sync.advance`: takes one step of a batch and announces itself again, so that batches of
 * other workspaces get their turn between any two chunks. All state is in PostgreSQL; a job is only a hint.
 */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { isServerAway } from '../db/server-away.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Queues } from '../queue/queues.ts';
import {
  anyChunkIn,
  anyLinksPlanned,
  countAttempt,
  failBatch,
  leavePhase,
  nextInLine,
  selectBatchState,
  startBatch,
} from './batch.sql.ts';
import { ChunkError, type StepOutcome } from './claim-chunk.ts';
import { completeBatch } from './complete-batch.ts';
import type { SyncPool } from './sync-pool.ts';
import type { BatchRef } from './thread-context.ts';

export interface SyncWorker {
  config: Config;
  log: Logger;
  db: Db;
  queues: Queues;
  pool: SyncPool;
}

type Phase = 'plan' | 'structure' | 'write' | 'link' | 'done';

interface BatchState {
  status: string;
  phase: Phase;
  chunk_count: number;
}

const RETRY_DELAY_MS = 500;

export async function advanceBatch(worker: SyncWorker, ref: BatchRef): Promise<void> {
  const state = await takeTurn(worker, ref);
  if (state === null) return;
  if (state.status !== 'processing') return announceNext(worker, ref.workspaceId);
  try {
    if (state.chunk_count === 0) await inWorkspace(worker, ref, (tx) => completeBatch(tx, ref));
    else if (state.chunk_count === 1 && state.phase === 'plan') await worker.pool.run('whole', ref);
    else return await takeStep(worker, ref, state.phase);
  } catch (error) {
    return handleFailure(worker, ref, error);
  }
  await announceNext(worker, ref.workspaceId);
}

/** The batch's state, started if it is first in line; null when it is not its turn or it is gone. */
async function takeTurn(worker: SyncWorker, ref: BatchRef): Promise<BatchState | null> {
  const { state, started } = await inWorkspace(worker, ref, async (tx) => {
    const [before] = await tx.query<BatchState>(selectBatchState, pair(ref));
    if (before?.status !== 'queued') return { state: before ?? null, started: false };
    const rows = await tx.query(startBatch, pair(ref));
    return { state: rows.length > 0 ? { ...before, status: 'processing' } : null, started: rows.length > 0 };
  });
  if (started && state !== null && state.chunk_count > 1)
    await fanOut(worker, ref, worker.config.SYNC_LANES - 1);
  return state;
}

/** One chunk of the phase; when none is left, on to the next phase. */
async function takeStep(worker: SyncWorker, ref: BatchRef, phase: Phase): Promise<void> {
  const outcome: StepOutcome = phase === 'done' ? 'idle' : await worker.pool.run(phase, ref);
  // The pass over the structure is made by one lane alone; behind it there is work for all again.
  if (phase === 'structure') return fanOut(worker, ref, outcome === 'worked' ? worker.config.SYNC_LANES : 0);
  if (outcome === 'worked') return worker.queues.announce('sync.advance', ref);
  const next = await inWorkspace(worker, ref, async (tx) => {
    const [left] = await tx.query<{ any: boolean }>(anyChunkIn, [...pair(ref), phase]);
    // The lanes that hold these chunks come back here when they have done the last of them.
    if (left?.any !== false) return 'busy';
    const to = await nextPhase(phase, async () => {
      const [planned] = await tx.query<{ any: boolean }>(anyLinksPlanned, pair(ref));
      return planned?.any === true;
    });
    if (to === 'done') return (await completeBatch(tx, ref)) ? 'finished' : 'busy';
    return (await tx.query(leavePhase, [...pair(ref), phase, to])).length > 0 ? 'moved' : 'busy';
  });
  if (next === 'finished') await announceNext(worker, ref.workspaceId);
  if (next === 'moved') await fanOut(worker, ref, worker.config.SYNC_LANES);
}

async function nextPhase(phase: Phase, linksPlanned: () => Promise<boolean>): Promise<Phase> {
  switch (phase) {
    case 'plan':
      return (await linksPlanned()) ? 'structure' : 'write';
    case 'write':
      return 'link';
    default:
      return 'done';
  }
}

/**
 * A broken connection is the queue's to retry. Anything else counts against the chunk, and after
 * SYNC_CHUNK_ATTEMPTS the batch fails with the reason, so that the workspace's next batch can go on.
 */
async function handleFailure(worker: SyncWorker, ref: BatchRef, error: unknown): Promise<void> {
  if (isServerAway(error) || !(error instanceof ChunkError)) throw error;
  const failed = await inWorkspace(worker, ref, async (tx) => {
    if (error.staleGuids !== null) {
      const failure = { code: 'plan_stale', message: error.message, guids: error.staleGuids };
      return (await tx.query(failBatch, [...pair(ref), JSON.stringify(failure)])).length > 0;
    }
    const [chunk] = await tx.query<{ attempts: number }>(countAttempt, [...pair(ref), error.chunk]);
    if (chunk === undefined || chunk.attempts < worker.config.SYNC_CHUNK_ATTEMPTS) return false;
    const failure = {
      code: 'chunk_failed',
      message: `Part ${error.chunk} of the batch could not be applied after ${chunk.attempts} attempts. Retry the batch once the cause is mended; request ids and details are in the service's log.`,
      chunk: error.chunk,
    };
    return (await tx.query(failBatch, [...pair(ref), JSON.stringify(failure)])).length > 0;
  });
  if (error.staleGuids === null)
    worker.log.error({ ...ref, chunk: error.chunk, failed, err: error.cause }, 'a chunk failed');
  if (failed) await announceNext(worker, ref.workspaceId);
  else await worker.queues.announce('sync.advance', ref, { delayMs: RETRY_DELAY_MS });
}

async function fanOut(worker: SyncWorker, ref: BatchRef, lanes: number): Promise<void> {
  for (let lane = 0; lane < lanes; lane++) await worker.queues.announce('sync.advance', ref);
}

/** The workspace's next batch gets its turn. */
export async function announceNext(
  worker: Pick<SyncWorker, 'db' | 'queues'>,
  workspaceId: string,
): Promise<void> {
  const [next] = await inTransaction(worker.db, { workspaceId }, (tx) =>
    tx.query<{ id: string }>(nextInLine, [workspaceId]),
  );
  if (next !== undefined) await worker.queues.announce('sync.advance', { workspaceId, batchId: next.id });
}

function inWorkspace<T>(
  worker: SyncWorker,
  ref: BatchRef,
  work: Parameters<typeof inTransaction<T>>[2],
): Promise<T> {
  return inTransaction(worker.db, { workspaceId: ref.workspaceId }, work);
}

function pair(ref: BatchRef): [string, string] {
  return [ref.workspaceId, ref.batchId];
}
