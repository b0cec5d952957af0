/**
 * The handler of `sync.advance`: takes one step of a batch, or a few quick ones while nobody can be waiting for this job, and announces
 * itself again, so that batches of other workspaces get their turn. All state is in PostgreSQL; a job is only a hint.
 */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { isServerAway } from '../../db/server-away.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import type { Queues } from '../../queue/queues.ts';
import { batchEnded } from '../../telemetry/signals.ts';
import { inSpan } from '../../telemetry/tracing.ts';
import {
  anyChunkIn,
  anyLinksPlanned,
  failBatch,
  LARGE_CHUNK_ELEMENTS,
  leavePhase,
  lockBatchExclusively,
  noteProgress,
  selectBatchState,
  startBatch,
  waitForChunks,
} from '../chunk/batch.sql.ts';
import { ChunkError, ServerAwayError, type StepOutcome } from '../chunk/claim-chunk.ts';
import { completeBatch, completeChunks } from '../chunk/complete-batch.ts';
import { recordNotApplied } from '../chunk/record-not-applied.ts';
import { type BatchRef, pair } from '../chunk/thread-context.ts';
import { announce, announceNext, fanOut, QueueAwayError } from './announce-steps.ts';
import { countFailure, isLockKept } from './count-failure.ts';
import type { HeldBatches } from './held-batches.ts';
import type { ProgressNotes } from './progress-notes.ts';
import type { Step, SyncPool } from './sync-pool.ts';

export interface SyncWorker {
  config: Config;
  log: Logger;
  db: Db;
  queues: Queues;
  pool: SyncPool;
  progress: ProgressNotes;
  held: HeldBatches;
  /** The jobs of `sync.advance` in this process. */
  jobs: { readonly max: number; underWay: number };
}

type Phase = 'plan' | 'structure' | 'write' | 'link' | 'done';

interface BatchState {
  status: string;
  phase: Phase;
  chunk_count: number;
  element_count: number;
  request_id: string | null;
  traceparent: string | null;
  /** The operator holds the workspace's batches back; whoever lets them go on announces the first in line. */
  paused: boolean;
}

const RETRY_DELAY_MS = 500;
const HELD_DELAY_MS = 1000;
/** With up to this many chunks the structure pass takes about as long as one step: starting a thread for it would cost more. */
const SHORT_STRUCTURE_CHUNKS_MAX = 50;

/** `large`: the handler of `sync.advanceLong`, which takes a step that others would have to wait for in the thread for long steps. */
export async function advanceBatch(worker: SyncWorker, ref: BatchRef, large = false): Promise<void> {
  if (large) return advance(worker, ref, true);
  worker.jobs.underWay++;
  try {
    await advance(worker, ref, false);
  } finally {
    worker.jobs.underWay--;
  }
}

async function advance(worker: SyncWorker, ref: BatchRef, large: boolean): Promise<void> {
  const state = await startInLine(worker, ref);
  if (state === null) return;
  if (state.status !== 'processing') return announceNext(worker, ref.workspaceId);
  await inSpan(
    () => ({
      name: large ? 'sync.advanceLong' : 'sync.advance',
      kind: 'consumer',
      traceparent: state.traceparent,
      attributes: {
        'partbook.batch.id': ref.batchId,
        'partbook.workspace.id': ref.workspaceId,
        'partbook.sync.phase': state.phase,
        ...(state.request_id === null ? {} : { 'partbook.request.id': state.request_id }),
      },
    }),
    () => advanceStarted(worker, ref, state, large),
  );
}

async function advanceStarted(
  worker: SyncWorker,
  ref: BatchRef,
  state: BatchState,
  large: boolean,
): Promise<void> {
  try {
    if (state.chunk_count === 0) noteEnd(await inWorkspace(worker, ref, (tx) => completeBatch(tx, ref)));
    else if (!large && isLong(state)) return await announce(worker, 'sync.advanceLong', ref);
    else if (isWhole(state)) {
      const outcome = await runStep(worker, 'whole', ref, isLong(state));
      if (outcome === null) return await announceHeld(worker, ref);
      if (outcome === 'awaited') return await announceLater(worker, ref);
      // Another job has it, and will go on to the next batch; or the batch was put back in line when its part was done already.
      if (outcome === 'idle') return await leaveIfDone(worker, ref, 'plan', large);
      noteEnd(outcome);
    } else return await takeStep(worker, ref, state.phase, large);
  } catch (error) {
    return handleFailure(worker, ref, state, error);
  }
  await announceNext(worker, ref.workspaceId);
}

