/**
 * `npm run workspace`: workspaces as files, and out of one installation into another. What it has done goes to standard error as a
 * line of JSON. Ends with 1 where the ledger does not verify, with 2 where it could not be done.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Config, slugsOf, wireOf } from '../../config.ts';
import { connectDb, type Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DatabaseHosts, type OwnerConnection, onWritableHost } from '../../db/wire/database-hosts.ts';
import { startEmbedded } from '../../embedded/start-embedded.ts';
import { beginCommand } from '../../process/begin-program.ts';
import { verifyLedger } from '../../stock/ledger/verify-ledger.ts';
import { createAdminKey } from '../../workspaces/create-admin-key.ts';
import { NewAdminKey } from '../../workspaces/workspace.schema.ts';
import { type Exported, exportWorkspace } from '../export-workspace.ts';
import { forgetWorkspace } from '../forget-workspace.ts';
import { type Imported, type ImportOptions, importWorkspace } from '../import-workspace.ts';
import { cancelMove, type Moved, moveWorkspace, type Step } from '../move/move-workspace.ts';
import type { MoveUrls } from '../move/two-sides.ts';
import { holdWorkspace, leaveWorkspace, resumeWorkspace } from '../rest-workspace.ts';
import { TransferError } from '../transfer-format.ts';
import { type BalancerTurn, startTurn } from './turn-balancer.ts';

const USAGE = `Usage: npm run workspace -- COMMAND
  export SLUG FILE             writes a workspace into a file; - is standard output
  import FILE [SLUG]           makes one of it, under another slug where one is named; - is standard input
  key SLUG [NAME]              makes an admin key without an end and writes it to standard output
  import --moved FILE          the same, of one that is held or gone where it was: it keeps its slug
  hold SLUG                    takes it out of use, until resume or leave
  resume SLUG
  leave SLUG ADDRESS           for good: callers are told the address of the installation that has it
  move SLUG [ADDRESS]          to the installation of MOVE_TARGET_URL, while it is written to; the address is told to callers
                               who still ask here. Done again it goes on where it was
  cancel-move SLUG             it stays here, and what was brought there is deleted
  forget SLUG                  deletes what one that is gone has left behind, but for its name
  forget --with-name SLUG      deletes that too, so that it can come back
`;

/** Connects as the service or as the owner of the schema. */
type Work =
  | { asService(db: Db, config: Config): Promise<{ workspaceId: string }> }
  | { asOperator(db: Db): Promise<object> }
  | { asOwner(owner: OwnerConnection): Promise<object> }
  /** Connects as the owners of two schemas. */
  | { between(urls: MoveUrls, config: Config): Promise<object> };

async function main(given: readonly string[]): Promise<number> {
  const work = workOf(given);
  if (work === null) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { config, log } = beginCommand('workspace');
  const isOwner = !('asService' in work || 'asOperator' in work);
  const named = !isOwner ? config.DATABASE_URL : config.DATABASE_MIGRATION_URL;
  // Joins the embedded server where one runs on the data folder.
  const embedded =
    named === undefined && config.DATABASE_URL === undefined ? await startEmbedded(config, log) : null;
  const service = config.DATABASE_URL ?? (embedded?.databaseUrl as string);
  const owner = config.DATABASE_MIGRATION_URL ?? embedded?.migrationUrl ?? null;
  try {
    if ('asService' in work) return await asService(service, config, log, work.asService);
    if ('asOperator' in work) {
      report(await withDb(service, config, log, work.asOperator));
      return 0;
    }
    if (owner === null)
      throw new TransferError('DATABASE_MIGRATION_URL is needed: only the owner of the schema may do that.');
    if ('between' in work) {
      const { MOVE_TARGET_URL: to, MOVE_SOURCE_URL: seenFrom } = config;
      if (to === undefined)
        throw new TransferError(
          'MOVE_TARGET_URL is needed: the owner of the schema of the other installation.',
        );
      report(
        await work.between({ from: owner, to, ...(seenFrom === undefined ? {} : { seenFrom }) }, config),
      );
      return 0;
    }
    const settings = { application_name: 'partbook workspace' };
    report(await onWritableHost(new DatabaseHosts(owner), settings, work.asOwner));
    return 0;
  } finally {
    await embedded?.stop();
  }
}

