import { expect, test } from 'vitest';
import { ENTITY_ID, NOW, openTestPool } from '../conductor/open-test-pool.ts';

const pool = openTestPool(2);

const chance = `const first = [Math.random(), Math.random(), Date.now(), new Date().toISOString()]
await api.getEntity('${ENTITY_ID}')
return [...first, Math.random(), String(new Date()), Date(), Object.keys({ b: 1, a: 2 }), [3, 1, 2].sort(() => Math.random() - 0.5)]`;

test('the same seed and time give the same, on any thread, in a fresh instance or a used one', async () => {
  const alone = await Promise.all(Array.from({ length: 8 }, () => pool.run(chance, { seed: 'run 1' })));
  const together = await pool.runScripts({
    runs: Array.from({ length: 8 }, () => ({ source: chance, context: null, now: NOW, seed: 'run 1' })),
    hostCalls: () => async () => null,
  });
  expect(alone[0]?.ok).toBe(true);
  for (const { result } of [...alone, ...together]) expect(result).toEqual(alone[0]?.result);
});

test('another seed gives another chance', async () => {
  const draw = async (seed: string) => (await pool.run('return Math.random()', { seed })).result;
  const draws = await Promise.all(Array.from({ length: 20 }, (_, seed) => draw(String(seed))));
  expect(new Set(draws).size).toBe(20);
});

test('Math.random is spread evenly over [0, 1)', async () => {
  const { result } = await pool.run(`const buckets = new Array(10).fill(0)
    for (let i = 0; i < 10_000; i++) buckets[Math.floor(Math.random() * 10)]++
    return buckets`);
  expect(result).toHaveLength(10);
  for (const count of result as number[]) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test('time stands still, in UTC, wherever the service runs', async () => {
  const { result } = await pool.run(`const start = Date.now()
    for (let i = 0; i < 1e5; i++);
    return [Date.now() - start, new Date().toISOString(), new Date().getTimezoneOffset(), new Date(2026, 6, 1).getTime(),
      new Date(0).getHours(), typeof Date(), Date.length, new Date('2026-01-01').getTime(), Date.UTC(2026, 0), Date.name]`);
  expect(result).toEqual([
    0,
    '2026-11-20T12:00:00.000Z',
    0,
    Date.UTC(2026, 6, 1),
    0,
    'string',
    7,
    Date.UTC(2026, 0),
    Date.UTC(2026, 0),
    'Date',
  ]);
});

test('there is no other way to the time', async () => {
  const { result } =
    await pool.run(`return [new Date().constructor === Date, Date.prototype.constructor === Date,
    new Date.prototype.constructor().getTime() === Date.now(), new (class extends Date {})().getTime() === Date.now(),
    Reflect.construct(Date, []).getTime() === Date.now(), typeof performance, typeof setTimeout, typeof WeakRef, typeof Temporal]`);
  expect(result).toEqual([true, true, true, true, true, 'undefined', 'undefined', 'undefined', 'undefined']);
});

test('a date is a Date', async () => {
  const { result } = await pool.run(`const d = new Date(2026, 0, 2, 3)
    return [d instanceof Date, Object.prototype.toString.call(d), d.toJSON(), new Date(d) - d, isNaN(new Date('x'))]`);
  expect(result).toEqual([true, '[object Date]', '2026-01-02T03:00:00.000Z', 0, true]);
});
