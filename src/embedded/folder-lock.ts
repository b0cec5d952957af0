// One process at a time may start or stop a server on a data folder. Node has no lock that the kernel
// releases when its holder dies, so the lock is a numbered symbolic link whose target names its holder.

import { readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifySelf, isRunning } from './process-identity.ts';

const RELEASED = 'released';
const POLL_MS = 20;

/** Runs `action` alone among all processes that use the same folder and name. Throws after `waitMs`. */
export async function withFolderLock<T>(
  folder: string,
  name: string,
  waitMs: number,
  action: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + waitMs;
  let taken = tryTake(folder, name);
  while (taken === null) {
    if (Date.now() > deadline) throw new Error(`Another process keeps ${join(folder, name)} locked`);
    await delay(POLL_MS);
    taken = tryTake(folder, name);
  }
  try {
    return await action();
  } finally {
    release(folder, name, taken);
  }
}

/**
 * The holder is whoever made the link with the highest number. A link is never removed before a higher one
 * exists, so the highest number only grows, and of all that saw the same dead holder exactly one can make
 * its successor. Removing a dead holder's link first would let a slow competitor remove the live one's.
 */
function tryTake(folder: string, name: string): number | null {
  const highest = numbersIn(folder, name).at(-1) ?? 0;
  if (highest > 0 && isHeld(linkPath(folder, name, highest))) return null;
  const mine = highest + 1;
  try {
    symlinkSync(identifySelf(), linkPath(folder, name, mine));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
  const numbers = numbersIn(folder, name);
  if (numbers.at(-1) !== mine) {
    rmSync(linkPath(folder, name, mine), { force: true });
    return null;
  }
  for (const older of numbers.slice(0, -1)) rmSync(linkPath(folder, name, older), { force: true });
  return mine;
}

function release(folder: string, name: string, taken: number): void {
  const replacement = join(folder, `${name}.lock-released-${process.pid}`);
  try {
    rmSync(replacement, { force: true });
    symlinkSync(RELEASED, replacement);
    renameSync(replacement, linkPath(folder, name, taken));
  } catch (error) {
    // A test may have removed the folder by now; then there is nothing left to release.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function isHeld(link: string): boolean {
  try {
    const holder = readlinkSync(link);
    return holder !== RELEASED && isRunning(holder);
  } catch (error) {
    // Gone between listing and reading: someone has just taken the next number.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

function numbersIn(folder: string, name: string): number[] {
  const prefix = `${name}.lock.`;
  return readdirSync(folder)
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => Number(entry.slice(prefix.length)))
    .filter(Number.isInteger)
    .sort((a, b) => a - b);
}

function linkPath(folder: string, name: string, number: number): string {
  return join(folder, `${name}.lock.${number}`);
}
