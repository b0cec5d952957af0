// Stock in a tree of locations: what lies in a warehouse lies in its shelves and bins.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedStockPosition, StockSum } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeStockedWorkspace, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
let stocked: StockedWorkspace;
let warehouse: string;
let shelf: string;
let bin: string;
let outside: string;
let bolt: string;
let nut: string;
beforeAll(async () => {
  server = await startTestServer();
  stocked = await makeStockedWorkspace(server, { items: 2, locations: 4 });
  [bolt, nut] = stocked.items as [string, string];
  [warehouse, shelf, bin, outside] = stocked.locations as [string, string, string, string];
  for (const [id, parentLocation] of [
    [bin, shelf],
    [shelf, warehouse],
  ]) {
    const placed = await stocked.ask('PATCH', `/entities/${id}`, { parentLocation, name: id });
    expect(placed.status, placed.text).toBe(200);
  }
  for (const [item, location, quantity] of [
    [bolt, warehouse, 1],
    [bolt, shelf, 2],
    [bolt, bin, 4],
    [bolt, outside, 8],
    [nut, bin, 16],
  ] as const)
    expect((await stocked.adjust(item, location, quantity)).status).toBe(201);
});
afterAll(() => server.close());

async function positions(path: string): Promise<ListedStockPosition[]> {
  const found: ListedStockPosition[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: string = `${path}${path.includes('?') ? '&' : '?'}limit=2${cursor && `&cursor=${cursor}`}`;
    const { status, body, text } = await stocked.ask('GET', page);
    expect(status, text).toBe(200);
    found.push(...body.items);
    cursor = body.nextCursor;
  }
  return found;
}
const onHandOf = (found: readonly ListedStockPosition[]) =>
  found.map(({ onHand }) => onHand).sort((a, b) => a - b);

test('positions below a location are listed, with the path of each', async () => {
  const found = await positions(`/stock/positions/by-location/${warehouse}?below=true`);
  expect(onHandOf(found)).toEqual([1, 2, 4, 16]);
  expect(found.find(({ onHand }) => onHand === 16)?.locationPath).toEqual(['An entity', shelf]);
  expect(onHandOf(await positions(`/stock/positions/by-location/${warehouse}`))).toEqual([1]);
  expect(onHandOf(await positions(`/stock/positions?location=${shelf}&below=true`))).toEqual([2, 4, 16]);
  expect(onHandOf(await positions(`/stock/positions?location=${shelf}`))).toEqual([2]);
});

test('the positions of an item are narrowed to a location', async () => {
  const within = `/stock/positions/by-item/${bolt}?location=${warehouse}`;
  expect(onHandOf(await positions(`${within}&below=true`))).toEqual([1, 2, 4]);
  expect(onHandOf(await positions(within))).toEqual([1]);
  expect((await stocked.ask('GET', `/stock/positions/by-item/${bolt}?below=true`)).status).toBe(422);
});

test('the stock of an item is summed over a location and all in it', async () => {
  const { body } = await stocked.ask('GET', `/stock/sums/by-location/${warehouse}`);
  const sums = body.items.map((sum: StockSum) => [
    sum.itemEntityId,
    sum.onHand,
    sum.available,
    sum.positions,
  ]);
  expect(sums).toEqual([
    [bolt, 7, 7, 3],
    [nut, 16, 16, 1],
  ]);
});

test('a download has the positions below a location', async () => {
  const answer = await stocked.ask('GET', `/stock/positions/export?location=${shelf}&below=true`);
  const lines = answer.text.trim().split(/\r?\n/);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/updatedAt,locationPath,lastCountedAt,blocked,inLots,unit,itemRevision$/);
});

test('a position shows when it was counted last, also where the count agreed, and those not counted since are found', async () => {
  const before = new Date().toISOString();
  const counted = await stocked.ask('POST', '/stock/counts', {
    lines: [{ item: nut, location: bin, countedQty: 16 }],
  });
  expect([counted.status, counted.body.entries]).toEqual([201, 0]);
  const [position] = await positions(`/stock/positions/by-item/${nut}`);
  expect((position?.lastCountedAt ?? '') >= before).toBe(true);
  const query = `location=${warehouse}&below=true&countedBefore`;
  expect(onHandOf(await positions(`/stock/positions?${query}=${before}`))).toEqual([1, 2, 4]);
  expect(onHandOf(await positions(`/stock/positions?${query}=2100-01-01T00:00:00Z`))).toEqual([1, 2, 4, 16]);
  expect(onHandOf(await positions(`/stock/positions?countedBefore=${before}`))).toEqual([1, 2, 4, 8]);
});

test('movements are found by the day on which they happened, also below a location and by caller', async () => {
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  const day = (before: number) => new Date(today - before * 86_400_000).toISOString().slice(0, 10);
  const adjust = async (location: string, quantity: number, effectiveOn?: string) => {
    const body = { itemEntityId: bolt, locationEntityId: location, quantity, effectiveOn };
    const { status, text } = await stocked.ask('POST', '/stock/adjustments', body);
    expect(status, text).toBe(201);
  };
  await adjust(shelf, 101, day(3));
  await adjust(bin, 102, day(1));
  await adjust(outside, 103, day(1));
  await adjust(bin, 104);
  const moved = async (path: string, least = 100) => {
    const entries = (await positions(path)) as unknown as { quantity: number }[];
    return entries.map(({ quantity }) => quantity).filter((quantity) => quantity > least);
  };
  const yesterday = `effectiveFrom=${day(2)}&effectiveTo=${day(1)}`;
  for (const path of ['/stock/ledger?', `/stock/ledger/by-item/${bolt}?`]) {
    expect(await moved(`${path}${yesterday}`, 0)).toEqual([103, 102]);
    expect(await moved(`${path}effectiveTo=${day(1)}&order=asc`, 0)).toEqual([101, 102, 103]);
    expect(await moved(`${path}effectiveFrom=${day(1)}`)).toEqual([104, 103, 102]);
    expect(await moved(`${path}effectiveTo=${day(1)}&movementType=MRIssue`, 0)).toEqual([]);
  }
  const within = `/stock/ledger/by-location/${warehouse}?below=true`;
  expect(await moved(within)).toEqual([104, 102, 101]);
  expect(await moved(`${within}&${yesterday}`, 0)).toEqual([102]);
  expect(await moved(`/stock/ledger/by-location/${warehouse}?${yesterday}`, 0)).toEqual([]);
  const [actor] = (await stocked.ask('GET', '/stock/ledger/actors')).body.items;
  expect(await moved(`/stock/ledger?actorId=${actor.id}&${yesterday}`, 0)).toEqual([103, 102]);
  const csv = await stocked.ask('GET', `/stock/ledger?${yesterday}`, undefined, { Accept: 'text/csv' });
  expect(csv.text.trim().split(/\r?\n/)).toHaveLength(3);
});

test('a count states the day of its adjustments', async () => {
  const effectiveOn = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
  const lines = [{ item: nut, location: bin, countedQty: 15 }];
  const booked = await stocked.ask('POST', '/stock/counts', { lines, effectiveOn });
  expect(booked.status, booked.text).toBe(201);
  const { body } = await stocked.ask('GET', `/stock/ledger/by-item/${nut}`);
  expect(body.items[0]).toMatchObject({ quantity: -1, effectiveOn });
  const later = await stocked.ask('POST', '/stock/counts', { lines, effectiveOn: '2999-01-01' });
  expect([later.status, later.body.errors[0].pointer]).toEqual([422, '/effectiveOn']);
});
