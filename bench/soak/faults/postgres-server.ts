/**
 * A PostgreSQL that is frozen, ended, started, copied and promoted at will, on one port and one data folder. Made by the embedded
 * default, and started by its own command from then on. Linux only, as it reads the processes of /proc.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../../src/embedded/postgres.ts';
import { findPostgresBinaries, type PostgresBinaries } from '../../../src/embedded/postgres-binaries.ts';
import { chooseRunAs, type RunAs } from '../../../src/embedded/postgres-user.ts';
import { isRunning } from '../../../src/embedded/process-identity.ts';
import {
  endProcess,
  type LaunchLog,
  pollUntil,
  type ServerProcess,
  spawnServer,
} from '../../../src/embedded/server-process.ts';

const run = promisify(execFile);
const ANSWER_MS_MAX = 120_000;
const END_STEP_MS = 60_000;
const START_ATTEMPTS_MAX = 200;
const CLOCK_SECONDS_OFF_MAX = 60;
const TOO_MANY_CONNECTIONS = '53300';

export interface PostgresServer {
  /** A superuser's, of the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** The data. */
  readonly folder: string;
  isRunning(): boolean;
  /** SIGSTOP of all its processes, and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** SIGINT is the fast shutdown; resolves when the first process is gone. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** SIGKILL of one of its processes that serve the service; without one, nothing. */
  killBackend(share: number): Promise<void>;
  /** On the same data and port, with `environment` from now on; resolves when it answers. */
  start(environment?: NodeJS.ProcessEnv): Promise<void>;
  /** Runs the work on a superuser's connection of its own. */
  as<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Whether it was started with this environment. */
  startedWith(environment: NodeJS.ProcessEnv): boolean;
  /** Resolves when its clock is ahead of this process's by about so many seconds. */
  untilClockIs(seconds: number): Promise<void>;
  /** Ends the connections of the service and takes every one that there is; what it resolves to lets them go. */
  useUpConnections(): Promise<() => Promise<void>>;
  /** A server in another folder that follows this one, synchronously from when this resolves. */
  follow(folder: string, port: number): Promise<PostgresServer>;
  stop(): Promise<void>;
  /** Stops it, and its data go. */
  discard(): Promise<void>;
}

interface Held {
  /** Of the superuser. */
  password: string;
  argv: readonly string[];
  binaries: PostgresBinaries;
  log: LaunchLog;
}

/** A new one; `settings` as PostgreSQL names them. */
export async function makePostgresServer(
  dataDir: string,
  settings: Record<string, string>,
  log: LaunchLog,
): Promise<PostgresServer> {
  await mkdir(dataDir, { recursive: true });
  const made = await startEmbeddedPostgres({ dataDir, log, settings });
  const cluster = readdirSync(dataDir).find((entry) => /^postgres-\d+$/.test(entry)) as string;
  const folder = join(dataDir, cluster);
  const pid = pidOf(folder);
  const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const password = decodeURIComponent(new URL(made.adminUrl).password);
  await made.stop();
  const binaries = findPostgresBinaries(join(dataDir, 'postgres-libraries'));
  const server = hold(folder, made.port, { password, argv, binaries, log });
  await server.start();
  return server;
}

