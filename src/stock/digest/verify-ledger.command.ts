/**
 * `npm run verify-ledger -- [slug …]`: proves the ledgers of those workspaces, or of all. With `--digest <file>`, or the
 * digest's JSON itself in place of the file, that of one workspace against a digest that was kept elsewhere. One JSON line
 * each on standard output; ends with 1 when one does not verify, with 2 when it could not look.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { wireOf } from '../../config.ts';
import { connectDb } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startEmbedded } from '../../embedded/start-embedded.ts';
import { beginCommand } from '../../process/begin-program.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import { KeptDigest } from './digest.schema.ts';
import { proveLedger } from './prove-ledger.ts';

async function main(given: string[]): Promise<number> {
  const { values, positionals: slugs } = parseArgs({
    args: given,
    options: { digest: { type: 'string' } },
    allowPositionals: true,
  });
  const kept = values.digest === undefined ? null : await readDigest(values.digest);
  if (kept !== null && slugs.length !== 1) throw new Error('A digest is of one workspace: name it.');
  const never = new AbortController().signal;
  const { config, log } = beginCommand('verify-ledger');
  // Joins the embedded server where one runs on the data folder.
  const embedded = config.DATABASE_URL === undefined ? await startEmbedded(config, log) : null;
  const url = config.DATABASE_URL ?? (embedded?.databaseUrl as string);
  const db = await connectDb({
    url,
    poolMax: 2,
    applicationName: 'partbook verify-ledger',
    wire: wireOf(config),
    log,
  });
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
      const verification =
        kept === null ? await verifyLedger(db, id) : await proveLedger(db, id, kept, never);
      process.stdout.write(`${JSON.stringify({ workspace: slug, ...verification })}\n`);
      allOk &&= verification.ok;
    }
    return allOk ? 0 : 1;
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

/** Reads a digest as `GET /stock/ledger/digest` returns it; a log line or webhook data may have more members. */
async function readDigest(fileOrJson: string): Promise<KeptDigest> {
  const text = fileOrJson.trimStart().startsWith('{') ? fileOrJson : await readFile(fileOrJson, 'utf8');
  const { at, entries, positions, digest } = JSON.parse(text) as Record<string, unknown>;
  const read = KeptDigest.safeParse({ at, entries, positions, digest });
  if (!read.success) throw new Error('This is no digest: it has "at", "entries", "positions" and "digest".');
  return read.data;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
