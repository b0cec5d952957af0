// Who sells an item: numbers, packs and prices, and what is proposed for a need.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let bolt: string;
let nut: string;
let digikey: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [bolt, nut] = workspace.items as [string, string];
  digikey = (
    await workspace.must(201, 'POST', '/suppliers', { name: 'DigiKey', currency: 'USD', leadTimeDays: 3 })
  ).id;
});

const price = (from: number, amount: string, more: object = {}) => ({
  from,
  price: amount,
  currency: 'USD',
  ...more,
});
const sell = (more: object = {}) =>
  workspace.must(201, 'POST', '/supplier-parts', {
    itemEntityId: bolt,
    supplierId: digikey,
    sku: 'DK-1',
    ...more,
  });
const offer = async (quantity: number, more: object = {}) =>
  (
    await workspace.must(200, 'POST', '/supplier-parts/offers', {
      lines: [{ itemEntityId: bolt, quantity, ...more }],
    })
  ).items[0];

test('a supplier part has a number, packs and exact prices, and is changed under its tag', async () => {
  const prices = [
    price(100, '0.01'),
    price(1, '0.0123'),
    price(1, '0.0100', { validFrom: '2999-01-01', source: 'Offer 7' }),
  ];
  const made = await sell({ manufacturer: 'Yageo', mpn: 'RC0603', packQuantity: 10, multiple: 50, prices });
  expect(made).toMatchObject({
    supplier: 'DigiKey',
    sku: 'DK-1',
    mpn: 'RC0603',
    minimum: null,
    rank: 1,
    status: 'active',
  });
  expect(made.prices).toEqual([
    { ...price(1, '0.0123'), validFrom: null, source: null },
    { ...price(100, '0.01'), validFrom: null, source: null },
    { ...price(1, '0.01'), validFrom: '2999-01-01', source: 'Offer 7' },
  ]);
  const again = { itemEntityId: bolt, supplierId: digikey, sku: 'DK-1' };
  expect((await workspace.ask('POST', '/supplier-parts', again)).body.code).toBe('supplier_part_taken');
  const other = await sell({ sku: 'DK-2' });
  expect((await workspace.ask('PATCH', `/supplier-parts/${other.id}`, { sku: 'DK-1' })).body.code).toBe(
    'supplier_part_taken',
  );
  const bad: [object, number][] = [
    [{ multiple: 15, packQuantity: 10 }, 422],
    [{ packQuantity: 0 }, 422],
    [{ minimum: 1e10 }, 422],
    [{ prices: [price(1, '0.1'), price(1, '0.2')] }, 422],
    [{ prices: [price(1, '-1')] }, 422],
    [{ prices: [price(1, '0.1234567')] }, 422],
    [{ prices: [{ from: 1, price: 0.1, currency: 'USD' }] }, 422],
    [{ prices: Array.from({ length: 101 }, (_, at) => price(at + 1, '1')) }, 422],
    [{ unit: 'reel' }, 422],
    [{ leadTimeDays: 365_000 }, 422],
    [{ prices: Array.from({ length: 100 }, (_, at) => price(at + 1, '1')) }, 200],
  ];
  for (const [change, status] of bad) {
    const answer = await workspace.ask('PATCH', `/supplier-parts/${other.id}`, change);
    expect(answer.status, answer.text.slice(0, 300)).toBe(status);
  }
  expect(
    (await workspace.ask('POST', '/supplier-parts', { ...again, itemEntityId: workspace.locations[0] })).body
      .code,
  ).toBe('not_an_item');
  expect((await workspace.ask('POST', '/supplier-parts', { ...again, supplierId: bolt })).body.code).toBe(
    'supplier_not_found',
  );
  await workspace.must(204, 'DELETE', `/supplier-parts/${other.id}`);
  expect((await workspace.ask('GET', `/supplier-parts/${other.id}`)).body.code).toBe(
    'supplier_part_not_found',
  );
  const audited = await workspace.must(200, 'GET', `/audit?subjectKey=${other.id}`);
  expect(audited.items.map(({ action }: { action: string }) => action)).toEqual([
    'delete',
    'update',
    'create',
  ]);
});

