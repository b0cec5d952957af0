// The PostgreSQL of the embedded default: real binaries out of node_modules on a data folder of ours, so that
// `npm start` needs no database to be installed first.

import { execFile, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
} from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { readOrCreatePassword } from '../process/private-file.ts';
import { joinOrStart } from './child-server.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { chooseRunAs, type RunAs, spawnIdentity } from './postgres-user.ts';
import { identifyProcess, pidOf } from './process-identity.ts';
import { HOST, type LaunchLog } from './server-process.ts';
import { syncToDisk } from './sync-to-disk.ts';

const execFileAsync = promisify(execFile);
const INITDB_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;
const SUPERUSER = 'postgres';
/** Maximum of data lost with a machine. */
const ARCHIVE_TIMEOUT = '60s';

/** For a machine of 2 cores and 4 GiB that runs the service too; anything else stays PostgreSQL's default. */
export const SETTINGS: Readonly<Record<string, string>> = {
  // Pools of webs, workers and threads together: five processes use up the default of 100.
  max_connections: '200',
  shared_buffers: '256MB',
  // What the planner may believe to be cached; the default of 4GB is the whole machine.
  effective_cache_size: '1GB',
  // Files of the log that are kept to be written again. The default of five is used up by the first seconds of an import, and a file that
  // has to be made is 16 MiB of zeros, for which everybody waits who commits: a tenth of the time of an import.
  min_wal_size: '1GB',
  // Data folders lie on SSDs, where the default of 4 turns index scans down that would win.
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: LaunchLog;
  /** Over the defaults, e.g. `{ fsync: 'off' }` in tests. Of no effect on a server that runs already. */
  settings?: Record<string, string>;
  /** Folder in which the write-ahead log is archived; absent for none. */
  archiveDir?: string | undefined;
}

export interface EmbeddedPostgres {
  /** Superuser's URL of the database `postgres`. */
  adminUrl: string;
  host: string;
  port: number;
  /** True when the server ran already; `stop` then leaves it to its owner. */
  reused: boolean;
  stop(): Promise<void>;
}

/** Joins the server that runs on the folder, or starts one (making the database the first time). */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const folder = realpathSync(resolve(options.dataDir));
  const binaries = findPostgresBinaries(join(folder, 'postgres-libraries'));
  const cluster = join(folder, `postgres-${binaries.major}`);
  const passwordFile = `${cluster}.password`;

  const server = await joinOrStart({
    name: 'postgres',
    folder,
    log,
    // Fast shutdown; then immediate, which the write-ahead log makes good at the next start.
    stopSignals: ['SIGINT', 'SIGQUIT', 'SIGKILL'],
    answers: (port) => answers(superuserUrl(passwordFile, port)),
    findForeign: () => findForeign(cluster),
    prepare: async () => {
      refuseUnusableData(folder, cluster, passwordFile);
      const runAs = existsSync(cluster)
        ? await chooseRunAs(cluster, binaries.postgres, binaries.env, log)
        : await createCluster(cluster, passwordFile, binaries, log);
      const archiving = options.archiveDir === undefined ? {} : archiveSettings(options.archiveDir, runAs);
      const settings = { ...archiving, ...options.settings };
      return (port) => ({
        argv: [...runAs.prefix, binaries.postgres, ...serverArguments(cluster, port, settings)],
        env: { ...binaries.env, ...disownStalePid(cluster) },
        uid: runAs.uid,
        gid: runAs.gid,
        diesWithOwner: runAs.diesWithOwner,
      });
    },
  });
  return { adminUrl: superuserUrl(passwordFile, server.port), host: HOST, ...server };
}

