// Quantities in other units: the ledger stays in the base unit, entries and lines keep what was entered.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lockConfiguration } from '../../src/configuration/lock-configuration.ts';
import { writeStockSettings } from '../../src/configuration/stock-settings/change-stock-settings.ts';
import { newStockSettings } from '../../src/configuration/stock-settings/stock-settings.ts';
import type { Tx } from '../../src/db/transaction.ts';
import { changeUnits } from '../../src/stock/units/change-units.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let w: ProcuringWorkspace;
let shelf: string;
let bin: string;
beforeAll(async () => {
  server = await startTestServer({ environment: { UNIT_LINKS_MAX: '2' } });
  w = await makeProcuringWorkspace(server);
  [shelf, bin] = w.locations as [string, string];
});
afterAll(async () => {
  await w.expectConsistent();
  await server.close();
});

const reels = { baseUnit: 'pcs', units: [{ unit: 'reel', numerator: 4000, denominator: 1 }] };
const thirds = { baseUnit: 'm', units: [{ unit: 'part', numerator: 1, denominator: 3 }] };

async function itemWith(units: object): Promise<string> {
  const [item] = (await w.addEntities(1)) as [string];
  await w.must(200, 'PUT', `/stock/units/${item}`, units);
  return item;
}

const adjust = (status: number, itemEntityId: string, quantity: number, more: object = {}) =>
  w.must(status, 'POST', '/stock/adjustments', { itemEntityId, locationEntityId: shelf, quantity, ...more });

test('an item has a base unit and exact factors to others', async () => {
  const [item] = (await w.addEntities(1)) as [string];
  expect(await w.must(200, 'GET', `/stock/units/${item}`)).toMatchObject({
    baseUnit: null,
    units: [],
    isFixed: false,
  });
  const set = await w.must(200, 'PUT', `/stock/units/${item}`, {
    baseUnit: 'mm',
    units: [{ unit: 'roll', numerator: 100_000 }],
  });
  expect(set).toMatchObject({
    baseUnit: 'mm',
    units: [{ unit: 'roll', numerator: 100_000, denominator: 1 }],
    measured: expect.arrayContaining(['m', 'in']),
    isFixed: false,
  });
  expect(await w.must(200, 'PUT', `/stock/units/${item}`, set)).toEqual(set);
  const shown = await w.must(200, 'GET', `/entities/${item}`);
  expect(shown.unit).toBe('mm');
  const { items } = await w.must(200, 'GET', `/entities?number=${shown.number}`);
  expect(items).toContainEqual(shown);
});

test.each([
  [{ baseUnit: null, units: [{ unit: 'reel', numerator: 1 }] }, '/baseUnit'],
  [{ baseUnit: 'pcs', units: [{ unit: 'PCS', numerator: 1 }] }, '/units/0/unit'],
  [
    {
      baseUnit: 'pcs',
      units: [
        { unit: 'reel', numerator: 1 },
        { unit: 'Reel', numerator: 2 },
      ],
    },
    '/units/1/unit',
  ],
  [{ baseUnit: 'mm', units: [{ unit: 'm', numerator: 999 }] }, '/units/0/numerator'],
  [{ baseUnit: 'pcs', units: [{ unit: 'reel', numerator: 0 }] }, '/units/0/numerator'],
  [{ baseUnit: 'pcs', units: [{ unit: 'reel', numerator: 1, denominator: 0 }] }, '/units/0/denominator'],
  [{ baseUnit: 'pcs', units: [{ unit: 'reel', numerator: 0.5 }] }, '/units/0/numerator'],
  [{ baseUnit: ' ', units: [] }, '/baseUnit'],
])('units that make no sense are refused: %j', async (body, pointer) => {
  const [item] = (await w.addEntities(1)) as [string];
  const refused = await w.must(422, 'PUT', `/stock/units/${item}`, body);
  expect(refused.errors[0].pointer).toBe(pointer);
  expect(await w.must(200, 'GET', `/stock/units/${item}`)).toMatchObject({ baseUnit: null });
});

