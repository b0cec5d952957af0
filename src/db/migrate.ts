/** Brings the schema to the newest migration; safe to call from several starting processes at once. */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Db } from './connect.ts';
import { DatabaseHosts, onWritableHost } from './database-hosts.ts';

const MIGRATION_LOCK = 7_278_623_001n;
const folder = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Runs what is pending, each migration in its own transaction, under an advisory lock: a second process waits, then
 * finds nothing to do. The lock is that of a transaction which stays open meanwhile: one of a session would stay with a
 * pooler's connection when this process has gone. Returns the names of what ran.
 */
export async function migrate(url: string, log: Pick<Logger, 'info' | 'warn'>): Promise<string[]> {
  const hosts = new DatabaseHosts(url);
  return onWritableHost(hosts, { application_name: 'partbook migrate' }, async (lock, hostUrl) => {
    // The end of the lock ends the start.
    let broken: Error | null = null;
    lock.on('error', (error) => {
      broken ??= error;
    });
    await lock.query('begin');
    // It does nothing but wait, which servers may be told not to bear.
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await lock.query('set local transaction_timeout = 0');
    await lock.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK.toString()]);
    try {
      const names = await bringUp(hostUrl, log);
      if (broken !== null)
        throw new Error('PostgreSQL went away while the schema was brought up to date', { cause: broken });
      if (names.length > 0) log.info({ migrations: names }, 'database migrated');
      return names;
    } finally {
      await lock.query('rollback').catch(() => {});
    }
  });
}

async function bringUp(url: string, log: Pick<Logger, 'info'>): Promise<string[]> {
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
    logger: (message) => log.info({ component: 'migrator' }, message),
  });
  try {
    const done = await orm.migrator.up();
    return done.map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}

/** Throws where the schema is older than this release: the service's own login cannot change that. */
export async function requireMigrated(db: Pick<Db, 'query'>): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return;
  throw new Error(
    `The schema lacks ${pending.length} migrations of this release: run \`npm run migrate\` with DATABASE_MIGRATION_URL, ` +
      'the URL of the login that owns it.',
  );
}

/** The names of migrations that this release has and the database does not. */
async function pendingMigrations(db: Pick<Db, 'query'>): Promise<string[]> {
  const [known] = await db.query<{ any: boolean }>(
    `select to_regclass('public.schema_migration') is not null as any`,
  );
  const done =
    known?.any === true ? await db.query<{ name: string }>('select name from schema_migration') : [];
  const names = new Set(done.map((row) => row.name));
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3))
    .filter((name) => !names.has(name));
}
