// Orders as a buyer looks for them: from whom, and which day they are due by.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Order, StockLine } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let bolt: string;
let nut: string;
let shelf: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [bolt, nut] = workspace.items as [string, string];
  [shelf] = workspace.locations as [string];
});

const line = (requiredBy?: string, more: object = {}) => ({
  itemEntityId: bolt,
  locationEntityId: shelf,
  quantity: 10,
  requiredBy,
  ...more,
});
const order = (supplier: string | null | undefined, ...lines: object[]) =>
  workspace.must(201, 'POST', '/orders', { type: 'purchaseOrder', supplier, lines });

/** Numbers of all orders that fit, a page after the other, however short the pages are. */
async function numbers(query: string, limit = 2): Promise<(string | null)[]> {
  const all: (string | null)[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = await workspace.must(200, 'GET', `/orders?limit=${limit}&${query}${at}`);
    all.push(...page.items.map(({ number }: Order) => number));
    cursor = page.nextCursor;
  }
  return all;
}

test('an order says from whom it is, from its first day or later, and who it was before stays known', async () => {
  const made = await order('  Digi   Key ', line());
  expect(made.supplier).toBe('Digi Key');
  // Two lines for one requirement are made apart from other callers' orders: the same comes of it.
  const needed = await workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: bolt,
    requiredQty: 20,
  });
  const half = line(undefined, { requirementId: needed.id });
  const apart = await order('Zellwerk', half, half);
  expect(apart.supplier).toBe('Zellwerk');
  const bare = await order(undefined, line());
  expect(bare.supplier).toBeNull();
  for (const { id, supplier } of [made, apart, bare])
    expect((await workspace.must(200, 'GET', `/orders/${id}`)).supplier).toBe(supplier);

  const change = (id: string, body: object) => workspace.ask('PATCH', `/orders/${id}`, body);
  expect((await change(bare.id, { supplier: 'Mouser' })).body.supplier).toBe('Mouser');
  expect((await change(bare.id, { supplier: 'Mouser Electronics' })).body.supplier).toBe(
    'Mouser Electronics',
  );
  // What was read can be sent back; it changes nothing.
  const read = await workspace.must(200, 'GET', `/orders/${bare.id}`);
  expect(await change(bare.id, read)).toMatchObject({
    status: 200,
    body: { supplier: 'Mouser Electronics' },
  });
  const { items } = await workspace.must(200, 'GET', `/audit?subjectKey=${bare.id}`);
  expect(items).toMatchObject([
    { subjectType: 'order', before: { supplier: 'Mouser' }, after: { supplier: 'Mouser Electronics' } },
    { before: { supplier: null }, after: { supplier: 'Mouser' } },
  ]);
  expect((await change(bare.id, { supplier: null })).body.supplier).toBeNull();
  expect((await workspace.must(200, 'GET', `/orders/${bare.id}`)).supplier).toBeNull();

  for (const supplier of ['', ' \t ', 'x'.repeat(201)])
    expect((await change(bare.id, { supplier })).body).toMatchObject({ status: 422 });
  expect((await change(bare.id, { supplier: '\u{fdfa}'.repeat(200) })).status).toBe(200);
  expect((await change(bare.id, { number: 'PO-0' })).body.code).toBe('read_only_field');
  expect((await change(bolt, { supplier: 'Mouser' })).body.code).toBe('order_not_found');
});

test('what is no purchase order has no supplier', async () => {
  await workspace.adjust(bolt, shelf, 50);
  const refused = await workspace.ask('POST', '/orders', {
    type: 'salesOrder',
    supplier: 'Mouser',
    lines: [line()],
  });
  expect(refused.body).toMatchObject({ status: 422, errors: [{ pointer: '/supplier' }] });
  const sold = await workspace.must(201, 'POST', '/orders', { type: 'salesOrder', lines: [line()] });
  const changed = await workspace.ask('PATCH', `/orders/${sold.id}`, { supplier: 'Mouser' });
  expect(changed.body).toMatchObject({ status: 422, errors: [{ pointer: '/supplier' }] });
  expect((await workspace.must(200, 'GET', `/orders/${sold.id}`)).supplier).toBeNull();
});

