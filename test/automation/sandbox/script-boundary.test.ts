import { expect, test } from 'vitest';
import type { HostCalls } from '../../../src/automation/conductor/answer-host-call.ts';
import { evaluateScript } from '../../../src/automation/sandbox/evaluate-script.ts';
import { openInstance } from '../../../src/automation/sandbox/open-instance.ts';
import { defaultScriptLimits } from '../../../src/automation/sandbox/script-limits.ts';
import { AppError } from '../../../src/errors.ts';
import { ENTITY_ID, NOW, openTestPool } from '../conductor/open-test-pool.ts';

const pool = openTestPool();

test('nothing of the host is there', async () => {
  const names = [
    'process',
    'require',
    'module',
    'globalThis.process',
    'global',
    'Buffer',
    'fetch',
    'WebAssembly',
    'setTimeout',
    'queueMicrotask',
    'structuredClone',
    'performance',
    'std',
    'os',
    'print',
    'scriptArgs',
    'SharedArrayBuffer',
    'Worker',
  ];
  const { result } = await pool.run(`return ${JSON.stringify(names)}.filter((name) => {
    try { return new Function('return typeof ' + name)() !== 'undefined' } catch { return true } })`);
  expect(result).toEqual([]);
});

test('every function leads to the guest only', async () => {
  const { result } = await pool.run(`const found = new Set()
    const seen = new Set()
    const visit = (value) => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return
      seen.add(value)
      if (typeof value === 'function') {
        try { found.add(value.constructor('return typeof process + typeof require')()) } catch (e) { found.add(e.name) }
      }
      for (const key of Reflect.ownKeys(value)) { try { visit(value[key]) } catch {} }
      visit(Object.getPrototypeOf(value))
    }
    visit(api); visit(console); visit(context); visit(globalThis)
    const promise = api.getEntity('${ENTITY_ID}'); visit(promise); await promise
    try { await api.getEntity(1) } catch (e) { visit(e) }
    return [[...found], seen.size > 300]`);
  expect(result).toEqual([['undefinedundefined'], true]);
});

test('an instance that is wiped is what a new one is, byte for byte, whatever ran in it', async () => {
  const limits = { ...defaultScriptLimits, methods: ['getEntity'] };
  const host = { log: () => {}, call: () => {} };
  const [used, fresh] = [await openInstance(limits), await openInstance(limits)];
  const script = {
    source: `const held = []; const deep = (n) => n === 0 ? 'the secret of a workspace' : deep(n - 1) + '';
      for (let i = 0; i < 500; i++) held.push(deep(20) + i); globalThis.left = held; return held.length`,
    contextJson: '{}',
    nowMs: 0,
    seed: 'a',
  };
  const call = async () => ({ ok: true as const, json: '', writes: false });
  const nobody = { isHurried: false, log: () => {}, call };
  const { outcome, reusable } = await evaluateScript(used, script, defaultScriptLimits, nobody);
  expect([outcome.resultJson, reusable]).toEqual(['500', true]);
  expect(Buffer.from(used.memory.buffer).includes('secret of a workspace')).toBe(true);
  expect(used.wipe()).toBe(true);
  for (const instance of [used, fresh]) instance.boot(host, () => false);
  expect(Buffer.from(used.memory.buffer).equals(Buffer.from(fresh.memory.buffer))).toBe(true);
});

test('an instance that has grown is not used again', async () => {
  const instance = await openInstance({ ...defaultScriptLimits, methods: [] });
  instance.memory.grow(1);
  expect(instance.wipe()).toBe(false);
});

test('a script finds nothing of the one before it, which another workspace may have sent', async () => {
  await pool.run(`globalThis.left = 'something'; Array.prototype.first = () => 1; return 1`);
  const { result } = await pool.run('return [typeof globalThis.left, typeof [].first]');
  expect(result).toEqual(['undefined', 'undefined']);
});

test('api and console cannot be changed', async () => {
  const { result } =
    await pool.run(`const attempts = [() => { api.log = 1 }, () => { api.x = 1 }, () => { delete api.log },
      () => { api.log.x = 1 }, () => { console.log = 1 }, () => { Object.setPrototypeOf(api, {}) }]
    return attempts.map((attempt) => { try { attempt(); return 'done' } catch (e) { return e.name } })`);
  expect(result).toEqual(Array(6).fill('TypeError'));
});

test('one run leaves nothing for the next in the same instance', async () => {
  const dirty = `globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = null; JSON.stringify = null; Math.random = () => 4
    Promise.prototype.then = () => {}; globalThis.Date = null; return 1`;
  const clean = `return [typeof left, {}.left ?? null, [1].map((x) => x + 1), JSON.stringify([1]), Math.random() < 1, Date.now()]`;
  const results = await pool.runScripts({
    runs: [clean, dirty, clean].map((source) => ({ source, context: null, now: NOW, seed: 's' })),
    hostCalls: () => async () => null,
  });
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(results[0]?.result).toEqual(['undefined', null, [2], '[1]', true, NOW.getTime()]);
  expect(results[2]?.result).toEqual(results[0]?.result);
});

