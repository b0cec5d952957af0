// What an item costs: structure, losses, packs, price breaks, days, and what is not known.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Cost } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let ids: string[];
let supplier: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server, { items: 12 });
  ids = workspace.items;
  supplier = (await workspace.must(201, 'POST', '/suppliers', { name: 'Seller', currency: 'EUR' })).id;
});

const sell = (item: string, prices: object[], more: object = {}) =>
  workspace.must(201, 'POST', '/supplier-parts', {
    itemEntityId: item,
    supplierId: supplier,
    sku: `S-${item.slice(-6)}`,
    prices: prices.map((price) => ({ from: 1, currency: 'EUR', ...price })),
    ...more,
  });
const costOf = async (item: string, query = ''): Promise<Cost> =>
  workspace.must(200, 'GET', `/entities/${item}/cost${query}`);

test('sums what is purchased at its whole quantity, with losses and through phantoms, in packs beside it', async () => {
  const [product, kit, gear, bolt, washer] = ids as [string, string, string, string, string];
  await workspace.must(201, 'PUT', `/entities/${product}/uses/${kit}`, { quantity: 2, phantom: true });
  await workspace.link(product, gear, 3);
  await workspace.must(201, 'PUT', `/entities/${kit}/uses/${bolt}`, {
    quantity: 4,
    lossPercent: 5,
    lossFixed: 1,
  });
  await workspace.link(gear, bolt, 1);
  await workspace.link(gear, washer, 0.5);
  await sell(bolt, [{ price: '0.3' }, { from: 100, price: '0.2' }], { packQuantity: 50 });
  await sell(washer, [{ price: '1' }], { minimum: 20 });
  const cost = await costOf(product, '?quantity=10');
  // Bolts: 10 × (2 × 4 × 1.05 + 3) + 1; washers: 10 × 3 × 0.5.
  expect(cost.items).toMatchObject([
    {
      itemEntityId: bolt,
      quantity: 115,
      price: '0.2',
      amount: '23',
      orderQuantity: 150,
      packs: 3,
      orderAmount: '30',
    },
    { itemEntityId: washer, quantity: 15, price: '1', amount: '15', orderQuantity: 20, orderAmount: '20' },
  ]);
  expect(cost.totals).toEqual([{ currency: 'EUR', amount: '38', perUnit: '3.8', orderAmount: '50' }]);
  expect(cost).toMatchObject({
    itemEntityId: product,
    quantity: 10,
    itemCount: 2,
    unknownCount: 0,
    unknown: [],
  });
  // One of it reaches no price break.
  expect((await costOf(product)).items[0]).toMatchObject({ quantity: 12.4, price: '0.3', amount: '3.72' });
  const table = await workspace.ask('GET', `/entities/${product}/cost?quantity=10`, undefined, {
    Accept: 'text/csv',
  });
  expect(table.text.split('\r\n').map((line) => line.split(',').slice(3, 14).join(','))).toEqual([
    'quantity,supplier,sku,price,priceUnit,currency,amount,orderQuantity,packs,orderAmount,unknown',
    `115,Seller,S-${bolt.slice(-6)},0.2,,EUR,23,150,3,30,`,
    `15,Seller,S-${washer.slice(-6)},1,,EUR,15,20,20,20,`,
    '',
  ]);
});

test('lists what has no price, and counts it in no total', async () => {
  const [product, priced, unsold, later, dollars] = ids as [string, string, string, string, string];
  for (const part of [priced, unsold, later, dollars]) await workspace.link(product, part, 2);
  await sell(priced, [{ price: '10' }, { price: '11', validFrom: '2999-01-01' }]);
  await sell(later, [{ price: '5', validFrom: '2999-01-01' }]);
  await sell(dollars, [{ price: '7', currency: 'USD' }]);
  const cost = await costOf(product);
  expect(cost.totals).toMatchObject([
    { currency: 'EUR', amount: '20' },
    { currency: 'USD', amount: '14' },
  ]);
  const reasons = cost.unknown.map(({ itemEntityId, reason }) => [itemEntityId, reason]);
  expect(Object.fromEntries(reasons)).toEqual({ [unsold]: 'noSupplierPart', [later]: 'noPrice' });
  const future = await costOf(product, '?at=2999-01-01');
  expect(future.totals[0]).toMatchObject({ currency: 'EUR', amount: '32' });
  expect(future.unknown.map(({ itemEntityId }) => itemEntityId)).toEqual([unsold]);
});

