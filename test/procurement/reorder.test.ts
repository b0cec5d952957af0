// The reorder list: what is below its point, what is proposed, and orders of what is chosen.
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ReorderProposal } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let bolt: string;
let nut: string;
let washer: string;
let shelf: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server, { items: 3, locations: 1 });
  [bolt, nut, washer] = workspace.items as [string, string, string];
  [shelf] = workspace.locations as [string];
});

const plan = (item: string, body: object) => workspace.must(200, 'PUT', `/planning/items/${item}`, body);
const list = async (query = ''): Promise<ReorderProposal[]> =>
  (await workspace.must(200, 'GET', `/planning/reorder${query}`)).items;
const need = (item: string, requiredQty: number) =>
  workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: item,
    requiredQty,
  });
const sell = async (supplier: string, item: string, more: object = {}) => {
  const { items } = await workspace.must(200, 'GET', `/suppliers?name=${supplier}`);
  const supplierId =
    items[0]?.id ??
    (await workspace.must(201, 'POST', '/suppliers', { name: supplier, currency: 'EUR', leadTimeDays: 7 }))
      .id;
  const part = { itemEntityId: item, supplierId, sku: `${supplier}-1`, ...more };
  return workspace.must(201, 'POST', '/supplier-parts', part);
};
const order = (body: object) => workspace.ask('POST', '/planning/reorder/orders', body);

test('the planning of an item has policies, and refuses what makes no sense', async () => {
  const none = await workspace.must(200, 'GET', `/planning/items/${bolt}`);
  expect(none).toMatchObject({ policy: 'none', reorderPoint: 0, makeOrBuy: 'buy', supplierPartId: null });
  const part = await sell('Bossard', bolt);
  const foreign = await sell('Bossard', nut, { sku: 'N' });
  const facts = {
    policy: 'minMax',
    reorderPoint: 10,
    maximum: 50,
    safety: 2,
    supplierPartId: part.id,
    locationEntityId: shelf,
  };
  expect(await plan(bolt, facts)).toMatchObject({ ...facts, minimum: null });
  const bad: object[] = [
    { policy: 'minMax', reorderPoint: 10 },
    { policy: 'minMax', reorderPoint: 10, maximum: 10 },
    { policy: 'reorderPoint', reorderPoint: 10, maximum: 20 },
    { policy: 'reorderPoint', reorderPoint: -1 },
    { policy: 'reorderPoint', reorderPoint: 1e10 },
    { policy: 'demand', minimum: 0 },
    { policy: 'demand', multiple: 0.0000001 },
    { policy: 'demand', leadTimeDays: 365_000 },
    { policy: 'demand', supplierPartId: foreign.id },
    { policy: 'demand', locationEntityId: nut },
  ];
  for (const body of bad)
    expect((await workspace.ask('PUT', `/planning/items/${bolt}`, body)).status, JSON.stringify(body)).toBe(
      422,
    );
  expect(
    (await workspace.ask('PUT', `/planning/items/${bolt}`, { policy: 'demand', supplierPartId: shelf })).body
      .code,
  ).toBe('supplier_part_not_found');
  expect((await workspace.ask('GET', `/planning/items/${shelf}`)).body.code).toBe('not_an_item');
  const { items } = await workspace.must(200, 'GET', `/audit?subjectKey=${bolt}&subjectType=itemPlanning`);
  expect(items).toMatchObject([{ before: { policy: 'none' }, after: { policy: 'minMax', maximum: 50 } }]);
});