test('what a script throws stays text: no property of it comes over', async () => {
  const { ok, error } =
    await pool.run(`const e = new Error('x'); e.statusCode = 200; e.status = 200; e.code = 'unauthorized'; e.kind = 'ok'
    e.cause = { a: 1 }; e.toJSON = () => 'y'; throw e`);
  expect(ok).toBe(false);
  expect(Object.keys(error ?? {}).sort()).toEqual([
    'column',
    'kind',
    'line',
    'message',
    'name',
    'snippet',
    'stack',
  ]);
  expect(error).toMatchObject({ kind: 'runtime', name: 'Error', message: 'x' });
});

test('an error cannot pretend to be of the api, nor of a limit', async () => {
  const forged = await pool.run(
    `throw Object.assign(new Error('x'), { name: 'CpuLimitError', fileName: 'script.js', lineNumber: 999 })`,
  );
  expect(forged.error).toMatchObject({ kind: 'runtime', line: 1 });
  const stack = await pool.run(
    `const e = new Error('x'); e.stack = '    at f (script.js:999:1)\\n    at g (script.js:-1:NaN)'; throw e`,
  );
  expect(stack.error?.line).toBe(1);
});

test('JSON crosses as it is: own keys, U+0000, halves of characters, null for undefined', async () => {
  const { result } = await pool.run(
    `return { ["__proto__"]: 1, constructor: 2, a: undefined, b: [undefined, NaN], c: "a\\u0000b\\ud800c" }`,
  );
  expect(JSON.stringify(result)).toBe(
    '{"__proto__":1,"constructor":2,"b":[null,null],"c":"a\ufffdb\ufffdc"}',
  );
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
});

test('context arrives as it was, hostile keys and all', async () => {
  const context = JSON.parse('{"__proto__": {"x": 1}, "text": "a\\u0000b\\ud800\\u2028", "n": 1e21}');
  const { result } = await pool.run(
    `return [Object.keys(context), context.text.length, context.text.charCodeAt(3), context.n, context.x ?? null]`,
    { context },
  );
  expect(result).toEqual([['__proto__', 'text', 'n'], 5, 0xd800, 1e21, null]);
});

test('a refusal can be caught, with its code; nothing of the host’s error comes over', async () => {
  const hostCalls: HostCalls = async () => {
    throw new AppError('entity_not_found', { detail: 'There is no such entity.', extensions: { secret: 1 } });
  };
  const { ok, result, apiCalls } = await pool.run(
    `try { await api.getEntity('${ENTITY_ID}') } catch (e) { return [e.name, e.code, e.message, e.method, e instanceof Error, Object.keys(e), 'secret' in e, 'extensions' in e] }`,
    { hostCalls },
  );
  expect(ok).toBe(true);
  expect(result).toEqual([
    'ApiError',
    'entity_not_found',
    'There is no such entity.',
    'getEntity',
    true,
    [],
    false,
    false,
  ]);
  expect(apiCalls).toMatchObject([{ method: 'getEntity', ok: false }]);
});

test('a failure of the host ends the run, cannot be caught, and is the caller’s', async () => {
  const down = new Error('connection lost');
  const source = `try { await api.getEntity('${ENTITY_ID}') } catch { return 'caught' }`;
  await expect(pool.run(source, { hostCalls: () => Promise.reject(down) })).rejects.toBe(down);
  await expect(
    pool.run(source, { hostCalls: () => Promise.reject(new AppError('unavailable', 'away')) }),
  ).rejects.toMatchObject({ code: 'unavailable' });
  expect((await pool.run('return 1')).result).toBe(1);
});

test('only what is on the list is called, with arguments that were checked', async () => {
  const calls: unknown[] = [];
  const hostCalls: HostCalls = async (method, args) => void calls.push([method, args]);
  const { result } = await pool.run(
    `const answers = []
    for (const [method, ...args] of [['getEntity', '${ENTITY_ID}', 'extra'], ['getEntity'], ['getEntity', null], ['findEntities', {}],
      ['findEntities', { limit: 5 }], ['findEntities', { q: 'x', limit: 1001 }], ['getPositions', {}], ['createEntity', { name: 'x' }],
      ['transition', '${ENTITY_ID}', 'Released', { notes: 'x' }], ['setProperties', '${ENTITY_ID}', []],
      ['transition', 'guid:{0199AAAA-0000-7000-8000-000000000000}', 'Released', undefined], ['setProperties', '${ENTITY_ID}', { ["__proto__"]: 1, a: null }]]) {
      try { answers.push(await api[method](...args)) } catch (e) { answers.push(e.code) }
    }
    return answers`,
    { hostCalls },
  );
  expect(result).toEqual([...Array(10).fill('validation_failed'), null, null]);
  expect(JSON.stringify(calls)).toBe(
    `[["transition",["guid:{0199AAAA-0000-7000-8000-000000000000}","Released"]],["setProperties",["${ENTITY_ID}",{"__proto__":1,"a":null}]]]`,
  );
});