test('the base unit stands still once the item has entries, and other units may change', async () => {
  const item = await itemWith(reels);
  await adjust(201, item, 1, { unit: 'reel' });
  const refused = await w.must(409, 'PUT', `/stock/units/${item}`, { baseUnit: 'mm', units: [] });
  expect(refused).toMatchObject({ code: 'base_unit_in_use', baseUnit: 'pcs' });
  await w.must(200, 'PUT', `/stock/units/${item}`, { baseUnit: 'pcs', units: [] });
  await adjust(422, item, 1, { unit: 'reel' });
  // Stock that is in no unit yet can be given one.
  const old = w.items[2] as string;
  await adjust(201, old, 2);
  expect(await w.must(200, 'PUT', `/stock/units/${old}`, reels)).toMatchObject({
    baseUnit: 'pcs',
    isFixed: true,
  });
});

test('an adjustment, a count and a transfer take other units', async () => {
  const item = await itemWith(reels);
  const { entry, position } = await adjust(201, item, 1.5, { unit: 'Reel' });
  expect(entry).toMatchObject({ quantity: 6000, enteredQuantity: 1.5, enteredUnit: 'Reel' });
  expect(position.onHand).toBe(6000);
  expect((await adjust(201, item, -1, { unit: 'dozen' })).entry).toMatchObject({
    quantity: -12,
    enteredQuantity: -1,
  });
  expect((await adjust(200, item, 1, { unit: 'reel', dryRun: true })).adjustments[0].onHandAfter).toBe(9988);
  const lines = [{ item, location: shelf, countedQty: 2, unit: 'reel' }];
  expect((await w.must(201, 'POST', '/stock/counts', { lines })).lines[0]).toMatchObject({
    countedQty: 8000,
    difference: 2012,
  });
  const moved = await w.must(201, 'POST', '/stock/transfers', {
    lines: [
      { itemEntityId: item, fromLocationEntityId: shelf, toLocationEntityId: bin, quantity: 1, unit: 'reel' },
    ],
  });
  expect(moved.entries).toMatchObject([
    { quantity: -4000, enteredQuantity: 1, enteredUnit: 'reel' },
    { quantity: 4000, enteredQuantity: 1, enteredUnit: 'reel' },
  ]);
  const csv = await w.ask('GET', `/stock/ledger/by-item/${item}`, undefined, { Accept: 'text/csv' });
  expect(csv.text.split('\n')[0]).toMatch(/enteredQuantity,enteredUnit,unit,coveredQuantity\r?$/);
  const listed = (path: string) => w.must(200, 'GET', `/stock/${path}`);
  for (const path of [`ledger/by-item/${item}`, `positions/by-item/${item}`, `sums/by-location/${bin}`])
    expect((await listed(path)).items.map(({ unit }: { unit: string }) => unit)).toContain('pcs');
});

test('unknown units, inexact quantities and those that do not fit are refused, and nothing is written', async () => {
  const item = await itemWith(thirds);
  const bare = w.items[1] as string;
  expect(await adjust(422, item, 1, { unit: 'reel' })).toMatchObject({
    code: 'unit_unknown',
    errors: [{ pointer: '/unit' }],
  });
  expect((await adjust(422, bare, 1, { unit: 'pcs' })).code).toBe('unit_unknown');
  expect(await adjust(422, item, 1, { unit: 'part' })).toMatchObject({
    code: 'quantity_inexact',
    nearest: [0.333333, 0.333334],
  });
  const reel = await itemWith(reels);
  expect((await adjust(422, reel, 999_999_999, { unit: 'reel' })).code).toBe('quantity_out_of_range');
  expect((await adjust(422, item, 0.000001, { unit: 'mm', rounding: 'down' })).code).toBe('zero_quantity');
  const many = { adjustments: [{ itemEntityId: item, locationEntityId: shelf, quantity: 1, unit: 'kg' }] };
  const refused = await w.must(422, 'POST', '/stock/adjustments/batch', many);
  expect(refused.errors[0].pointer).toBe('/adjustments/0/unit');
  const count = { lines: [{ item, location: shelf, countedQty: 1, unit: 'part' }] };
  expect((await w.must(422, 'POST', '/stock/counts', count)).code).toBe('quantity_inexact');
  for (const one of [item, bare, reel])
    expect((await w.must(200, 'GET', `/stock/ledger/by-item/${one}`)).items).toEqual([]);
  expect((await adjust(201, item, 1, { unit: 'part', rounding: 'up' })).entry.quantity).toBe(0.333334);
});

