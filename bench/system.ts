/**
 * The system under measurement: embedded PostgreSQL (fsync on) and Redis, a web and a worker process of their
 * own, a workspace. Everything is made anew in a temporary folder and goes with it.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { startEmbedded } from '../src/embedded/start-embedded.ts';
import { holdPostmaster } from './postmaster.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const OPERATOR_TOKEN = 'operator-token-of-the-bench';
const START_AGAIN_MS = 500;

export interface LoopDelay {
  /** The latest a tick ever was, for whatever reason. */
  lateMs: number;
  /** The same as far as the thread itself was busy. */
  busyMs: number;
  /** And as far as it stood in line for a processor. */
  queuedMs: number;
}

/** What a process needs to be a client of a system. */
export interface Address {
  baseUrl: string;
  /** Of the login that owns the schema. */
  databaseUrl: string;
}

export interface Client extends Address {
  createWorkspace(): Promise<{ id: string; slug: string; key: string; path: string }>;
}

export interface System extends Client {
  /** Of the service's login. */
  serviceUrl: string;
  /** Where PostgreSQL has settings of its own. */
  superuserUrl(): string | null;
  redisUrl: string;
  web: MeasuredProcess;
  worker: MeasuredProcess;
  /** PostgreSQL's first process. */
  postmasterPid(): number;
  /** SIGKILL of PostgreSQL's first process, and a start on the same data and port; returns when it answers. */
  restartPostgres(): Promise<void>;
  close(): Promise<void>;
}

export interface MeasuredProcess {
  readonly process: ChildProcess;
  /** SIGKILL, and the same again in its place. */
  restart(): Promise<void>;
  /** SIGTERM; returns when it is gone. */
  stop(): Promise<void>;
  /** How often it has ended by itself. */
  ownEnds(): number;
  /** The memory that it has resident, in MiB. */
  rssMiB(): number;
  /** The most memory it ever had resident, in MiB. */
  peakRssMiB(): number;
  /** Longest blocks of its event loop since the last call. */
  loopDelay(): Promise<LoopDelay>;
}

export interface SystemOptions {
  /** Starts a process again that ends by itself, as whoever runs a service does. */
  supervised?: boolean;
  /** File that web and worker write their logs to; nobody keeps them without it. */
  logFile?: string | undefined;
  /** Of PostgreSQL, over those of the embedded default. */
  postgresSettings?: Record<string, string>;
}

export async function startSystem(
  environment: Record<string, string> = {},
  options: SystemOptions = {},
): Promise<System> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const config = readConfig({ DATA_DIR: dataDir, OPERATOR_TOKEN });
  const { postgresSettings: settings } = options;
  // What runs in the folder is joined.
  const postgres = settings === undefined ? null : await startEmbeddedPostgres({ dataDir, log, settings });
  const servers = await startEmbedded(config, log);
  if (servers.queue.kind !== 'redis') throw new Error('The bench needs a Redis');
  const ownerUrl = servers.migrationUrl ?? servers.databaseUrl;
  const port = await freePort();
  const shared = {
    ...process.env,
    NODE_COMPILE_CACHE: join(root, '.cache/compiled'),
    DATABASE_URL: servers.databaseUrl,
    DATABASE_MIGRATION_URL: ownerUrl,
    REDIS_URL: servers.queue.url,
    OPERATOR_TOKEN,
    LOG_LEVEL: 'error',
    DRAIN_SECONDS: '0',
    RATE_LIMIT_REQUESTS: '10000000',
    ...environment,
  };
  const web = measure('web', { ...shared, PORT: String(port) }, dataDir, options);
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilReady(baseUrl);
  const worker = measure('worker', shared, dataDir, options);
  const postmaster = holdPostmaster(dataDir, ownerUrl, log);
  return {
    ...clientOf({ baseUrl, databaseUrl: ownerUrl }),
    serviceUrl: servers.databaseUrl,
    superuserUrl: () =>
      postgres === null
        ? null
        : Object.assign(new URL(postgres.adminUrl), { pathname: new URL(ownerUrl).pathname }).href,
    redisUrl: servers.queue.url,
    web,
    worker,
    postmasterPid: postmaster.pid,
    restartPostgres: postmaster.restart,
    close: async () => {
      for (const one of [web, worker]) await one.stop();
      await postmaster.stop();
      await servers.stop();
      await postgres?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A client of a system that has been started, in this process or in another. */
export function clientOf(address: Address): Client {
  const { baseUrl } = address;
  return {
    ...address,
    createWorkspace: async () => {
      const slug = `bench-${randomBytes(6).toString('hex')}`;
      const answer = await fetch(`${baseUrl}/api/workspaces`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${OPERATOR_TOKEN}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ slug, name: slug }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      const made = (await answer.json()) as { workspace: { id: string }; apiKey: { key: string } };
      return { id: made.workspace.id, slug, key: made.apiKey.key, path: `${baseUrl}/api/wid/${slug}` };
    },
  };
}

function measure(
  role: string,
  environment: NodeJS.ProcessEnv,
  dataDir: string,
  { supervised = false, logFile }: SystemOptions,
): MeasuredProcess {
  const probeFile = join(dataDir, `${role}-loop.json`);
  const output = logFile === undefined ? 'ignore' : openSync(logFile, 'a');
  let ownEnds = 0;
  let stopping = false;
  let killed: ChildProcess | null = null;
  const start = (): ChildProcess => {
    const started = spawn(
      process.execPath,
      ['--import', join(root, 'bench/loop-probe.ts'), join(root, 'src/main.ts'), role],
      {
        env: { ...environment, LOOP_PROBE_FILE: probeFile },
        stdio: ['ignore', output, 'inherit'],
      },
    );
    started.once('exit', async () => {
      if (stopping || started === killed) return;
      ownEnds++;
      if (!supervised) return;
      await delay(START_AGAIN_MS);
      if (!stopping && started === child) child = start();
    });
    return started;
  };
  let child = start();
  return {
    get process() {
      return child;
    },
    restart: async () => {
      killed = child;
      child.kill('SIGKILL');
      await untilGone(child);
      child = start();
    },
    stop: async () => {
      stopping = true;
      child.kill('SIGTERM');
      await untilGone(child);
    },
    ownEnds: () => ownEnds,
    rssMiB: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    },
    peakRssMiB: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    },
    loopDelay: async () => {
      rmSync(probeFile, { force: true });
      child.kill('SIGUSR2');
      while (!existsSync(probeFile)) await delay(5);
      return JSON.parse(readFileSync(probeFile, 'utf8')) as LoopDelay;
    },
  };
}

/** Resolves at once where it has ended already. */
async function untilGone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function untilReady(baseUrl: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(`${baseUrl}/health/ready`).catch(() => null);
    if (answer?.ok) return;
    await delay(50);
  }
  throw new Error('The web process did not become ready');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
