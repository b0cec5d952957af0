// PostgreSQL refuses to run as root. This finds a way to run it as someone else that can still reach its data
// and its binaries, wherever they lie, and that ends it when this process is killed.

import { execFile } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { LaunchLog } from './server-process.ts';

const execFileAsync = promisify(execFile);
const PROBE_TIMEOUT_MS = 10_000;
const NOBODY = 65_534;

export interface RunAs {
  /** Goes in front of the command. */
  prefix: readonly string[];
  uid?: number;
  gid?: number;
  diesWithOwner: boolean;
}

interface Candidate extends RunAs {
  /** Owner that the data must have for PostgreSQL to accept it. */
  dataOwner?: { uid: number; gid: number };
}

// SIGINT is PostgreSQL's fast shutdown: clean, and without waiting for clients.
const DIES_WITH_US = ['setpriv', '--pdeathsig', 'INT', '--'];
// Inside a user namespace root is called nobody, and keeps reaching what belongs to root.
const AS_NOBODY_BY_NAME = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];
// Root's access to files, for another user: neither the programs nor the data must lie where that user could reach them.
const KEEPING_ACCESS = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
// PostgreSQL asks access(2) for its own programs, which leaves out the capabilities of a user other than root,
// unless this is set. Setting it wants a capability of its own, which not every container's root has.
const HEEDED_BY_ACCESS = '--securebits=+no_setuid_fixup';

/**
 * The first way that works, tried from inside `dataFolder` by a start of PostgreSQL that goes as far as finding
 * its own programs. Under root the folder is handed to the user that PostgreSQL will run as.
 */
export async function chooseRunAs(
  dataFolder: string,
  postgres: string,
  env: NodeJS.ProcessEnv,
  log: LaunchLog,
): Promise<RunAs> {
  const refusals = new Set<string>();
  for (const candidate of candidatesFor(dataFolder)) {
    try {
      if (candidate.dataOwner) chownTree(dataFolder, candidate.dataOwner.uid, candidate.dataOwner.gid);
      await probe(candidate, dataFolder, postgres, env);
      log.debug({ runAs: candidate }, 'way to run PostgreSQL');
      return candidate;
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      refusals.add((stderr || message).trim());
    }
  }
  throw new Error(
    `PostgreSQL cannot be run from ${dirname(postgres)} on ${dataFolder}: ${[...refusals].join('; ')}. ` +
      'Run as a user other than root, move the installation and DATA_DIR where every user can enter, ' +
      'or set DATABASE_URL.',
  );
}

/** From the best to the last resort; each of them first so that it ends with this process. */
function candidatesFor(dataFolder: string): Candidate[] {
  const onLinux = process.platform === 'linux';
  const plain: Candidate[] = [{ prefix: [], diesWithOwner: false }];
  if (onLinux) plain.unshift({ prefix: DIES_WITH_US, diesWithOwner: true });
  const renamed = plain.map((way) => ({ ...way, prefix: [...AS_NOBODY_BY_NAME, ...way.prefix] }));
  // initdb wants a name for its user, and containers often run under a number that has none.
  if (process.geteuid?.() !== 0) return onLinux && !hasName() ? [...renamed, ...plain] : plain;

  const owner = statSync(dataFolder);
  const other = owner.uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid: owner.uid, gid: owner.gid };
  const asOther: Candidate[] = plain.map((way) => ({ ...way, ...other, dataOwner: other }));
  if (!onLinux) return asOther;
  const become = ['setpriv', `--reuid=${other.uid}`, `--regid=${other.gid}`, '--clear-groups'];
  const withAccess: Candidate[] = [[...KEEPING_ACCESS, HEEDED_BY_ACCESS], KEEPING_ACCESS].flatMap((kept) => [
    { prefix: [...become, ...kept, '--pdeathsig=INT', '--'], diesWithOwner: true, dataOwner: other },
    { prefix: [...become, ...kept, '--'], diesWithOwner: false, dataOwner: other },
  ]);
  // The folder is still root's while these are tried, because in the namespace its owner must be root.
  return [...(owner.uid === 0 ? renamed : []), ...withAccess, ...asOther];
}

async function probe(
  candidate: RunAs,
  folder: string,
  postgres: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  // `--version` would answer before PostgreSQL looks for its own programs; asking for a setting comes after. It
  // reads no configuration: what is wrong there is no matter of who runs it.
  const question = 'exec "$0" -C data_directory -c config_file=/dev/null -D /';
  const script = ['sh', '-c', `cd "$1" && ${question}`, postgres, folder];
  const [file = '', ...args] = [...candidate.prefix, ...script];
  await execFileAsync(file, args, { ...spawnIdentity(candidate), cwd: '/', env, timeout: PROBE_TIMEOUT_MS });
}

/** For options of `spawn`, which tells an absent uid from an undefined one. */
export function spawnIdentity(runAs: RunAs): { uid?: number; gid?: number } {
  return {
    ...(runAs.uid === undefined ? {} : { uid: runAs.uid }),
    ...(runAs.gid === undefined ? {} : { gid: runAs.gid }),
  };
}

function chownTree(path: string, uid: number, gid: number): void {
  if (statSync(path).uid === uid) return;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
  }
  // Last, because an interrupted change is recognised by the folder's own owner.
  chownSync(path, uid, gid);
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}
