/**
 * Stops everything once, last started first, within a bound: what hangs at its end (a statement that waits for a lock, a server that
 * does not answer) is left behind, and its connections end with the process. Embedded servers are stopped none the less.
 */
import { constants } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

/** How long new calls are accepted, and how long the whole stop may take. */
export interface Ending {
  drainSeconds: number;
  seconds: number;
}

export type Stop = (ending: Ending) => Promise<void>;

/** After a fault no more than this, whatever SHUTDOWN_SECONDS allows. */
const FAULT_SECONDS_MAX = 10;
/** Embedded servers end in order, also where the time of the others is used up. */
const SERVERS_GRACE_MS = 10_000;

export interface Reason {
  reason: string;
  code: number;
  /** The signal, if one requested the stop. */
  signal?: NodeJS.Signals;
  /** The process is not to be trusted with anything new, not even for DRAIN_SECONDS. */
  isFault?: boolean;
}

/** Ctrl-C reaches all of a terminal's processes, and npm passes its own on: what comes so soon is the same key. */
const SAME_KEY_MS = 1000;

/** A second signal ends the process at once. A fault while it stops makes the exit code that of a fault. */
export function stopper(config: Config, log: Logger, stops: readonly Stop[]) {
  let begunAt: number | null = null;
  let code = 0;
  return async (why: Reason): Promise<void> => {
    code = Math.max(code, why.code);
    if (begunAt !== null) {
      const { signal } = why;
      const isAnother = performance.now() - begunAt > SAME_KEY_MS;
      if (signal !== undefined && isAnother) process.exit(128 + constants.signals[signal]);
      return;
    }
    begunAt = performance.now();
    const { reason, isFault = false } = why;
    log.info({ reason }, 'stopping');
    const { SHUTDOWN_SECONDS, DRAIN_SECONDS } = config;
    const ending = isFault
      ? { drainSeconds: 0, seconds: Math.min(SHUTDOWN_SECONDS, FAULT_SECONDS_MAX) }
      : { drainSeconds: DRAIN_SECONDS, seconds: SHUTDOWN_SECONDS };
    const deadline = performance.now() + ending.seconds * 1000;
    let late = false;
    for (const [left, stop] of [...stops.entries()].reverse()) {
      const graceMs = left === 0 ? SERVERS_GRACE_MS : 0;
      const stopped = stop(ending).catch((error: unknown) =>
        log.error({ err: error }, 'something did not stop cleanly'),
      );
      if (!(await inTime(stopped, Math.max(deadline - performance.now(), graceMs)))) late = true;
    }
    if (late) log.error('the stop took too long: what had not ended is cut');
    else log.info('stopped');
    const { guardEnd } = await import('./end-guard.ts');
    guardEnd();
    process.exit(late ? 1 : code);
  };
}

async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