test('a need becomes whole packs, at least the minimum, at the price of that quantity', async () => {
  expect(await offer(7)).toMatchObject({
    supplierPartId: null,
    quantity: 7,
    packs: null,
    price: null,
    amount: null,
  });
  const made = await sell({
    packQuantity: 10,
    minimum: 30,
    prices: [price(1, '0.5'), price(100, '0.333333'), price(40, '9', { currency: 'EUR' })],
  });
  expect(await offer(7)).toMatchObject({
    supplierPartId: made.id,
    quantity: 30,
    packs: 3,
    price: '0.5',
    amount: '15',
  });
  expect(await offer(41)).toMatchObject({
    quantity: 50,
    packs: 5,
    price: '0.5',
    currency: 'USD',
    amount: '25',
  });
  // Rounded up to packs, it reaches the next price.
  expect(await offer(90.000001)).toMatchObject({
    quantity: 100,
    price: '0.333333',
    amount: '33.3333',
    leadTimeDays: 3,
  });
  // A price list takes the place of the former one; that of the future does not apply yet.
  const lists = [price(1, '0.5'), price(100, '0.3'), price(1, '0.45', { validFrom: '2020-01-01' })];
  await workspace.must(200, 'PATCH', `/supplier-parts/${made.id}`, {
    prices: [...lists, price(1, '0.1', { validFrom: '2999-01-01' })],
  });
  expect(await offer(100)).toMatchObject({ price: '0.45', amount: '45' });
  // A quantity below every price has none, which is not a price of 0.
  await workspace.must(200, 'PATCH', `/supplier-parts/${made.id}`, { prices: [price(1000, '0.2')] });
  expect(await offer(7)).toMatchObject({ quantity: 30, packs: 3, price: null, currency: null, amount: null });
});

test('packs and prices are in the unit of the supplier part', async () => {
  await workspace.must(200, 'PUT', `/stock/units/${bolt}`, {
    baseUnit: 'pcs',
    units: [
      { unit: 'reel', numerator: 4000, denominator: 1 },
      { unit: 'third', numerator: 1, denominator: 3 },
    ],
  });
  const made = await sell({ unit: 'reel', prices: [price(1, '12.34')] });
  expect(await offer(4001)).toMatchObject({
    quantity: 8000,
    unit: 'reel',
    packs: 2,
    price: '12.34',
    amount: '24.68',
  });
  await workspace.must(200, 'PATCH', `/supplier-parts/${made.id}`, { unit: 'third' });
  expect(await offer(1)).toMatchObject({ quantity: 1, unit: 'third', packs: 3, amount: '37.02' });
});

test('the supplier part of the lowest rank is proposed, of an active supplier or of the named one', async () => {
  const mouser = (await workspace.must(201, 'POST', '/suppliers', { name: 'Mouser' })).id;
  const second = await sell({ rank: 2 });
  const first = await sell({ supplierId: mouser, sku: 'M-1' });
  const seller = async (more: object = {}) => (await offer(1, more)).supplier;
  expect(await seller()).toBe('Mouser');
  expect(await seller({ supplier: ' digikey' })).toBe('DigiKey');
  expect(await seller({ supplier: 'Nobody' })).toBeNull();
  const lookedUp = async () =>
    (await workspace.must(200, 'POST', '/suppliers/lookup', { itemEntityIds: [bolt] })).items[0].supplier;
  expect(await lookedUp()).toBe('Mouser');
  await workspace.must(200, 'PATCH', `/suppliers/${mouser}`, { state: 'inactive' });
  expect([await seller(), await lookedUp(), await seller({ supplier: 'mouser' })]).toEqual([
    'DigiKey',
    'DigiKey',
    'Mouser',
  ]);
  await workspace.must(200, 'PATCH', `/suppliers/${mouser}`, { state: 'active' });
  // The planning of the item may prefer another one, wherever a supplier is proposed.
  const planning = { policy: 'demand', supplierPartId: second.id };
  await workspace.must(200, 'PUT', `/planning/items/${bolt}`, planning);
  expect([await seller(), await lookedUp()]).toEqual(['DigiKey', 'DigiKey']);
  await workspace.must(200, 'PUT', `/planning/items/${bolt}`, { policy: 'demand' });
  expect([await seller(), await lookedUp()]).toEqual(['Mouser', 'Mouser']);
  await workspace.must(200, 'PATCH', `/supplier-parts/${first.id}`, { status: 'inactive' });
  expect(await seller()).toBe('DigiKey');
});