test('a line keeps what was entered and its factor, and a full receipt in its unit closes it', async () => {
  const item = await itemWith(reels);
  const made = await w.line({ itemEntityId: item, quantity: 3, unit: 'reel' });
  expect(made.status, made.text).toBe(201);
  const { line, entries } = made.body;
  expect(line).toMatchObject({
    quantity: 12_000,
    enteredQuantity: 3,
    enteredUnit: 'reel',
    enteredOpenQty: 3,
  });
  expect(entries[0]).toMatchObject({ quantity: 12_000, enteredQuantity: 3 });
  // The factor of the item changes; that of the line does not.
  await w.must(200, 'PUT', `/stock/units/${item}`, {
    baseUnit: 'pcs',
    units: [{ unit: 'reel', numerator: 5000 }],
  });
  const first = await w.act(line.id, 'receipts', { quantity: 1, unit: 'reel' });
  expect(first.body.line).toMatchObject({ receivedQty: 4000, openQty: 8000, enteredOpenQty: 2 });
  const changed = await w.must(200, 'PATCH', `/stock/lines/${line.id}`, { quantity: 2, unit: 'reel' });
  expect(changed).toMatchObject({ quantity: 8000, enteredQuantity: 2, openQty: 4000 });
  expect((await w.act(line.id, 'receipts', { quantity: 2, unit: 'reel' })).body.code).toBe('over_receipt');
  const last = await w.act(line.id, 'receipts', { quantity: 1, unit: 'reel' });
  expect(last.body.line).toMatchObject({ state: 'Received', openQty: 0, receivedQty: 8000 });
});

test('lines and requirements show the base unit and the revision of their item', async () => {
  const item = await itemWith(reels);
  const { line } = (await w.line({ itemEntityId: item, quantity: 1, unit: 'reel' })).body;
  expect(line).toMatchObject({ unit: 'pcs', itemRevisionLabel: 'A', itemRevision: null });
  const need = { projectId: w.project, itemEntityId: item, requiredQty: 2 };
  const requirement = await w.must(201, 'POST', '/requirements', need);
  expect(requirement).toMatchObject({ unit: 'pcs', itemRevision: 'A' });
  expect((await w.must(200, 'GET', `/stock/lines?itemEntityId=${item}`)).items).toEqual([line]);
  expect((await w.must(200, 'GET', `/requirements?itemEntityId=${item}`)).items).toEqual([requirement]);
  // A line that was read can be sent back: its quantity is in the base unit, and it keeps what was entered.
  expect(await w.must(200, 'PATCH', `/stock/lines/${line.id}`, line)).toEqual(line);
});

test('a line whose receipts are rounded closes with the last one', async () => {
  const item = await itemWith(thirds);
  const { line } = (await w.line({ itemEntityId: item, quantity: 3, unit: 'part' })).body;
  expect(line.quantity).toBe(1);
  const part = { quantity: 1, unit: 'part', rounding: 'nearest' };
  for (const open of [0.666667, 0.333334, 0]) {
    const { body } = await w.act(line.id, 'receipts', part);
    expect(body.line).toMatchObject({ openQty: open, state: open === 0 ? 'Received' : 'Ordered' });
  }
});

test('orders, shipments, requirements and their reservations and issues take other units', async () => {
  const item = await itemWith(reels);
  const order = await w.must(201, 'POST', '/orders', {
    type: 'purchaseOrder',
    lines: [
      { itemEntityId: item, locationEntityId: shelf, quantity: 2, unit: 'reel' },
      { itemEntityId: item, locationEntityId: shelf, quantity: 5 },
    ],
  });
  expect(order.lines.map(({ quantity }: { quantity: number }) => quantity)).toEqual([8000, 5]);
  const wrong = { lines: [{ lineId: order.lines[1].id, quantity: 1, unit: 'kg' }] };
  expect((await w.must(422, 'POST', `/orders/${order.id}/receipts`, wrong)).errors[0].pointer).toBe(
    '/lines/0/unit',
  );
  await w.must(201, 'POST', `/orders/${order.id}/receipts`, {
    lines: [{ lineId: order.lines[0].id, quantity: 2, unit: 'reel' }],
  });
  const returned = await w.must(201, 'POST', `/orders/${order.id}/returns`, {
    lines: [{ lineId: order.lines[0].id, quantity: 0.25, unit: 'reel' }],
  });
  expect(returned.entries[0]).toMatchObject({ quantity: -1000, enteredQuantity: 0.25 });
  const need = await w.must(201, 'POST', '/requirements', {
    projectId: w.project,
    itemEntityId: item,
    requiredQty: 1,
    unit: 'reel',
  });
  expect(need.requiredQty).toBe(4000);
  const at = { locationEntityId: shelf, quantity: 0.5, unit: 'reel' };
  const reserved = await w.must(201, 'POST', `/requirements/${need.id}/reservations`, at);
  expect(reserved.entries[0]).toMatchObject({ quantity: 2000, enteredQuantity: 0.5 });
  const issued = await w.must(201, 'POST', `/requirements/${need.id}/issues`, at);
  expect(issued.entries[0]).toMatchObject({ quantity: -2000, enteredQuantity: 0.5, enteredUnit: 'reel' });
  const grown = await w.must(200, 'PATCH', `/requirements/${need.id}`, { requiredQty: 2, unit: 'reel' });
  expect(grown.requiredQty).toBe(8000);
  const { line } = (await w.line({ type: 'salesOrder', itemEntityId: item, quantity: 1, unit: 'reel' })).body;
  const shipped = await w.act(line.id, 'shipments', { quantity: 1, unit: 'reel' });
  expect(shipped.body.line).toMatchObject({ state: 'Shipped', shippedQty: 4000 });
});

