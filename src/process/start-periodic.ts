/**
 * Work that a process does again and again. The next run begins a period after the one before has ended, so that no two
 * overlap, whatever they take. A run that fails is said once and tried again; that the same fault is not said in every
 * period is the log's business (log.ts).
 */
import type { Logger } from 'pino';

export interface Periodic {
  periodMs: number;
  /** At random within a period: processes that start together shall not all begin with it. */
  first: 'at once' | 'after a period' | 'at random';
  /**
   * Aborted when the loop is closed, or when the run has taken too long. A run that takes no notice is not cut off: the
   * next waits for it, and so does `close`.
   */
  run(signal: AbortSignal): unknown;
  /** Log and message of a failure. Null for a run that reports failures itself. */
  failure: { log: Pick<Logger, 'warn'>; message: string } | null;
  /** Maximum duration of a run; ten periods and at least a minute if absent. */
  runMsMax?: number;
  /** The process may end while it waits for the next run. */
  isIncidental?: boolean;
}

export interface PeriodicLoop {
  /** Begins no further run and waits for the one under way. */
  close(): Promise<void>;
}

const RUN_PERIODS_MAX = 10;
const RUN_MS_MIN = 60_000;

export function startPeriodic(options: Periodic): PeriodicLoop {
  const { periodMs, first, run, failure, isIncidental = false } = options;
  const { runMsMax = Math.max(RUN_PERIODS_MAX * periodMs, RUN_MS_MIN) } = options;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const runOnce = async (): Promise<void> => {
    const tooLong = new AbortController();
    const bound = setTimeout(() => {
      tooLong.abort(new Error(`A run took longer than ${runMsMax} ms`));
    }, runMsMax);
    bound.unref();
    try {
      await run(AbortSignal.any([closing.signal, tooLong.signal]));
    } catch (error) {
      if (!closing.signal.aborted) failure?.log.warn({ err: error }, failure.message);
    } finally {
      clearTimeout(bound);
    }
    wait(periodMs);
  };
  const begin = () => {
    running = runOnce();
  };
  const wait = (ms: number) => {
    if (closing.signal.aborted) return;
    timer = setTimeout(begin, ms);
    if (isIncidental) timer.unref();
  };

  if (first === 'at once') begin();
  else wait(first === 'at random' ? periodMs * Math.random() : periodMs);
  return {
    close: async () => {
      closing.abort(new Error('The service is stopping'));
      clearTimeout(timer);
      await running;
    },
  };
}
