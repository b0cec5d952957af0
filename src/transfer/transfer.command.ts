/**
 * `npm run workspace -- export SLUG FILE` writes a workspace into a file, `npm run workspace -- import FILE [SLUG]` makes one of
 * it; `-` is standard output or input. Ends with 1 where the ledger does not verify, with 2 where it could not be done.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { readConfig } from '../config.ts';
import { connectDb, type Db } from '../db/connect.ts';
import { startEmbedded } from '../embedded/start-embedded.ts';
import { openLog } from '../log.ts';
import { verifyLedger } from '../stock/verify-ledger.ts';
import { type Exported, exportWorkspace } from './export-workspace.ts';
import { type Imported, importWorkspace } from './import-workspace.ts';

const USAGE =
  'Usage: npm run workspace -- export SLUG FILE | import FILE [SLUG]; - for standard output or input\n';

async function main([what, ...given]: readonly string[]): Promise<number> {
  const work = workOf(what, given);
  if (work === null) {
    process.stderr.write(USAGE);
    return 2;
  }
  const config = readConfig(process.env);
  const log = openLog({ LOG_LEVEL: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL }, 'workspace');
  // Joins the embedded server where one runs on the data folder.
  const embedded = config.DATABASE_URL === undefined ? await startEmbedded(config, log) : null;
  const url = config.DATABASE_URL ?? (embedded?.databaseUrl as string);
  const db = await connectDb({ url, poolMax: 3, applicationName: 'partbook workspace', log });
  try {
    const done = await work(db);
    const verification = await verifyLedger(db, done.workspaceId);
    process.stderr.write(`${JSON.stringify({ ...done, ledgerVerifies: verification.ok })}\n`);
    return verification.ok ? 0 : 1;
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

function workOf(
  what: string | undefined,
  [first, second, ...rest]: readonly string[],
): ((db: Db) => Promise<Exported | Imported>) | null {
  if (first === undefined || rest.length > 0) return null;
  if (what === 'export' && second !== undefined) return (db) => exportTo(db, first, second);
  if (what !== 'import') return null;
  const source = () => (first === '-' ? process.stdin : createReadStream(first));
  return (db) => importWorkspace(db, source(), second ?? null);
}

/** A file of that name is a whole one. */
async function exportTo(db: Db, slug: string, file: string): Promise<Exported> {
  if (file === '-') return exportWorkspace(db, slug, process.stdout);
  const partial = `${file}.partial`;
  try {
    // It holds hashes of keys and secrets of webhooks: for its owner alone.
    const sink = createWriteStream(partial, { mode: 0o600, flush: true });
    const exported = await exportWorkspace(db, slug, sink);
    await rename(partial, file);
    return exported;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
