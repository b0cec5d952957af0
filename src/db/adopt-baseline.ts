/**
 * Release 1.0.0 replaced the migrations of the previews before it by a baseline, `migrations/20261201_0001_*` to `_0016_*`, which
 * builds the same schema. A database that ran all of the previews' migrations is recorded as having run the baseline.
 */
import { StartError } from '../process/start-error.ts';
import type { Asked } from './pending-migrations.ts';

/** The previews' migrations are those between these names that are not files of this release. */
const PREVIEW = {
  first: '20261120_0001_floor',
  last: '20261201_0100_pending_links_of_child',
  count: 58,
  release: '0.1.0',
};
const BASELINE = /^20261201_00/;

/** The previews left it behind; the baseline does not make it. */
const leftover = 'drop function if exists authenticate_api_key(bytea, text)';

/** Throws where the database ran only some of the previews' migrations. Returns the names that it recorded. */
export async function adoptBaseline(db: Asked, pending: readonly string[]): Promise<string[]> {
  const missing = pending.filter((name) => BASELINE.test(name)).sort();
  if (missing.length === 0) return [];
  const rows = await db.query<{ name: string }>(
    `select name from schema_migration where name between '${PREVIEW.first}' and '${PREVIEW.last}'`,
  );
  const ran = rows.filter(({ name }) => !BASELINE.test(name)).length;
  if (ran === 0) return [];
  if (ran < PREVIEW.count)
    throw new StartError(
      `This database has ${ran} of the ${PREVIEW.count} migrations of release ${PREVIEW.release}, and this release cannot upgrade it. ` +
        `Start the last build of release ${PREVIEW.release} with it once (\`npm run migrate\`), then this release.`,
    );
  // The old names stay: processes of the release before, which are replaced one by one, compare them with their own.
  const names = missing.map((name) => `('${name}')`).join(', ');
  // Several statements in one message are one transaction.
  await db.query(`${leftover}; insert into schema_migration (name) values ${names}`);
  return missing;
}
