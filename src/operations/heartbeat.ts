/**
 * A worker shows that it lives by touching a file as long as its event loop turns and its database answers; a
 * health check looks at the file's age. Each process has a file of its own, named by its process id: beside a
 * worker that lives, one that hangs must still be seen.
 */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../db/connect.ts';
import { processExists } from '../process/process-exists.ts';
import { type PeriodicLoop, startPeriodic } from '../process/start-periodic.ts';

const HEARTBEAT_FOLDER = join(tmpdir(), 'partbook-workers');
const HEARTBEAT_PERIOD_MS = 5_000;
/** A worker that has been silent for longer does not live, or cannot do its work. */
const SILENCE_MS_MAX = 3 * HEARTBEAT_PERIOD_MS;
/** Maximum duration of a beat; with the period, less than the allowed silence. */
const BEAT_MS_MAX = HEARTBEAT_PERIOD_MS;

export function startHeartbeat(db: Db, folder = HEARTBEAT_FOLDER): PeriodicLoop {
  forgetTheDead(folder);
  const file = join(folder, String(process.pid));
  const beat = async (signal: AbortSignal) => {
    try {
      await Promise.race([db.query('select 1'), untilAborted(signal)]);
      const now = new Date();
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, '', { flag: 'a' });
      utimesSync(file, now, now);
    } catch {
      // No heartbeat is the message.
    }
  };
  const beating = startPeriodic({
    periodMs: HEARTBEAT_PERIOD_MS,
    first: 'at once',
    run: beat,
    // A statement that hangs is left behind: the next asks on another connection.
    runMsMax: BEAT_MS_MAX,
    failure: null,
  });
  return {
    close: async () => {
      await beating.close();
      rmSync(file, { force: true });
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

export interface Heartbeats {
  living: number[];
  /** Process ids of workers that have been silent for too long. */
  silent: number[];
}

/** Returns the heartbeats of this machine's workers, except those that were stopped in order. */
export function readHeartbeats(folder = HEARTBEAT_FOLDER): Heartbeats {
  const found: Heartbeats = { living: [], silent: [] };
  for (const name of fileNames(folder)) {
    const beatAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
    if (beatAt === undefined) continue;
    const { living, silent } = found;
    (Date.now() - beatAt < SILENCE_MS_MAX ? living : silent).push(Number(name));
  }
  return found;
}

/** A worker that was killed leaves its file; whoever starts after it takes its place. */
function forgetTheDead(folder: string): void {
  for (const name of fileNames(folder))
    if (!processExists(Number(name))) rmSync(join(folder, name), { force: true });
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
