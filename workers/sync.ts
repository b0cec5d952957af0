/** The thread that applies chunks of a sync batch. Its exports are the passes; see src/sync/apply-chunk.ts. */
import { workerData } from 'node:worker_threads';
import { sqlState } from '../src/db/transaction.ts';
import { linkStep, planStep, structureStep, wholeStep, writeStep } from '../src/sync/apply-chunk.ts';
import { ChunkError, type StepOutcome } from '../src/sync/claim-chunk.ts';
import type { StepFailure } from '../src/sync/sync-pool.ts';
import {
  type BatchRef,
  openSyncThread,
  type SyncThread,
  type SyncThreadOptions,
} from '../src/sync/thread-context.ts';

let thread: Promise<SyncThread> | null = null;

/** Connects at the first task, and again after a connection could not be made. */
function connected(): Promise<SyncThread> {
  thread ??= openSyncThread(workerData as SyncThreadOptions).catch((error: unknown) => {
    thread = null;
    throw error;
  });
  return thread;
}

type Answer = StepOutcome | { failure: StepFailure };

function step(pass: (thread: SyncThread, ref: BatchRef) => Promise<StepOutcome>) {
  return async (ref: BatchRef): Promise<Answer> => {
    try {
      return await pass(await connected(), ref);
    } catch (error) {
      if (!(error instanceof ChunkError)) throw error;
      const { chunk, message, staleGuids } = error;
      return { failure: { chunk, message, sqlState: sqlState(error), staleGuids } };
    }
  };
}

export const plan = step(planStep);
export const structure = step(structureStep);
export const write = step(writeStep);
export const link = step(linkStep);
export const whole = step(wholeStep);
