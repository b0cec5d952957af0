/** The web process's Piscina pool: request bodies in, result pages out. */
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { type Config, threadNice, wireOf } from '../../config.ts';
import { refuseInTransaction } from '../../db/transaction-mark.ts';
import { AppError, type ErrorCode, type FieldError } from '../../errors.ts';
import type { CostAccounts } from '../../fairness/cost-accounts.ts';
import { roomMissed, stepEnded } from '../../telemetry/signals.ts';
import { adoptSpans, currentTraceparent, type RecordedSpan } from '../../telemetry/tracing.ts';
import { elementLimits } from '../elements/read-element.ts';
import type { Intake } from '../intake/accept-batch.ts';
import { type BodySource, sendBody } from '../intake/body-channel.ts';
import type { Staged } from '../intake/claim-batch.ts';
import { InlineBodies } from '../intake/inline-bodies.ts';
import { IntakePlaces } from '../intake/intake-places.ts';
import type { IntakeOptions } from '../intake/open-intake.ts';
import type { SentPage, SentQuery } from '../sent/read-sent.ts';
import type { ChosenElements } from '../sent/stage-resend.ts';

import type { MergedResults, MergeRequest } from './merge-results.ts';

/** An AppError, or a failure of ours, as it crosses the threads: what drivers say is in its stack alone, for the log. */
export interface Refusal {
  code: ErrorCode;
  detail: string;
  errors?: FieldError[] | undefined;
  extensions?: Record<string, unknown> | undefined;
  headers?: Record<string, string> | undefined;
  stack?: string | undefined;
  /** PostgreSQL could not write for want of room. */
  lacksRoom?: boolean;
}

/** A body for a thread: as it has arrived, or the port through which it comes. */
export interface StageTask {
  body: { bytes: Uint8Array; digest: Uint8Array | null } | { port: MessagePort };
  intake: Intake;
  /** The trace that the call belongs to; null if it is not traced. */
  traceparent: string | null;
}

/** The outcome of a body, with the spans of its thread. */
export interface TracedStaged {
  staged: Staged | { refusal: Refusal };
  spans: readonly RecordedSpan[];
}

export interface WebPool {
  /** Decides whose body is taken in. */
  readonly places: IntakePlaces;
  /** Stages a body and accepts the batch. Throws `AppError` for what is wrong with it. */
  stage(intake: Intake, body: BodySource): Promise<Staged>;
  /** Stages elements of an earlier batch again. Throws as `stage` does. */
  resend(intake: Intake, chosen: ChosenElements): Promise<Staged>;
  /** A page of elements as they were sent; null where they are no longer kept. */
  sent(query: SentQuery): Promise<SentPage | null>;
  /** A page of results as JSON, NDJSON or CSV. */
  merge(request: MergeRequest): Promise<MergedResults>;
  close(): Promise<void>;
}

/** Bodies that one thread takes in at a time: most of the time each of the large ones waits for its sender. */
const LARGE_PER_THREAD = 192;
const SMALL_PER_THREAD = 64;
/** Bodies of which the beginning is read, 64 kB each at most. */
const HEADS = 1024;
const THREAD_IDLE_MS = 600_000;

