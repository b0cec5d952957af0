/** The thread that applies chunks of a sync batch. Its exports are the passes; see src/sync/apply/apply-chunk.ts. */
import { workerData } from 'node:worker_threads';
import { isHeldUp, isServerAway } from '../src/db/server-away.ts';
import { sqlState } from '../src/db/transaction.ts';
import { threadCpuMs } from '../src/fairness/stand-back.ts';
import { planStep, wholeStep, writeStep } from '../src/sync/apply/apply-chunk.ts';
import type { MeasuredAnswer, StepAnswer } from '../src/sync/batch/sync-pool.ts';
import { ChunkError, type StepOutcome } from '../src/sync/chunk/claim-chunk.ts';
import {
  openSyncThread,
  type StepRef,
  type SyncThread,
  type SyncThreadOptions,
} from '../src/sync/chunk/thread-context.ts';
import { linkStep } from '../src/sync/link/link-step.ts';
import { structureStep } from '../src/sync/structure/structure-step.ts';
import { spanRecorder } from '../src/telemetry/record-spans.ts';

const withSpans = spanRecorder();
let thread: Promise<SyncThread> | null = null;

/** Connects at the first task, and again after a connection could not be made. */
function connected(): Promise<SyncThread> {
  thread ??= openSyncThread(workerData as SyncThreadOptions).catch((error: unknown) => {
    thread = null;
    throw error;
  });
  return thread;
}

function step(pass: (thread: SyncThread, ref: StepRef) => Promise<StepOutcome>) {
  const answerTo = async (ref: StepRef): Promise<StepAnswer> => {
    try {
      return await pass(await connected(), ref);
    } catch (error) {
      // A lock or a statement that takes too long every time is the work's own fault, not an absent server's.
      const away = isServerAway(error) && !isHeldUp(error);
      const { message } = error as Error;
      const { chunk, staleGuids } = error instanceof ChunkError ? error : { chunk: null, staleGuids: null };
      return { failure: { chunk, message, sqlState: sqlState(error), staleGuids, away } };
    }
  };
  return async (ref: StepRef): Promise<MeasuredAnswer> => {
    // The thread takes one step at a time: what it computes meanwhile is for this one.
    const cpuBefore = threadCpuMs();
    const { answer, spans } = await withSpans(ref.traceparent, () => answerTo(ref));
    return { answer, cpuMs: threadCpuMs() - cpuBefore, spans };
  };
}

export const plan = step(planStep);
export const structure = step(structureStep);
export const write = step(writeStep);
export const link = step(linkStep);
export const whole = step(wholeStep);