test('makes an item that has components, unless its planning says that it is bought', async () => {
  const [product, board, chip] = ids as [string, string, string];
  await workspace.link(product, board, 1);
  await workspace.link(board, chip, 3);
  await sell(board, [{ price: '100' }]);
  await sell(chip, [{ price: '2' }]);
  expect((await costOf(product)).totals).toMatchObject([{ amount: '6' }]);
  await workspace.must(200, 'PUT', `/planning/items/${board}`, { policy: 'none', makeOrBuy: 'buy' });
  expect((await costOf(product)).totals).toMatchObject([{ amount: '100' }]);
  // It is made where its own cost is asked for.
  expect((await costOf(board)).totals).toMatchObject([{ amount: '6' }]);
  expect((await costOf(chip)).totals).toMatchObject([{ amount: '2' }]);
});

test('agrees with adding up path by path', async () => {
  const uses = ids.map((_, parent) =>
    ids.flatMap((_, child) =>
      child > parent && (parent * 7 + child * 5) % 3 === 0
        ? [[child, 1 + ((parent + child) % 4)] as const]
        : [],
    ),
  );
  for (const [parent, children] of uses.entries())
    for (const [child, quantity] of children)
      await workspace.link(ids[parent] as string, ids[child] as string, quantity);
  for (const [at, id] of ids.entries()) await sell(id, [{ price: String(at + 1) }]);
  const alongPaths = (at: number): number => {
    const children = uses[at] ?? [];
    if (children.length === 0) return at + 1;
    return children.reduce((sum, [child, quantity]) => sum + quantity * alongPaths(child), 0);
  };
  for (const at of [0, 1, 2]) {
    const { totals } = await costOf(ids[at] as string, '?quantity=5');
    expect(totals).toMatchObject([{ amount: String(5 * alongPaths(at)), perUnit: String(alongPaths(at)) }]);
  }
});

test('refuses what is no item, no quantity and no day', async () => {
  const path = (id: string, query = '') => workspace.ask('GET', `/entities/${id}/cost${query}`);
  const bad: [ReturnType<typeof path>, number, string][] = [
    [path('guid:00000000-0000-4000-8000-000000000000'), 404, 'entity_not_found'],
    [path(workspace.locations[0] as string), 422, 'not_an_item'],
    [path(ids[0] as string, '?quantity=0'), 422, 'zero_quantity'],
    [path(ids[0] as string, '?quantity=-1'), 422, 'quantity_out_of_range'],
    [path(ids[0] as string, '?quantity=1e10'), 422, 'quantity_out_of_range'],
    [path(ids[0] as string, '?quantity=many'), 422, 'validation_failed'],
    [path(ids[0] as string, '?at=2026-02-30'), 422, 'validation_failed'],
    [path(ids[0] as string, '?inCurrency=EUR'), 422, 'unknown_field'],
    [path(ids[0] as string, '?currency=euro'), 422, 'validation_failed'],
    [path(ids[0] as string, '?revision=0'), 422, 'validation_failed'],
  ];
  for (const [asked, status, code] of bad) {
    const answer = await asked;
    expect([answer.status, answer.body.code], answer.text).toEqual([status, code]);
  }
});

