/** One build at a time in a folder, whoever starts it: two that write the same output leave it half of each. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 200;
/** A lock is written in two steps: one that stays empty for so long was left by who died between them. */
const EMPTY_MS_MAX = 10_000;

/** Does the work when nobody else does. A lock whose process is gone is nobody's. */
export async function withBuildLock<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  while (!(await take(file))) {
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await delay(LOOK_MS, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  const holder = await readFile(file, 'utf8').catch(() => null);
  // It has just been given back.
  if (holder === null) return false;
  if (holder === '') {
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
    return Date.now() - mtimeMs > EMPTY_MS_MAX;
  }
  try {
    process.kill(Number(holder), 0);
    return false;
  } catch (error) {
    // A process of somebody else lives as well.
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}