test('searches for entities find SKUs and MPNs, in every order and with every filter', async () => {
  await sell({ sku: '311-10.0KHRCT-ND', mpn: 'RC0603FR-0710KL' });
  await sell({ itemEntityId: nut, sku: 'XYZ-9' });
  const found = async (q: string, more = '') =>
    (await workspace.must(200, 'GET', `/entities?q=${encodeURIComponent(q)}${more}`)).items.map(
      ({ id }: { id: string }) => id,
    );
  for (const more of [
    '',
    '&sort=number',
    '&sort=name',
    '&sort=best',
    '&category=part',
    '&sort=created&order=desc',
  ])
    for (const q of ['rc0603fr-0710kl', '311-10.0K', 'RC0603FR 311'])
      expect(await found(q, more), `${q}${more}`).toEqual([bolt]);
  expect(await found('number:XYZ-9')).toEqual([]);
  expect(await found('XYZ-9', '&category=location')).toEqual([]);
  const listed = async (query: string) =>
    (await workspace.must(200, 'GET', `/supplier-parts?${query}`)).items.map(
      ({ sku }: { sku: string }) => sku,
    );
  expect(await listed('q=xyz')).toEqual(['XYZ-9']);
  expect(await listed(`itemEntityId=${bolt}&supplierId=${digikey}`)).toEqual(['311-10.0KHRCT-ND']);
  expect(await listed('limit=1')).toEqual(['311-10.0KHRCT-ND']);
  const page = await workspace.must(200, 'GET', '/supplier-parts?limit=1');
  expect(await listed(`limit=1&cursor=${page.nextCursor}`)).toEqual(['XYZ-9']);
});

const orderOf = (lines: object[], more: object = {}) => {
  const at = { itemEntityId: bolt, locationEntityId: workspace.locations[0] };
  const body = {
    type: 'purchaseOrder',
    supplier: 'digikey',
    lines: lines.map((line) => ({ ...at, ...line })),
    ...more,
  };
  return workspace.ask('POST', '/orders', body);
};