test('an order makes a supplier of a name that is new; spellings of a name are one supplier', async () => {
  for (const name of ['Zellwerk', 'digikey', 'DigiKey', 'ámber', 'DIGIKEY ', 'Zellwerk'])
    await order(name, line());
  const bare = await order(undefined, line());
  await workspace.must(200, 'PATCH', `/orders/${bare.id}`, { supplier: 'Farnell' });
  const names = async (query: string) => {
    const { items, nextCursor } = await workspace.must(200, 'GET', `/suppliers?${query}`);
    return [items.map(({ name }: { name: string }) => name), nextCursor];
  };
  expect(await names('')).toEqual([['digikey', 'Farnell', 'Zellwerk', 'ámber'], null]);
  const [first, cursor] = await names('limit=3');
  expect(first).toEqual(['digikey', 'Farnell', 'Zellwerk']);
  expect(await names(`limit=3&cursor=${cursor}`)).toEqual([['ámber'], null]);
  expect(await names('q=amber')).toEqual([['ámber'], null]);
  expect(await names('name=%20DIGIKEY')).toEqual([['digikey'], null]);
});

test('a supplier has facts, is changed under its tag, and is found by its names', async () => {
  const facts = { code: 'DK', currency: 'USD', leadTimeDays: 3, contact: 'orders@digikey.example' };
  const made = await workspace.must(201, 'POST', '/suppliers', { name: ' Digi  Key', ...facts });
  expect(made).toMatchObject({ name: 'Digi Key', ...facts, state: 'active', mergedIntoId: null });
  const bought = await order('digi key', line());
  expect(bought.supplier).toBe('digi key');
  const refused = await workspace.ask('POST', '/suppliers', { name: 'DIGI KEY' });
  expect(refused.body).toMatchObject({ status: 409, code: 'supplier_taken', supplierId: made.id });
  const other = await workspace.must(201, 'POST', '/suppliers', { name: 'Mouser' });
  for (const change of [{ code: 'DK' }, { name: 'Digi key' }])
    expect((await workspace.ask('PATCH', `/suppliers/${other.id}`, change)).body.code).toBe('supplier_taken');
  for (const bad of [{ currency: 'euro' }, { leadTimeDays: 365_000 }, { leadTimeDays: 1.5 }, { name: ' ' }])
    expect((await workspace.ask('PATCH', `/suppliers/${other.id}`, bad)).status).toBe(422);

  // Renamed, it has its orders under both names, and an order under the old name is one of it.
  const renamed = await workspace.must(200, 'PATCH', `/suppliers/${made.id}`, {
    name: 'DigiKey Electronics',
  });
  expect(renamed).toEqual({ ...made, name: 'DigiKey Electronics' });
  expect((await workspace.must(200, 'GET', `/orders/${bought.id}`)).supplier).toBe('digi key');
  const again = await order('Digi Key', line());
  const all = [bought.number, again.number];
  for (const name of ['digi key', 'digikey electronics'])
    expect(await numbers(`supplier=${encodeURIComponent(name)}`, 1)).toEqual(all);
  expect((await workspace.must(200, 'GET', '/suppliers')).items).toHaveLength(2);

  const { items } = await workspace.must(200, 'GET', `/audit?subjectKey=${made.id}`);
  expect(
    items.map(({ action, subjectType }: { action: string; subjectType: string }) => [action, subjectType]),
  ).toEqual([
    ['update', 'supplier'],
    ['create', 'supplier'],
  ]);
  expect((await workspace.ask('GET', `/suppliers/${bolt}`)).body.code).toBe('supplier_not_found');
});