export function openWebPool(config: Config, databaseUrl: string, costs: CostAccounts): WebPool {
  const shared = {
    atomics: 'disabled' as const,
    niceIncrement: threadNice(config),
    // Started when they are first needed, and ended when nobody has needed them for long: a thread holds 40 MiB.
    minThreads: 0,
    idleTimeout: THREAD_IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
  };
  const options = {
    databaseUrl,
    poolMax: 4,
    answerMsMax: config.DATABASE_ANSWER_SECONDS * 1000,
    wire: wireOf(config),
    limits: elementLimits(config),
    inlineElementsMax: config.SYNC_AT_ONCE_ELEMENTS_MAX,
  } satisfies IntakeOptions;
  const pool = new Piscina({
    ...shared,
    filename: fileOf('web'),
    maxThreads: config.INTAKE_THREADS,
    concurrentTasksPerWorker: LARGE_PER_THREAD + SMALL_PER_THREAD,
    workerData: { ...options, inlineElementsMax: 0 } satisfies IntakeOptions,
  });
  const inline = options.inlineElementsMax > 0 ? new InlineBodies(options) : null;
  // A thread of its own, which does not stand back: whoever sends little waits for the end of it.
  const small = new Piscina({
    ...shared,
    niceIncrement: 0,
    filename: fileOf('web'),
    maxThreads: 1,
    concurrentTasksPerWorker: SMALL_PER_THREAD * config.INTAKE_THREADS,
    workerData: options,
  });
  // A thread of its own: bodies that trickle in must not keep anybody from reading results.
  const mergers = new Piscina({ ...shared, filename: fileOf('merge'), maxThreads: 1 });
  // A thread that ends while it has nothing to do: the process says so (end-at-fault.ts), and the next body gets another.
  for (const threads of [pool, small, mergers]) threads.on('error', () => {});
  const places = new IntakePlaces({
    heads: HEADS,
    small: SMALL_PER_THREAD * config.INTAKE_THREADS,
    large: LARGE_PER_THREAD * config.INTAKE_THREADS,
    costs,
  });
  const stageWhole = async (intake: Intake, bytes: Uint8Array, digest: Buffer | null): Promise<Staged> => {
    const startedAt = performance.now();
    let staged: Staged | null = null;
    try {
      staged =
        inline?.takes(intake, bytes) === true
          ? await inline.stage(intake, bytes, digest)
          : await stageIn(small, intake, { bytes, digest });
    } finally {
      // To find out that it is to be refused costs as much as to take it.
      costs.charge(intake.workspaceId, costOf(staged, bytes.length));
    }
    if ('applied' in staged) {
      const seconds = (performance.now() - startedAt) / 1000;
      stepEnded.send(() => ({ pass: 'whole', seconds, isFailed: false }));
    }
    return staged;
  };
  const stageStream = async (intake: Intake, body: BodySource): Promise<Staged> => {
    const { port1, port2 } = new MessageChannel();
    const staged = stageIn(pool, intake, { port: port2 }).finally(() => port1.close());
    const [sent, answer] = await Promise.allSettled([sendBody(port1, body), staged]);
    // What was wrong with reading the body (too large, cut off) explains what the thread says of it.
    if (sent.status === 'rejected') throw sent.reason;
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  };
  return {
    places,
    stage: (intake, source) =>
      places.run(intake.workspaceId, source, (body) =>
        body.whole === undefined
          ? stageStream(intake, body)
          : stageWhole(intake, body.whole, body.digest?.() ?? null),
      ),
    resend: async (intake, chosen) => {
      refuseInTransaction('A batch is sent again');
      return orRefusal<Staged>(await pool.run({ intake, chosen }, { name: 'resend' }));
    },
    sent: async (query) => {
      refuseInTransaction('What was sent is read');
      return orRefusal<SentPage | null>(await pool.run(query, { name: 'sent' }));
    },
    merge: async (request) => {
      refuseInTransaction('A page of results is merged');
      return mergers.run(request, { name: 'merge' });
    },
    close: async () => {
      await Promise.all([inline?.close(), pool.close(), small.close(), mergers.close()]);
    },
  };
}

/**
 * The processor time of a batch on an idle machine. The difference to the measured time tells how busy others kept
 * the machine.
 */
const BATCH_MS = 2;
const ELEMENT_MS = 0.15;
const MEGABYTE_MS = 10;

function costOf(staged: Staged | null, bytes: number): number {
  return BATCH_MS + ELEMENT_MS * (staged?.applied?.element_count ?? 0) + (MEGABYTE_MS * bytes) / 1e6;
}

async function stageIn(threads: Piscina, intake: Intake, body: StageTask['body']): Promise<Staged> {
  const task: StageTask = { body, intake, traceparent: currentTraceparent() };
  const transferList = 'port' in body ? [body.port] : [];
  const { staged, spans }: TracedStaged = await threads.run(task, { name: 'stage', transferList });
  adoptSpans(spans);
  return orRefusal<Staged>(staged);
}

function orRefusal<T extends object | null>(answer: T | { refusal: Refusal }): T {
  if (answer !== null && 'refusal' in answer) throw errorOf(answer.refusal as Refusal);
  return answer as T;
}

function fileOf(worker: 'web' | 'merge'): string {
  return fileURLToPath(new URL(`../../../workers/${worker}.ts`, import.meta.url));
}

function errorOf({ code, detail, errors, extensions, headers, stack, lacksRoom }: Refusal): Error {
  // What a thread says is heard in the thread alone.
  if (lacksRoom === true) roomMissed.send(() => ({}));
  const cause = stack === undefined ? undefined : Object.assign(new Error(detail), { stack });
  if (code === 'internal_error' && cause !== undefined) return cause;
  return new AppError(code, {
    detail,
    ...(errors === undefined ? {} : { errors }),
    ...(extensions === undefined ? {} : { extensions }),
    ...(headers === undefined ? {} : { headers }),
    cause,
  });
}
