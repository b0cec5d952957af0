// A position stays when the last unit has gone: what is there is asked for apart from what was.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { makeStockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('positions with something on hand are listed by themselves, now and as they were', async () => {
  const own = await makeStockedWorkspace(server, { items: 3, locations: 2 });
  const [bolt, nut, washer] = own.items;
  const [shelf, bin] = own.locations;
  for (const [item, location, quantity] of [
    [bolt, shelf, 4],
    [nut, shelf, 2],
    [nut, bin, 1],
    [washer, shelf, 5],
  ] as const)
    await own.adjust(item, location, quantity);
  const before = (await own.ask('GET', `/stock/ledger?limit=1`)).body.items[0].recordedAt;
  // What comes is of a later millisecond.
  await vi.waitUntil(() => Date.now() > Date.parse(before) + 1, patience);
  await own.adjust(nut, shelf, -2);
  const items = async (query: string) => {
    const found: number[] = [];
    for (let cursor = ''; ; ) {
      const { status, body, text } = await own.ask('GET', `/stock/positions/${query}${cursor}`);
      expect(status, text).toBe(200);
      found.push(...body.items.map((one: TestAnswer['body']) => own.items.indexOf(one.itemEntityId)));
      if (body.nextCursor === null) return found.toSorted();
      cursor = `&cursor=${body.nextCursor}`;
    }
  };
  const at = `by-location/${shelf}?limit=1`;
  expect(await items(at)).toEqual([0, 1, 2]);
  expect(await items(`${at}&stocked=false`)).toEqual([0, 1, 2]);
  expect(await items(`${at}&stocked=true`)).toEqual([0, 2]);
  expect(await items(`${at}&stocked=true&asOf=${before}`)).toEqual([0, 1, 2]);
  expect(await items(`${at}&stocked=true&asOf=${new Date().toISOString()}`)).toEqual([0, 2]);
  expect(await items(`by-item/${nut}?stocked=true`)).toEqual([1]);
  expect(await items(`by-item/${nut}?`)).toEqual([1, 1]);
  expect((await own.ask('GET', `/stock/positions/${at}&stocked=yes`)).status).toBe(422);
  // A page of the one list is none of the other.
  const all = await own.ask('GET', `/stock/positions/${at}`);
  const foreign = await own.ask('GET', `/stock/positions/${at}&stocked=true&cursor=${all.body.nextCursor}`);
  expect(foreign.body.code).toBe('invalid_cursor');
  expect((await own.ask('GET', `/entities/${shelf}/summary`)).body).toMatchObject({
    items: 3,
    stockedItems: 2,
  });
  expect((await own.ask('GET', `/entities/${nut}/summary`)).body.stock).toMatchObject({
    onHand: 1,
    locations: 2,
    stockedLocations: 1,
  });
});
