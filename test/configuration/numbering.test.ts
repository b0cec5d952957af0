import { afterAll, beforeAll, expect, test } from 'vitest';
import { allocateNumbers, formatNumber } from '../../src/configuration/allocate-numbers.ts';
import { NumberBlocks, NumbersWanted } from '../../src/configuration/number-blocks.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const take = (category: string, count: number, from = workspace) =>
  from.transact((tx) => allocateNumbers(tx, category, count));

test('50 at once get 50 ranges without a gap or a duplicate', async () => {
  const counts = Array.from({ length: 50 }, (_, i) => (i % 5) + 1);
  const ranges = await Promise.all(
    counts.map(async (count) => ({ first: await take('part', count), count })),
  );
  const values = ranges.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i));
  const total = counts.reduce((sum, count) => sum + count, 0);
  expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, i) => i + 1));
});

test('a rollback gives its numbers back', async () => {
  expect(await take('rolledBack', 1)).toBe(1);
  const failing = workspace.transact(async (tx) => {
    await allocateNumbers(tx, 'rolledBack', 7);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await take('rolledBack', 1)).toBe(2);
});

test('blocks of several processes hold no number twice, and give all or none', async () => {
  const { id: workspaceId } = workspace;
  const blocks = [new NumberBlocks(server.ctx.db), new NumberBlocks(server.ctx.db)];
  const given: number[] = [];
  const takeFrom = async (from: NumberBlocks, counts: ReadonlyMap<string, number>): Promise<number> => {
    for (;;) {
      try {
        return from.take(workspaceId, counts).get('blocks') as number;
      } catch (error) {
        if (!(error instanceof NumbersWanted)) throw error;
        await from.refill(workspaceId, error);
      }
    }
  };
  for (let round = 0; round < 40; round++) {
    for (const one of blocks) given.push(await takeFrom(one, new Map([['blocks', 1]])));
  }
  given.push(await take('blocks', 1));
  expect(new Set(given).size).toBe(given.length);
  const [first] = blocks as [NumberBlocks];
  const before = await takeFrom(first, new Map([['blocks', 1]]));
  expect(() =>
    first.take(
      workspaceId,
      new Map([
        ['blocks', 1],
        ['never', 1],
      ]),
    ),
  ).toThrow(NumbersWanted);
  // The one category was not charged for what the other lacks.
  expect(await takeFrom(first, new Map([['blocks', 1]]))).toBe(before + 1);
});

test('of a workspace that makes much the next block is there before one is given out', async () => {
  const { id: workspaceId } = workspace;
  const blocks = new NumberBlocks(server.ctx.db);
  const one = new Map([['ahead', 1]]);
  const given: (number | undefined)[] = [];
  let refills = 0;
  const next = async () => {
    try {
      given.push(blocks.take(workspaceId, one).get('ahead'));
    } catch (error) {
      if (!(error instanceof NumbersWanted)) throw error;
      refills++;
      await blocks.refill(workspaceId, error);
    }
    await blocks.lookAhead(workspaceId);
  };
  while (given.length < 3000) await next();
  expect(given).toEqual(Array.from({ length: 3000 }, (_, i) => i + 1));
  // Of 8, 16, 32 and 64; those behind them were asked for in time.
  expect(refills).toBe(4);
});

test('each category and each workspace counts on its own', async () => {
  const other = await makeDefaultWorkspace(server);
  expect([await take('a', 3), await take('b', 1), await take('a', 1), await take('a', 1, other)]).toEqual([
    1, 1, 4, 1,
  ]);
});

test('a count that is not a positive integer is a bug', async () => {
  for (const count of [0, -1, 1.5, Number.NaN]) await expect(take('a', count)).rejects.toThrow(RangeError);
});

test.each([
  ['PRT-{000000}', 42, 'PRT-000042'],
  ['{0}', 7, '7'],
  ['{000}', 12345, '12345'],
  ['A{00}-B', 3, 'A03-B'],
  ['$& {00}', 1, '$& 01'],
])('%s of %i is %s', (pattern, value, number) => {
  expect(formatNumber(pattern, value)).toBe(number);
});