test('converts totals by the newest rate of either direction, and names currencies without one', async () => {
  const [product, bolt, washer, nut] = ids as [string, string, string, string];
  for (const part of [bolt, washer, nut]) await workspace.link(product, part, 3);
  await sell(bolt, [{ price: '0.1', currency: 'USD' }]);
  await sell(washer, [{ price: '1', currency: 'EUR' }]);
  await sell(nut, [{ price: '7', currency: 'CHF' }]);
  const set = (from: string, to: string, validFrom: string, rate: string) =>
    workspace.must(200, 'PUT', `/exchange-rates/${from}/${to}/${validFrom}`, { rate });
  const none = await costOf(product, '?at=2026-06-01&currency=EUR');
  expect(none.converted).toEqual({
    currency: 'EUR',
    rates: [],
    missing: ['CHF', 'USD'],
    amount: '3',
    perUnit: '3',
    orderAmount: '3',
  });
  const inPounds = (await costOf(product, '?at=2026-06-01&currency=GBP')).converted;
  expect(inPounds).toMatchObject({ missing: ['CHF', 'EUR', 'USD'], amount: null, orderAmount: null });
  await set('USD', 'EUR', '2026-01-01', '0.9');
  await set('USD', 'EUR', '2026-07-01', '0.5');
  expect((await costOf(product, '?at=2026-06-01&currency=EUR')).converted).toMatchObject({
    amount: '3.27',
    rates: [{ currency: 'USD', rate: '0.9', validFrom: '2026-01-01' }],
    missing: ['CHF'],
  });
  // Three Swiss francs each for one euro; the dollars now by the newer, inverse rate.
  await set('EUR', 'CHF', '2026-02-01', '3.0');
  await set('EUR', 'USD', '2026-03-01', '3');
  const converted = (await costOf(product, '?at=2026-06-01&currency=EUR')).converted;
  expect(converted).toMatchObject({ amount: '10.1', missing: [] });
  expect(converted?.rates).toEqual([
    { currency: 'CHF', rate: '0.333333333', validFrom: '2026-02-01' },
    { currency: 'USD', rate: '0.333333333', validFrom: '2026-03-01' },
  ]);
  expect((await costOf(product)).converted).toBeNull();
  await workspace.must(200, 'PUT', `/planning/items/${bolt}`, { policy: 'reorderPoint', reorderPoint: 10 });
  const { totals } = await workspace.must(200, 'GET', '/planning/reorder?currency=EUR');
  expect(totals).toMatchObject([{ converted: { currency: 'EUR', missing: [] } }]);
});

test('keeps dated rates, and refuses what is none', async () => {
  const put = (path: string, rate: string) => workspace.ask('PUT', `/exchange-rates/${path}`, { rate });
  expect((await put('USD/EUR/2026-01-01', '0.920000000')).body).toEqual({
    from: 'USD',
    to: 'EUR',
    validFrom: '2026-01-01',
    rate: '0.92',
  });
  await put('USD/EUR/2026-01-01', '0.93');
  await put('USD/EUR/2026-01-01', '0.930');
  await put('CHF/EUR/2026-01-01', '1.05');
  const { items, nextCursor } = await workspace.must(200, 'GET', '/exchange-rates?limit=1');
  expect(items).toMatchObject([{ from: 'CHF', rate: '1.05' }]);
  const next = await workspace.must(200, 'GET', `/exchange-rates?limit=1&cursor=${nextCursor}`);
  expect(next).toMatchObject({ items: [{ from: 'USD', rate: '0.93' }], nextCursor: null });
  expect((await workspace.must(200, 'GET', '/exchange-rates?from=USD&to=CHF')).items).toEqual([]);
  for (const [path, rate] of [
    ['USD/USD/2026-01-01', '1'],
    ['USD/EUR/2026-02-30', '1'],
    ['USD/EUR/0000-01-01', '1'],
    ['usd/EUR/2026-01-01', '1'],
    ['USD/EUR/2026-01-01', '0'],
    ['USD/EUR/2026-01-01', '0.000'],
    ['USD/EUR/2026-01-01', '-1'],
    ['USD/EUR/2026-01-01', '1.0000000001'],
    ['USD/EUR/2026-01-01', '1000000000'],
  ] as const)
    expect([400, 404, 422], `${path} ${rate}`).toContain((await put(path, rate)).status);
  const audit = await workspace.must(
    200,
    'GET',
    '/audit?subjectType=exchangeRate&subjectKey=USD/EUR 2026-01-01',
  );
  expect(audit.items, 'a rate that stays writes nothing').toHaveLength(2);
  await workspace.must(204, 'DELETE', '/exchange-rates/USD/EUR/2026-01-01');
  const gone = await workspace.ask('DELETE', '/exchange-rates/USD/EUR/2026-01-01');
  expect(gone.body.code).toBe('exchange_rate_not_found');
});

test('prices the structure of a revision beside the present one', async () => {
  const [product, bolt, washer] = ids as [string, string, string];
  await sell(bolt, [{ price: '2' }]);
  await sell(washer, [{ price: '1' }]);
  await workspace.link(product, bolt, 3);
  for (const state of ['In Review', 'Released'])
    expect((await workspace.move(product, state)).status).toBe(200);
  await workspace.link(product, washer, 5);
  const { items: revisions } = await workspace.must(200, 'GET', `/entities/${product}/revisions`);
  expect(revisions).toHaveLength(2);
  const now = await costOf(product);
  expect(now).toMatchObject({ revision: null, totals: [{ amount: '11' }] });
  expect(await costOf(product, '?revision=1')).toMatchObject({
    revision: 1,
    totals: [{ amount: '6' }],
    items: [{ itemEntityId: bolt, quantity: 3 }],
  });
  expect(await costOf(product, '?revision=2')).toMatchObject({ totals: now.totals, items: now.items });
  const missing = await workspace.ask('GET', `/entities/${product}/cost?revision=3`);
  expect(missing.body.code).toBe('revision_not_found');
});

