import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { HostCalls } from '../../../src/automation/conductor/answer-host-call.ts';
import { lazyScriptPool } from '../../../src/automation/conductor/lazy-script-pool.ts';
import { type ScriptPool, ThreadedScriptPool } from '../../../src/automation/conductor/script-pool.ts';
import { patience } from '../../setup/patience.ts';
import { ENTITY_ID, NOW, openTestPool, testLimits } from './open-test-pool.ts';

const pool = openTestPool(2);
const call = `await api.getEntity('${ENTITY_ID}')`;

test('ten scripts for ever one after another leave the other thread alone', async () => {
  const hostile = (async () => {
    for (let i = 0; i < 10; i++) {
      const { error } = await pool.run(i % 2 === 0 ? 'for (;;);' : 'new Array(1e9).join()', {
        limits: { wallMs: 300 },
      });
      expect(error?.kind).toBe('timeout');
    }
  })();
  let over = false;
  void hostile.finally(() => {
    over = true;
  });
  let served = 0;
  while (!over) {
    const { ok } = await pool.run(`${call}; return 1`);
    expect(ok).toBe(true);
    served += 1;
  }
  await hostile;
  // In one line with them there would be one between any two of them.
  expect(served).toBeGreaterThan(20);
});

test('a script runs once, whichever of its thread’s two answers comes first', async () => {
  let calls = 0;
  const hostCalls: HostCalls = async () => {
    calls += 1;
  };
  for (let i = 0; i < 100; i++)
    await pool.run(`${call}; for (let i = 0; i < 50; i++) await null`, { hostCalls });
  expect(calls).toBe(100);
});

test('threads that nobody needs end, and the next run has new ones', async () => {
  const opened: ScriptPool[] = [];
  const ended: ScriptPool[] = [];
  const lazy = lazyScriptPool({ threads: 1, limits: testLimits }, 1, (options) => {
    const made = new ThreadedScriptPool(options);
    opened.push(made);
    return Object.assign(made, {
      close: async () => {
        await ThreadedScriptPool.prototype.close.call(made);
        ended.push(made);
      },
    });
  });
  expect(opened).toHaveLength(0);
  const run = { source: 'return 1 + 1', context: {}, now: NOW, seed: 'lazy', hostCalls: async () => null };
  for (let time = 1; time <= 2; time++) {
    expect((await lazy.runScript(run)).result).toBe(2);
    await vi.waitFor(() => expect(ended).toHaveLength(time), patience);
    expect(opened).toHaveLength(time);
  }
  await lazy.close();
});

test('many callers of few threads each get their own', async () => {
  const callers = Array.from({ length: 8 }, async (_, caller) => {
    for (let i = 0; i < 40; i++) {
      const { result } = await pool.run(`api.log(context); ${call}; return context`, {
        context: `${caller}/${i}`,
      });
      expect(result).toBe(`${caller}/${i}`);
    }
  });
  await Promise.all(callers);
});