test('sales orders are found by their customer, whatever its case and spaces', async () => {
  const shelf = workspace.locations[0] as string;
  const sale = (customer: string | null) =>
    workspace.must(201, 'POST', '/orders', {
      type: 'salesOrder',
      customer,
      lines: [{ itemEntityId: bolt, locationEntityId: shelf, quantity: 1, allowBackorder: true }],
    });
  const [first, , second, none] = [
    await sale('Rover Works AB'),
    await sale('Harbour Nord'),
    await sale('ROVER  works ab'),
    await sale(null),
  ];
  const all = [first.number, second.number];
  for (const name of ['Rover Works AB', 'rover  WORKS ab'])
    expect(await numbers(`customer=${encodeURIComponent(name)}`, 1)).toEqual(all);
  expect(await numbers('customer=rover%20works%20ab&open=true&q=SO-')).toEqual(all);
  expect(await numbers('customer=rover%20works%20ab&order=desc', 1)).toEqual(all.toReversed());
  expect(await numbers('customer=Nobody')).toEqual([]);
  await workspace.must(200, 'PATCH', `/orders/${none.id}`, { customer: 'Rover works AB' });
  expect(await numbers('customer=rover%20works%20ab')).toEqual([...all, none.number]);
  const both = await workspace.ask('GET', '/orders?customer=Rover&supplier=Bossard');
  expect([both.status, both.body.code]).toEqual([422, 'validation_failed']);
});

test('a supplier is merged into another, which has its orders and its names from then on', async () => {
  const [kept, gone] = [await order('Bossard', line()), await order('Bossard AG', line())];
  const idOf = async (name: string) =>
    (await workspace.must(200, 'GET', `/suppliers?name=${encodeURIComponent(name)}`)).items[0].id;
  const [into, from] = [await idOf('Bossard'), await idOf('Bossard AG')];
  const part = { itemEntityId: bolt, sku: 'B-1' };
  const stays = await workspace.must(201, 'POST', '/supplier-parts', { ...part, supplierId: into });
  const goes = await workspace.must(201, 'POST', '/supplier-parts', { ...part, supplierId: from });
  await workspace.must(200, 'PUT', `/planning/items/${bolt}`, { policy: 'demand', supplierPartId: goes.id });
  await workspace.must(201, 'POST', '/supplier-parts', { ...part, sku: 'B-2', supplierId: from });
  const merge = (id: string, target: string) =>
    workspace.ask('POST', `/suppliers/${id}/merge`, { into: target });
  expect((await merge(from, from)).status).toBe(422);
  expect((await merge(from, into)).body).toMatchObject({ id: into, name: 'Bossard' });
  // The planning names the part that stays in place of the one that is dropped.
  const planning = await workspace.must(200, 'GET', `/planning/items/${bolt}`);
  expect(planning.supplierPartId).toBe(stays.id);
  expect(await numbers('supplier=Bossard')).toEqual([kept.number, gone.number]);
  expect((await workspace.must(200, 'GET', `/orders/${gone.id}`)).supplier).toBe('Bossard AG');
  expect(await workspace.must(200, 'GET', `/suppliers/${from}`)).toMatchObject({
    state: 'merged',
    mergedIntoId: into,
  });
  for (const answer of [
    await merge(from, into),
    await workspace.ask('PATCH', `/suppliers/${from}`, { code: 'X' }),
  ])
    expect(answer.body).toMatchObject({ status: 409, code: 'supplier_merged', mergedIntoId: into });
  const parts = await workspace.must(200, 'GET', `/supplier-parts?supplierId=${into}`);
  expect(parts.items.map(({ sku }: { sku: string }) => sku)).toEqual(['B-1', 'B-2']);
  // What is merged on is found all the same, and an order under the old name is the remaining supplier's.
  await order('bossard ag', line());
  const zell = await workspace.must(201, 'POST', '/suppliers', { name: 'Zellwerk' });
  expect((await merge(into, zell.id)).status).toBe(200);
  expect(await numbers('supplier=bossard', 1)).toHaveLength(3);
  expect((await workspace.must(200, 'GET', `/suppliers/${from}`)).mergedIntoId).toBe(zell.id);
});

