/**
 * `npm run verify-ledger [slug …]`: proves the ledgers of those workspaces, or of all. One JSON line each on
 * standard output; ends with 1 when one does not verify, with 2 when it could not look.
 */
import { readConfig } from '../config.ts';
import { connectDb } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { startEmbedded } from '../embedded/start-embedded.ts';
import { openLog } from '../log.ts';
import { verifyLedger } from './verify-ledger.ts';

async function main(slugs: readonly string[]): Promise<number> {
  const config = readConfig(process.env);
  const log = openLog(
    { LOG_LEVEL: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL },
    'verify-ledger',
  );
  // Joins the embedded server where one runs on the data folder.
  const embedded = config.DATABASE_URL === undefined ? await startEmbedded(config, log) : null;
  const url = config.DATABASE_URL ?? (embedded?.databaseUrl as string);
  const db = await connectDb({ url, poolMax: 2, applicationName: 'partbook verify-ledger', log });
  try {
    const workspaces = await inTransaction(
      db,
      'instance',
      (tx) => tx.query<{ id: string; slug: string }>('select id, slug from workspace order by slug'),
      { readOnly: true },
    );
    const unknown = slugs.filter((slug) => !workspaces.some((workspace) => workspace.slug === slug));
    if (unknown.length > 0) {
      process.stderr.write(`There is no workspace ${unknown.join(', ')}.\n`);
      return 2;
    }
    let allOk = true;
    for (const { id, slug } of workspaces) {
      if (slugs.length > 0 && !slugs.includes(slug)) continue;
      const verification = await verifyLedger(db, id);
      process.stdout.write(`${JSON.stringify({ workspace: slug, ...verification })}\n`);
      allOk &&= verification.ok;
    }
    return allOk ? 0 : 1;
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
