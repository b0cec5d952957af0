// A stock count: what was counted becomes On Hand, what moved in between asks, what was not counted stays.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StockCounted, StockHistory, StockPosition } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeStockedWorkspace, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
let stocked: StockedWorkspace;
let item: string;
let other: string;
let shelf: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  stocked = await makeStockedWorkspace(server);
  [item, other] = stocked.items as [string, string];
  [shelf] = stocked.locations as [string];
  expect((await stocked.adjust(item, shelf, 10)).status).toBe(201);
});

const count = (lines: object[], more: object = {}) =>
  stocked.ask('POST', '/stock/counts', { lines, ...more });
const onHand = async (): Promise<number[]> => {
  const { body } = await stocked.ask('GET', `/stock/positions/by-location/${shelf}`);
  return body.items.map((position: StockPosition) => position.onHand);
};

test('the difference is booked, with the reason; where there is none, nothing is', async () => {
  const lines = [
    { item, location: shelf, countedQty: 7.5, seenOnHand: 10 },
    { item: other, location: shelf, countedQty: 0 },
  ];
  const plan = await count(lines, { dryRun: true });
  expect(plan.status, plan.text).toBe(200);
  expect(plan.body.entries).toBe(1);
  expect(
    plan.body.lines.map((line: StockCounted['lines'][number]) => [
      line.onHand,
      line.countedQty,
      line.difference,
      line.moved,
    ]),
  ).toEqual([
    [10, 7.5, -2.5, false],
    [0, 0, 0, false],
  ]);
  expect(await onHand()).toEqual([10]);

  const booked = await count(lines, { note: 'Shelf A' });
  expect([booked.status, booked.body]).toEqual([201, plan.body]);
  expect(await onHand()).toEqual([7.5]);
  const ledger = await stocked.ask('GET', `/stock/ledger/by-item/${item}`);
  expect(ledger.body.items[0]).toMatchObject({ movementType: 'Adjustment', quantity: -2.5, note: 'Shelf A' });
  await stocked.expectConsistent();
});

test('stock that moved since it was seen is refused with both figures, and all of the count with it', async () => {
  await stocked.adjust(item, shelf, 5);
  const lines = [
    { item: other, location: shelf, countedQty: 3 },
    { item, location: shelf, countedQty: 12, seenOnHand: 10 },
  ];
  expect((await count(lines, { dryRun: true })).body.lines[1]).toMatchObject({
    onHand: 15,
    seenOnHand: 10,
    moved: true,
  });
  const refused = await count(lines);
  expect([refused.status, refused.body.code]).toEqual([409, 'position_moved']);
  expect(refused.body.moved).toEqual([expect.objectContaining({ index: 1, onHand: 15, seenOnHand: 10 })]);
  expect(await onHand()).toEqual([15]);
  // Whoever decides that the count holds, says so by leaving out what was seen, or with the figure of now.
  expect((await count([{ ...lines[1], seenOnHand: 15 }])).status).toBe(201);
  expect((await count([{ item, location: shelf, countedQty: 11 }])).status).toBe(201);
  expect(await onHand()).toEqual([11]);
});

test('a count and adjustments at once: nothing is lost and nothing is booked twice', async () => {
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, () => stocked.adjust(item, shelf, 1)),
    ...Array.from({ length: 4 }, () => count([{ item, location: shelf, countedQty: 100, seenOnHand: 10 }])),
  ]);
  const counted = answers.slice(8).filter((answer) => answer.status === 201).length;
  expect(counted).toBeLessThanOrEqual(1);
  const [now] = await onHand();
  expect(now).toBeGreaterThanOrEqual(counted === 1 ? 100 : 18);
  expect(now).toBeLessThanOrEqual(counted === 1 ? 108 : 18);
  await stocked.expectConsistent();
});

test('items and locations are named by id, GUID or number; a number of several is refused', async () => {
  const { body } = await stocked.ask('GET', `/entities/${item}`);
  expect(body.number).not.toBeNull();
  const location = await stocked.ask('GET', `/entities/${shelf}`);
  const named = { item: `number:${body.number}`, location: `number:${location.body.number}`, countedQty: 4 };
  expect((await count([named])).body.lines[0]).toMatchObject({ itemEntityId: item, difference: -6 });
  // The shelf has the number of an item, and is meant all the same.
  expect(location.body.number).toBe(body.number);
  await stocked.transact((tx) =>
    tx.query('update entity set number = $2 where workspace_id = $1 and id = $3', [
      stocked.id,
      body.number,
      other,
    ]),
  );
  expect((await count([named])).body).toMatchObject({
    code: 'ambiguous_number',
    errors: [{ pointer: '/lines/0/item' }],
  });
});

test('all that is wrong with the lines is said at once', async () => {
  const refused = await count([
    { item: shelf, location: shelf, countedQty: 1 },
    { item, location: other, countedQty: 1 },
    { item, location: 'number:NOWHERE', countedQty: -1 },
    { item, location: shelf, countedQty: 1 },
    { item, location: shelf, countedQty: 1.2345678, seenOnHand: 1 },
  ]);
  expect(refused.status).toBe(422);
  expect(
    refused.body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
  ).toEqual([
    ['/lines/0/item', 'not_an_item'],
    ['/lines/1/location', 'not_a_location'],
    ['/lines/2/location', 'entity_not_found'],
    ['/lines/2/countedQty', 'quantity_out_of_range'],
    ['/lines/4/countedQty', 'quantity_out_of_range'],
    ['/lines/4/item', 'duplicate_position'],
  ]);
});

