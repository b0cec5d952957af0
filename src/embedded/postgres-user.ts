// PostgreSQL refuses to run as root. This finds a way to run it as someone else that can still reach its data
// and its binaries, wherever they lie, and that ends it when this process is killed.

import { execFile } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
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
  /** Who must own the data for PostgreSQL to accept it. */
  dataOwner?: { uid: number; gid: number };
}

// SIGINT is PostgreSQL's fast shutdown: clean, and without waiting for clients.
const DIES_WITH_US = ['setpriv', '--pdeathsig', 'INT', '--'];
// Inside a user namespace root is called nobody, and keeps reaching what belongs to root.
const AS_NOBODY_BY_NAME = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];

/**
 * The first way that works, tried by running `postgres --version` from inside `dataFolder`. Under root the
 * folder is handed to the user that PostgreSQL will run as.
 */
export async function chooseRunAs(
  dataFolder: string,
  postgres: string,
  env: NodeJS.ProcessEnv,
  log: LaunchLog,
): Promise<RunAs> {
  const refusals: string[] = [];
  for (const candidate of candidatesFor(dataFolder)) {
    try {
      if (candidate.dataOwner) chownTree(dataFolder, candidate.dataOwner.uid, candidate.dataOwner.gid);
      await probe(candidate, dataFolder, postgres, env);
      log.debug({ runAs: candidate }, 'way to run PostgreSQL');
      return candidate;
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      refusals.push((stderr || message).trim());
    }
  }
  throw new Error(
    `PostgreSQL cannot be run on ${dataFolder}: ${refusals.join('; ')}. ` +
      'Run as a user other than root, choose another DATA_DIR, or set DATABASE_URL.',
  );
}

function candidatesFor(dataFolder: string): Candidate[] {
  const onLinux = process.platform === 'linux';
  const plain: Candidate[] = [{ prefix: [], diesWithOwner: false }];
  if (onLinux) plain.unshift({ prefix: DIES_WITH_US, diesWithOwner: true });
  const renamed = { prefix: [...AS_NOBODY_BY_NAME, ...DIES_WITH_US], diesWithOwner: true };
  // initdb wants a name for its user, and containers often run under a number that has none.
  if (process.geteuid?.() !== 0) return onLinux && !hasName() ? [renamed, ...plain] : plain;

  const owner = statSync(dataFolder);
  const other = owner.uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid: owner.uid, gid: owner.gid };
  const asOther: Candidate[] = plain.map((way) => ({ ...way, ...other, dataOwner: other }));
  if (!onLinux) return asOther;
  // Keeping root's access to files spares moving the data to where the other user could reach it.
  const withAccess = [
    ...['setpriv', `--reuid=${other.uid}`, `--regid=${other.gid}`, '--clear-groups'],
    ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--pdeathsig=INT', '--'],
  ];
  asOther.unshift({ prefix: withAccess, diesWithOwner: true, dataOwner: other });
  return owner.uid === 0 ? [renamed, ...asOther] : asOther;
}

async function probe(
  candidate: RunAs,
  folder: string,
  postgres: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const script = ['sh', '-c', 'cd "$1" && exec "$0" --version', postgres, folder];
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
