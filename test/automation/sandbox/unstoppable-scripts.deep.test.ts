import { describe, expect, test } from 'vitest';
import { NOW, openTestPool } from '../conductor/open-test-pool.ts';
import { expectContained } from './expect-contained.ts';
import { unstoppableScripts } from './hostile-scripts.ts';

const pool = openTestPool(1, { cpuMs: 100, wallMs: 250 });
/** Time enough for what comes before the loop, on a busy machine too. */
const slowly = { cpuMs: 1000, wallMs: 5000 };
const innocent = { cpuMs: 60_000, wallMs: 120_000 };

describe('a script that the engine cannot stop ends with its thread, and the next script runs', () => {
  test.for(unstoppableScripts)('$name', (script) => expectContained(pool, script));
});

test('a killed run keeps the logs and the trace it had, and says near which line it was', async () => {
  const source = `api.log('before')\nawait api.findEntities({ q: 'x' })\nnew Array(1e9).join()`;
  const limits = { ...slowly, wallMs: 24 * 3_600_000 };
  const { error, logs, apiCalls } = await pool.run(source, { limits });
  expect(logs).toEqual([{ level: 'info', message: 'before', line: 1 }]);
  expect(apiCalls).toMatchObject([{ method: 'findEntities', line: 2, ok: true }]);
  expect(error).toMatchObject({ kind: 'timeout', name: 'CpuLimitError', line: 2, column: null });
  expect(error?.message).toMatch(/near line 2/);
});

test('a script that the engine cannot stop ends by what it computed, long before its wall clock', async () => {
  const limits = { cpuMs: 200, wallMs: 24 * 3_600_000 };
  const { error } = await pool.run('new Array(1e9).join()', { limits });
  expect(error).toMatchObject({ kind: 'timeout', name: 'CpuLimitError' });
  expect(error?.message).toMatch(/computed for more than 200 ms/);
});

test('a run that waits, and those before it in its job, use nothing of the CPU limit', async () => {
  const busy = `for (const until = 3e5; context.n < until; ) context.n++\nawait api.findEntities({ q: 'x' })\nreturn 1`;
  const results = await pool.runScripts({
    runs: Array.from({ length: 40 }, () => ({ source: busy, context: { n: 0 }, now: NOW, seed: 's' })),
    hostCalls: () => async () => null,
    limits: { cpuMs: 400, wallMs: 24 * 3_600_000 },
  });
  expect(results.map(({ error, result }) => error ?? result)).toEqual(Array(40).fill(1));
});

test('time in the queue does not count', async () => {
  const results = await Promise.all([
    ...Array.from({ length: 3 }, () => pool.run('new Array(1e9).join()')),
    pool.run('return "patient"', { limits: innocent }),
    pool.checkSyntax('let x = ;'),
  ]);
  expect(results[3]).toMatchObject({ ok: true, result: 'patient' });
  expect(results[4]).toMatchObject({ kind: 'syntax', line: 1, column: 9 });
});

test('a run that is killed costs the others of its job nothing', async () => {
  const sources = ['return 1', 'new Array(1e9).join()', 'return 3', 'for (;;);', 'return 5'];
  const seen: number[] = [];
  const results = await pool.runScripts({
    runs: sources.map((source) => ({ source, context: null, now: NOW, seed: 's' })),
    hostCalls: () => async () => null,
    limits: slowly,
    onResult: (run) => void seen.push(run),
  });
  expect(results.map(({ result, error }) => error?.kind ?? result)).toEqual([1, 'timeout', 3, 'timeout', 5]);
  expect(seen).toEqual([0, 1, 2, 3, 4]);
});
