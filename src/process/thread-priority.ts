/**
 * Lets the threads of libuv, in which Node decompresses bodies and reads files, stand back behind the event loop as those
 * of Piscina do. Linux alone sets the priority of a thread; whatever refuses, they stay as they are.
 */
import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';

const TASKS = '/proc/self/task';
/** Thread name that libuv uses. */
const NAME = 'libuv-worker';

export async function letLibuvStandBack(nice: number): Promise<void> {
  if (nice === 0) return;
  // Behind this process, wherever that stands itself.
  const priority = Math.min(getPriority() + nice, constants.priority.PRIORITY_LOW);
  // To read is what starts them.
  for (const thread of await readdir(TASKS).catch(() => [])) {
    const name = await readFile(`${TASKS}/${thread}/comm`, 'utf8').catch(() => '');
    if (name.trim() !== NAME) continue;
    try {
      setPriority(Number(thread), priority);
    } catch {
      return;
    }
  }
}