function serverArguments(cluster: string, port: number, settings: Record<string, string> = {}): string[] {
  const fixed = { listen_addresses: HOST, port: String(port), unix_socket_directories: '' };
  const all = { ...SETTINGS, ...settings, ...fixed };
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * A piece of the log goes to the archive when it is full, or a minute after something is in it. It has its name there when all
 * of it is on disk; one that is there already, because the server ended before it took note, must be the same.
 */
function archiveSettings(archiveDir: string, { uid, gid }: RunAs): Record<string, string> {
  mkdirSync(archiveDir, { recursive: true, mode: 0o700 });
  const folder = realpathSync(archiveDir);
  if (/['"\\%\n]/.test(folder))
    throw new Error(`DATABASE_ARCHIVE_DIR: ${folder} has a character that shells take`);
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const kept = `"${folder}/%f"`;
  return {
    archive_mode: 'on',
    archive_timeout: ARCHIVE_TIMEOUT,
    archive_command: `cmp -s "%p" ${kept} || { test ! -e ${kept} && cp "%p" ${kept}.partial && sync ${kept}.partial && mv ${kept}.partial ${kept}; }`,
  };
}

/**
 * Makes the cluster in a staging folder and renames it into place, so that an interrupted initdb leaves
 * nothing that looks like a database. The password is written first: a cluster never lacks its password.
 */
async function createCluster(
  cluster: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  log: LaunchLog,
): Promise<RunAs> {
  await removeAbandoned(cluster);
  const staging = await mkdtemp(stagingPrefix(cluster));
  readOrCreatePassword(passwordFile);
  await copyFile(passwordFile, join(staging, 'password'));

  const runAs = await chooseRunAs(staging, binaries.postgres, binaries.env, log);
  const [file = '', ...args] = [
    ...runAs.prefix,
    ...[binaries.initdb, '-D', join(staging, 'data'), '-U', SUPERUSER, '--no-instructions'],
    ...[`--pwfile=${join(staging, 'password')}`, '--auth=scram-sha-256', '--encoding=UTF8'],
    ...localeArguments(),
  ];
  try {
    const options = { ...spawnIdentity(runAs), cwd: '/', env: binaries.env, timeout: INITDB_TIMEOUT_MS };
    await execFileAsync(file, args, options);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw new Error(`initdb failed: ${(error as { stderr?: string }).stderr || error}`, { cause: error });
  }
  renameSync(join(staging, 'data'), cluster);
  await syncToDisk(dirname(cluster));
  await rm(staging, { recursive: true, force: true });
  return runAs;
}

/**
 * Removes what a killed process left. Its initdb may still be writing there: hence a new folder for each attempt,
 * and no complaint if an old one cannot be removed.
 */
async function removeAbandoned(cluster: string): Promise<void> {
  const folder = dirname(cluster);
  const prefix = basename(stagingPrefix(cluster));
  const abandoned = readdirSync(folder).filter((entry) => entry.startsWith(prefix));
  for (const entry of abandoned) {
    await rm(join(folder, entry), { recursive: true, force: true }).catch(() => {});
  }
}

function stagingPrefix(cluster: string): string {
  return `${cluster}.staging-`;
}

/**
 * PostgreSQL's own C.UTF-8 sorts by code point and changes with no operating system upgrade, which would
 * corrupt indexes. LC_CTYPE stays the system's, because pg_trgm asks it what a letter is.
 */
function localeArguments(): string[] {
  const system = process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=UTF-8'] : ['--locale=C.UTF-8'];
  return [...system, '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-messages=C'];
}

/** Starting empty beside the data of another version would look like the loss of everything. */
function refuseUnusableData(folder: string, cluster: string, passwordFile: string): void {
  if (existsSync(cluster)) {
    if (existsSync(passwordFile)) return;
    throw new Error(`${passwordFile} is missing: without it nobody can log in to ${cluster}. Restore both.`);
  }
  const other = readdirSync(folder).find((entry) => /^postgres-\d+$/.test(entry));
  if (other === undefined) return;
  throw new Error(
    `${join(folder, other)} belongs to another PostgreSQL version than the installed one. ` +
      'Move its data over with pg_dump, then move that folder away.',
  );
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function superuserUrl(passwordFile: string, port: number): string {
  const password = readFileSync(passwordFile, 'utf8').trim();
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@${HOST}:${port}/postgres`;
}

/** A server that someone else started on our cluster, e.g. an administrator by hand. */
function findForeign(cluster: string): { server: string; port: number } | null {
  const lock = readPidFile(cluster);
  return lock !== null && worksIn(lock.server, cluster) ? lock : null;
}

/**
 * After a crash PostgreSQL refuses to start if any process of its user has the number in postmaster.pid.
 * This variable, which pg_ctl sets for its shell, names one process that it overlooks. Removing the file
 * instead would also remove the safeguard against children of the crashed server that still write.
 */
function disownStalePid(cluster: string): NodeJS.ProcessEnv {
  const lock = readPidFile(cluster);
  if (lock === null || worksIn(lock.server, cluster)) return {};
  return { PG_GRANDPARENT_PID: String(pidOf(lock.server)) };
}

/** postmaster.pid: the process id in line 1, the port in line 4. Null unless such a process runs. */
function readPidFile(cluster: string): { server: string; port: number } | null {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const server = identifyProcess(Number(lines[0]));
  const port = Number(lines[3]);
  return server === null ? null : { server, port };
}

/** Every process of a PostgreSQL works in its data folder; where that cannot be seen, its name decides. */
function worksIn(server: string, cluster: string): boolean {
  const pid = String(pidOf(server));
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    const ps = spawnSync('ps', ['-o', 'comm=', '-p', pid], { encoding: 'utf8' });
    return ps.status !== 0 || ps.stdout.includes('postgres');
  }
}
