/** Tells which migrations of this release a database lacks. Only a database that lacks some needs the migrator of migrate.ts. */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

/** A connection of any kind. */
export interface Asked {
  query<Row>(sql: string): Promise<Row[]>;
}

/** Throws when the schema is older than this release: the service's login cannot migrate. */
export async function requireMigrated(db: Asked): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return;
  throw new Error(
    `The schema lacks ${pending.length} migrations of this release: run \`npm run migrate\` with DATABASE_MIGRATION_URL, ` +
      'the URL of the login that owns it.',
  );
}

/** Returns the names of the migrations that this release has and the database does not. */
export async function pendingMigrations(db: Asked): Promise<string[]> {
  const [known] = await db.query<{ any: boolean }>(
    `select to_regclass('public.schema_migration') is not null as any`,
  );
  const done =
    known?.any === true ? await db.query<{ name: string }>('select name from schema_migration') : [];
  const names = new Set(done.map((row) => row.name));
  const files = await readdir(migrationsFolder);
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3))
    .filter((name) => !names.has(name));
}
