/**
 * A copy of the embedded database while it works, without `pg_dump`, which does not come along with it: PostgreSQL's own way of
 * a base back-up. Data files are copied as they stand, and the write-ahead log of the time of copying makes them whole at
 * the next start. A slot of the session holds the log until it is copied too.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Client } from 'pg';
import { syncToDisk } from './sync-to-disk.ts';

/** A folder without this was not finished. */
const RECORD = 'back-up.json';
const WHOLE_RECORD_MS = 30_000;

/** Files that a server creates at its start or must not find: of these folders the contents, of files everything. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const left = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);

export interface BackUp {
  at: string;
  /** Position in the log from which the copy is complete. */
  whole: string;
  files: number;
}

/** `target` must not be there yet; it is there when this resolves, and not at all when it rejects. */
export async function backUpEmbedded(dataDir: string, adminUrl: string, target: string): Promise<BackUp> {
  const folder = realpathSync(resolve(dataDir));
  const cluster = clusterOf(folder);
  if (existsSync(target)) throw new Error(`${target} is there already`);
  await mkdir(dirname(resolve(target)), { recursive: true });
  const staging = `${resolve(target)}.partial`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  // pg_backup_stop must be asked on the connection that started it.
  const client = new Client({ connectionString: adminUrl, statement_timeout: 0 });
  await client.connect();
  try {
    await client.query(`select pg_create_physical_replication_slot($1, true, true)`, [
      `partbook_back_up_${process.pid}`,
    ]);
    await client.query(`select pg_backup_start('partbook', fast => true)`);
    const copy = join(staging, basename(cluster));
    let files = await copyTree(cluster, copy, true);
    const stopped = await client.query<{ lsn: string; labelfile: string }>(
      'select lsn::text, labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    const [{ lsn, labelfile } = { lsn: '', labelfile: '' }] = stopped.rows;
    await writeFile(join(copy, 'backup_label'), labelfile, { mode: 0o600 });
    // What is needed of the log is held by the slot; a piece that is just made or used anew may go while it is copied.
    files += await copyTree(join(cluster, 'pg_wal'), join(copy, 'pg_wal'), true);
    files += await copySecrets(folder, staging);
    const record: BackUp = { at: new Date().toISOString(), whole: lsn, files };
    await writeFile(join(staging, RECORD), `${JSON.stringify(record)}\n`, { mode: 0o600 });
    await syncTree(staging);
    await rename(staging, target);
    return record;
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  } finally {
    await Promise.race([client.end(), new Promise((done) => setTimeout(done, WHOLE_RECORD_MS).unref())]);
  }
}

/** Puts a back-up where no data are. Returns what it says of itself. */
export async function restoreEmbedded(source: string, dataDir: string): Promise<void> {
  if (!existsSync(join(source, RECORD))) throw new Error(`${source} holds no whole back-up`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (readdirSync(dataDir).some((entry) => /^postgres-\d+$/.test(entry)))
    throw new Error(`${dataDir} holds a database: move it away first`);
  const cluster = clusterOf(source);
  const copy = join(dataDir, basename(cluster));
  // By a name that no start looks at, until all of it is there.
  const staging = `${copy}.restored`;
  await rm(staging, { recursive: true, force: true });
  await copyTree(cluster, staging, false);
  await copySecrets(source, dataDir);
  await syncTree(staging);
  await rename(staging, copy);
}

function clusterOf(folder: string): string {
  const name = readdirSync(folder).find((entry) => /^postgres-\d+$/.test(entry));
  if (name === undefined) throw new Error(`${folder} holds no embedded database`);
  return join(folder, name);
}

/** Passwords, tokens and the demo's key: small files beside the database. Records of running servers are none. */
async function copySecrets(from: string, to: string): Promise<number> {
  let files = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!entry.isFile() || /\.(json|lock|pid)$/.test(entry.name)) continue;
    await copyFile(join(from, entry.name), join(to, entry.name));
    files++;
  }
  return files;
}

/** `live`: a server works there; what it makes anew is left out, and a file that it has removed meanwhile is no fault. */
async function copyTree(from: string, to: string, live: boolean): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  let files = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (live && left.has(entry.name)) continue;
    if (entry.isDirectory()) {
      if (live && emptied.has(entry.name)) await mkdir(copy, { mode: 0o700 });
      else files += await copyTree(source, copy, live);
    } else if (entry.isFile() && (await copied(source, copy, live))) files++;
  }
  return files;
}

async function copied(source: string, copy: string, live: boolean): Promise<boolean> {
  try {
    await copyFile(source, copy);
    return true;
  } catch (error) {
    if (live && (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** To the disk: a copy that a crash of the machine takes along is none. */
async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else await syncToDisk(path);
  }
  await syncToDisk(folder);
}