test.for([
  ['NaN', '0 / 0', 'N is NaN'],
  ['an infinite number', '1e400', 'N is Infinity'],
  ['NaN as an object', 'new Number(NaN)', 'N is NaN'],
  ['an invalid date', 'new Date(NaN)', 'N is an invalid date'],
  ['an object that turns itself into null', '{ toJSON: () => null }', 'turns itself into null'],
  ['a function', '() => 1', 'N is a function'],
  ['a symbol', 'Symbol("x")', 'N is a symbol'],
] as const)('a call with %s is refused: only an explicit null clears a value', async ([, value, message]) => {
  const { result, apiCalls } = await pool.run(
    `try { await api.setProperties('${ENTITY_ID}', { N: ${value} }) } catch (e) { return [e.name, e.code, e.message] }`,
  );
  expect(result).toEqual(['ApiError', 'validation_failed', expect.stringContaining(message)]);
  expect(apiCalls).toEqual([]);
});

test('a Map as properties is refused, since JSON shows it empty', async () => {
  const { error } = await pool.run(`await api.setProperties('${ENTITY_ID}', new Map([['N', 1]]))`);
  expect(error).toMatchObject({ kind: 'api', message: expect.stringContaining('a Map') });
});

test('null, valid dates and absent fields are taken as they are', async () => {
  const { result } = await pool.run(
    `return (await api.setProperties('${ENTITY_ID}', { A: null, B: new Date(0), C: undefined, D: new Number(2) })).args[1]`,
  );
  expect(result).toEqual({ A: null, B: '1970-01-01T00:00:00.000Z', D: 2 });
});

test('the log shows numbers that JSON does not have, and says so of the result', async () => {
  const { result, logs } = await pool.run('api.log({ a: 0 / 0, b: 10n }); return { x: [1, -1e400] }');
  expect(result).toEqual({ x: [1, null] });
  expect(logs).toEqual([
    { level: 'info', message: '{"a":"NaN","b":"10n"}', line: 1 },
    {
      level: 'warn',
      message: '1 in the result is -Infinity, which JSON cannot hold: it is kept as null',
      line: null,
    },
  ]);
});

test.for([
  ['an async function', `(async () => { throw new TypeError('lost') })()`, 'lost'],
  ['a promise that was rejected', `Promise.reject(new TypeError('lost'))`, 'lost'],
  ['what follows a promise', `Promise.resolve().then(() => null.x)`, "cannot read property 'x' of null"],
  [
    'what follows a refused call',
    `api.getEntity('${ENTITY_ID}').then(() => { throw new TypeError('lost') }); await api.getUses('${ENTITY_ID}')`,
    'lost',
  ],
] as const)('a run fails with the rejection of %s that nobody handles', async ([, source, message]) => {
  const { ok, error } = await pool.run(`${source}\nreturn 1`);
  expect({ ok, error }).toMatchObject({ ok: false, error: { kind: 'runtime', name: 'TypeError', message } });
});

test('a rejection that is handled later in the run is no error', async () => {
  const { result } = await pool.run(`const late = (async () => { throw new Error('late') })()
    const many = await Promise.allSettled([Promise.reject(1), Promise.reject(2)])
    await null; await null
    for (let i = 0; i < 3000; i++) Promise.reject(i).catch(() => {})
    try { await late } catch (e) { return [e.message, many.length] }`);
  expect(result).toEqual(['late', 2]);
});

test('the causes of an error are shown below its stack', async () => {
  const { error } = await pool.run(`try {
      null.x
    } catch (cause) {
      throw new Error('outer', { cause: new RangeError('middle', { cause }) })
    }`);
  expect(error).toMatchObject({ name: 'Error', message: 'outer', line: 4 });
  expect(error?.stack).toMatch(
    /line 4[\s\S]*Caused by RangeError: middle[\s\S]*Caused by TypeError: cannot read property 'x' of null[\s\S]*line 2/,
  );
});

test('a cause that leads to itself ends', async () => {
  const { error } = await pool.run(`const e = new Error('round'); e.cause = e; throw e`);
  expect(error?.stack?.match(/Caused by Error: round/g)).toHaveLength(5);
});

test('a locale is ignored, and the log says so once for each method', async () => {
  const { result, logs } = await pool.run(`for (let i = 0; i < 3; i++) (1234.5).toLocaleString('de-DE')
    new Date().toLocaleDateString(undefined, { weekday: 'long' })
    'a'.localeCompare('b', 'sv'); 'i'.toLocaleUpperCase('tr'); [1].toLocaleString('de')
    new Date().toLocaleTimeString(); 'a'.localeCompare('b')
    return (1234.5).toLocaleString.length`);
  expect(result).toBe(0);
  expect(logs.map(({ level, line, message }) => [level, line, message.split(' ')[0]])).toEqual([
    ['warn', 1, 'toLocaleString'],
    ['warn', 2, 'toLocaleDateString'],
    ['warn', 3, 'localeCompare'],
    ['warn', 3, 'toLocaleUpperCase'],
  ]);
});
