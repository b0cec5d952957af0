/**
 * A second PostgreSQL that follows a first, made as an administrator would make it: the data folder is copied while the first
 * runs, and follows from there. What the first acknowledges afterwards the second has too.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { pino } from 'pino';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { pidOf } from '../../src/embedded/process-identity.ts';
import { pollUntil } from '../../src/embedded/server-process.ts';
import { PATIENCE_MS } from './patience.ts';

const run = promisify(execFile);
const log = pino({ level: 'silent' });
/** Nothing here outlives a crash of the machine, which tests do not have. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' };

export interface PostgresPair {
  /** Superusers' URLs of the database `postgres`. */
  first: string;
  second: string;
  /** Of their first processes. */
  firstPid(): number;
  secondPid(): number;
  /** kill -9 of the first, all of it. */
  killFirst(): Promise<void>;
  /** What the first does from here on the second has, and does not show until `resume`. */
  holdSecond(): Promise<() => Promise<void>>;
  /** The second takes writes from here on, as a fail-over manager makes it. */
  promoteSecond(): Promise<void>;
  stop(): Promise<void>;
}

/** `prepare` is run on the first before it is copied. */
export async function startPostgresPair(
  folder: string,
  prepare: (superuserUrl: string) => Promise<void>,
): Promise<PostgresPair> {
  const folders = [join(folder, 'first'), join(folder, 'second')] as const;
  const first = await startEmbeddedPostgres({ dataDir: folders[0], log, settings: SETTINGS });
  await prepare(first.adminUrl);
  await copyCluster(first, folders[0], folders[1]);
  const second = await startEmbeddedPostgres({ dataDir: folders[1], log, settings: SETTINGS });
  await asSuperuser(first.adminUrl, async (client) => {
    // From now on what is acknowledged is on both.
    await client.query(`alter system set synchronous_standby_names = '*'`);
    await client.query('select pg_reload_conf()');
    const isSynchronous = async () =>
      (await client.query(`select from pg_stat_replication where sync_state = 'sync'`)).rowCount === 1;
    if (!(await pollUntil(PATIENCE_MS, isSynchronous))) throw new Error('The second does not follow');
  });
  return {
    first: first.adminUrl,
    second: second.adminUrl,
    firstPid: () => serverPid(folders[0]),
    secondPid: () => serverPid(folders[1]),
    killFirst: async () => {
      // The first process's children end by themselves when it is gone.
      process.kill(serverPid(folders[0]), 'SIGKILL');
      await first.stop();
    },
    holdSecond: async () => {
      const tell = (name: string) =>
        asSuperuser(second.adminUrl, async (client) => {
          await client.query(`select ${name}()`);
        });
      await tell('pg_wal_replay_pause');
      return () => tell('pg_wal_replay_resume');
    },
    promoteSecond: () =>
      asSuperuser(second.adminUrl, async (client) => {
        await client.query('select pg_promote()');
      }),
    stop: async () => {
      await second.stop();
      await first.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function serverPid(folder: string): number {
  const record = readFileSync(join(folder, 'postgres.server.json'), 'utf8');
  return pidOf((JSON.parse(record) as { server: string }).server);
}

async function copyCluster(server: EmbeddedPostgres, from: string, to: string): Promise<void> {
  const { username, password, hostname, port } = new URL(server.adminUrl);
  await mkdir(to, { recursive: true });
  await asSuperuser(server.adminUrl, async (client) => {
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    );
    const cluster = rows[0]?.folder ?? '';
    const copy = join(to, basename(cluster));
    await client.query(`select pg_backup_start('copy', fast => true)`);
    // Files that go while they are copied are not needed: what is written meanwhile is in the log.
    await run('cp', ['-a', cluster, copy]).catch(() => {});
    const label = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    await rm(join(copy, 'postmaster.pid'), { force: true });
    await rm(join(copy, 'postmaster.opts'), { force: true });
    await writeFile(join(copy, 'backup_label'), label.rows[0]?.labelfile ?? '');
    await writeFile(join(copy, 'standby.signal'), '');
    await appendFile(
      join(copy, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}'\n`,
    );
    await run('chown', ['-R', `--reference=${cluster}`, copy]);
    await run('cp', ['-a', `${join(from, basename(cluster))}.password`, `${copy}.password`]);
  });
}

async function asSuperuser(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