test('host calls are made one at a time, in the order of the script', async () => {
  const order: string[] = [];
  let underWay = 0;
  const hostCalls: HostCalls = async (_method, [query]) => {
    underWay += 1;
    expect(underWay).toBe(1);
    // An earlier call takes longer than those behind it.
    for (let turns = 5 - order.length; turns > 0; turns--) await nextTurn();
    underWay -= 1;
    order.push((query as { q: string }).q);
  };
  const { ok } = await pool.run(
    `await Promise.all(['a', 'b', 'c', 'd', 'e'].map((q) => api.findEntities({ q })))`,
    { hostCalls },
  );
  expect(ok).toBe(true);
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('when a run settles no host call is under way, and none comes after', async () => {
  let seen: string[] = [];
  const hostCalls: HostCalls = async (method, _args, signal) => {
    seen.push(`${method} begins`);
    if (!signal.aborted) await once(signal, 'abort');
    seen.push(`${method} ends${signal.aborted ? ', told to' : ''}`);
  };
  // A call that arrives together with the end of its run is not made at all: such runs prove nothing, and are repeated.
  await vi.waitUntil(async () => {
    seen = [];
    const { error } = await pool.run(
      `api.getUses('${ENTITY_ID}'); api.getWhereUsed('${ENTITY_ID}');
       for (let i = 0; i < 1e5; i++); await null; throw new Error('x')`,
      { hostCalls },
    );
    expect(error).toMatchObject({ kind: 'runtime', message: 'x' });
    return seen.length > 0;
  }, patience);
  expect(seen).toEqual(['getUses begins', 'getUses ends, told to']);
  // Behind whatever the threads may still have said.
  await Promise.all([pool.run('return 1'), pool.run('return 1')]);
  expect(seen).toEqual(['getUses begins', 'getUses ends, told to']);
});

test('waiting for the host costs no CPU time, but wall time', async () => {
  const limits = { cpuMs: 50 };
  let otherMs = 0;
  // The host answers when a script in the other thread has used up the same limit, and more.
  const slow: HostCalls = async () => {
    const other = await pool.run('for (;;);', { limits: { cpuMs: 2 * limits.cpuMs } });
    otherMs = other.durationMs;
  };
  const waited = await pool.run(`${call}; return 1`, { hostCalls: slow, limits });
  expect(waited).toMatchObject({ ok: true, result: 1 });
  expect(otherMs).toBeGreaterThan(limits.cpuMs);
  expect(waited.durationMs).toBeGreaterThanOrEqual(otherMs);
  expect(waited.apiCalls[0]?.ms).toBeGreaterThanOrEqual(otherMs);
  const late = await pool.run(`api.log('x')\n${call}; return 1`, {
    hostCalls: async (_method, _args, signal) => void (await once(signal, 'abort')),
    limits: { wallMs: 100, killGraceMs: 1000 },
  });
  expect(late.error).toMatchObject({ kind: 'timeout', name: 'TimeLimitError', line: 2 });
});

test('the caller can end a run', async () => {
  const stop = new AbortController();
  const run = pool.runScript({
    source: 'for (;;);',
    context: null,
    now: NOW,
    seed: '',
    hostCalls: async () => null,
    signal: stop.signal,
    limits: { cpuMs: 60_000, wallMs: 120_000 },
  });
  setTimeout(() => stop.abort(new Error('enough')), 50);
  await expect(run).rejects.toThrow('enough');
  expect((await pool.run('return 1')).result).toBe(1);
  await expect(
    pool.runScript({
      source: 'return 1',
      context: null,
      now: NOW,
      seed: '',
      hostCalls: async () => null,
      signal: AbortSignal.abort(new Error('before')),
    }),
  ).rejects.toThrow('before');
});

test('a job that its first result ends is over, though the thread had done with all of it', async () => {
  await pool.run('return 1');
  const run = { source: 'return 1', context: null, now: NOW, seed: '' };
  for (let round = 0; round < 3; round++) {
    const enough = new AbortController();
    const job = pool.runScripts({
      runs: [run, run, run],
      hostCalls: () => async () => null,
      onResult: () => enough.abort(new Error('enough')),
      signal: enough.signal,
    });
    // The loop hears nothing until the thread is through, and then that it is before any word of the thread's own.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    const [ended] = await Promise.allSettled([job]);
    // All results, or none: which of both the loop had heard by then is a matter of chance.
    if (ended.status === 'rejected') expect(ended.reason).toEqual(new Error('enough'));
    else expect(ended.value).toHaveLength(3);
  }
  expect((await pool.run('return 1')).result).toBe(1);
});

test('a pool that closes rejects what runs, as no fault of the script', async () => {
  const short = openTestPool();
  const run = short.run('await new Promise((r) => {}, api.log(1)); for (;;);');
  const begun = Promise.withResolvers<void>();
  const busy = short.run(`${call}; for (;;);`, {
    hostCalls: async () => begun.resolve(),
    limits: { cpuMs: 60_000, wallMs: 120_000 },
  });
  await Promise.all([run, begun.promise]);
  const refused = expect(busy).rejects.toThrow();
  await short.close();
  await refused;
});

describe('a job of several runs', () => {
  const sources = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      source: `${call}; return context`,
      context: i,
      now: NOW,
      seed: 's',
    }));

  test('has its results in order, and a host call waits for the result before it', async () => {
    const events: string[] = [];
    const results = await pool.runScripts({
      runs: sources(3),
      hostCalls: (run) => async () => void events.push(`call ${run}`),
      onResult: async (run) => {
        for (let turns = 5; turns > 0; turns--) await nextTurn();
        events.push(`result ${run}`);
      },
    });
    expect(results.map(({ result }) => result)).toEqual([0, 1, 2]);
    expect(events).toEqual(['call 0', 'result 0', 'call 1', 'result 1', 'call 2', 'result 2']);
  });

  test('goes on after a run that failed, was stopped or ran out of memory', async () => {
    const each = [
      'return 1',
      'throw 1',
      'return 2',
      'for (;;);',
      'return 3',
      'const a = []; for (;;) a.push("x".repeat(1e5))',
      'return 4',
      '(function f() { f() })()',
      'return 5',
    ];
    const results = await pool.runScripts({
      runs: each.map((source) => ({ source, context: null, now: NOW, seed: 's' })),
      hostCalls: () => async () => null,
      limits: { cpuMs: 5000 },
    });
    expect(results.map(({ result, error }) => error?.kind ?? result)).toEqual([
      1,
      'runtime',
      2,
      'timeout',
      3,
      'memory',
      4,
      'runtime',
      5,
    ]);
  });

  test('ends where its caller fails', async () => {
    const seen: number[] = [];
    await expect(
      pool.runScripts({
        runs: sources(5),
        hostCalls: () => async () => null,
        onResult: (run) => {
          if (run === 2) throw new Error('no room');
          seen.push(run);
        },
      }),
    ).rejects.toThrow('no room');
    expect(seen).toEqual([0, 1]);
  });

  test('of none is done', async () => {
    expect(await pool.runScripts({ runs: [], hostCalls: () => async () => null })).toEqual([]);
  });
});