test('what is available, on order and drafted counts, less open demand and safety stock', async () => {
  await plan(bolt, { policy: 'reorderPoint', reorderPoint: 20, safety: 5 });
  await workspace.adjust(bolt, shelf, 25);
  expect(await list()).toEqual([]);
  const needed = await need(bolt, 12);
  await workspace.must(201, 'POST', `/requirements/${needed.id}/reservations`, {
    locationEntityId: shelf,
    quantity: 2,
  });
  // 23 are available; 10 more are needed, and 5 are for nobody.
  const [short] = await list();
  expect(short).toMatchObject({
    availableQty: 23,
    comingQty: 0,
    demandQty: 10,
    projectedQty: 8,
    missingQty: 12,
    quantity: 12,
  });
  expect(short).toMatchObject({ supplierPartId: null, price: null, amount: null, receivedOn: null });
  // A sales line that waits for stock is demand by what it has not reserved.
  await workspace.line({ type: 'salesOrder', quantity: 30, allowBackorder: true });
  expect((await list())[0]).toMatchObject({
    availableQty: 0,
    demandQty: 17,
    projectedQty: -22,
    missingQty: 42,
  });
  // Ordered for the requirement or for nobody, it is on its way once.
  await workspace.must(201, 'POST', `/requirements/${needed.id}/orders`, {
    locationEntityId: shelf,
    quantity: 10,
  });
  await workspace.line({ quantity: 20 });
  const draft = await workspace.line({ quantity: 8, state: 'Draft' });
  expect((await list())[0]).toMatchObject({ comingQty: 30, draftQty: 8, projectedQty: 16, missingQty: 4 });
  await workspace.must(200, 'PATCH', `/stock/lines/${draft.body.line.id}`, { quantity: 12 });
  expect(await list()).toEqual([]);
  await workspace.act(draft.body.line.id, 'cancel');
  expect((await list())[0]).toMatchObject({ draftQty: 0, missingQty: 12 });
  // The demand of the item says the same.
  const { entries } = await workspace.must(200, 'GET', `/entities/${bolt}/demand`);
  expect(entries.at(-1).availableAfter).toBe(((await list())[0]?.projectedQty as number) + 5);
});

test('policies order up to the point, the maximum or the demand; lots and packs are whole', async () => {
  await plan(bolt, { policy: 'minMax', reorderPoint: 10, maximum: 50 });
  await plan(nut, { policy: 'demand' });
  await plan(washer, { policy: 'reorderPoint', reorderPoint: 10, minimum: 15, multiple: 4 });
  await workspace.adjust(bolt, shelf, 9);
  await need(nut, 7);
  const quantities = async () => (await list()).map(({ itemEntityId, quantity }) => [itemEntityId, quantity]);
  expect(await quantities()).toEqual([
    [bolt, 41],
    [nut, 7],
    [washer, 16],
  ]);
  await workspace.adjust(bolt, shelf, 1);
  expect(await quantities()).toEqual([
    [nut, 7],
    [washer, 16],
  ]);
  await sell('Bossard', nut, { packQuantity: 5, prices: [{ from: 1, price: '0.1', currency: 'EUR' }] });
  await sell('Zellwerk', washer, { packQuantity: 100 });
  const page = await workspace.must(200, 'GET', '/planning/reorder');
  expect(page.items).toMatchObject([
    { itemEntityId: nut, quantity: 10, packs: 2, price: '0.1', amount: '1', leadTimeDays: 7 },
    { itemEntityId: washer, quantity: 100, packs: 1, price: null },
  ]);
  expect(page.totals).toEqual([
    {
      supplier: 'Bossard',
      items: 1,
      amounts: [{ currency: 'EUR', amount: '1' }],
      converted: null,
      unpricedItems: 0,
    },
    { supplier: 'Zellwerk', items: 1, amounts: [], converted: null, unpricedItems: 1 },
  ]);
  expect((await list('?supplier=zellwerk')).map((one) => one.itemEntityId)).toEqual([washer]);
  // A page looks at as many items as it may hold.
  const first = await workspace.must(200, 'GET', '/planning/reorder?limit=1');
  expect(first.items).toEqual([]);
  const rest = await workspace.must(200, 'GET', `/planning/reorder?limit=2&cursor=${first.nextCursor}`);
  expect([rest.items.length, rest.nextCursor]).toEqual([2, null]);
});

