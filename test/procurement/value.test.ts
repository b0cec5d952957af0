/** The value of what orders bring, take and make. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let product: string;
let frame: string;
let screw: string;
let shop: string;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [product, frame, screw] = workspace.items as [string, string, string];
  [shop] = workspace.locations as [string];
  const settings = await workspace.must(200, 'GET', '/stock/settings');
  const costing = { method: 'fifo', currency: 'EUR' };
  await workspace.must(200, 'PUT', '/stock/settings', { ...settings, costing });
});
afterEach(() => workspace.expectConsistent());
afterAll(() => server.close());

const act = (lineId: string, what: string, body: object = {}) =>
  workspace.must(201, 'POST', `/stock/lines/${lineId}/${what}`, body);
const worthOf = async (item: string) =>
  (await workspace.must(200, 'GET', `/stock/value?item=${item}`)).items[0];
const buy = async (item: string, quantity: number, price: string, more: object = {}) => {
  const line = { itemEntityId: item, locationEntityId: shop, quantity, price, currency: 'EUR', ...more };
  const made = await workspace.line(line);
  expect(made.status, made.text).toBe(201);
  return made.body.line.id as string;
};
/** Buys and receives. Returns the line. */
const get = async (item: string, quantity: number, price: string) => {
  const line = await buy(item, quantity, price);
  await act(line, 'receipts', { quantity });
  return line;
};
const stock = async (frames: string, screws: string) => {
  await get(frame, 10, frames);
  await get(screw, 40, screws);
};
const order = async (quantity = 10) => {
  await workspace.link(product, frame, 1);
  await workspace.link(product, screw, 4);
  return (await workspace.line({ type: 'manufacturingOrder', quantity })).body.line.id as string;
};

test('a receipt costs what its line was ordered at, whatever the price is later', async () => {
  const line = await buy(frame, 10, '12.5');
  await act(line, 'receipts', { quantity: 4 });
  expect(await worthOf(frame)).toMatchObject({ onHand: 4, value: '50', unknownQuantity: 0 });
  const { items } = await workspace.must(200, 'GET', `/stock/value/${frame}/layers`);
  expect(items).toMatchObject([{ quantity: 4, cost: '50', price: { amount: '12.5' }, lineId: line }]);
  const unpriced = (await workspace.line({ itemEntityId: frame, quantity: 3 })).body.line.id;
  await act(unpriced, 'receipts', { quantity: 3 });
  expect(await worthOf(frame)).toMatchObject({ onHand: 7, value: '50', unknownQuantity: 3 });
});

test('what goes back to the supplier is what its line brought, and what a customer returns costs what was shipped', async () => {
  await get(frame, 5, '1');
  const dear = await get(frame, 5, '3');
  const order = (await workspace.must(200, 'GET', `/stock/lines/${dear}`)).orderId;
  await workspace.must(201, 'POST', `/orders/${order}/returns`, { lines: [{ lineId: dear, quantity: 2 }] });
  expect(await worthOf(frame)).toMatchObject({ onHand: 8, value: '14' });
  const sold = (await workspace.line({ type: 'salesOrder', itemEntityId: frame, quantity: 6 })).body.line;
  await act(sold.id, 'shipments', { quantity: 6 });
  expect(await worthOf(frame)).toMatchObject({ onHand: 2, value: '6' });
  await workspace.must(201, 'POST', `/orders/${sold.orderId}/returns`, {
    lines: [{ lineId: sold.id, quantity: 3 }],
  });
  expect(await worthOf(frame)).toMatchObject({ onHand: 5, value: '10' });
});

test('a build is worth what it took', async () => {
  await stock('10', '0.5');
  const line = await order();
  await act(line, 'receipts', { quantity: 3 });
  expect(await worthOf(product)).toMatchObject({ onHand: 3, value: '36' });
  expect(await worthOf(frame)).toMatchObject({ onHand: 7, value: '70' });
  const { items } = await workspace.must(200, 'GET', `/stock/ledger?lineId=${line}&movementType=MOReceipt`);
  await workspace.must(201, 'POST', `/stock/ledger/${items[0].id}/reversals`, { note: 'Wrong' });
  expect(await worthOf(product)).toBeUndefined();
  expect(await worthOf(frame)).toMatchObject({ onHand: 10, value: '100' });
  expect(await worthOf(screw)).toMatchObject({ onHand: 40, value: '20' });
});