test('orders are those of one supplier, page by page, in any state, of a type, by a text', async () => {
  const made: Order[] = [];
  for (const [at, name] of ['DigiKey', 'Mouser', 'digikey', 'DigiKey', 'DIGIKEY', 'Mouser'].entries())
    made.push(await order(name, line(`2026-12-0${at + 1}`)));
  const [a, , b, c, d] = made.map(({ number }) => number);
  expect(await numbers('supplier=DigiKey')).toEqual([a, b, c, d]);
  expect(await numbers('supplier=%20digi%4Bey&order=desc')).toEqual([d, c, b, a]);
  expect(await numbers('supplier=Nobody')).toEqual([]);
  await workspace.must(200, 'POST', `/entities/${made[2]?.id}/transitions`, { toState: 'Cancelled' });
  expect(await numbers('supplier=DigiKey&state=Open')).toEqual([a, c, d]);
  expect(await numbers('supplier=DigiKey&state=Cancelled', 1)).toEqual([b]);
  expect(await numbers('supplier=DigiKey&type=salesOrder')).toEqual([]);
  expect(await numbers(`supplier=DigiKey&q=${a}`)).toEqual([a]);
  expect(await numbers(`supplier=Mouser&q=${a}`)).toEqual([]);
  // What was cancelled is due by no day any more.
  expect(await numbers('supplier=DigiKey&requiredFrom=2026-12-02&requiredBefore=2026-12-05')).toEqual([c]);
  const { items } = await workspace.must(200, 'GET', '/stock/lines?supplier=mouser');
  expect(items.map(({ orderNumber }: StockLine) => orderNumber)).toEqual(
    [made[1], made[5]].map((one) => one?.number),
  );
});

test('orders are those with a line that is open and due on a day', async () => {
  const both = await order(null, line('2026-12-01'), line('2026-12-20', { itemEntityId: nut }));
  const late = await order(null, line('2026-12-10'));
  const none = await order(null, line());
  const on = (from: string, before: string) => numbers(`requiredFrom=${from}&requiredBefore=${before}`, 1);
  expect(await on('2026-12-01', '2026-12-02')).toEqual([both.number]);
  expect(await on('2026-12-02', '2026-12-10')).toEqual([]);
  expect(await numbers('requiredFrom=2026-12-10')).toEqual([both.number, late.number]);
  expect(await numbers('requiredBefore=2026-12-11&order=desc')).toEqual([late.number, both.number]);
  expect(await numbers('requiredFrom=0001-01-01&q=PO-')).not.toContain(none.number);
  // What has come is due no more, and the line that is still to come makes the order due by its own day alone.
  await workspace.act(both.lines[0].id, 'receipts', { quantity: 10 });
  expect(await numbers('requiredBefore=2026-12-11')).toEqual([late.number]);
  expect(await numbers('requiredBefore=2026-12-11&state=Open')).toEqual([late.number]);
  expect(await numbers('requiredBefore=2026-12-11&state=Closed')).toEqual([]);
  await workspace.must(200, 'PATCH', `/stock/lines/${late.lines[0].id}`, { requiredBy: '2027-01-10' });
  expect(await on('2027-01-01', '2027-02-01')).toEqual([late.number]);
  const lines = await workspace.must(
    200,
    'GET',
    '/stock/lines?requiredFrom=2026-12-20&requiredBefore=2026-12-21',
  );
  expect(lines.items.map(({ id }: StockLine) => id)).toEqual([both.lines[1].id]);
  for (const day of ['0000-01-01', '2026-13-01', 'soon'])
    expect((await workspace.ask('GET', `/orders?requiredFrom=${day}`)).status).toBe(422);
});

test('orders are those of which something is open, and of them those that are overdue', async () => {
  const draft = await order(null, line(undefined, { state: 'Draft' }));
  const late = await order('Mouser', line('2020-02-02'), line('2999-01-01'));
  const come = await order(null, line('2020-02-02'));
  const later = await order(null, line('2999-01-01'), line());
  const today = new Date().toISOString().slice(0, 10);
  const due = await order(null, line(today));
  await workspace.adjust(bolt, shelf, 50);
  const sold = await workspace.must(201, 'POST', '/orders', {
    type: 'salesOrder',
    lines: [line('2020-03-03')],
  });
  const all = [draft, late, come, later, due, sold].map(({ number }) => number);
  expect(await numbers('open=true')).toEqual(all);
  expect(await numbers('overdue=true')).toEqual([late, come, sold].map(({ number }) => number));
  await workspace.act(come.lines[0].id, 'receipts', { quantity: 4 });
  expect(await numbers('overdue=true&supplier=mouser')).toEqual([late.number]);
  expect(await numbers('overdue=true&type=salesOrder')).toEqual([sold.number]);
  expect(await numbers('overdue=true&requiredFrom=2020-03-01', 1)).toEqual([sold.number]);
  expect(await numbers('overdue=true&requiredBefore=2020-02-03&order=desc')).toEqual([
    come.number,
    late.number,
  ]);
  expect(await numbers(`overdue=true&q=${late.number}`)).toEqual([late.number]);
  expect(await numbers('overdue=true&requiredBefore=2999-12-31&state=Closed')).toEqual([]);
  await workspace.act(come.lines[0].id, 'receipts', { quantity: 6 });
  await workspace.must(200, 'POST', `/entities/${draft.id}/transitions`, { toState: 'Cancelled' });
  await workspace.act(sold.lines[0].id, 'shipments', { quantity: 10 });
  expect(await numbers('overdue=true')).toEqual([late.number]);
  expect(await numbers('open=true', 1)).toEqual([late, later, due].map(({ number }) => number));
  expect(await numbers('open=true&q=PO')).toEqual([late, later, due].map(({ number }) => number));
  expect(await numbers('open=false')).toHaveLength(6);
  expect((await workspace.ask('GET', '/orders?open=yes')).status).toBe(422);
});

