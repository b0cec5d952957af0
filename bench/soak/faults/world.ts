/**
 * What the faults are tried on: a PostgreSQL and a Redis that can be broken, a web and a worker as processes of their own, a
 * workspace with stock. Everything is made anew in a temporary folder and goes with it. Where this process may mount, the
 * data of PostgreSQL lie on a small disk that can be filled.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { admitLogin } from '../../../src/db/check-login.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { freePort } from '../../../src/embedded/server-process.ts';
import { serviceUrl } from '../../../test/setup/global.ts';
import { makeWorkspace } from '../restarts/make-workspace.ts';
import type { Called } from './callers.ts';
import { type Faketime, findFaketime } from './faketime.ts';
import { makePostgresServer, type PostgresServer } from './postgres-server.ts';
import { makeRedisServer, type RedisServer } from './redis-server.ts';
import { type ServiceRole, startRole } from './service-role.ts';

const run = promisify(execFile);
const OPERATOR_TOKEN = 'operator-token-of-the-faults';
const READY_MS_MAX = 120_000;
const DISK_MIB = 768;
/** Low enough that a test can use them up, and enough for the pools of both roles. */
const POSTGRES_CONNECTIONS = '60';

export interface World {
  /** Takes writes; another one after a fail-over. */
  primary: PostgresServer;
  /** Where the next standby is to be. */
  spare: { folder: string; port: number };
  readonly redis: RedisServer;
  readonly web: ServiceRole;
  readonly worker: ServiceRole;
  readonly called: Called;
  /** Null where this process may not mount. */
  readonly disk: string | null;
  /** Null where it cannot be had. */
  readonly faketime: Faketime | null;
  close(): Promise<void>;
}

export interface WorldOptions {
  cacheDir: string;
  logFile?: string | undefined;
}

/** Null where no Redis can be had. */
export async function openWorld({ cacheDir, logFile }: WorldOptions): Promise<World | null> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-faults-'));
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' }, pino.destination(2));
  const closes: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const one of closes.splice(0).reverse()) await one();
  };
  try {
    const redis = await makeRedisServer(join(folder, 'redis'), log);
    if (redis === null) {
      await close();
      return null;
    }
    closes.push(redis.stop);
    const disk = await mountDisk(join(folder, 'disk'));
    if (disk !== null) closes.push(() => run('umount', ['--lazy', disk]));
    const data = disk ?? join(folder, 'data');
    const settings = {
      // Processes are killed here, no machine is.
      fsync: 'off',
      shared_buffers: '64MB',
      max_wal_size: '96MB',
      min_wal_size: '32MB',
      max_connections: POSTGRES_CONNECTIONS,
    };
    const first = await makePostgresServer(join(data, 'a'), settings, log);
    const spare = { folder: join(data, 'b', 'cluster'), port: await freePort() };
    const world = { primary: first, spare };
    closes.push(() => world.primary.stop());
    await migrate(first.url, log);
    await admitLogin(first.url, serviceUrl(first.url));
    const port = await freePort();
    const hosts = `127.0.0.1:${first.port},127.0.0.1:${spare.port}`;
    const environment = {
      PORT: String(port),
      DATABASE_URL: serviceUrl(first.url).replace(`127.0.0.1:${first.port}`, hosts),
      REDIS_URL: redis.url,
      OPERATOR_TOKEN,
      CACHE_DIR: cacheDir,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_REQUESTS: '10000000',
      SYNC_MAX_QUEUED_BATCHES: '10000',
      SYNC_AT_ONCE_ELEMENTS_MAX: '5',
      SYNC_CHUNK_ELEMENTS: '4',
      SYNC_HEAL_SECONDS: '2',
      EVENT_HEAL_SECONDS: '2',
      DATABASE_ANSWER_SECONDS: '2',
      CONNECTION_PATIENCE_MS: '2000',
      CONNECTIONS_MAX: '400',
      HEADERS_TIMEOUT_SECONDS: '2',
      BODY_TIMEOUT_SECONDS: '2',
      DRAIN_SECONDS: '0',
      SHUTDOWN_SECONDS: '20',
    };
    const web = startRole('web', environment, logFile);
    const worker = startRole('worker', environment, logFile);
    // In turn, both at a time: neither waits for the other.
    closes.push(() => Promise.all([web.stop(), worker.stop()]));
    const url = `http://127.0.0.1:${port}`;
    await untilReady(url);
    const workspace = await makeWorkspace(url, OPERATOR_TOKEN);
    const faketime = await findFaketime(cacheDir, folder);
    return Object.assign(world, { redis, web, worker, called: { url, ...workspace }, disk, faketime, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function mountDisk(folder: string): Promise<string | null> {
  try {
    await run('mkdir', ['-p', folder]);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder]);
    return folder;
  } catch {
    return null;
  }
}

export async function untilReady(url: string): Promise<void> {
  const deadline = performance.now() + READY_MS_MAX;
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    if (answer?.status === 200) return;
    if (performance.now() > deadline) throw new Error(`Not ready: ${(await answer?.text()) ?? 'no answer'}`);
    await delay(50);
  }
}