test('adds a numeric property up over what is contained, without losses, and lists what has no value', async () => {
  const key = 'Mass';
  await workspace.must(201, 'POST', '/property-definitions', {
    key,
    name: 'Mass',
    type: 'numeric',
    unit: 'kg',
  });
  const [product, kit, gear, bolt, washer, cable] = ids as [string, string, string, string, string, string];
  const [paint, pigment, powder] = ids.slice(6) as [string, string, string];
  await workspace.must(201, 'PUT', `/entities/${product}/uses/${kit}`, { quantity: 2, phantom: true });
  await workspace.link(product, gear, 3);
  await workspace.must(201, 'PUT', `/entities/${kit}/uses/${bolt}`, {
    quantity: 4,
    lossPercent: 50,
    lossFixed: 9,
  });
  await workspace.link(gear, bolt, 1);
  await workspace.link(gear, washer, 0.5);
  await workspace.link(product, cable, 1);
  const weigh = (item: string, mass: number) =>
    workspace.must(200, 'PATCH', `/entities/${item}`, { properties: { [key]: mass } });
  await weigh(bolt, 0.1);
  await weigh(washer, -0.02);
  await weigh(product, 7);
  const rollup = (item: string, query = '') =>
    workspace.must(200, 'GET', `/entities/${item}/rollup?property=${key}${query}`);
  expect(await rollup(product, '&quantity=10')).toMatchObject({
    itemEntityId: product,
    property: key,
    unit: 'kg',
    quantity: 10,
    // Bolts: 10 × (2 × 4 + 3); washers: 10 × 3 × 0.5.
    total: 10.7,
    perUnit: 1.07,
    stated: 7,
    itemCount: 2,
    items: [
      { itemEntityId: bolt, quantity: 110, value: 0.1, amount: 11 },
      { itemEntityId: washer, quantity: 15, value: -0.02, amount: -0.3 },
    ],
    unknownCount: 1,
    unknown: [{ itemEntityId: cable, quantity: 10 }],
  });
  // Nothing is known of it, which is not zero.
  expect(await rollup(cable)).toMatchObject({ total: null, perUnit: null, stated: null, unknownCount: 1 });
  expect(await rollup(bolt)).toMatchObject({ total: 0.1, stated: 0.1, unknownCount: 0 });
  // Nothing is rounded on the way: what is contained is no quantity of stock.
  await workspace.link(paint, pigment, 0.001);
  await workspace.link(pigment, powder, 0.0001);
  await weigh(powder, 2);
  expect(await rollup(paint)).toMatchObject({
    total: 0.0000002,
    perUnit: 0.0000002,
    items: [{ quantity: 0.0000001, amount: 0.0000002 }],
  });
  expect(await rollup(paint, '&quantity=0.000001')).toMatchObject({ perUnit: 0.0000002 });
  // An assembly that is bought has the value that is stated of it.
  await workspace.must(200, 'PUT', `/planning/items/${gear}`, { policy: 'demand', makeOrBuy: 'buy' });
  await weigh(gear, 2);
  expect(await rollup(product)).toMatchObject({ total: 6.8, itemCount: 2 });
  const refused = async (query: string) => {
    const { status, body } = await workspace.ask('GET', `/entities/${product}/rollup?${query}`);
    return [status, body.code];
  };
  await workspace.must(201, 'POST', '/property-definitions', { key: 'Colour', name: 'Colour', type: 'text' });
  await weigh(powder, 1e308);
  const beyond = await workspace.ask('GET', `/entities/${powder}/rollup?property=${key}&quantity=999999999`);
  expect([beyond.status, beyond.body.code]).toEqual([422, 'quantity_out_of_range']);
  expect(await refused('property=Weight')).toEqual([422, 'unknown_property']);
  expect(await refused('property=Colour')).toEqual([422, 'validation_failed']);
  expect(await refused(`property=${key}&quantity=0`)).toEqual([422, 'zero_quantity']);
  expect(await refused(`property=${key}&revision=9`)).toEqual([404, 'revision_not_found']);
  expect(await refused('')).toEqual([422, 'validation_failed']);
});