describe('a limit is reached at n + 1', () => {
  const rows: [name: string, limits: object, at: string, past: string, error: object][] = [
    [
      'log lines',
      { logLines: 3 },
      'for (let i = 0; i < 3; i++) api.log(i)',
      'for (let i = 0; i < 4; i++) api.log(i)',
      { name: 'LogLimitError' },
    ],
    [
      'log bytes',
      { logBytes: 10 },
      'api.log("12345"); api.log("éé1")',
      'api.log("12345"); api.log("éé12")',
      { name: 'LogLimitError' },
    ],
    [
      'api calls',
      { hostCalls: 2 },
      `${call}; ${call}`,
      `${call}; ${call}; ${call}`,
      { kind: 'api', name: 'ApiLimitError' },
    ],
    [
      'bytes of arguments',
      { hostCallBytes: 100 },
      `await api.findEntities({ q: "${'x'.repeat(90)}" })`,
      `await api.findEntities({ q: "${'x'.repeat(93)}" })`,
      { kind: 'api' },
    ],
    [
      'bytes of the result',
      { resultBytes: 12 },
      'return "1234567éé"'.replace('7', ''),
      'return "1234567éé"',
      { name: 'ResultLimitError' },
    ],
    [
      'bytes of the source',
      { sourceBytes: 1000 },
      `// ${'x'.repeat(997)}`,
      `// ${'x'.repeat(998)}`,
      { kind: 'syntax' },
    ],
    [
      'memory',
      {},
      'return new ArrayBuffer(2e7).byteLength',
      'const a = []; for (let i = 0; i < 60; i++) a.push(new ArrayBuffer(1e6)); for (;;);',
      { kind: 'memory' },
    ],
  ];
  test.for(rows)('%s', async ([, limits, at, past, error]) => {
    const hostCalls: HostCalls = async () => null;
    expect((await pool.run(at, { limits, hostCalls })).error).toBeNull();
    expect((await pool.run(past, { limits, hostCalls })).error).toMatchObject(error);
  });
});

test('an answer that is too large is refused', async () => {
  const hostCalls: HostCalls = async () => 'x'.repeat(1000);
  const { result } = await pool.run(`try { ${call} } catch (e) { return e.code }`, {
    hostCalls,
    limits: { hostCallBytes: 1000 },
  });
  expect(result).toBe('answer_too_large');
});
