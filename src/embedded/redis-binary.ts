// Finds a Redis (or Valkey) to run: installed, kept in the cache folder, or unpacked into it from the
// packages of a Debian-like system, which needs no root and changes nothing outside that folder.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { LaunchLog } from './server-process.ts';

const execFileAsync = promisify(execFile);
const NAMES = ['redis-server', 'valkey-server'];
/** Version that BullMQ recommends; older ones lack commands that make it faster. */
const VERSION_MIN = [6, 2] as const;
const PROBE_TIMEOUT_MS = 5_000;
const UNPACK_TIMEOUT_MS = 45_000;
const ARCHIVE_BYTES_MAX = 4 * 1024 * 1024;

export interface RedisBinary {
  path: string;
  env: NodeJS.ProcessEnv;
}

/** Returns null if none is available. */
export async function findRedisBinary(cacheDir: string, log: LaunchLog): Promise<RedisBinary | null> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const binary = { path: join(folder, name), env: { PATH: process.env.PATH } };
      if (folder !== '' && (await isUsable(binary))) return binary;
    }
  }
  const unpacked = join(cacheDir, `redis-${process.arch}`);
  return (await findUnpacked(unpacked)) ?? (await unpackPackages(cacheDir, unpacked, log));
}

async function findUnpacked(root: string): Promise<RedisBinary | null> {
  if (!existsSync(root)) return null;
  const libraries = await libraryFolders(join(root, 'usr', 'lib'));
  for (const name of NAMES) {
    const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries.join(delimiter) };
    const binary = { path: join(root, 'usr', 'bin', name), env };
    if (await isUsable(binary)) return binary;
  }
  return null;
}

/** Debian's folder for shared libraries is named after the machine, e.g. `x86_64-linux-gnu`. */
async function libraryFolders(lib: string): Promise<string[]> {
  if (!existsSync(lib)) return [];
  const entries = await readdir(lib, { withFileTypes: true });
  const named = entries.filter((entry) => entry.isDirectory() && entry.name.includes('-linux-'));
  return named.map((entry) => join(lib, entry.name));
}

async function isUsable(binary: RedisBinary): Promise<boolean> {
  if (!existsSync(binary.path)) return false;
  try {
    const options = { env: binary.env, timeout: PROBE_TIMEOUT_MS };
    const { stdout } = await execFileAsync(binary.path, ['--version'], options);
    const [, major = '0', minor = '0'] = /\bv=(\d+)\.(\d+)/.exec(stdout) ?? [];
    const [majorMin, minorMin] = VERSION_MIN;
    return Number(major) > majorMin || (Number(major) === majorMin && Number(minor) >= minorMin);
  } catch {
    return false;
  }
}

/** 2 to 4 s. `apt-get install --download-only` also fetches what the system lacks of Redis' libraries. */
async function unpackPackages(cacheDir: string, target: string, log: LaunchLog): Promise<RedisBinary | null> {
  if (process.platform !== 'linux' || !isOnPath('apt-get') || !isOnPath('dpkg')) return null;
  const startedAt = performance.now();
  await mkdir(cacheDir, { recursive: true });
  await removeAbandoned(cacheDir, `${basename(target)}.`);
  // A folder of its own for each process, renamed into place at the end: two that start at once may race.
  const staging = await mkdtemp(`${target}.`);
  try {
    await downloadAndUnpack(staging, AbortSignal.timeout(UNPACK_TIMEOUT_MS));
    const files = join(staging, 'files');
    if ((await findUnpacked(files)) === null) throw new Error('the unpacked Redis does not run here');
    if ((await findUnpacked(target)) === null) {
      await rm(target, { recursive: true, force: true });
      await rename(files, target).catch(ignoreLostRace);
    }
    log.info({ ms: Math.round(performance.now() - startedAt) }, 'unpacked a Redis into the cache folder');
    return await findUnpacked(target);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    log.warn({ reason: (stderr || message).trim() }, 'no Redis could be unpacked from system packages');
    return null;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Removes what processes left that were killed while unpacking. */
async function removeAbandoned(cacheDir: string, prefix: string): Promise<void> {
  for (const entry of await readdir(cacheDir)) {
    if (!entry.startsWith(prefix)) continue;
    const folder = join(cacheDir, entry);
    const madeAt = (await stat(folder).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - madeAt > 10 * UNPACK_TIMEOUT_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function downloadAndUnpack(staging: string, signal: AbortSignal): Promise<void> {
  const archives = join(staging, 'cache', 'archives');
  await mkdir(join(staging, 'lists', 'partial'), { recursive: true });
  await mkdir(join(archives, 'partial'), { recursive: true });
  const settings = {
    'Dir::State::lists': join(staging, 'lists'),
    'Dir::Cache': join(staging, 'cache'),
    // Without these two, apt wants to change its user and to lock the system's package database.
    'APT::Sandbox::User': '',
    'Debug::NoLocking': '1',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '0',
    'Acquire::http::Timeout': '5',
    'Acquire::https::Timeout': '5',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const env = { PATH: process.env.PATH, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive', ...proxySettings() };
  const run = (file: string, args: string[]) =>
    execFileAsync(file, args, { env, signal, maxBuffer: ARCHIVE_BYTES_MAX });

  // One broken third-party source fails the update as a whole; what counts is that the download works.
  await run('apt-get', [...options, 'update', '-qq']).catch(() => signal.throwIfAborted());
  const download = ['install', '--download-only', '--yes', '-qq', '--no-install-recommends', 'redis-server'];
  await run('apt-get', [...options, ...download]);
  const packages = (await readdir(archives)).filter((entry) => entry.endsWith('.deb'));
  for (const file of packages) await run('dpkg', ['-x', join(archives, file), join(staging, 'files')]);
}

function proxySettings(): NodeJS.ProcessEnv {
  const names = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function ignoreLostRace(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}
