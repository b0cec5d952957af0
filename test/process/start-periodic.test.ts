// The one form of what a process does again and again.
import { afterEach, expect, test, vi } from 'vitest';
import { type Periodic, type PeriodicLoop, startPeriodic } from '../../src/process/start-periodic.ts';
import { PATIENCE_MS } from '../setup/patience.ts';

const loops: PeriodicLoop[] = [];
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.close()));
});

/** Quick, silent and at once, but for what a test says. */
function start(given: Partial<Periodic> & Pick<Periodic, 'run'>): PeriodicLoop {
  const loop = startPeriodic({ periodMs: 1, first: 'at once', failure: null, ...given });
  loops.push(loop);
  return loop;
}

/** Until another loop of the same period has run a few times: this one would have by then. */
async function laterRuns(): Promise<void> {
  let runs = 0;
  const run = () => {
    runs += 1;
  };
  const loop = startPeriodic({ periodMs: 1, first: 'at once', failure: null, run });
  await vi.waitUntil(() => runs > 3, { timeout: PATIENCE_MS, interval: 1 });
  await loop.close();
}

test('a run begins when the one before has ended', async () => {
  let underWay = 0;
  const seen: number[] = [];
  start({
    run: async () => {
      underWay += 1;
      seen.push(underWay);
      await laterRuns();
      underWay -= 1;
    },
  });
  await expect.poll(() => seen.length).toBeGreaterThan(3);
  expect(new Set(seen)).toEqual(new Set([1]));
});

test('closing waits for the run under way, and none begins after it', async () => {
  const run = Promise.withResolvers<void>();
  let begun = 0;
  let isClosed = false;
  const loop = start({
    run: () => {
      begun += 1;
      return run.promise;
    },
  });
  const closed = loop.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  run.resolve();
  await closed;
  await laterRuns();
  expect(begun).toBe(1);
});

test('the run under way is told that the loop closes, and what it throws then is no failure', async () => {
  const warn = vi.fn();
  const loop = start({
    run: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    failure: { log: { warn }, message: 'has to wait' },
  });
  await loop.close();
  expect(warn).not.toHaveBeenCalled();
});

test('a run that fails is said once, and the next is tried', async () => {
  const warn = vi.fn();
  const error = new Error('away');
  let runs = 0;
  start({
    run: () => {
      runs += 1;
      if (runs === 1) throw error;
    },
    failure: { log: { warn }, message: 'has to wait' },
  });
  await expect.poll(() => runs).toBeGreaterThan(2);
  expect(warn.mock.calls).toEqual([[{ err: error }, 'has to wait']]);
});

test('a run that takes too long is told to end, and the next begins', async () => {
  let runs = 0;
  start({
    runMsMax: 5,
    run: (signal) => {
      runs += 1;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  await expect.poll(() => runs).toBeGreaterThan(1);
});

test('the first run waits for a period where it is asked to', async () => {
  let runs = 0;
  const run = () => {
    runs += 1;
  };
  const [late, random] = [
    start({ run, first: 'after a period', periodMs: 3_600_000 }),
    start({ run, first: 'at random', periodMs: 3_600_000_000 }),
  ];
  await Promise.all([late.close(), random.close()]);
  expect(runs).toBe(0);
  start({ run, first: 'after a period' });
  await expect.poll(() => runs).toBeGreaterThan(0);
});