test('what is entered is divided with the entries that it becomes', async () => {
  const item = await itemWith(reels);
  await w.must(200, 'PUT', `/stock/tracking/${item}`, { tracking: 'lot' });
  const { line } = (await w.line({ itemEntityId: item, quantity: 2, unit: 'reel' })).body;
  const lots = [
    { lot: 'A', quantity: 2000 },
    { lot: 'B', quantity: 6000 },
  ];
  const { body } = await w.act(line.id, 'receipts', { quantity: 2, unit: 'reel', lots });
  expect(body.entries).toMatchObject([
    { lot: 'A', quantity: 2000, enteredQuantity: 0.5 },
    { lot: 'B', quantity: 6000, enteredQuantity: 1.5 },
  ]);
});

test('scrap, disassemblies, components, reversals, lots and holds take other units', async () => {
  const [product, part] = [await itemWith(reels), await itemWith(reels)];
  await w.link(product, part, 1);
  for (const item of [product, part])
    await w.must(200, 'PUT', `/stock/tracking/${item}`, { tracking: 'lot' });
  await adjust(201, part, 10, { unit: 'reel', lot: 'L', newLot: {} });
  const made = await w.line({
    type: 'manufacturingOrder',
    itemEntityId: product,
    locationEntityId: shelf,
    quantity: 5,
    unit: 'reel',
  });
  const { id } = made.body.line;
  const act = (status: number, name: string, body: object) =>
    w.must(status, 'POST', `/stock/lines/${id}/${name}`, body);
  const stated = ({ entries }: { entries: { quantity: number; enteredQuantity: number | null }[] }) =>
    entries.map(({ quantity, enteredQuantity }) => [quantity, enteredQuantity]);
  const one = { quantity: 1, unit: 'reel' };
  const inLot = (lot: string) => ({ ...one, lots: [{ ...one, lot }], componentLots: 'firstExpired' });
  expect((await act(201, 'components/reservations', one)).taken).toMatchObject([{ quantity: 4000 }]);
  expect((await act(422, 'components/issues', { unit: 'reel' })).code).toBe('validation_failed');
  expect(stated(await act(201, 'scrap', inLot('P')))).toEqual([
    [4000, 1],
    [-4000, -1],
  ]);
  const components = [{ ...one, itemEntityId: part, quantity: 0.5 }];
  await act(201, 'receipts', { ...inLot('P'), consume: 'asListed', components });
  const issues = (await w.must(200, 'GET', `/stock/ledger/by-item/${part}?movementType=MRIssue`)).items;
  expect(issues[0]).toMatchObject({ quantity: -2000, enteredQuantity: 0.5, enteredUnit: 'reel' });
  expect(
    stated(await act(201, 'disassemblies', { ...one, quantity: 0.25, lots: [{ lot: 'P', quantity: 1000 }] })),
  ).toEqual([[-1000, -0.25]]);
  const apart = { quantity: 1, unit: 'pcs', lots: [{ lot: 'P', quantity: 1, unit: 'reel' }] };
  expect((await act(422, 'disassemblies', apart)).errors[0].pointer).toBe('/lots/0/unit');

  const { entry } = await adjust(201, part, 2, { unit: 'reel', lot: 'M', newLot: {} });
  const back = (status: number, body: object) =>
    w.must(status, 'POST', `/stock/ledger/${entry.id}/reversals`, { note: 'Wrong', ...body });
  expect((await back(201, one)).entry).toMatchObject({
    quantity: -4000,
    enteredQuantity: 1,
    enteredUnit: 'reel',
  });
  expect((await back(422, { unit: 'reel' })).code).toBe('validation_failed');
  expect((await back(409, { quantity: 2, unit: 'reel' })).code).toBe('over_reversal');
  const sale = (
    await w.line({ type: 'salesOrder', itemEntityId: part, locationEntityId: shelf, quantity: 4000 })
  ).body;
  const lot = (await w.must(200, 'GET', `/stock/lots?itemEntityId=${part}&number=M`)).items[0];
  const hold = { lineId: sale.line.id, locationEntityId: shelf, ...one };
  expect((await w.must(201, 'POST', `/stock/lots/${lot.id}/holds`, hold)).holds).toMatchObject([
    { quantity: 4000 },
  ]);
});

