/** Allows one build at a time in a folder: two that write the same output would mix it. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 200;
/** A lock that stays empty for so long, or is being removed for so long, was left by who died meanwhile. */
const STEP_MS_MAX = 10_000;

/** Does the work when nobody else does. A lock whose process is gone is nobody's. */
export async function withBuildLock<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
  lookMs = LOOK_MS,
): Promise<T> {
  while (!(await take(file))) {
    if (!(await isAbandoned(file)) || !(await removeAbandoned(file)))
      await delay(lookMs, undefined, { signal });
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

/**
 * Removes it as the only one who does: whoever removed what he had found abandoned a moment ago would remove the lock of who was
 * quicker. False where somebody else is about to.
 */
async function removeAbandoned(file: string): Promise<boolean> {
  const right = `${file}.removing`;
  if (!(await take(right))) {
    if (await isOld(right)) await rm(right, { force: true });
    return false;
  }
  try {
    if (await isAbandoned(file)) await rm(file, { force: true });
    return true;
  } finally {
    await rm(right, { force: true });
  }
}

/** Tells whether a lock is older than any step takes. */
async function isOld(file: string): Promise<boolean> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > STEP_MS_MAX;
}

async function isAbandoned(file: string): Promise<boolean> {
  const holder = await readFile(file, 'utf8').catch(() => null);
  // It has just been given back.
  if (holder === null) return false;
  if (holder === '') return isOld(file);
  try {
    process.kill(Number(holder), 0);
    return false;
  } catch (error) {
    // A process of somebody else lives as well.
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}
