/** Brings the schema to the newest migration; safe to call from several starting processes at once. */
import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import type { Logger } from 'pino';

const MIGRATION_LOCK = 7_278_623_001n;
const folder = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Runs what is pending, each migration in its own transaction, under a session advisory lock: a second
 * process waits, then finds nothing to do. Returns the names of what ran.
 */
export async function migrate(url: string, log: Pick<Logger, 'info' | 'warn'>): Promise<string[]> {
  const lock = new Client({ connectionString: url, application_name: 'partbook migrate' });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK.toString()]);
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
      logger: (message) => log.warn({ component: 'migrator' }, message),
    });
    try {
      const done = await orm.migrator.up();
      const names = done.map((migration) => migration.name);
      if (names.length > 0) log.info({ migrations: names }, 'database migrated');
      return names;
    } finally {
      await orm.close(true);
    }
  } finally {
    await lock.end();
  }
}

/** The names of migrations in the folder that the database does not have yet. */
export async function pendingMigrations(url: string): Promise<string[]> {
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [],
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    migrations: { path: folder, pathTs: folder, glob: '*.ts', tableName: 'schema_migration', snapshot: false },
  });
  try {
    return (await orm.migrator.getPending()).map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}