test('movements state the day on which they happened, which is not after today and not in a closed time', async () => {
  const [item] = (await w.addEntities(1)) as [string];
  const today = new Date().toISOString().slice(0, 10);
  const settings = await w.must(200, 'GET', '/stock/settings');
  await w.must(200, 'PUT', '/stock/settings', { ...settings, stockClosedUntil: '2026-01-31' });
  try {
    expect((await adjust(201, item, 5, { effectiveOn: '2026-02-01' })).entry.effectiveOn).toBe('2026-02-01');
    expect((await adjust(201, item, 5, { effectiveOn: today })).entry.effectiveOn).toBeNull();
    expect(await adjust(409, item, 5, { effectiveOn: '2026-01-31' })).toMatchObject({
      code: 'stock_closed',
    });
    expect((await adjust(422, item, 5, { effectiveOn: '2999-01-01' })).errors[0].pointer).toBe(
      '/effectiveOn',
    );
    const lines = [{ itemEntityId: item, fromLocationEntityId: shelf, toLocationEntityId: bin, quantity: 1 }];
    const closed = { lines, effectiveOn: '2026-01-01' };
    expect((await w.must(409, 'POST', '/stock/transfers', closed)).code).toBe('stock_closed');
    const moved = await w.must(201, 'POST', '/stock/transfers', { lines, effectiveOn: '2026-03-01' });
    expect(moved.entries.map(({ effectiveOn }: { effectiveOn: string }) => effectiveOn)).toEqual([
      '2026-03-01',
      '2026-03-01',
    ]);
    const { line } = (await w.line({ itemEntityId: item, quantity: 4 })).body;
    expect((await w.act(line.id, 'receipts', { quantity: 1, effectiveOn: '2025-01-01' })).body.code).toBe(
      'stock_closed',
    );
    const received = await w.act(line.id, 'receipts', { quantity: 1, effectiveOn: '2026-04-01' });
    expect(received.body.entries[0].effectiveOn).toBe('2026-04-01');
    const order = await w.must(201, 'POST', `/orders/${line.orderId}/receipts`, {
      effectiveOn: '2026-04-02',
    });
    expect(order.lines[0].state).toBe('Received');
    const { items } = await w.must(200, 'GET', `/stock/ledger?lineId=${line.id}&movementType=POReceipt`);
    expect(items[0].effectiveOn).toBe('2026-04-02');
    const back = { lines: [{ lineId: line.id, quantity: 1 }], effectiveOn: '2026-04-03' };
    const returned = await w.must(201, 'POST', `/orders/${line.orderId}/returns`, back);
    expect(returned.entries[0].effectiveOn).toBe('2026-04-03');
    await w.must(200, 'PUT', '/stock/settings', { ...settings, stockClosedUntil: today });
    expect((await adjust(409, item, 5, { effectiveOn: today })).code).toBe('stock_closed');
  } finally {
    await w.must(200, 'PUT', '/stock/settings', { ...settings, stockClosedUntil: null });
  }
});

