/**
 * The BullMQ side: queues on Redis, or on PostgreSQL where no Redis could be had. Producers announce,
 * workers consume; both take names and shapes from the catalogue.
 */
import { createPostgresBackend, type Job, Queue, Worker, withBackend } from 'bullmq';
import type { Logger } from 'pino';
import { restingState } from '../db/resting.ts';
import { refuseInTransaction } from '../db/transaction-mark.ts';
import { withLogFields } from '../log.ts';
import { serverFault } from '../process/name-server.ts';
import { announceFailed } from '../telemetry/signals.ts';
import { type JobData, type JobName, jobs, type QueueName, queueNames } from './catalogue.ts';
import { openRedis, queuePrefix, type RedisClient } from './redis-client.ts';

export interface QueueServer {
  kind: 'redis' | 'postgres';
  url: string;
  prefix: string;
}

export interface AnnounceOptions {
  /** Two jobs with one id are one job while the first is there. No colons. */
  jobId?: string;
  delayMs?: number;
  /** Lower runs earlier; 0 runs before every numbered one. */
  priority?: number;
  /** Rejects after so long without an answer; the job may be added none the less, later. */
  patienceMs?: number;
}

/** The queue server has not answered in time. */
export class QueueSilentError extends Error {
  override name = 'QueueSilentError';
}

export type Handler<N extends JobName> = (data: JobData<N>, job: Job<JobData<N>>) => Promise<void>;
export type Handlers = { [N in JobName]: Handler<N> };

export interface Queues {
  readonly server: QueueServer;
  readonly byName: Readonly<Record<QueueName, Queue>>;
  /** Adds a job. What it announces is already in PostgreSQL: when this fails, healing announces it again. */
  announce<N extends JobName>(name: N, data: JobData<N>, options?: AnnounceOptions): Promise<void>;
  close(): Promise<void>;
}

export interface Consumers {
  close(): Promise<void>;
}

const KEEP = { removeOnComplete: { count: 1000 }, removeOnFail: { count: 5000 } };

/** Connects the producing side. */
export function openQueues(server: QueueServer, log: Logger): Queues {
  const clients: RedisClient[] = [];
  const byName = Object.fromEntries(
    queueNames.map((name) => {
      const queue = makeQueue(name, server, clients);
      queue.on('error', (error) => logFault(log, server, { queue: name, error }));
      return [name, queue];
    }),
  ) as Record<QueueName, Queue>;
  return {
    server,
    byName,
    announce: async (name, data, options = {}) => {
      refuseInTransaction('A job is announced');
      const added = byName[jobs[name].queue].add(name, data, {
        attempts: 5,
        backoff: { type: 'exponential', delay: 500 },
        ...KEEP,
        ...(options.jobId === undefined ? {} : { jobId: options.jobId }),
        ...(options.delayMs === undefined ? {} : { delay: options.delayMs }),
        ...(options.priority === undefined ? {} : { priority: options.priority }),
      });
      try {
        await (options.patienceMs === undefined ? added : withPatience(added, options.patienceMs));
      } catch (error) {
        announceFailed.send(() => ({ queue: jobs[name].queue }));
        throw error;
      }
    },
    close: async () => {
      await Promise.all(Object.values(byName).map((queue) => queue.close()));
      disconnect(clients);
    },
  };
}

/**
 * Waits for an answer of the queue server, and rejects with a QueueSilentError after so long: one that hangs must not hold up a call
 * whose work is in PostgreSQL already, nor anybody who only looks.
 */