test('components that were issued before are shared by what the line makes', async () => {
  await stock('10', '0.5');
  const line = await order();
  await act(line, 'components/issues', { quantity: 10 });
  for (const [quantity, worth] of [
    [4, '48'],
    [6, '120'],
  ] as const) {
    await act(line, 'receipts', { quantity });
    expect((await worthOf(product)).value).toBe(worth);
  }
});

test('a build of which a part has no known cost has none', async () => {
  await get(frame, 10, '10');
  await workspace.adjust(screw, shop, 40);
  await act(await order(), 'receipts', { quantity: 2 });
  expect(await worthOf(product)).toMatchObject({ onHand: 2, unknownQuantity: 2, value: null });
});

test('goods in transit arrive at the cost with which they left, in parts', async () => {
  await get(frame, 10, '1.1');
  const to = workspace.locations[1];
  const sent = await workspace.must(201, 'POST', '/stock/transfers', {
    inTransit: true,
    lines: [{ itemEntityId: frame, fromLocationEntityId: shop, toLocationEntityId: to, quantity: 6 }],
  });
  expect(await worthOf(frame)).toMatchObject({ onHand: 4, value: '4.4' });
  const id = sent.entries[0].bookingId;
  await workspace.must(201, 'POST', `/stock/transfers/${id}/receipts`, { quantity: 2 });
  await workspace.must(201, 'POST', `/stock/transfers/${id}/receipts`, { quantity: 4 });
  expect(await worthOf(frame)).toMatchObject({ onHand: 10, value: '11', unknownQuantity: 0 });
});

test('what lies at several locations together may be more than one of them can hold', async () => {
  const [, rack] = workspace.locations as [string, string];
  const most = 999_999_999.999999;
  const guid = randomUUID();
  await workspace.must(200, 'POST', '/pdm/sync', {
    entities: [{ guid, number: 'S-1', name: 'Other screw', categoryKey: 'part' }],
  });
  const { id: other } = await workspace.must(200, 'GET', `/entities/guid:${guid}`);
  const line = { quantity: 1, substitutes: [{ guid, ratio: 1 }] };
  await workspace.must(201, 'PUT', `/entities/${product}/uses/${frame}`, line);
  const [glue] = (await workspace.addEntities(1)) as [string];
  await workspace.must(200, 'PUT', `/stock/tracking/${glue}`, { tracking: 'lot' });
  for (const locationEntityId of [shop, rack]) {
    const much = { locationEntityId, quantity: most, unitCost: { price: '1' } };
    await workspace.must(201, 'POST', '/stock/adjustments', { itemEntityId: other, ...much });
    const ofLot = { itemEntityId: glue, lot: 'L', ...(locationEntityId === shop ? { newLot: {} } : {}) };
    await workspace.must(201, 'POST', '/stock/adjustments', { ...much, ...ofLot });
  }
  expect(await worthOf(other)).toMatchObject({ onHand: 1_999_999_999.999998, value: '1999999999.999998' });
  expect((await workspace.must(200, 'GET', '/stock/value/total')).value).toBe('3999999999.999996');
  const lots = await workspace.must(200, 'GET', `/stock/lots?itemEntityId=${glue}`);
  expect(lots.items).toMatchObject([{ number: 'L', onHand: 1_999_999_999.999998 }]);
  const { id } = (await workspace.line({ type: 'manufacturingOrder', quantity: 1 })).body.line;
  const { components } = await workspace.must(200, 'GET', `/stock/lines/${id}/components`);
  expect(components[0].substitutes).toMatchObject([
    { itemEntityId: other, availableQty: 1_999_999_999.999998 },
  ]);
});