function noteEnd(outcome: StepOutcome | null): void {
  if (outcome === 'completed' || outcome === 'cancelled') batchEnded.send(() => ({ status: outcome }));
}

const isWhole = ({ chunk_count: chunks, phase }: BatchState) => chunks === 1 && phase === 'plan';

/** Whether the next step is one for the thread for long steps. A large chunk among others is found when these are done. */
function isLong(state: BatchState): boolean {
  if (state.phase === 'structure') return state.chunk_count > SHORT_STRUCTURE_CHUNKS_MAX;
  return isWhole(state) && state.element_count > LARGE_CHUNK_ELEMENTS;
}

/** The batch's state, started if it is first in line; null where others are before it or it is gone. */
async function startInLine(worker: SyncWorker, ref: BatchRef): Promise<BatchState | null> {
  const { state, started } = await inWorkspace(worker, ref, async (tx) => {
    const [before] = await tx.query<BatchState>(selectBatchState, pair(ref));
    if (before?.paused === true) return { state: null, started: false };
    if (before?.status !== 'queued') return { state: before ?? null, started: false };
    const rows = await tx.query(startBatch, pair(ref));
    return { state: rows.length > 0 ? { ...before, status: 'processing' } : null, started: rows.length > 0 };
  });
  if (started && state !== null && state.chunk_count > 1)
    await fanOut(worker, ref, worker.config.SYNC_JOBS_PER_BATCH - 1);
  return state;
}

/** Processes one chunk of the phase, or a few small ones; moves to the next phase when none is left. */
async function takeStep(worker: SyncWorker, ref: BatchRef, phase: Phase, large: boolean): Promise<void> {
  const until = performance.now() + worker.config.SYNC_TURN_MS;
  let outcome = phase === 'done' ? 'idle' : await runStep(worker, phase, ref, large);
  if (outcome === 'worked') await progress(worker, ref);
  // Of a worker's time for chunks in which nothing differs its main thread, which goes through the queue, had a tenth. Where no job has room in this process beside those under
  // way, those of others may wait in the queue, and have their turn before the next.
  const isOfChunks = !large && phase !== 'structure';
  const { jobs } = worker;
  while (outcome === 'worked' && isOfChunks && jobs.underWay < jobs.max && performance.now() < until)
    outcome = await runStep(worker, phase as Step, ref, large);
  if (outcome === null) return announceHeld(worker, ref);
  if (outcome === 'awaited') return announceLater(worker, ref);
  // The pass over the structure is made by one job alone; behind it there is work for several again.
  if (phase === 'structure')
    return fanOut(worker, ref, outcome === 'worked' ? worker.config.SYNC_JOBS_PER_BATCH : 0);
  if (outcome === 'worked') return announce(worker, 'sync.advance', ref);
  return leaveIfDone(worker, ref, phase, large);
}

/** On to the next phase, or to the batch's end, where no chunk is due in this one. */
async function leaveIfDone(worker: SyncWorker, ref: BatchRef, phase: Phase, large: boolean): Promise<void> {
  const next = await inWorkspace(worker, ref, async (tx) => {
    const [left] = await tx.query<{ any: boolean; large: boolean }>(anyChunkIn, [...pair(ref), phase]);
    if (left?.large === true && !large) return 'long';
    // The jobs that have these chunks come back here when they have done the last of them.
    if (left?.any !== false) return 'busy';
    const to = await nextPhase(phase, async () => {
      const [planned] = await tx.query<{ any: boolean }>(anyLinksPlanned, pair(ref));
      return planned?.any === true;
    });
    if (to === 'done') return (await completeChunks(tx, ref)) ?? 'busy';
    return (await tx.query(leavePhase, [...pair(ref), phase, to])).length > 0 ? 'moved' : 'busy';
  });
  if (next === 'long') await announce(worker, 'sync.advanceLong', ref);
  if (next === 'completed' || next === 'cancelled') {
    noteEnd(next);
    await announceNext(worker, ref.workspaceId);
  }
  if (next === 'moved') await fanOut(worker, ref, worker.config.SYNC_JOBS_PER_BATCH);
}

/**
 * Runs one step. Returns null where the batch has to wait until another batch that met a lock is tried. Long steps
 * have a thread of their own.
 */