export async function withPatience(answer: Promise<unknown>, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const tooLong = new QueueSilentError(`The queue server has not answered within ${patienceMs} ms`);
    timer = setTimeout(() => reject(tooLong), patienceMs);
  });
  // Whatever comes of it later, nobody waits for it any more.
  answer.catch(() => {});
  try {
    await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Starts one BullMQ worker per queue; `concurrency` is jobs at once in this process. */
export function openConsumers(
  server: QueueServer,
  handlers: Handlers,
  concurrency: Record<QueueName, number>,
  log: Logger,
): Consumers {
  const clients: RedisClient[] = [];
  const stops: (() => void)[] = [];
  const workers = queueNames.map((queueName) => {
    const process = async (job: Job): Promise<void> => {
      const name = job.name as JobName;
      const handler = handlers[name] as Handler<JobName> | undefined;
      if (handler === undefined) throw new Error(`No handler for job "${job.name}"`);
      const data = jobs[name].data.parse(job.data);
      await withLogFields({ queue: queueName, job: name, jobId: job.id ?? '', ...data }, async () =>
        // Where its workspace is worked on again, here or elsewhere, healing announces anew what there is to do.
        handler(data, job).catch((error: unknown) => {
          if (restingState(error) === null) throw error;
        }),
      );
    };
    const worker = makeWorker(queueName, process, server, concurrency[queueName], clients);
    const stopPausing = pauseOnErrors(worker);
    stops.push(stopPausing);
    worker.on('error', (error) => logFault(log, server, { queue: queueName, error }));
    worker.on('failed', (job, error) =>
      log.error(
        { queue: queueName, job: job?.name, jobId: job?.id, data: job?.data, err: error },
        'job failed',
      ),
    );
    return worker;
  });
  return {
    close: async () => {
      for (const stop of stops) stop();
      await Promise.all(workers.map((worker) => worker.close()));
      disconnect(clients);
    },
  };
}

/** Names the setting of the queue's server, which may be wrong. */
function logFault(log: Logger, server: QueueServer, { queue, error }: { queue: string; error: Error }): void {
  const setting = server.kind === 'redis' ? 'REDIS_URL' : 'DATABASE_URL';
  const fault = serverFault(setting, server.url, error);
  log.warn({ queue, err: error }, `queue connection error${fault === null ? '' : `: ${fault}`}`);
}

const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 30_000;
/** A worker that has had no error for so long begins with the shortest pause again. */
const CALM_MS = 60_000;

/**
 * Pauses a worker after errors. Where the server refuses (a read-only replica, a cluster that cannot take the
 * keys), BullMQ would ask again some hundred times a second. The pause doubles each time. BullMQ waits for a lost
 * connection by itself.
 */
function pauseOnErrors(worker: Worker): () => void {
  let pauseMs = PAUSE_MS_MIN;
  let lastAt = Number.NEGATIVE_INFINITY;
  let resuming: NodeJS.Timeout | undefined;
  worker.on('error', (error) => {
    if (resuming !== undefined || isOfTheConnection(error)) return;
    const now = performance.now();
    pauseMs = now - lastAt > CALM_MS ? PAUSE_MS_MIN : Math.min(pauseMs * 2, PAUSE_MS_MAX);
    lastAt = now;
    void worker.pause(true).catch(() => {});
    resuming = setTimeout(() => {
      resuming = undefined;
      void worker.resume();
    }, pauseMs);
  });
  return () => clearTimeout(resuming);
}

function isOfTheConnection(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return (
    /^E[A-Z_]+$/.test(code ?? '') || /Connection is closed|ECONN|Stream isn't writeable/.test(error.message)
  );
}

const postgres = withBackend(createPostgresBackend);
/** Renewed by the main thread, which never works for long: a worker that is silent for this is dead. */
const LOCK_MS = 10_000;

function makeQueue(name: string, server: QueueServer, clients: RedisClient[]): Queue {
  if (server.kind === 'postgres') {
    return new postgres.Queue(name, {
      connection: { connectionString: server.url, schema: schemaOf(server), migrate: true },
    }) as unknown as Queue;
  }
  const connection = redisOf(server.url, 'producer');
  clients.push(connection);
  return new Queue(name, { connection, prefix: queuePrefix(server.url, server.prefix, name) });
}

function makeWorker(
  name: string,
  process: (job: Job) => Promise<void>,
  server: QueueServer,
  concurrency: number,
  clients: RedisClient[],
): Worker {
  const shared = { concurrency, lockDuration: LOCK_MS, stalledInterval: LOCK_MS / 2, maxStalledCount: 100 };
  if (server.kind === 'postgres') {
    return new postgres.Worker(name, process, {
      connection: { connectionString: server.url, schema: schemaOf(server), migrate: true },
      ...shared,
    }) as unknown as Worker;
  }
  const connection = redisOf(server.url, 'consumer');
  clients.push(connection);
  return new Worker(name, process, {
    connection,
    prefix: queuePrefix(server.url, server.prefix, name),
    ...shared,
  });
}

function schemaOf(server: QueueServer): string {
  return server.prefix === 'partbook' ? 'bullmq' : `bullmq_${server.prefix.replaceAll('-', '_')}`;
}

/** Consumers wait for ever (BullMQ demands it); producers fail fast, because healing announces again. */
function redisOf(url: string, role: 'producer' | 'consumer'): RedisClient {
  const client = openRedis(url, {
    maxRetriesPerRequest: role === 'consumer' ? null : 1,
    enableReadyCheck: role !== 'consumer',
  });
  // Queue and worker report it; without a listener here the client prints it for every try.
  client.on('error', () => {});
  return client;
}

/** BullMQ closes only what it has opened itself. */
function disconnect(clients: readonly RedisClient[]): void {
  for (const client of clients) client.disconnect();
}
