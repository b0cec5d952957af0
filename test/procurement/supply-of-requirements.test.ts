/** Supply belongs to its requirement, and what was bought beyond the need is free: in a workspace as it is made now. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ItemDemand, Shortage } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, moved, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let w: ProcuringWorkspace;
let item: string;
let shelf: string;
let bin: string;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  w = await makeProcuringWorkspace(server, { reserveReceived: true });
  [item] = w.items as [string];
  [shelf, bin] = w.locations as [string, string];
});
afterEach(() => w.expectConsistent());
afterAll(() => server.close());

const require = (requiredQty: number, projectId = w.project) =>
  w.must(201, 'POST', '/requirements', { projectId, itemEntityId: item, requiredQty });
const order = (id: string, quantity: number) =>
  w.must(201, 'POST', `/requirements/${id}/orders`, { locationEntityId: shelf, quantity });
const receive = (id: string, quantity: number) =>
  w.must(201, 'POST', `/stock/lines/${id}/receipts`, { quantity });
const coverage = async (id: string) => {
  const { reservedQty, issuedQty, orderedQty, openQty, status } = await w.must(
    200,
    'GET',
    `/requirements/${id}`,
  );
  return [reservedQty, issuedQty, orderedQty, openQty, status];
};
const shortOf = async (project = w.project) => {
  const { items } = await w.must(200, 'GET', `/projects/${project}/shortages?all=true`);
  return (items as Shortage[]).find((one) => one.itemEntityId === item)?.shortageQty ?? 0;
};
const settings = (values: object) =>
  w.must(200, 'PUT', '/stock/settings', {
    reserveReceived: true,
    overDeliveryPercent: 0,
    adjustmentReasons: [],
    ...values,
  });

test('what is received for a requirement is reserved for it, and nobody else gets it', async () => {
  const { id } = await require(10);
  const { line } = await order(id, 10);
  expect(line).toMatchObject({ forRequirement: 10, free: 0 });
  const receipt = await receive(line.id, 6);
  expect(moved(receipt.entries)).toEqual([
    ['POReceipt', 6],
    ['MRReservation', 6],
  ]);
  expect(receipt.line).toMatchObject({ receivedQty: 6, reservedQty: 0, openQty: 4 });
  expect(await w.figures()).toEqual([6, 6, 4]);
  expect(await coverage(id)).toEqual([6, 0, 4, 0, 'covered']);
  const sale = await w.line({ type: 'salesOrder', quantity: 1 });
  expect(sale.body.code).toBe('insufficient_stock');

  // What is issued stays covered; what is released is needed again, and can be ordered again.
  await w.must(201, 'POST', `/requirements/${id}/issues`, { locationEntityId: shelf, quantity: 2 });
  expect(await coverage(id)).toEqual([6, 2, 4, 0, 'covered']);
  await w.must(201, 'POST', `/requirements/${id}/releases`, { locationEntityId: shelf, quantity: 4 });
  expect(await coverage(id)).toEqual([2, 2, 4, 4, 'open']);
  expect((await w.must(200, 'GET', `/entities/${id}`)).state).toBe('Open');
  await w.must(201, 'POST', '/stock/lines', {
    type: 'salesOrder',
    itemEntityId: item,
    locationEntityId: shelf,
    quantity: 4,
  });
  expect(await shortOf()).toBe(4);
  await order(id, 4);
  expect(await coverage(id)).toEqual([2, 2, 8, 0, 'covered']);
  expect(await shortOf()).toBe(0);
});

test('a transition to Received reserves too, and a receipt elsewhere is reserved where it arrives', async () => {
  const { id } = await require(5);
  const first = (await order(id, 2)).line;
  expect((await w.move(first.id, 'Received')).status).toBe(200);
  expect(await coverage(id)).toEqual([2, 0, 0, 3, 'open']);
  const second = (await order(id, 3)).line;
  const one = { quantity: 3, locationEntityId: bin, lineId: second.id };
  await w.must(201, 'POST', `/orders/${second.orderId}/receipts`, { lines: [one] });
  expect(await coverage(id)).toEqual([5, 0, 0, 0, 'covered']);
  expect(await w.figures(item, bin)).toEqual([3, 3, 0]);
});

test('of a pack beyond the need the rest is free, for others too', async () => {
  const { id } = await require(32);
  const other = await w.addProject('Another');
  const second = await require(50, other);
  const { line, requirement, entries } = await order(id, 100);
  expect(moved(entries)).toEqual([
    ['OnOrderAdd', 32],
    ['OnOrderAdd', 68],
  ]);
  expect(line).toMatchObject({ quantity: 100, forRequirement: 32, free: 68 });
  expect(requirement).toMatchObject({ orderedQty: 32, openQty: 0, status: 'covered' });
  expect(await shortOf(other)).toBe(0);
  const receipt = await receive(line.id, 40);
  expect(moved(receipt.entries)).toEqual([
    ['POReceipt', 32],
    ['POReceipt', 8],
    ['MRReservation', 32],
  ]);
  await w.must(200, 'PATCH', `/stock/lines/${line.id}`, { quantity: 50 });
  expect(await w.must(200, 'GET', `/stock/lines/${line.id}`)).toMatchObject({ forRequirement: 32, free: 18 });
  expect(await shortOf(other)).toBe(32);
  expect(await coverage(second.id)).toEqual([0, 0, 0, 50, 'open']);

  // What goes back is what nobody needs, first.
  const back = { lines: [{ lineId: line.id, quantity: 10 }] };
  await w.must(201, 'POST', `/orders/${line.orderId}/returns`, back);
  expect(await coverage(id)).toEqual([30, 0, 0, 2, 'open']);
  expect(await w.figures()).toEqual([30, 30, 10]);
});

test('a correction takes what was held, and the requirement waits for it again', async () => {
  const { id } = await require(10);
  const { line } = await order(id, 10);
  const { entries } = await receive(line.id, 10);
  expect(await coverage(id)).toEqual([10, 0, 0, 0, 'covered']);
  const reversal = `/stock/ledger/${entries[0].id}/reversals`;
  const taken = await w.must(201, 'POST', reversal, { quantity: 4, note: 'Counted 6' });
  expect(moved(taken.entries)).toEqual([
    ['MRRelease', -4],
    ['POReceipt', -4],
  ]);
  expect(await w.figures()).toEqual([6, 6, 4]);
  expect(await coverage(id)).toEqual([6, 0, 4, 0, 'covered']);
  await receive(line.id, 4);
  expect(await coverage(id)).toEqual([10, 0, 0, 0, 'covered']);
  // What was released before is not taken a second time.
  await w.must(201, 'POST', `/requirements/${id}/releases`, { locationEntityId: shelf, quantity: 3 });
  expect(await coverage(id)).toEqual([7, 0, 0, 3, 'open']);
});

test('shortages and demand agree on what is missing, after goods were released and sold', async () => {
  const { id } = await require(40);
  const { line } = await order(id, 40);
  await receive(line.id, 40);
  await w.must(201, 'POST', `/requirements/${id}/releases`, { locationEntityId: shelf, quantity: 40 });
  const { line: sold } = (await w.line({ type: 'salesOrder', quantity: 40 })).body;
  await w.must(201, 'POST', `/stock/lines/${sold.id}/shipments`, { quantity: 40 });
  expect(await shortOf()).toBe(40);
  const demand: ItemDemand = await w.must(200, 'GET', `/entities/${item}/demand`);
  expect(demand.shortBy).toBe(40);
  const raised = await w.must(201, 'POST', `/projects/${w.project}/shortages/requirements`, {});
  expect(raised).toEqual({ requirements: [], changed: [] });
});

test('shortages and demand agree that supply for one requirement covers no other, also when it is covered otherwise', async () => {
  const [, built = ''] = w.items;
  await w.link(built, item, 1);
  const making = (await w.line({ type: 'manufacturingOrder', itemEntityId: built, quantity: 10 })).body.line;
  const { components } = await w.must(200, 'GET', `/stock/lines/${making.id}/components`);
  const id = components[0].requirementId as string;
  const { line } = await order(id, 10);
  await w.adjust(item, shelf, 8);
  // Eight are issued from free stock: the requirement takes two of the ten that come for it.
  await w.must(201, 'POST', `/stock/lines/${making.id}/components/issues`, { quantity: 8 });
  const other = await w.addProject();
  await require(10, other);
  expect(await shortOf(other)).toBe(10);
  const demand: ItemDemand = await w.must(200, 'GET', `/entities/${item}/demand`);
  expect(demand.shortBy).toBe(10);
  expect(demand.entries.map(({ kind, quantity }) => [kind, quantity])).toEqual([
    ['purchaseOrder', 2],
    ['requirement', -2],
    ['requirement', -10],
  ]);
  // A cancelled requirement leaves its supply to others.
  await w.must(200, 'POST', `/entities/${id}/transitions`, { toState: 'Cancelled' });
  expect(await shortOf(other)).toBe(0);
  const after: ItemDemand = await w.must(200, 'GET', `/entities/${item}/demand`);
  expect([after.shortBy, after.entries.find((one) => one.id === line.id)?.quantity]).toEqual([0, 10]);
});

test('a delivery of more than was ordered is taken up to the tolerance, and the surplus is free', async () => {
  const { id } = await require(100);
  const { line } = await order(id, 100);
  const over = (quantity: number) => w.ask('POST', `/stock/lines/${line.id}/receipts`, { quantity });
  expect((await over(101)).body.code).toBe('over_receipt');
  await settings({ overDeliveryPercent: 5 });
  expect((await over(105.000001)).body.code).toBe('over_receipt');
  await w.must(200, 'PATCH', `/stock/lines/${line.id}`, { overDeliveryPercent: 2 });
  expect((await over(105)).body).toMatchObject({
    code: 'over_receipt',
    detail: expect.stringContaining('is 2 % of 100: at most 102 is accepted.'),
    overDeliveryPercent: 2,
    acceptedQty: 102,
  });
  await w.must(200, 'PATCH', `/stock/lines/${line.id}`, { overDeliveryPercent: null });
  const received = await receive(line.id, 105);
  expect(moved(received.entries)).toEqual([
    ['OnOrderAdd', 5],
    ['POReceipt', 100],
    ['POReceipt', 5],
    ['MRReservation', 100],
  ]);
  expect(received.line).toMatchObject({
    state: 'Received',
    receivedQty: 105,
    openQty: 0,
    forRequirement: 100,
    free: 5,
  });
  expect(await w.figures()).toEqual([105, 100, 0]);
  // Taken back, only what was ordered is on order again.
  await w.must(201, 'POST', `/stock/ledger/${received.entries[2].id}/reversals`, { note: 'They were 100' });
  expect(await w.must(200, 'GET', `/stock/lines/${line.id}`)).toMatchObject({ receivedQty: 100, openQty: 0 });
  expect(await w.figures()).toEqual([100, 100, 0]);
});

test('a receipt that is taken back leaves what was reserved before, and releases what it brought', async () => {
  await settings({ reserveReceived: false });
  await w.adjust(item, shelf, 15);
  const { id } = await require(20);
  await w.must(201, 'POST', `/requirements/${id}/reservations`, { locationEntityId: shelf, quantity: 10 });
  const { line } = await order(id, 10);
  const receiveAndReverse = async () => {
    const { entries } = await receive(line.id, 10);
    await w.must(201, 'POST', `/stock/ledger/${entries[0].id}/reversals`, { note: 'Not ours' });
    expect(await coverage(id)).toEqual([10, 0, 10, 0, 'covered']);
    expect(await w.figures()).toEqual([15, 10, 10]);
  };
  await receiveAndReverse();
  await settings({ reserveReceived: true });
  await receiveAndReverse();
});

test('a requirement is changed, not below what covers it, and its name and state follow', async () => {
  const { id } = await require(10);
  await order(id, 4);
  const path = `/requirements/${id}`;
  const less = await w.must(409, 'PATCH', path, { requiredQty: 3 });
  expect(less).toMatchObject({ code: 'quantity_below_done', orderedQty: 4, reservedQty: 0 });
  const changed = await w.must(200, 'PATCH', path, {
    requiredQty: 4,
    requiredBy: '2027-01-05',
    note: 'One box',
  });
  expect(changed).toMatchObject({ requiredQty: 4, openQty: 0, status: 'covered', requiredBy: '2027-01-05' });
  expect(await w.must(200, 'GET', `/entities/${id}`)).toMatchObject({
    name: expect.stringMatching(/^4 ×/),
    state: 'Covered',
  });
  const { items } = await w.must(200, 'GET', `/audit?subjectType=materialRequirement&subjectKey=${id}`);
  expect(items[0]).toMatchObject({ before: { requiredQty: 10 }, after: { requiredQty: 4, note: 'One box' } });
  expect((await w.must(200, 'PATCH', path, { requiredQty: 6 })).status).toBe('open');
  const stale = await w.ask('PATCH', path, { requiredQty: 7 }, { 'If-Match': '"stale"' });
  expect(stale.status).toBe(412);
  await w.move(id, 'Cancelled');
  expect((await w.must(409, 'PATCH', path, { requiredQty: 8 })).code).toBe('requirement_cancelled');
});

test('raised again, requirements follow the structure, and never below what is covered', async () => {
  const [, gear, screw] = w.items as [string, string, string];
  await w.link(w.project, item, 10);
  await w.link(w.project, gear, 6);
  await w.link(w.project, screw, 2);
  const raise = () => w.must(201, 'POST', `/projects/${w.project}/shortages/requirements`, {});
  const { requirements } = await raise();
  const of = (id: string) => requirements.find((one: { itemEntityId: string }) => one.itemEntityId === id).id;
  await order(of(item), 7);
  const use = (id: string, quantity: number) =>
    w.must(200, 'PUT', `/entities/${w.project}/uses/${id}`, { quantity });
  await use(item, 5);
  await use(gear, 4);
  await w.must(204, 'DELETE', `/entities/${w.project}/uses/${screw}`);
  const own = await require(1);
  const again = await raise();
  expect(again.requirements).toEqual([]);
  expect(again.changed).toHaveLength(3);
  expect(await w.must(200, 'GET', `/requirements/${of(item)}`)).toMatchObject({ requiredQty: 7, openQty: 0 });
  expect(await w.must(200, 'GET', `/requirements/${of(gear)}`)).toMatchObject({ requiredQty: 4, openQty: 4 });
  expect((await w.must(200, 'GET', `/requirements/${of(screw)}`)).status).toBe('cancelled');
  // A need that somebody has stated stays.
  expect(await w.must(200, 'GET', `/requirements/${own.id}`)).toMatchObject({
    requiredQty: 1,
    status: 'open',
  });
  expect((await raise()).changed).toEqual([]);
});

test('a sales line that may wait reserves what is there, and the rest is demand', async () => {
  await w.adjust(item, shelf, 4);
  const sale = { type: 'salesOrder', itemEntityId: item, locationEntityId: shelf, quantity: 10 };
  expect((await w.must(409, 'POST', '/stock/lines', sale)).code).toBe('insufficient_stock');
  const made = await w.must(201, 'POST', '/stock/lines', { ...sale, allowBackorder: true });
  expect(moved(made.entries)).toEqual([['SOReservation', 4]]);
  expect(made.line).toMatchObject({ state: 'Reserved', reservedQty: 4, openQty: 10, allowBackorder: true });
  const none = await w.must(201, 'POST', '/stock/lines', { ...sale, quantity: 1, allowBackorder: true });
  expect(none.line).toMatchObject({ state: 'Reserved', reservedQty: 0, openQty: 1 });
  const demand: ItemDemand = await w.must(200, 'GET', `/entities/${item}/demand`);
  expect(demand.entries.map(({ quantity }) => quantity)).toEqual([-6, -1]);
  await w.adjust(item, shelf, 6);
  await w.must(201, 'POST', `/stock/lines/${made.line.id}/reservations`, { quantity: 6 });
  const shipped = await w.must(201, 'POST', `/stock/lines/${made.line.id}/shipments`, { quantity: 10 });
  expect(shipped.line).toMatchObject({ state: 'Shipped', openQty: 0 });
  // Two lines of one order do not reserve the same.
  await w.adjust(item, shelf, 3);
  const { lines } = await w.must(201, 'POST', '/orders', {
    type: 'salesOrder',
    lines: [2, 2].map((quantity) => ({
      itemEntityId: item,
      locationEntityId: shelf,
      quantity,
      allowBackorder: true,
    })),
  });
  expect(lines.map((line: { reservedQty: number }) => line.reservedQty)).toEqual([2, 1]);
});

test('adjustments state a reason of the list, where the workspace has one', async () => {
  await settings({ adjustmentReasons: ['scrap', 'found'] });
  const adjustment = { itemEntityId: item, locationEntityId: shelf, quantity: 3 };
  const made = await w.must(201, 'POST', '/stock/adjustments', { ...adjustment, reason: 'found' });
  expect(made.entry.reason).toBe('found');
  await w.must(201, 'POST', '/stock/adjustments', adjustment);
  const refused = await w.must(422, 'POST', '/stock/adjustments', { ...adjustment, reason: 'lost' });
  expect(refused).toMatchObject({ code: 'unknown_reason', errors: [{ pointer: '/reason' }] });
  const many = { adjustments: [adjustment, { ...adjustment, reason: 'lost' }] };
  const batch = await w.must(422, 'POST', '/stock/adjustments/batch', many);
  expect(batch.errors[0].pointer).toBe('/adjustments/1/reason');
  await settings({ adjustmentReasons: [] });
  await w.must(201, 'POST', '/stock/adjustments', { ...adjustment, reason: 'lost' });
});

test('the settings are replaced by administrators only, and the audit trail has them', async () => {
  expect(await w.must(200, 'GET', '/stock/settings')).toMatchObject({ reserveReceived: true });
  const twice = { reserveReceived: true, overDeliveryPercent: 0, adjustmentReasons: ['a', 'a'] };
  expect((await w.must(422, 'PUT', '/stock/settings', twice)).errors[0].pointer).toBe('/adjustmentReasons');
  await settings({ overDeliveryPercent: 2.5 });
  const { items } = await w.must(200, 'GET', '/audit?subjectType=stockSettings');
  expect(items[0]).toMatchObject({ before: { overDeliveryPercent: 0 }, after: { overDeliveryPercent: 2.5 } });
});

test('a phantom stands for its components in shortages, and a fixed loss counts once for each parent', async () => {
  const [machine, kit, screw] = w.items as [string, string, string];
  await w.link(w.project, machine, 2);
  await w.must(201, 'PUT', `/entities/${machine}/uses/${kit}`, { quantity: 3, phantom: true });
  await w.must(201, 'PUT', `/entities/${kit}/uses/${screw}`, { quantity: 4, lossFixed: 5 });
  // Of the phantom itself nothing is used, though some lie in stock.
  await w.adjust(kit, shelf, 100);
  const { items } = await w.must(200, 'GET', `/projects/${w.project}/shortages`);
  const short = (items as Shortage[]).map((one) => [one.itemEntityId, one.shortageQty]);
  expect(short).toEqual([
    [machine, 2],
    [screw, 29],
  ]);
});
