/**
 * Starts one PostgreSQL and one Redis for a run of the tests, in a folder that goes with it, and migrates a
 * template database once: a file's own database is a copy of it (database.ts), made in about 20 ms of CPU in memory and 100 ms on a disk.
 * TEST_DATABASE_URL (a superuser's) and TEST_REDIS_URL name servers that run already; TEST_REDIS_URL=none
 * tries the queues on PostgreSQL. TEST_POOLER=true puts a PgBouncer between the service and PostgreSQL. TEST_REDIS_REQUIRED=true fails where none can be had: tests that kill workers need it.
 */
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { admitLogin } from '../../src/db/check-login.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { startEmbeddedRedis } from '../../src/embedded/redis.ts';
import { startPooler } from './pooler.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the server, database `postgres`. */
    postgresUrl: string;
    /** Null where no Redis can be had: queues then run on PostgreSQL. */
    redisUrl: string | null;
    templateDatabase: string;
    /** Where the pooler is that the service is tested through; null where it has PostgreSQL itself. */
    pooler: { host: string; port: number } | null;
  }
}

const log = pino({ level: process.env.LOG_LEVEL ?? 'error' });
/** Databases of eight hundred files each are made and dropped several hundred times, which in memory costs a small part of the CPU. */
const MEMORY_FOLDER = '/dev/shm';
/** The write-ahead log alone keeps a gigabyte. With less room than this, the data lies on the disk. */
const MEMORY_BYTES_MIN = 8 * 1024 ** 3;
const DATA_PREFIX = 'partbook-test-';
/** No run of the tests takes longer: an older folder is of a run that was killed. */
const RUN_MS_MAX = 24 * 3_600_000;
/** Lost at the crash of a machine, which tests do not have; a commit then costs no disk flush. */
const UNSAFE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  shared_buffers: '64MB',
};

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await dataFolder();
  await removeLeftOver(folder);
  const dataDir = await mkdtemp(join(folder, DATA_PREFIX));
  const stops: (() => Promise<void>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  const tearDown = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  try {
    const [postgresUrl, redisUrl] = await Promise.all([postgresOf(dataDir, stops), redisOf(dataDir, stops)]);
    const templateDatabase = `partbook_template_${process.pid}`;
    const admin = new Client({ connectionString: postgresUrl });
    await admin.connect();
    await admin.query(`drop database if exists ${templateDatabase} with (force)`);
    await admin.query(`create database ${templateDatabase}`);
    await migrate(databaseUrl(postgresUrl, templateDatabase), log);
    await admitLogin(
      databaseUrl(postgresUrl, templateDatabase),
      serviceUrl(databaseUrl(postgresUrl, templateDatabase)),
    );
    stops.push(async () => {
      await admin.query(`drop database if exists ${templateDatabase} with (force)`);
      await admin.end();
    });
    const pooler = process.env.TEST_POOLER === 'true' ? await startPooler(postgresUrl) : null;
    if (pooler !== null) stops.push(() => pooler.stop());
    project.provide('pooler', pooler === null ? null : { host: pooler.host, port: pooler.port });
    project.provide('postgresUrl', postgresUrl);
    project.provide('redisUrl', redisUrl);
    project.provide('templateDatabase', templateDatabase);
  } catch (error) {
    await tearDown();
    throw error;
  }
  return tearDown;
}

async function dataFolder(): Promise<string> {
  const room = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(room, process.availableMemory()) < MEMORY_BYTES_MIN ? tmpdir() : MEMORY_FOLDER;
}

async function removeLeftOver(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(DATA_PREFIX));
  for (const name of names) {
    const path = join(folder, name);
    const born = await stat(path).then(
      ({ birthtimeMs }) => birthtimeMs,
      () => Date.now(),
    );
    if (Date.now() - born > RUN_MS_MAX) await rm(path, { recursive: true, force: true });
  }
}

async function postgresOf(dataDir: string, stops: (() => Promise<void>)[]): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined) return given;
  const server = await startEmbeddedPostgres({ dataDir, log, settings: UNSAFE });
  stops.push(() => server.stop());
  return server.adminUrl;
}

async function redisOf(dataDir: string, stops: (() => Promise<void>)[]): Promise<string | null> {
  const url = await findRedis(dataDir, stops);
  if (url === null && process.env.TEST_REDIS_REQUIRED === 'true')
    throw new Error('There is no Redis, and the tests that kill workers would be skipped without one');
  return url;
}

async function findRedis(dataDir: string, stops: (() => Promise<void>)[]): Promise<string | null> {
  const given = process.env.TEST_REDIS_URL;
  if (given !== undefined) return given === 'none' ? null : given;
  const server = await startEmbeddedRedis({ dataDir, cacheDir: '.cache', log });
  if (server === null) return null;
  stops.push(() => server.stop());
  return server.url;
}

const SERVICE_LOGIN = 'partbook_tests';
const SERVICE_PASSWORD = 'password-of-the-tests';

/** The same database as a login that owns nothing, as an installation has it; runs that share a server share it. For a service that runs in a process of its own, which refuses a superuser's. */
export function serviceUrl(url: string): string {
  return Object.assign(new URL(url), { username: SERVICE_LOGIN, password: SERVICE_PASSWORD }).href;
}

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
