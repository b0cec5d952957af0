/** Brings the schema to the newest migration; safe to call from several starting processes at once. */
import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { DatabaseHosts, onWritableHost } from './database-hosts.ts';
import { migrationsFolder as folder, pendingMigrations } from './pending-migrations.ts';
import { tellOfWorkspaces } from './workspace-statistics.ts';

const MIGRATION_LOCK = 7_278_623_001n;
const ASK_AGAIN_MS = 200;

/**
 * Runs what is pending, each migration in its own transaction but those of indexes, under an advisory lock: a second process waits,
 * then finds nothing to do. The lock is that of a transaction which stays open meanwhile: one of a session would stay with a
 * pooler's connection when this process has gone. Returns the names of what ran.
 */
export async function migrate(url: string, log: Pick<Logger, 'debug' | 'info' | 'warn'>): Promise<string[]> {
  const hosts = new DatabaseHosts(url);
  return onWritableHost(hosts, { application_name: 'partbook migrate' }, async (lock, hostUrl) => {
    // The end of the lock ends the start.
    let broken: Error | null = null;
    lock.on('error', (error) => {
      broken ??= error;
    });
    const asked = { query: async <Row>(sql: string) => (await lock.query(sql)).rows as Row[] };
    // Nearly every start finds nothing to do, and need not load what would do it.
    const isPending = (await pendingMigrations(asked)).length > 0;
    const names = isPending ? await runPending(hostUrl, lock, () => broken, log) : [];
    await tellOfWorkspaces(lock);
    return names;
  });
}

/** Under the lock, which is free again when this ends. */
async function runPending(
  url: string,
  lock: Client,
  broken: () => Error | null,
  log: Pick<Logger, 'debug' | 'info'>,
): Promise<string[]> {
  await lock.query('begin');
  // It does nothing but wait, which servers may be told not to bear.
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
 * Asks again and again, and does not wait in the database: a statement that waits has a snapshot, and an index that is made beside
 * writers waits for all snapshots that are older, so that each would wait for the other.
 */
async function takeLock(lock: Client): Promise<void> {
  // As text, without parameters: what has been asked with them keeps its snapshot until something else is asked.
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
    // A new database takes them all in a moment; one that holds data may take long over one, which is named then.
    if ((await orm.migrator.getExecuted()).length > 0) level = 'info';
    const done = await orm.migrator.up();
    return done.map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}