test('chosen items become one draft for each supplier, and are not proposed again', async () => {
  const prices = [{ from: 1, price: '0.25', currency: 'EUR' }];
  for (const [item, supplier] of [
    [bolt, 'Bossard'],
    [nut, 'Bossard'],
    [washer, 'Zellwerk'],
  ] as const) {
    await sell(supplier, item, { sku: item.slice(-8), packQuantity: 10, prices });
    await plan(item, {
      policy: 'reorderPoint',
      reorderPoint: 15,
      locationEntityId: item === washer ? null : shelf,
    });
  }
  const lines = [bolt, nut, washer].map((itemEntityId) => ({ itemEntityId }));
  const twice = await order({ lines: [lines[0], lines[0]] });
  expect(twice.body).toMatchObject({ status: 422, errors: [{ pointer: '/lines/1/itemEntityId' }] });
  const homeless = await order({ lines });
  expect(homeless.body).toMatchObject({ status: 422, errors: [{ pointer: '/lines/2/locationEntityId' }] });
  const made = await order({
    lines: [...lines.slice(1), { itemEntityId: bolt, quantity: 40 }],
    locationEntityId: shelf,
    note: 'Monday',
  });
  expect(made.status, made.text).toBe(201);
  expect(made.body.orders).toMatchObject([
    {
      supplier: 'Bossard',
      totals: { amounts: [{ currency: 'EUR', amount: '15' }], unpricedLines: 0 },
      lines: [
        { itemEntityId: nut, quantity: 20, packs: 2, state: 'Draft' },
        { itemEntityId: bolt, quantity: 40, price: '0.25' },
      ],
    },
    { supplier: 'Zellwerk', lines: [{ itemEntityId: washer, quantity: 20, locationEntityId: shelf }] },
  ]);
  const inWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  expect(made.body.orders[1].lines[0].requiredBy).toBe(inWeek);
  expect(await list()).toEqual([]);
  const again = await order({ lines, locationEntityId: shelf });
  expect(again.body).toMatchObject({
    status: 409,
    code: 'plan_stale',
    errors: [{ pointer: '/lines/0/itemEntityId' }],
  });
  expect((await order({ lines: [{ itemEntityId: bolt, quantity: 0 }] })).body.code).toBe('zero_quantity');
});