test('a purchase line keeps the supplier part, packs and price of its moment', async () => {
  const part = await sell({ packQuantity: 10, prices: [price(1, '0.5'), price(100, '0.333333')] });
  const answer = await orderOf([{ quantity: 25 }, { quantity: 100 }, { quantity: 1, supplierPartId: null }]);
  expect(answer.status, answer.text).toBe(201);
  const { id, lines, totals } = answer.body;
  const terms = { supplierPartId: part.id, sku: 'DK-1', packQuantity: 10, priceUnit: null };
  expect(lines).toMatchObject([
    { ...terms, packs: 2.5, price: '0.5', currency: 'USD', amount: '12.5' },
    { ...terms, packs: 10, price: '0.333333', currency: 'USD', amount: '33.3333' },
    { supplierPartId: null, sku: null, packs: null, price: null, currency: null, amount: null },
  ]);
  expect(totals).toMatchObject({ amounts: [{ currency: 'USD', amount: '45.8333' }], unpricedLines: 1 });
  expect(await workspace.must(200, 'GET', `/orders/${id}`)).toEqual(answer.body);

  // What changes afterwards leaves it as it is; another line takes the new price.
  await workspace.must(200, 'PATCH', `/supplier-parts/${part.id}`, { sku: 'DK-9', prices: [price(1, '7')] });
  expect((await workspace.must(200, 'GET', `/orders/${id}`)).lines).toEqual(lines);
  const at = { itemEntityId: bolt, locationEntityId: workspace.locations[0], quantity: 2 };
  const added = await workspace.must(201, 'POST', `/orders/${id}/lines`, { lines: [at] });
  expect(added.lines).toMatchObject([{ sku: 'DK-9', price: '7', amount: '14' }]);

  // A line keeps its price when its quantity changes, and takes another one.
  const [first] = lines;
  const changed = await workspace.must(200, 'PATCH', `/stock/lines/${first.id}`, { quantity: 200 });
  expect(changed).toMatchObject({ packs: 20, price: '0.5', amount: '100' });
  const other = { price: '0.4', currency: 'EUR' };
  expect(await workspace.must(200, 'PATCH', `/stock/lines/${first.id}`, other)).toMatchObject({
    ...other,
    amount: '80',
  });
  const { totals: sums } = await workspace.must(200, 'GET', `/orders/${id}`);
  expect(sums.amounts).toEqual([
    { currency: 'EUR', amount: '80' },
    { currency: 'USD', amount: '47.3333' },
  ]);
  const audited = await workspace.must(200, 'GET', `/audit?subjectKey=${first.id}`);
  expect(audited.items[0]).toMatchObject({ before: { price: '0.5 USD' }, after: { price: '0.4 EUR' } });
  expect(await workspace.must(200, 'PATCH', `/stock/lines/${first.id}`, { price: null })).toMatchObject({
    price: null,
    amount: null,
  });
  await workspace.act(first.id, 'cancel');
  expect((await workspace.must(200, 'GET', `/orders/${id}`)).totals.unpricedLines).toBe(1);
});

test('a line states its own price, or the supplier part; what does not fit is refused', async () => {
  const mouser = (await workspace.must(201, 'POST', '/suppliers', { name: 'Mouser' })).id;
  const [own, foreign] = [
    await sell({ prices: [price(1, '0.5')] }),
    await sell({ supplierId: mouser, sku: 'M-1' }),
  ];
  const second = await sell({ sku: 'DK-2', rank: 5, prices: [price(1, '0.7')] });
  const ofNut = await sell({ itemEntityId: nut, sku: 'DK-3' });
  const stated = await orderOf([
    { quantity: 3, price: '0.11', currency: 'EUR' },
    { quantity: 3, supplierPartId: second.id },
    { quantity: 3, supplierPartId: null, price: '1', currency: 'EUR' },
  ]);
  expect(stated.body.lines, stated.text).toMatchObject([
    { supplierPartId: own.id, price: '0.11', currency: 'EUR', amount: '0.33' },
    { supplierPartId: second.id, sku: 'DK-2', price: '0.7', amount: '2.1' },
    { supplierPartId: null, sku: null, price: '1', amount: '3' },
  ]);
  const refused: [object, string][] = [
    [{ quantity: 1, price: '1' }, '/lines/0/currency'],
    [{ quantity: 1, currency: 'EUR' }, '/lines/0/price'],
    [{ quantity: 1, supplierPartId: foreign.id }, '/lines/0/supplierPartId'],
    [{ quantity: 1, supplierPartId: ofNut.id }, '/lines/0/supplierPartId'],
    [{ quantity: 1, supplierPartId: mouser }, '/lines/0/supplierPartId'],
  ];
  for (const [line, pointer] of refused) {
    const answer = await orderOf([line]);
    expect(answer.body, pointer).toMatchObject({ errors: [{ pointer }] });
    expect([404, 422]).toContain(answer.status);
  }
  const sold = { type: 'manufacturingOrder', supplier: undefined };
  expect((await orderOf([{ quantity: 1, price: '1', currency: 'EUR' }], sold)).status).toBe(422);
  // Under a former name the supplier is the same.
  await workspace.must(200, 'PATCH', `/suppliers/${digikey}`, { name: 'DigiKey Electronics' });
  expect((await orderOf([{ quantity: 1 }])).body.lines[0]).toMatchObject({ supplierPartId: own.id });
});