async function runStep(
  { pool, held }: SyncWorker,
  step: Step,
  ref: BatchRef,
  large: boolean,
): Promise<StepOutcome | null> {
  const run = () => pool.run(step, { ...ref, large });
  if (large) return run();
  const passedOver = step === 'plan' || step === 'write' ? held.chunksOf(ref.batchId) : [];
  if (passedOver.length > 0) {
    const outcome = await pool.run(step, { ...ref, large, passedOver });
    if (outcome !== 'idle') return outcome;
  }
  return held.take(ref.batchId, run);
}

/** However many jobs of the batch say so, it is one job of this process: another's clock may be behind, and name what has been. */
function announceHeld(worker: SyncWorker, ref: BatchRef): Promise<void> {
  const jobId = `held-${ref.batchId}-${worker.held.name}-${Math.floor(Date.now() / HELD_DELAY_MS) + 1}`;
  return announce(worker, 'sync.advance', ref, { jobId, delayMs: HELD_DELAY_MS });
}

/** The job comes again: after a failure, or where it made way for somebody who may not end the batch after all. */
function announceLater(worker: SyncWorker, ref: BatchRef): Promise<void> {
  return announce(worker, 'sync.advance', ref, { delayMs: RETRY_DELAY_MS });
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
 * A server that is away is the queue's to wait for, and healing's where that is the one. Anything else, the death of a thread included, counts against
 * the chunk, or against the batch where it is of no one chunk; after SYNC_CHUNK_ATTEMPTS the batch fails with the
 * reason, so that the workspace's next batch can go on.
 */
async function handleFailure(
  worker: SyncWorker,
  ref: BatchRef,
  state: BatchState,
  error: unknown,
): Promise<void> {
  const isAway = error instanceof ServerAwayError || error instanceof QueueAwayError;
  if (isAway || (!(error instanceof ChunkError) && isServerAway(error))) throw error;
  const chunk = error instanceof ChunkError ? error.chunk : null;
  const staleGuids = error instanceof ChunkError ? error.staleGuids : null;
  const isHeld = isLockKept(error);
  if (isHeld && worker.held.note(ref.batchId, chunk))
    worker.log.warn({ ...ref, phase: state.phase, chunk }, 'somebody holds a lock on what a batch changes');
  // Of what stands still for another reason (no worker, a pause) the time before it was found held does not count.
  const isWaiting = isHeld && !worker.held.isDue(ref.batchId, worker.config.SYNC_LOCK_SECONDS * 1000);
  const counting = { config: worker.config, chunk, error };
  const failure =
    staleGuids !== null
      ? { code: 'plan_stale', message: (error as Error).message, guids: staleGuids }
      : isWaiting
        ? null
        : await inWorkspace(worker, ref, (tx) => countFailure(tx, ref, state, counting));
  // Behind the count, which locks what whoever cancels wants when he has waited for the chunks.
  const failed =
    failure !== null &&
    (await inWorkspace(worker, ref, (tx) => fail(tx, ref, { failure, phase: state.phase, chunk })));
  if (staleGuids === null && (failed || !isHeld)) {
    const requestId = state.request_id;
    worker.log.error({ ...ref, requestId, phase: state.phase, chunk, failed, err: error }, 'a step failed');
  }
  if (failed) {
    worker.held.forget(ref.batchId);
    batchEnded.send(() => ({ status: 'failed' }));
    await announceNext(worker, ref.workspaceId);
  } else if (isHeld) await announceHeld(worker, ref);
  else await announceLater(worker, ref);
}

interface Failing {
  failure: { code: string; message: string };
  phase: Phase;
  chunk: number | null;
}

/** Whether the batch has failed with that. */
async function fail(tx: Tx, ref: BatchRef, { failure, phase, chunk }: Failing): Promise<boolean> {
  await tx.query(waitForChunks, pair(ref));
  await tx.query(lockBatchExclusively, pair(ref));
  const failed = await tx.query(failBatch, [...pair(ref), JSON.stringify(failure), phase, chunk]);
  if (failed.length > 0) await recordNotApplied(tx, ref, 'failed', failure);
  return failed.length > 0;
}

async function progress(worker: SyncWorker, ref: BatchRef): Promise<void> {
  if (worker.progress.isDue(ref.batchId))
    await inWorkspace(worker, ref, (tx) => tx.query(noteProgress, pair(ref)));
}

function inWorkspace<T>(worker: SyncWorker, ref: BatchRef, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(worker.db, { workspaceId: ref.workspaceId }, work);
}