test('a position at the end of a day includes what was recorded later as of that day', async () => {
  const [item] = (await w.addEntities(1)) as [string];
  await adjust(201, item, 10);
  await adjust(201, item, 5, { effectiveOn: '2026-03-10' });
  await adjust(201, item, -2, { effectiveOn: '2026-03-12' });
  const onHand = async (query: string) => {
    const { items } = await w.must(200, 'GET', `/stock/positions/by-item/${item}?${query}`);
    return items[0]?.onHand ?? null;
  };
  expect(await onHand('effectiveAsOf=2026-03-09')).toBeNull();
  expect(await onHand('effectiveAsOf=2026-03-10')).toBe(5);
  expect(await onHand('effectiveAsOf=2026-03-12')).toBe(3);
  expect(await onHand('asOf=2026-03-12T23:59:59Z')).toBeNull();
  expect(await onHand(`effectiveAsOf=${new Date().toISOString().slice(0, 10)}`)).toBe(13);
  const [below] = (await w.must(200, 'GET', `/stock/positions/by-item/${item}?effectiveAsOf=2026-03-12`))
    .items;
  expect(below.available).toBe(3);
  await w.must(
    422,
    'GET',
    `/stock/positions/by-item/${item}?effectiveAsOf=2026-03-10&asOf=2026-03-10T00:00:00Z`,
  );
});

test.each([
  ['/stock/adjustments', {}],
  ['/stock/lines', { type: 'purchaseOrder' }],
])('a repeated call of %s with a unit gets its first answer', async (path, more) => {
  const item = await itemWith(reels);
  const body = { itemEntityId: item, locationEntityId: shelf, quantity: 1, unit: 'reel', ...more };
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await w.ask('POST', path, body, key);
  await w.must(200, 'PUT', `/stock/units/${item}`, { ...reels, units: [] });
  const again = await w.ask('POST', path, body, key);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect((await w.must(200, 'GET', `/stock/ledger/by-item/${item}`)).items).toHaveLength(1);
});

test('the base unit stands still for draft lines and requirements, which state quantities in it', async () => {
  const inMillimetres = { baseUnit: 'mm', units: [] };
  const drafted = await itemWith({ baseUnit: 'm', units: [] });
  await w.line({ itemEntityId: drafted, quantity: 5, unit: 'm', state: 'Draft' });
  expect((await w.must(409, 'PUT', `/stock/units/${drafted}`, inMillimetres)).code).toBe('base_unit_in_use');
  const required = await itemWith({ baseUnit: 'm', units: [] });
  const requirement = { projectId: w.project, itemEntityId: required, requiredQty: 5, unit: 'm' };
  await w.must(201, 'POST', '/requirements', requirement);
  expect((await w.must(409, 'PUT', `/stock/units/${required}`, inMillimetres)).code).toBe('base_unit_in_use');
  const free = await itemWith({ baseUnit: 'm', units: [] });
  await w.must(200, 'PUT', `/stock/units/${free}`, inMillimetres);
});

test('units that differ in case are different ones', async () => {
  const item = await itemWith({ baseUnit: 'g', units: [{ unit: 'Mg', numerator: 1_000_000 }] });
  const { line } = (await w.line({ itemEntityId: item, quantity: 5, unit: 'mg' })).body;
  expect(line.quantity).toBe(0.005);
  expect((await w.act(line.id, 'receipts', { quantity: 5, unit: 'Mg' })).status).toBe(409);
  const { line: received } = (await w.act(line.id, 'receipts', { quantity: 5, unit: 'mg' })).body;
  expect(received).toMatchObject({ receivedQty: 0.005, state: 'Received' });
});

test('a unit without a quantity is refused, because alone it would change nothing', async () => {
  const item = await itemWith(reels);
  const { line } = (await w.line({ itemEntityId: item, quantity: 1, unit: 'reel' })).body;
  const patched = await w.must(422, 'PATCH', `/stock/lines/${line.id}`, { unit: 'pcs', note: 'n' });
  expect(patched.errors[0].pointer).toBe('/unit');
  const need = { projectId: w.project, itemEntityId: item, requiredQty: 1 };
  const { id } = await w.must(201, 'POST', '/requirements', need);
  expect((await w.must(422, 'PATCH', `/requirements/${id}`, { unit: 'reel' })).errors[0].pointer).toBe(
    '/unit',
  );
});