test('an order has the references of both sides', async () => {
  const answer = await orderOf([{ quantity: 1 }], { ourReference: 'A. Berg', theirReference: 'AB-1' });
  expect(answer.body).toMatchObject({ ourReference: 'A. Berg', theirReference: 'AB-1' });
  const path = `/orders/${answer.body.id}`;
  expect(await workspace.must(200, 'PATCH', path, { theirReference: 'AB-2' })).toMatchObject({
    supplier: 'digikey',
    ourReference: 'A. Berg',
    theirReference: 'AB-2',
  });
  expect(await workspace.must(200, 'PATCH', path, { ourReference: null })).toMatchObject({
    ourReference: null,
  });
  expect(await workspace.must(200, 'GET', path)).toMatchObject({
    ourReference: null,
    theirReference: 'AB-2',
  });
  const { items } = await workspace.must(200, 'GET', `/audit?subjectKey=${answer.body.id}`);
  expect(items[1]).toMatchObject({ before: { theirReference: 'AB-1' }, after: { theirReference: 'AB-2' } });
  const sold = await workspace.must(201, 'POST', '/orders', {
    type: 'manufacturingOrder',
    lines: [{ itemEntityId: bolt, locationEntityId: workspace.locations[0], quantity: 1 }],
  });
  expect(await workspace.must(200, 'PATCH', `/orders/${sold.id}`, { theirReference: 'C-7' })).toMatchObject({
    theirReference: 'C-7',
  });
});

test('offers for many lines read the prices of what they choose, not those of every supplier part', async () => {
  // All prices together, once for each line, would be more than a gigabyte.
  await workspace.transact((tx) =>
    tx.query(
      `insert into supplier_part (workspace_id, id, item_id, supplier_id, sku, pack_quantity, rank, status, prices)
       select $1, gen_random_uuid(), $2, $3, 'S-' || part, 1, 101 - part, 'active',
              (select jsonb_agg(jsonb_build_object('from', n || '.000000', 'price', part || '.000000', 'currency', 'USD',
                                                   'validFrom', null, 'source', repeat('s', 255)))
               from generate_series(1, 100) n)
       from generate_series(1, 100) part`,
      [workspace.id, bolt, digikey],
    ),
  );
  const lines = Array.from({ length: 500 }, () => ({ itemEntityId: bolt, quantity: 7 }));
  const { items } = await workspace.must(200, 'POST', '/supplier-parts/offers', { lines });
  expect(items).toHaveLength(500);
  for (const at of [0, 499]) expect(items[at]).toMatchObject({ sku: 'S-100', price: '100', amount: '700' });
});

test('a sales order has a customer, and no other order has one', async () => {
  const lines = [
    { itemEntityId: bolt, locationEntityId: workspace.locations[0], quantity: 1, state: 'Draft' },
  ];
  const customer = 'Rover Works AB';
  const order = await workspace.must(201, 'POST', '/orders', {
    type: 'salesOrder',
    customer,
    theirReference: 'PO 4711',
    lines,
  });
  expect(order).toMatchObject({ customer, theirReference: 'PO 4711' });
  const path = `/orders/${order.id}`;
  expect(await workspace.must(200, 'GET', path)).toMatchObject({ customer, theirReference: 'PO 4711' });
  expect(await workspace.must(200, 'PATCH', path, { customer: null })).toMatchObject({
    customer: null,
    theirReference: 'PO 4711',
  });
  const { items } = await workspace.must(200, 'GET', `/audit?subjectKey=${order.id}`);
  expect(items.at(-1)).toMatchObject({ before: { customer }, after: { customer: null } });
  const bought = await orderOf([{ quantity: 1 }], { customer });
  expect(bought.body).toMatchObject({ errors: [{ pointer: '/customer' }] });
  const purchase = await orderOf([{ quantity: 1 }]);
  const refused = await workspace.ask('PATCH', `/orders/${purchase.body.id}`, { customer });
  expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/customer' }] });
});
