/** The web process's Piscina pool: request bodies in, result pages out. */
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Config } from '../config.ts';
import { AppError, type ErrorCode, type FieldError } from '../errors.ts';
import { sendBody } from './intake/body-channel.ts';
import type { Intake, Staged } from './intake/stage-batch.ts';
import type { MergeRequest } from './merge-results.ts';

export interface WebThreadOptions {
  databaseUrl: string;
  poolMax: number;
}

/** An AppError, or a failure of ours, as it crosses the threads. */
export interface Refusal {
  code: ErrorCode;
  detail: string;
  errors?: FieldError[] | undefined;
  extensions?: Record<string, unknown> | undefined;
  headers?: Record<string, string> | undefined;
  stack?: string | undefined;
}

export interface WebPool {
  /** Stages a body and accepts the batch. Throws `AppError` for what is wrong with it. */
  stage(intake: Intake, pieces: AsyncIterable<Uint8Array>): Promise<Staged>;
  /** A page of results as JSON, NDJSON or CSV. */
  merge(request: MergeRequest): Promise<{ bytes: Uint8Array; count: number }>;
  close(): Promise<void>;
}

/** Bodies that one thread takes in at a time: most of the time each waits for its sender. */
const BODIES_PER_THREAD = 256;

export function openWebPool(config: Config, databaseUrl: string): WebPool {
  const shared = {
    filename: fileURLToPath(new URL('../../workers/web.ts', import.meta.url)),
    maxThreads: config.INTAKE_THREADS,
    atomics: 'disabled' as const,
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 },
    workerData: { databaseUrl, poolMax: 4 } satisfies WebThreadOptions,
  };
  const pool = new Piscina({ ...shared, minThreads: 1, concurrentTasksPerWorker: BODIES_PER_THREAD });
  // Threads of their own: bodies that trickle in must not keep anybody from reading results.
  const mergers = new Piscina({ ...shared, minThreads: 1, maxThreads: 1 });
  return {
    stage: async (intake, pieces) => {
      const { port1, port2 } = new MessageChannel();
      try {
        const staged: Promise<Staged | { refusal: Refusal }> = pool.run(
          { port: port2, intake },
          { name: 'stage', transferList: [port2] },
        );
        const [sent, answer] = await Promise.allSettled([sendBody(port1, pieces), staged]);
        // What was wrong with reading the body (too large, cut off) explains what the thread says of it.
        if (sent.status === 'rejected') throw sent.reason;
        if (answer.status === 'rejected') throw answer.reason;
        if ('refusal' in answer.value) throw errorOf(answer.value.refusal);
        return answer.value;
      } finally {
        port1.close();
      }
    },
    merge: (request) => mergers.run(request, { name: 'merge' }),
    close: async () => {
      await Promise.all([pool.close(), mergers.close()]);
    },
  };
}

function errorOf({ code, detail, errors, extensions, headers, stack }: Refusal): Error {
  if (code === 'internal_error') return Object.assign(new Error(detail), { stack });
  return new AppError(code, {
    detail,
    ...(errors === undefined ? {} : { errors }),
    ...(extensions === undefined ? {} : { extensions }),
    ...(headers === undefined ? {} : { headers }),
  });
}