function hold(folder: string, port: number, held: Held): PostgresServer {
  const { log, binaries } = held;
  const url = `postgres://postgres:${encodeURIComponent(held.password)}@127.0.0.1:${port}/postgres`;
  const argv = withArguments(held.argv, folder, port);
  let process_: ServerProcess | null = null;
  let runAs: RunAs | null = null;
  let added: NodeJS.ProcessEnv = {};

  const launch = async (): Promise<ServerProcess> => {
    runAs ??= await chooseRunAs(folder, binaries.postgres, binaries.env, log);
    return spawnServer(
      `postgres ${port}`,
      {
        argv: [...runAs.prefix, ...argv],
        env: { ...binaries.env, ...added },
        uid: runAs.uid,
        gid: runAs.gid,
        diesWithOwner: runAs.diesWithOwner,
      },
      log,
    );
  };
  const as = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  };
  const stop = async () => {
    if (process_ === null) return;
    if (isRunning(process_.identity)) signalAll('SIGCONT');
    await endProcess(process_.identity, ['SIGINT', 'SIGQUIT', 'SIGKILL'], END_STEP_MS, log);
  };
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT') => {
    const first = pidOf(folder);
    // The first process goes first: one that is stopped starts no further ones.
    for (const pid of [first, ...childrenOf(first)]) sendTo(pid, signal);
  };
  return {
    url,
    port,
    folder,
    isRunning: () => process_ !== null && !process_.ended(),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    end: async (signal) => {
      const { identity } = process_ as ServerProcess;
      sendTo(pidOf(folder), signal);
      if (!(await pollUntil(END_STEP_MS, () => !isRunning(identity))))
        throw new Error(`PostgreSQL does not end on ${signal}`);
    },
    killBackend: async (share) => {
      const pids = await as(
        async (client) =>
          (
            await client.query<{ pid: number }>(
              `select pid from pg_stat_activity where application_name like 'partbook%' order by pid`,
            )
          ).rows,
      );
      const one = pids[Math.floor(share * pids.length)];
      if (one !== undefined) sendTo(one.pid, 'SIGKILL');
    },
    start: async (environment) => {
      added = environment ?? added;
      // Children of one that was killed hold on to the data until they notice: until then it refuses to start.
      for (let attempt = 1; ; attempt++) {
        const launched = await launch();
        process_ = launched;
        const answers = () =>
          as(async (client) => (await client.query('select 1')).rowCount === 1).catch(() => false);
        if (await pollUntil(ANSWER_MS_MAX, answers, launched.ended)) return;
        if (attempt >= START_ATTEMPTS_MAX || !launched.ended())
          throw new Error(`PostgreSQL does not start: ${await launched.output()}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    as,
    startedWith: (environment) => added === environment,
    untilClockIs: async (seconds) => {
      const isThere = async () => {
        const ahead = await as(async (client) => {
          const { rows } = await client.query<{ now: number }>(
            'select extract(epoch from clock_timestamp())::float8 as now',
          );
          return (rows[0]?.now ?? 0) - Date.now() / 1000;
        });
        return Math.abs(ahead - seconds) < CLOCK_SECONDS_OFF_MAX;
      };
      if (!(await pollUntil(ANSWER_MS_MAX, isThere))) throw new Error('The clock of PostgreSQL is not set');
    },
    useUpConnections: () => useUp(url),
    follow: async (target, targetPort) => {
      await copyCluster(
        as,
        folder,
        target,
        `host=127.0.0.1 port=${port} user=postgres password=${held.password}`,
      );
      const second = hold(target, targetPort, held);
      await second.start();
      await as(async (client) => {
        await client.query(`alter system set synchronous_standby_names = '*'`);
        await client.query('select pg_reload_conf()');
        const follows = async () =>
          (await client.query(`select from pg_stat_replication where sync_state = 'sync'`)).rowCount === 1;
        if (!(await pollUntil(ANSWER_MS_MAX, follows))) throw new Error('The standby does not follow');
      });
      return second;
    },
    stop,
    discard: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Again and again, because the service takes each that becomes free as well. */
async function useUp(url: string): Promise<() => Promise<void>> {
  const open = async (): Promise<Client | null> => {
    const client = new Client({ connectionString: url, application_name: 'takes connections' });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if ((error as { code?: string }).code === TOO_MANY_CONNECTIONS) return null;
      throw error;
    }
  };
  const taken: Client[] = [];
  const first = await open();
  if (first === null) throw new Error('There is no connection left to begin with');
  taken.push(first);
  const isAll = async (): Promise<boolean> => {
    const ended = await first.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'partbook%'`,
    );
    let isFull = false;
    while (!isFull) {
      const client = await open();
      if (client === null) isFull = true;
      else taken.push(client);
    }
    return ended.rowCount === 0;
  };
  if (!(await pollUntil(ANSWER_MS_MAX, isAll))) throw new Error('The service keeps its connections');
  return async () => {
    await Promise.all(taken.map((client) => client.end().catch(() => {})));
  };
}

/** As an administrator makes a standby: what is written while it is copied is in the log, and follows from there. */
async function copyCluster(
  as: PostgresServer['as'],
  from: string,
  to: string,
  primary: string,
): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(dirname(to), { recursive: true });
  await as(async (client) => {
    await client.query(`select pg_backup_start('copy', fast => true)`);
    // Files that go while they are copied are not needed.
    await run('cp', ['-a', from, to]).catch(() => {});
    const label = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(join(to, file), { force: true });
    await writeFile(join(to, 'backup_label'), label.rows[0]?.labelfile ?? '');
    await writeFile(join(to, 'standby.signal'), '');
    await appendFile(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
    await run('chown', ['-R', `--reference=${from}`, to]);
  });
}

/** The command of one server for another's data and port. */
function withArguments(argv: readonly string[], folder: string, port: number): string[] {
  const changed = [...argv];
  changed[changed.indexOf('-D') + 1] = folder;
  return changed.map((argument) => (/^port=\d+$/.test(argument) ? `port=${port}` : argument));
}

function pidOf(folder: string): number {
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}

/** One that has ended by itself meanwhile is as well. */
function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
