/**
 * The threads that apply chunks: a Piscina pool per worker process, each thread with its own connection. What cannot be cut
 * has a thread of its own, with room for it: the pass over the structure of a large batch, and a part that a payload names tens
 * of thousands of times. So no other batch waits for it.
 */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { type Config, threadNice, wireOf } from '../../config.ts';
import { refuseInTransaction } from '../../db/transaction-mark.ts';
import type { CostAccounts } from '../../fairness/cost-accounts.ts';
import { stepEnded } from '../../telemetry/signals.ts';
import { adoptSpans, currentTraceparent, inSpan, type RecordedSpan } from '../../telemetry/tracing.ts';
import { ChunkError, ServerAwayError, type StepOutcome } from '../chunk/claim-chunk.ts';
import type { StepRef, SyncThreadOptions } from '../chunk/thread-context.ts';
import { elementLimits } from '../elements/read-element.ts';

/** The passes a thread can make; each is an export of workers/sync.ts. */
export type Step = 'plan' | 'structure' | 'write' | 'link' | 'whole';

export interface SyncPool {
  /** A step of a large chunk, or a large pass, in the thread for long steps. */
  run(step: Step, ref: StepRef): Promise<StepOutcome>;
  close(): Promise<void>;
}

interface SyncThreads extends SyncPool {
  /** How many there are now. */
  threads(): { shared: number; long: number };
}

/** An error as a thread sends it: structured cloning drops classes and codes. */
export interface StepFailure {
  /** The chunk that failed; null for a pass over the whole batch. */
  chunk: number | null;
  message: string;
  sqlState: string | null;
  staleGuids: readonly string[] | null;
  /** PostgreSQL was away: nothing is wrong with the chunk. */
  away: boolean;
}

export type StepAnswer = StepOutcome | { failure: StepFailure };

/** With what its thread has computed for it, and what it did where somebody traces. */
export interface MeasuredAnswer {
  answer: StepAnswer;
  cpuMs: number;
  spans: RecordedSpan[];
}

/** The database computes about as much for a step as the thread. */
const CPU_TIMES = 2;

/** Bounds how long editors of the structure wait. */
const LINKS_PER_TRANSACTION = 10_000;

const THREAD_IDLE_MS = 600_000;
/**
 * The thread for long steps holds 60 to 90 MiB beside the others, which then need theirs: it outlives the moment between two steps of a
 * batch, and no more. Another one costs a third of a second, once for more than a hundred thousand elements or for all of one GUID.
 */
const LONG_THREAD_IDLE_MS = 500;
/** A thread that waits for a lock is one that other batches lack: the step is taken again a little later (held-batches.ts). */
const LOCK_TIMEOUT_MS = 500;
/** A long step is not repeated for a lock that somebody holds for seconds. */
const LONG_LOCK_TIMEOUT_MS = 5000;

/**
 * A step is charged to its workspace by what was computed for it: how long it took says how long it waited for a thread, a processor or a
 * lock.
 */
export function openSyncPool(config: Config, databaseUrl: string, costs: CostAccounts): SyncThreads {
  const options = {
    databaseUrl,
    applicationName: 'partbook sync',
    // A thread takes one step at a time, and a workspace gets half of the connections.
    poolMax: 2,
    wire: wireOf(config),
    linksPerTransaction: LINKS_PER_TRANSACTION,
    limits: elementLimits(config),
  };
  const settings = {
    filename: fileURLToPath(new URL('../../../workers/sync.ts', import.meta.url)),
    // Started when they are first needed.
    minThreads: 0,
    // A thread that waits for a task must keep its event loop: its connections answer pings and time-outs.
    atomics: 'disabled' as const,
    niceIncrement: threadNice(config),
  };
  const pool = new Piscina<StepRef, MeasuredAnswer>({
    ...settings,
    ...heapOf(config.SYNC_THREAD_HEAP_MIB, YOUNG_GENERATION_MIB),
    workerData: { ...options, lockTimeoutMs: LOCK_TIMEOUT_MS } satisfies SyncThreadOptions,
    maxThreads: config.SYNC_THREADS,
    idleTimeout: THREAD_IDLE_MS,
  });
  const long = new Piscina<StepRef, MeasuredAnswer>({
    ...settings,
    ...heapOf(config.SYNC_LONG_THREAD_HEAP_MIB, YOUNG_GENERATION_LONG_MIB),
    workerData: { ...options, lockTimeoutMs: LONG_LOCK_TIMEOUT_MS } satisfies SyncThreadOptions,
    maxThreads: 1,
    idleTimeout: LONG_THREAD_IDLE_MS,
  });
  // A thread that ends while it has nothing to do: the process says so (end-at-fault.ts), and the next step gets another.
  for (const threads of [pool, long]) threads.on('error', () => {});
  return {
    run: async (step, ref) => {
      refuseInTransaction('A step of a batch is run');
      const startedAt = performance.now();
      const outcome = await inSpan(
        () => ({ name: `sync step ${step}` }),
        async () => {
          const answer = await (ref.large ? long : pool).run(
            { ...ref, traceparent: currentTraceparent() },
            { name: step },
          );
          adoptSpans(answer.spans);
          costs.charge(ref.workspaceId, CPU_TIMES * answer.cpuMs);
          return answer.answer;
        },
      );
      const isFailed = typeof outcome !== 'string';
      stepEnded.send(() => ({ pass: step, seconds: (performance.now() - startedAt) / 1000, isFailed }));
      if (!isFailed) return outcome;
      throw stepError(outcome.failure);
    },
    threads: () => ({ shared: pool.threads.length, long: long.threads.length }),
    close: async () => {
      await Promise.all([pool.close(), long.close()]);
    },
  };
}

/**
 * A step keeps the elements of its chunk to its end. In a small young generation each collection copies all of them: with 16 MiB
 * the collector's helpers alone took a third of the worker's processor time. V8 makes two halves of two thirds of it. In a process that
 * was started with `--max-semi-space-size`, and has not taken it back (collect-garbage.ts), that goes before it.
 */
const YOUNG_GENERATION_MIB = 48;
/** It keeps what it goes by outside the heap, beside the heaps of the others. */
const YOUNG_GENERATION_LONG_MIB = 24;

const heapOf = (oldMebibytes: number, youngMebibytes: number) => ({
  resourceLimits: { maxOldGenerationSizeMb: oldMebibytes, maxYoungGenerationSizeMb: youngMebibytes },
});

function stepError({ chunk, message, sqlState, staleGuids, away }: StepFailure): Error {
  const cause = Object.assign(new Error(message), { code: sqlState });
  return away ? new ServerAwayError(message, { cause }) : new ChunkError(chunk, cause, staleGuids);
}