test('a refusal names item and location by their numbers', async () => {
  const { body } = await stocked.ask('GET', `/entities/${item}`);
  for (const refused of [
    await stocked.adjust(item, shelf, -11),
    await stocked.ask('POST', '/stock/adjustments/batch', {
      adjustments: [{ itemEntityId: item, locationEntityId: shelf, quantity: -11 }],
    }),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_stock']);
    expect(refused.body.detail).toContain(body.number);
    expect(refused.body.refusals[0]).toMatchObject({
      itemNumber: body.number,
      locationNumber: expect.any(String),
    });
  }
});

test('history shows what there was at each point, summed over the positions', async () => {
  const [, second] = stocked.locations as [string, string];
  const times: number[] = [Date.now()];
  for (const [at, quantity] of [
    [second, 4],
    [shelf, -3],
  ] as const) {
    const { body } = await stocked.adjust(item, at, quantity);
    times.push(Date.parse(body.entry.recordedAt));
  }
  const iso = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  const history = async (path: string, query = '') => {
    const answer = await stocked.ask(
      'GET',
      `/stock/history/${path}?points=2&from=${iso(times[1] as number)}&to=${iso((times[2] as number) + 1)}${query}`,
    );
    expect(answer.status, answer.text).toBe(200);
    return answer.body.items.map((point: StockHistory['items'][number]) => point.onHand);
  };
  expect(await history(`by-item/${item}`)).toEqual([14, 11]);
  expect(await history(`by-item/${item}`, `&other=${second}`)).toEqual([4, 4]);
  expect(await history(`by-location/${shelf}`)).toEqual([10, 7]);
  const before = await stocked.ask('GET', `/stock/history/by-item/${item}?points=3`);
  expect(before.body.items.map((point: StockHistory['items'][number]) => point.onHand)).toEqual([0, 0, 11]);
  const wrong = await stocked.ask(
    'GET',
    `/stock/history/by-item/${item}?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`,
  );
  expect(wrong.status).toBe(422);
});

test('a count task is counted and ends, and is counted once', async () => {
  const made = await stocked.ask('POST', '/stock/count-tasks', {
    location: shelf,
    dueOn: '2026-12-31',
    note: 'All of it',
  });
  expect(made.status, made.text).toBe(201);
  const { id: task } = made.body;
  expect(made.body).toMatchObject({
    location: { id: shelf },
    status: 'open',
    assignedTo: null,
    endedAt: null,
  });
  const open = async () =>
    (await stocked.ask('GET', '/stock/count-tasks')).body.items.map(({ id }: { id: string }) => id);
  expect(await open()).toEqual([task]);
  const lines = [{ item, location: shelf, countedQty: 9 }];
  expect((await count(lines, { task, dryRun: true })).status).toBe(200);
  expect(await open()).toEqual([task]);
  expect((await count(lines, { task })).status).toBe(201);
  expect(await open()).toEqual([]);
  expect((await count([{ item, location: shelf, countedQty: 1 }], { task })).body.code).toBe(
    'count_task_ended',
  );
  expect(await onHand()).toEqual([9]);
  const ended = await stocked.ask('GET', `/stock/count-tasks/${task}`);
  expect(ended.body).toMatchObject({ status: 'done', endedBy: { type: 'apiKey' } });
  const stale = await stocked.ask(
    'PATCH',
    `/stock/count-tasks/${task}`,
    { status: 'open' },
    { 'If-Match': made.headers.get('etag') ?? '' },
  );
  expect(stale.status).toBe(412);
  const again = await stocked.ask('PATCH', `/stock/count-tasks/${task}`, { status: 'open' });
  expect(again.body).toMatchObject({ status: 'open', endedBy: null, note: 'All of it' });
  const any = await stocked.ask('GET', '/stock/count-tasks?status=any&limit=1');
  expect(any.body).toMatchObject({ items: [{ id: task }], nextCursor: null });
  const audit = await stocked.ask('GET', `/audit?subjectType=countTask&subjectKey=${task}`);
  expect(audit.body.items).toHaveLength(3);
});

test('a count of another location does not end a count task', async () => {
  const make = async (name: string, parentLocation?: string) =>
    (await stocked.ask('POST', '/entities', { category: 'location', name, parentLocation })).body.id;
  const rack = await make('Rack');
  const box = await make('Box', rack);
  const ask = async (below: boolean) =>
    (await stocked.ask('POST', '/stock/count-tasks', { location: rack, below })).body.id;
  const [alone, withAll] = [await ask(false), await ask(true)];
  const counting = (location: string, task: string, more = {}) =>
    count([{ item, location, countedQty: 2 }], { task, ...more });
  for (const [location, task] of [
    [shelf, alone],
    [box, alone],
    [shelf, withAll],
  ])
    for (const dryRun of [true, false]) {
      const refused = await counting(location, task, { dryRun });
      expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, '/task']);
    }
  expect((await counting(rack, alone)).status).toBe(201);
  expect((await counting(box, withAll)).status).toBe(201);
});

test('a count task is for a location that exists, and for a member who may count', async () => {
  const ask = async (body: object) => (await stocked.ask('POST', '/stock/count-tasks', body)).body;
  expect((await ask({ location: item })).code).toBe('not_a_location');
  expect((await ask({ location: crypto.randomUUID() })).code).toBe('entity_not_found');
  const unknown = await ask({ location: shelf, assignedTo: crypto.randomUUID() });
  expect(unknown.errors).toMatchObject([{ pointer: '/assignedTo' }]);
  const early = await ask({ location: shelf, dueOn: '0000-01-01' });
  expect(early.errors).toMatchObject([{ pointer: '/dueOn', message: 'must be from year 0001 on.' }]);
  expect((await stocked.ask('GET', `/stock/count-tasks/${crypto.randomUUID()}`)).body.code).toBe(
    'count_task_not_found',
  );
});
