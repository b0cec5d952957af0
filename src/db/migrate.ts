/** Brings the schema to the newest migration; safe to call from several starting processes at once. */
import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { adoptBaseline } from './adopt-baseline.ts';
import { migrationsFolder as folder, pendingMigrations } from './pending-migrations.ts';
import { DatabaseHosts, onWritableHost } from './wire/database-hosts.ts';
import { tellOfWorkspaces } from './workspace-statistics.ts';

const MIGRATION_LOCK = 7_278_623_001n;
const ASK_AGAIN_MS = 200;

/**
 * Runs the pending migrations under an advisory lock: a second process waits, then finds nothing to do. Each migration has its own
 * transaction, except those of indexes. The lock belongs to a transaction that stays open meanwhile: a lock of a session would stay
 * with the connection of a pooler after this process has ended. Returns the names of the migrations that ran.
 */
export async function migrate(url: string, log: Pick<Logger, 'debug' | 'info' | 'warn'>): Promise<string[]> {
  const hosts = new DatabaseHosts(url);
  return onWritableHost(hosts, { application_name: 'partbook migrate' }, async (lock, hostUrl) => {
    // When the connection of the lock breaks, the start fails.
    let broken: Error | null = null;
    lock.on('error', (error) => {
      broken ??= error;
    });
    const asked = { query: async <Row>(sql: string) => (await lock.query(sql)).rows as Row[] };
    // Nearly every start finds nothing to do and need not load the migrator.
    const isPending = (await pendingMigrations(asked)).length > 0;
    const names = isPending ? await runPending(hostUrl, lock, () => broken, log) : [];
    await tellOfWorkspaces(lock);
    return names;
  });
}

/** Migrates while it holds the lock. */
async function runPending(
  url: string,
  lock: Client,
  broken: () => Error | null,
  log: Pick<Logger, 'debug' | 'info'>,
): Promise<string[]> {
  await lock.query('begin');
  // The transaction only waits, which a server may be configured to end.
  await lock.query('set local idle_in_transaction_session_timeout = 0');
  await lock.query('set local transaction_timeout = 0');
  await takeLock(lock);
  try {
    const names = await bringUp(url, log);
    const cause = broken();
    if (cause !== null)
      throw new Error('PostgreSQL went away while the schema was brought up to date', { cause });
    if (names.length > 0) log.info({ migrations: names }, 'database migrated');
    return names;
  } finally {
    await lock.query('rollback').catch(() => {});
  }
}

/**
 * Tries again and again, and does not wait in the database: a waiting statement has a snapshot, and CREATE INDEX CONCURRENTLY waits
 * for all older snapshots, so that the two would wait for each other.
 */
async function takeLock(lock: Client): Promise<void> {
  // Without parameters: a statement with parameters keeps its snapshot until the connection's next statement.
  const ask = `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as taken`;
  for (;;) {
    const { rows } = await lock.query<{ taken: boolean }>(ask);
    if (rows[0]?.taken === true) return;
    await delay(ASK_AGAIN_MS);
  }
}

async function bringUp(url: string, log: Pick<Logger, 'debug' | 'info'>): Promise<string[]> {
  let level: 'debug' | 'info' = 'debug';
  const { Migrator } = await import('@mikro-orm/migrations');
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [],
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    migrations: {
      path: folder,
      pathTs: folder,
      glob: '*.ts',
      tableName: 'schema_migration',
      transactional: true,
      allOrNothing: false,
      snapshot: false,
      disableForeignKeys: false,
    },
    colors: false,
    logger: (message) => log[level]({ component: 'migrator' }, message),
  });
  try {
    // A new database is migrated in a moment. In one that holds data a migration may take long, and the log names it.
    if ((await orm.migrator.getExecuted()).length > 0) level = 'info';
    const asked = {
      query: async <Row>(sql: string) => (await orm.em.getConnection().execute<Row[]>(sql)) as Row[],
    };
    const adopted = await adoptBaseline(asked, await pendingMigrations(asked));
    if (adopted.length > 0)
      log.info({ migrations: adopted }, 'the database is recorded as being at the baseline');
    const done = await orm.migrator.up();
    return done.map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}
