/**
 * The embedded default: real PostgreSQL and Redis as children, with everything they need made at the first
 * start and found again at the next. Production sets DATABASE_URL and REDIS_URL and never comes here.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import type { Config } from '../config.ts';
import { readOrCreatePassword } from '../process/private-file.ts';
import { databaseHostUrls } from '../server-urls/database-host-urls.ts';
import { startEmbeddedPostgres } from './postgres.ts';
import { startEmbeddedRedis } from './redis.ts';
import type { LaunchLog } from './server-process.ts';

export interface Embedded {
  databaseUrl: string;
  /** The server that keeps the jobs. */
  queue: { kind: 'redis' | 'postgres'; url: string; prefix: string };
  /** Address of the login that owns the schema; null if the database is not embedded. */
  migrationUrl: string | null;
  operatorToken: string;
  stop(): Promise<void>;
}

/** Owns the database and migrates it; of the same name as the database. */
const OWNER = 'partbook';
/** Login of the service, which owns nothing. The owner creates it after migrating. */
const SERVICE = 'partbook_service';

/** Starts what the configuration does not name; the two start side by side. */
export async function startEmbedded(config: Config, log: LaunchLog): Promise<Embedded> {
  const dataDir = resolve(config.DATA_DIR);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const [database, redis] = await startBoth(config, dataDir, log);
  const { databaseUrl, migrationUrl } = database;
  const redisUrl = config.REDIS_URL ?? redis?.url;
  if (redisUrl === undefined) {
    log.warn({}, 'no Redis could be had: the queue runs on the embedded PostgreSQL, several times slower');
  }
  return {
    databaseUrl,
    migrationUrl,
    queue:
      redisUrl === undefined
        ? // BullMQ makes tables of its own.
          {
            kind: 'postgres',
            url: databaseHostUrls(migrationUrl ?? databaseUrl)[0] ?? '',
            prefix: config.QUEUE_PREFIX,
          }
        : { kind: 'redis', url: redisUrl, prefix: config.QUEUE_PREFIX },
    operatorToken: config.OPERATOR_TOKEN ?? readOrCreatePassword(join(dataDir, 'operator-token')),
    stop: async () => {
      await Promise.all([redis?.stop(), database.stop()]);
    },
  };
}

async function startBoth(config: Config, dataDir: string, log: LaunchLog) {
  const results = await Promise.allSettled([
    startDatabase(config, dataDir, log),
    config.REDIS_URL === undefined
      ? startEmbeddedRedis({ dataDir, cacheDir: resolve(config.CACHE_DIR), log })
      : Promise.resolve(null),
  ]);
  const [database, redis] = results;
  if (database.status === 'fulfilled' && redis.status === 'fulfilled')
    return [database.value, redis.value] as const;
  // One that runs must not be left behind by one that does not.
  if (database.status === 'fulfilled') await database.value.stop();
  if (redis.status === 'fulfilled') await redis.value?.stop();
  throw database.status === 'rejected' ? database.reason : (redis as PromiseRejectedResult).reason;
}

interface Database {
  databaseUrl: string;
  migrationUrl: string | null;
  stop(): Promise<void>;
}

async function startDatabase(config: Config, dataDir: string, log: LaunchLog): Promise<Database> {
  if (config.DATABASE_URL !== undefined)
    return { databaseUrl: config.DATABASE_URL, migrationUrl: null, stop: async () => {} };
  const postgres = await startEmbeddedPostgres({ dataDir, log, archiveDir: config.DATABASE_ARCHIVE_DIR });
  try {
    const password = readOrCreatePassword(join(dataDir, 'database-password'));
    await ensureDatabase(postgres.adminUrl, password);
    const urlOf = (login: string, secret: string) =>
      `postgres://${login}:${encodeURIComponent(secret)}@${postgres.host}:${postgres.port}/${OWNER}`;
    return {
      databaseUrl: urlOf(SERVICE, readOrCreatePassword(join(dataDir, 'service-password'))),
      migrationUrl: urlOf(OWNER, password),
      stop: () => postgres.stop(),
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** A login that owns the database and may make roles, and is no superuser. */
async function ensureDatabase(adminUrl: string, password: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const quoted = client.escapeLiteral(password);
    const login = await client.query('select from pg_roles where rolname = $1', [OWNER]);
    if (login.rowCount === 0) await client.query(`create role ${OWNER} login createrole password ${quoted}`);
    const database = await client.query('select from pg_database where datname = $1', [OWNER]);
    if (database.rowCount === 0) await client.query(`create database ${OWNER} owner ${OWNER}`);
  } finally {
    await client.end();
  }
}