test('of a thousand orders that are due on a day each is found once, by looks of a bounded length', async () => {
  const lines = Array.from({ length: 25 }, () => line('2026-12-01'));
  const made: Order[] = [];
  // More lines of that day than a page goes on from.
  for (let at = 0; at < 41; at += 1) made.push(await order(at % 8 === 0 ? 'Mouser' : null, ...lines));
  await order(null, line('2026-12-02'));
  expect(await numbers('requiredBefore=2026-12-02', 20)).toEqual(made.map(({ number }) => number));
  expect(await numbers('requiredBefore=2026-12-02&supplier=Mouser')).toEqual(
    made.filter((_, at) => at % 8 === 0).map(({ number }) => number),
  );
  expect(await numbers('open=true', 20)).toHaveLength(42);
  // Those that have come are no longer in the way of the few that are open.
  for (const { id } of made.slice(0, 40)) await workspace.must(201, 'POST', `/orders/${id}/receipts`, {});
  expect(await numbers('requiredBefore=2026-12-02', 20)).toEqual([made[40]?.number]);
});

test('what is no day, no time and no id is refused with how each is written', async () => {
  const saidOf = async (path: string) => {
    const { status, body } = await workspace.ask('GET', path);
    return [status, body.errors.map(({ message }: { message: string }) => message)];
  };
  const day = 'must be a day such as 2026-11-24.';
  expect(await saidOf('/orders?requiredFrom=soon')).toEqual([422, [day]]);
  expect(await saidOf('/stock/lines?requiredBefore=2026-02-30')).toEqual([422, [day]]);
  expect(await saidOf('/requirements?requiredBefore=soon')).toEqual([422, [day]]);
  expect(await saidOf('/stock/ledger?from=2026-11-24&actorId=Ada')).toEqual([
    422,
    [
      'must be a time such as 2026-11-24T08:30:00Z.',
      'must be an id such as 01a1f9f5-ae50-7000-8330-cac8de028e0c.',
    ],
  ]);
  // What is none lies in no years either.
  const time = 'must be a time such as 2026-11-24T08:30:00Z.';
  expect(await saidOf('/audit?from=tomorrow')).toEqual([422, [time]]);
  expect(await saidOf('/audit?from=1899-12-31T00:00:00Z')).toEqual([
    422,
    ['Must lie between the years 1900 and 9999.'],
  ]);
  for (const offset of ['+16:00', '-23:59'])
    expect(await saidOf(`/audit?from=2026-11-24T00:00:00${encodeURIComponent(offset)}`)).toEqual([
      422,
      ['Must have an offset of less than 16 hours.'],
    ]);
  expect((await workspace.ask('GET', '/audit?from=2026-11-24T00:00:00%2B15:59')).status).toBe(200);
  expect(await saidOf('/orders?requiredFrom=0000-13-01')).toEqual([422, [day]]);
  for (const path of ['/orders', '/stock/lines', '/requirements'])
    expect(await saidOf(`${path}?requiredBefore=0000-01-01`)).toEqual([422, ['must be from year 0001 on.']]);
});