test('two buyers who order the same at one time order it once; what is made becomes a manufacturing order', async () => {
  await plan(bolt, {
    policy: 'reorderPoint',
    reorderPoint: 10,
    makeOrBuy: 'make',
    leadTimeDays: 2,
    locationEntityId: shelf,
  });
  await plan(nut, { policy: 'reorderPoint', reorderPoint: 10, locationEntityId: shelf });
  // A price is missing only of what is bought.
  const { totals } = await workspace.must(200, 'GET', '/planning/reorder');
  expect(totals).toMatchObject([{ supplier: null, items: 2, unpricedItems: 1 }]);
  const body = { lines: [{ itemEntityId: bolt }, { itemEntityId: nut }], state: 'Ordered' };
  const both = await Promise.all([order(body), order(body)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const made = both.find(({ status }) => status === 201)?.body.orders;
  expect(made).toMatchObject([
    {
      type: 'manufacturingOrder',
      supplier: null,
      lines: [{ itemEntityId: bolt, quantity: 10, state: 'Ordered' }],
    },
    { type: 'purchaseOrder', supplier: null, lines: [{ itemEntityId: nut, quantity: 10, price: null }] },
  ]);
  expect(await list()).toEqual([]);
});

test('of two last listeners that end at once, one forgets which items are below their points', async () => {
  const listeners = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  await workspace.transact(async (tx) => {
    await tx.query(
      'insert into event_listener (workspace_id, context_type, listener_id) select $1, 11, unnest($2::uuid[])',
      [workspace.id, listeners],
    );
    await tx.query('insert into reorder_crossing (workspace_id, item_id) values ($1, $2)', [
      workspace.id,
      bolt,
    ]);
  });
  const clients = listeners.map(
    () => new Client({ connectionString: server.ctx.config.DATABASE_URL as string }),
  );
  const [first, second] = clients as [Client, Client];
  const end = (client: Client, id = '') =>
    client.query('delete from event_listener where workspace_id = $1 and listener_id = $2', [
      workspace.id,
      id,
    ]);
  for (const client of clients) {
    await client.connect();
    await client.query('begin');
  }
  const { rows } = await second.query<{ pid: number }>('select pg_backend_pid() as pid');
  await end(first, listeners[0]);
  let isOver = false;
  const ending = end(second, listeners[1]).then(() => {
    isOver = true;
  });
  const isBlocked = async () =>
    (
      await first.query<{ count: number }>('select cardinality(pg_blocking_pids($1)) as count', [
        rows[0]?.pid,
      ])
    ).rows[0]?.count !== 0;
  await vi.waitUntil(async () => isOver || (await isBlocked()), patience);
  await first.query('commit');
  await ending;
  await second.query('commit');
  for (const client of clients) await client.end();
  const left = await workspace.transact((tx) =>
    tx.query('select from reorder_crossing where workspace_id = $1', [workspace.id]),
  );
  expect(left).toEqual([]);
});

test('lead times count the working days of the workspace: in the list, in promises and in planning runs', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const dateIn = (days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  const weekdays = [1, 2, 3, 4, 5];
  const holidays = [dateIn(1), dateIn(4), '2020-12-24'];
  const isWorked = (at: number) =>
    weekdays.includes(new Date(dateIn(at)).getUTCDay()) && !holidays.includes(dateIn(at));
  // It is ordered today, or on the next working day, and arrives seven working days later.
  let arrives = 0;
  while (!isWorked(arrives)) arrives++;
  for (let left = 7; left > 0; ) if (isWorked(++arrives)) left -= 1;
  await sell('Bossard', bolt);
  await plan(bolt, { policy: 'reorderPoint', reorderPoint: 10, locationEntityId: shelf });
  expect(await list()).toMatchObject([{ leadTimeDays: 7, receivedOn: dateIn(7) }]);

  const settings = await workspace.must(200, 'GET', '/stock/settings');
  expect(settings.workingDays).toEqual({ weekdays: [0, 1, 2, 3, 4, 5, 6], holidays: [] });
  const workingDays = { weekdays, holidays };
  const changed = await workspace.must(200, 'PUT', '/stock/settings', { ...settings, workingDays });
  expect(changed).toEqual({ ...settings, workingDays });
  // A client that does not know them leaves them as they are.
  const { workingDays: _, ...known } = settings;
  expect((await workspace.must(200, 'PUT', '/stock/settings', known)).workingDays).toEqual(workingDays);
  for (const wrong of [
    { weekdays: [], holidays },
    { weekdays: [7], holidays },
    { weekdays, holidays: ['24.12.2026'] },
  ])
    await workspace.must(422, 'PUT', '/stock/settings', { ...settings, workingDays: wrong });

  expect(await list()).toMatchObject([{ leadTimeDays: 7, receivedOn: dateIn(arrives) }]);
  const promised = await workspace.must(200, 'GET', `/entities/${bolt}/promise?quantity=5`);
  expect(promised.capableOn).toBe(dateIn(arrives));
  const run = await workspace.must(202, 'POST', '/planning/runs', {});
  expect(run).toMatchObject(workingDays);
  const own = { weekdays: [6], holidays: [] };
  expect(await workspace.must(202, 'POST', '/planning/runs', own)).toMatchObject(own);
  const { orders } = (await order({ lines: [{ itemEntityId: bolt }] })).body;
  expect(orders[0].lines[0].requiredBy).toBe(dateIn(arrives));
});