test('units that are removed and set again have another tag', async () => {
  const item = await itemWith(reels);
  const path = `/stock/units/${item}`;
  const first = (await w.ask('GET', path)).headers.get('etag') as string;
  await w.must(200, 'PUT', path, { baseUnit: null, units: [] });
  await w.must(200, 'PUT', path, { baseUnit: 'm', units: [] });
  const stale = await w.ask('PUT', path, { baseUnit: 'pcs', units: [] }, { 'If-Match': first });
  expect(stale.status, stale.text).toBe(412);
  await w.must(200, 'PUT', path, reels);
  expect((await w.ask('PUT', path, thirds, { 'If-Match': first })).status).toBe(200);
});

test('units of an item that more BOM lines name a unit of than one call can follow stay as they are', async () => {
  const [wire, ...tops] = (await w.addEntities(4)) as [string, ...string[]];
  const use = (top: string) =>
    w.must(201, 'PUT', `/entities/${top}/uses/${wire}`, { quantity: 1, unit: 'm' });
  for (const top of tops.slice(0, 2)) await use(top);
  await w.must(200, 'PUT', `/stock/units/${wire}`, { baseUnit: 'mm', units: [] });
  await use(tops[2] as string);
  const refused = await w.must(422, 'PUT', `/stock/units/${wire}`, { baseUnit: 'm', units: [] });
  expect(refused).toMatchObject({ code: 'too_many_uses', linksMax: 2 });
  expect(await w.must(200, 'GET', `/stock/units/${wire}`)).toMatchObject({ baseUnit: 'mm' });
});

/** Makes a call while a change of configuration is under way, and returns its answer after the change. */
async function duringChange(change: (tx: Tx) => Promise<unknown>, call: () => ReturnType<typeof w.ask>) {
  let answer: ReturnType<typeof w.ask> | undefined;
  await w.transact(async (tx) => {
    await lockConfiguration(tx);
    answer = call();
    const waiting = `
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    await vi.waitUntil(async () => (await tx.query(waiting)).length > 0, patience);
    await change(tx);
  });
  return (await answer)?.body;
}

test('a quantity is converted with the units that the item has when the call is carried out', async () => {
  const item = await itemWith({ baseUnit: 'mm', units: [] });
  const actor = { type: 'apiKey' as const, id: randomUUID(), name: 'A key' };
  const metres = { baseUnit: 'm', units: [], linksMax: 2 };
  const { line } = await duringChange(
    (tx) => changeUnits(tx, actor, item, metres, () => {}),
    () => w.line({ itemEntityId: item, quantity: 2, unit: 'm' }),
  );
  expect(line).toMatchObject({ quantity: 2, enteredQuantity: 2, enteredUnit: 'm' });
});

test('a day that was closed while a receipt waited is closed for it', async () => {
  const { line } = (await w.line({ itemEntityId: await itemWith(reels), quantity: 1 })).body;
  const close = (stockClosedUntil: string | null) => (tx: Tx) =>
    writeStockSettings(tx, w.id, {
      ...newStockSettings,
      reserveReceived: false,
      adjustmentReasons: [],
      stockClosedUntil,
    });
  const receive = () => w.act(line.id, 'receipts', { quantity: 1, effectiveOn: '2026-02-01' });
  expect(await duringChange(close('2026-02-28'), receive)).toMatchObject({ code: 'stock_closed' });
  // A client that does not know the day leaves it as it is.
  const { stockClosedUntil: _, ...known } = await w.must(200, 'GET', '/stock/settings');
  const kept = await w.must(200, 'PUT', '/stock/settings', { ...known, overDeliveryPercent: 1 });
  expect(kept).toMatchObject({ overDeliveryPercent: 1, stockClosedUntil: '2026-02-28' });
  await w.must(200, 'PUT', '/stock/settings', { ...known, stockClosedUntil: null });
});

test('nothing more is ordered for a requirement whose item is archived', async () => {
  const item = await itemWith(reels);
  const need = { projectId: w.project, itemEntityId: item, requiredQty: 1 };
  const { id } = await w.must(201, 'POST', '/requirements', need);
  await adjust(201, item, 1);
  const move = { locationEntityId: shelf, quantity: 1 };
  for (const what of ['reservations', 'issues'])
    await w.must(201, 'POST', `/requirements/${id}/${what}`, move);
  await w.must(200, 'POST', `/entities/${item}/archive`);
  expect((await w.must(409, 'POST', `/requirements/${id}/orders`, move)).code).toBe('entity_archived');
});