async function asService(
  url: string,
  config: Config,
  log: Logger,
  work: (db: Db, config: Config) => Promise<{ workspaceId: string }>,
): Promise<number> {
  return withDb(url, config, log, async (db) => {
    const done = await work(db, config);
    const verification = await verifyLedger(db, done.workspaceId);
    report({ ...done, ledgerVerifies: verification.ok });
    return verification.ok ? 0 : 1;
  });
}

async function withDb<T>(url: string, config: Config, log: Logger, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await connectDb({
    url,
    poolMax: 3,
    applicationName: 'partbook workspace',
    wire: wireOf(config),
    log,
  });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** The key goes to standard output, where a shell can take it; what was done goes to standard error as ever. */
async function makeKey(db: Db, slug: string, name: string | undefined): Promise<object> {
  const read = NewAdminKey.safeParse(name === undefined ? {} : { name });
  if (!read.success) throw new TransferError(`The name ${read.error.issues[0]?.message}.`);
  const wanted = read.data;
  const { id, key, permission } = await inTransaction(db, 'instance', (tx) =>
    createAdminKey(tx, slug, wanted),
  );
  process.stdout.write(`${key}\n`);
  return { workspace: slug, id, name: wanted.name, permission };
}

function report(done: object): void {
  process.stderr.write(`${JSON.stringify(done)}\n`);
}

function workOf([command, ...given]: readonly string[]): Work | null {
  const isMarked = given[0] === (command === 'import' ? '--moved' : '--with-name');
  const [first, second, ...rest] = isMarked ? given.slice(1) : given;
  if (isMarked && (second !== undefined || !['import', 'forget'].includes(command ?? ''))) return null;
  if (first === undefined || rest.length > 0) return null;
  const takesTwo = command === 'export' || command === 'leave';
  if (!['import', 'move', 'key'].includes(command ?? '') && takesTwo !== (second !== undefined)) return null;
  const address = second ?? '';
  switch (command) {
    case 'export':
      return { asService: (db) => exportTo(db, first, address) };
    case 'import':
      return {
        asService: (db, config) =>
          importFrom(db, first, { slug: second ?? null, isMoved: isMarked, givesSlug: slugsOf(config) }),
      };
    case 'key':
      return { asOperator: (db) => makeKey(db, first, second) };
    case 'move':
      return {
        between: (urls, { MOVE_TURN_COMMAND: turn }) => moveAndTurn(urls, first, second ?? null, turn),
      };
    case 'cancel-move':
      return { between: (urls) => cancelMove(urls, first) };
    case 'hold':
      return { asOwner: (owner) => holdWorkspace(owner, first) };
    case 'resume':
      return { asOwner: (owner) => resumeWorkspace(owner, first) };
    case 'leave':
      return { asOwner: (owner) => leaveWorkspace(owner, first, address) };
    case 'forget':
      return { asOwner: (owner) => forgetWorkspace(owner, first, { withName: isMarked }) };
    default:
      return null;
  }
}

async function moveAndTurn(
  urls: MoveUrls,
  slug: string,
  movedTo: string | null,
  command: string | undefined,
): Promise<Moved> {
  let turn: BalancerTurn | null = null;
  const onStep = async (step: Step) => {
    report({ step });
    if (command === undefined) return;
    if (step === 'hold long work' || step === 'unsubscribe') turn ??= startTurn(command);
    if (step === 'stop') turn?.expectWaiting();
    if (step === 'unsubscribe') await turn?.tell(slug);
  };
  try {
    return await moveWorkspace(urls, slug, { movedTo, onStep });
  } finally {
    (turn as BalancerTurn | null)?.abandon();
  }
}

function importFrom(db: Db, file: string, options: ImportOptions): Promise<Imported> {
  return importWorkspace(db, file === '-' ? process.stdin : createReadStream(file), options);
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
