/** Entries that are taken back, and goods that go back: lines, requirements and orders follow. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/stock/entries/ledger-entry.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, moved, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const make = () => makeProcuringWorkspace(server, { items: 2, locations: 2 });
const reversal = (id: string) => `/stock/ledger/${id}/reversals`;
const note = 'Counted 40, not 42';

async function purchase(w: ProcuringWorkspace, quantity: number, values: object = {}) {
  const { body } = await w.line({ quantity, ...values });
  return body.line as { id: string; orderId: string };
}

test('a receipt of 42 where 40 came is corrected by 2, and the line is open again', async () => {
  const w = await make();
  const line = await purchase(w, 42);
  const received = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 42 });
  expect(received.line.state).toBe('Received');
  expect((await w.must(200, 'GET', `/orders/${line.orderId}`)).state).toBe('Closed');
  const [entry] = received.entries;

  const tried = await w.must(200, 'POST', reversal(entry.id), { quantity: 2, note, dryRun: true });
  expect(await w.figures(w.items[0] as string, w.locations[0] as string)).toEqual([42, 0, 0]);
  const body = await w.must(201, 'POST', reversal(entry.id), { quantity: 2, note });
  expect(tried.line).toEqual(body.line);
  expect(body.entry).toMatchObject({
    movementType: 'POReceipt',
    quantity: -2,
    reversesId: entry.id,
    note,
    lineId: line.id,
  });
  expect(body.position).toMatchObject({ onHand: 40, onOrder: 2 });
  expect(body.line).toMatchObject({ state: 'Ordered', receivedQty: 40, openQty: 2 });
  expect((await w.must(200, 'GET', `/orders/${line.orderId}`)).state).toBe('Open');
  const listed = await w.must(200, 'GET', `/stock/ledger?orderId=${line.orderId}`);
  expect(listed.items.map((one: { reversedQty: number }) => one.reversedQty)).toEqual([0, 2, 0]);

  // The rest arrives, and the line and its order end as before.
  const rest = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 2 });
  expect(rest.line).toMatchObject({ state: 'Received', receivedQty: 42, openQty: 0 });
  expect((await w.must(200, 'GET', `/orders/${line.orderId}`)).state).toBe('Closed');
  await w.expectConsistent();
});

test('reversals never exceed their entry, and are not taken back themselves', async () => {
  const w = await make();
  const { body: adjusted } = await w.adjust(w.items[0], w.locations[0], 5);
  const path = reversal(adjusted.entry.id);
  const { entry } = await w.must(201, 'POST', path, { quantity: 3.5, note });
  expect(await w.must(409, 'POST', path, { quantity: 1.6, note })).toMatchObject({
    code: 'over_reversal',
    quantity: 5,
    reversedQty: 3.5,
    remainingQty: 1.5,
  });
  expect((await w.must(409, 'POST', reversal(entry.id), { note })).code).toBe('not_reversible');
  expect((await w.must(201, 'POST', path, { note })).entry.quantity).toBe(-1.5);
  expect((await w.must(409, 'POST', path, { note })).code).toBe('over_reversal');
  expect((await w.must(422, 'POST', path, { quantity: 0, note })).code).toBe('zero_quantity');
  await w.must(422, 'POST', path, { quantity: 1 });
  await w.must(404, 'POST', reversal(w.items[0] as string), { note });

  const line = await purchase(w, 3);
  const { items } = await w.must(200, 'GET', `/stock/ledger?lineId=${line.id}`);
  const refused = await w.must(409, 'POST', reversal(items[0].id), { note });
  expect([refused.code, refused.detail]).toEqual([
    'not_reversible',
    expect.stringContaining('Change the quantity of the line'),
  ]);
  await w.expectConsistent();
});

test('of callers that take back the same entry at the same time, only its quantity succeeds', async () => {
  const w = await make();
  const line = await purchase(w, 10);
  const { entries } = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 10 });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => w.ask('POST', reversal(entries[0].id), { quantity: 3, note })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  expect(await w.figures()).toEqual([1, 0, 9]);
  await w.expectConsistent();
});

test('stock that has gone since is not taken back, and the refusal names the movements that took it', async () => {
  const w = await make();
  const line = await purchase(w, 10);
  const { entries } = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 10 });
  const sale = (await w.line({ type: 'salesOrder', quantity: 8 })).body.line;
  const reserved = await w.must(409, 'POST', reversal(entries[0].id), { note });
  expect(reserved).toMatchObject({
    code: 'insufficient_stock',
    refusals: [{ reason: 'available', onHand: 10, reserved: 8, available: 2 }],
    takenBy: [{ movementType: 'SOReservation', quantity: 8, orderNumber: sale.orderNumber }],
  });
  await w.must(201, 'POST', `/stock/lines/${sale.id}/shipments`, { quantity: 8 });
  const gone = await w.must(409, 'POST', reversal(entries[0].id), { note });
  expect(gone).toMatchObject({ refusals: [{ reason: 'onHand', onHand: 2 }] });
  expect(gone.takenBy.map((one: { movementType: string }) => one.movementType)).toContain('SOShipment');
  expect(gone.detail).toContain(sale.orderNumber);
  expect((await w.must(201, 'POST', reversal(entries[0].id), { quantity: 2, note })).line.state).toBe(
    'Ordered',
  );
  await w.expectConsistent();
});

test('a shipment comes back: what was reserved is reserved again, and the line is open', async () => {
  const w = await make();
  await w.adjust(w.items[0], w.locations[0], 10);
  const sale = (await w.line({ type: 'salesOrder', quantity: 6 })).body.line;
  await w.must(201, 'POST', `/stock/lines/${sale.id}/releases`, { quantity: 2 });
  const { entries } = await w.must(201, 'POST', `/stock/lines/${sale.id}/shipments`, { quantity: 6 });
  expect(await w.figures()).toEqual([4, 0, 0]);
  const first = await w.must(201, 'POST', reversal(entries[0].id), { quantity: 5, note });
  expect(first.line).toMatchObject({ state: 'Reserved', shippedQty: 1, reservedQty: 4, openQty: 5 });
  const second = await w.must(201, 'POST', reversal(entries[0].id), { note });
  expect(second.line).toMatchObject({ shippedQty: 0, reservedQty: 4, openQty: 6 });
  expect(await w.figures()).toEqual([10, 4, 0]);
  await w.expectConsistent();
});

test('issued material comes back and is held for its requirement again', async () => {
  const w = await make();
  await w.adjust(w.items[0], w.locations[0], 10);
  const requirement = await w.must(201, 'POST', '/requirements', {
    projectId: w.project,
    itemEntityId: w.items[0],
    requiredQty: 6,
  });
  const path = `/requirements/${requirement.id}`;
  const work = { locationEntityId: w.locations[0], quantity: 6 };
  await w.must(201, 'POST', `${path}/reservations`, work);
  const { entries } = await w.must(201, 'POST', `${path}/issues`, work);
  await w.must(201, 'POST', reversal(entries[0].id), { quantity: 2, note });
  expect(await w.must(200, 'GET', path)).toMatchObject({ reservedQty: 6, issuedQty: 4, openQty: 0 });
  expect(await w.figures()).toEqual([6, 2, 0]);

  // Of a requirement that is cancelled meanwhile it is free.
  await w.move(requirement.id, 'Cancelled');
  await w.must(201, 'POST', reversal(entries[0].id), { note });
  expect(await w.figures()).toEqual([10, 0, 0]);
  await w.expectConsistent();
});

test('a line that was closed short stays closed: what comes back is not on order', async () => {
  const w = await make();
  const line = await purchase(w, 10);
  const { entries } = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 4 });
  await w.must(200, 'POST', `/stock/lines/${line.id}/close`, {});
  const { line: after } = await w.must(201, 'POST', reversal(entries[0].id), { note });
  expect(after).toMatchObject({ state: 'Closed', receivedQty: 0, openQty: 0 });
  expect(await w.figures()).toEqual([0, 0, 0]);
  await w.expectConsistent();
});

test('a whole delivery of an order is taken back at once', async () => {
  const w = await make();
  const order = await w.must(201, 'POST', '/orders', {
    type: 'purchaseOrder',
    lines: [3, 4].map((quantity, at) => ({
      itemEntityId: w.items[at],
      locationEntityId: w.locations[0],
      quantity,
    })),
  });
  await w.must(201, 'POST', `/orders/${order.id}/receipts`, {});
  const { items } = await w.must(200, 'GET', `/stock/ledger?orderId=${order.id}&movementType=POReceipt`);
  expect(new Set(items.map((one: LedgerEntry) => one.bookingId)).size).toBe(1);
  const [{ bookingId }] = items;
  expect((await w.must(200, 'GET', `/stock/ledger?bookingId=${bookingId}`)).items).toEqual(items);
  const path = `/orders/${order.id}/receipts/${bookingId}/reversals`;
  await w.must(201, 'POST', reversal(items[0].id), { quantity: 1, note });
  const { order: after, entries } = await w.must(201, 'POST', path, { note });
  expect(moved(entries).toSorted()).toEqual([
    ['POReceipt', -3],
    ['POReceipt', -3],
  ]);
  expect(after).toMatchObject({ state: 'Open', totals: { receivedQty: 0, openQty: 7, openLines: 2 } });
  expect((await w.must(409, 'POST', path, { note })).code).toBe('over_reversal');
  const wrong = `/orders/${order.id}/shipments/${bookingId}/reversals`;
  expect((await w.must(404, 'POST', wrong, { note })).code).toBe('booking_not_found');
  await w.expectConsistent();
});

test('without the transition in the lifecycle a correction is refused, and names it', async () => {
  const w = await make();
  const line = await purchase(w, 4);
  const { entries } = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 4 });
  const { body: lifecycle, headers } = await w.ask('GET', '/lifecycles/supplyLine');
  const { key, ...rest } = lifecycle;
  const without = {
    ...rest,
    transitions: lifecycle.transitions.filter((way: { to: string; from: string }) => way.from !== 'Received'),
  };
  const put = await w.ask('PUT', `/lifecycles/${key}`, without, { 'If-Match': headers.get('etag') ?? '' });
  expect(put.status, put.text).toBe(200);
  expect(await w.must(409, 'POST', reversal(entries[0].id), { note })).toMatchObject({
    code: 'transition_not_allowed',
    from: 'Received',
    to: 'Ordered',
    category: 'purchaseOrderLine',
  });
  expect(await w.figures()).toEqual([4, 0, 0]);
  await w.expectConsistent();
});

test('nobody reopens a line by hand of which nothing is open', async () => {
  const w = await make();
  const line = await purchase(w, 4);
  await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 4 });
  await w.move(line.orderId, 'Open');
  const refused = await w.move(line.id, 'Ordered');
  expect([refused.status, refused.body.code]).toEqual([409, 'transition_not_allowed']);
});

test('goods go back to the supplier: On Order rises only for a replacement', async () => {
  const w = await make();
  const line = await purchase(w, 10);
  await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 10 });
  const path = `/orders/${line.orderId}/returns`;
  const lines = (quantity: number) => [{ lineId: line.id, quantity, reason: 'damaged' }];
  const kept = await w.must(201, 'POST', path, { lines: lines(2) });
  expect(moved(kept.entries)).toEqual([['POReturn', -2]]);
  expect(kept.entries[0]).toMatchObject({ reason: 'damaged', bookingId: expect.any(String) });
  expect(kept.order.lines[0]).toMatchObject({
    state: 'Received',
    receivedQty: 10,
    returnedQty: 2,
    openQty: 0,
  });
  expect(await w.figures()).toEqual([8, 0, 0]);

  const replaced = await w.must(201, 'POST', path, { lines: lines(3), replace: true });
  expect(replaced.order).toMatchObject({ state: 'Open', totals: { returnedQty: 5, openQty: 3 } });
  expect(replaced.order.lines[0]).toMatchObject({ state: 'Ordered', returnedQty: 5, openQty: 3 });
  expect(await w.figures()).toEqual([5, 0, 3]);
  expect(await w.must(409, 'POST', path, { lines: lines(6) })).toMatchObject({
    code: 'over_return',
    returnableQty: 5,
    errors: [{ pointer: '/lines/0' }],
  });
  const again = await w.must(201, 'POST', `/orders/${line.orderId}/receipts`, {});
  expect(again.lines[0]).toMatchObject({ state: 'Received', receivedQty: 13, returnedQty: 5, openQty: 0 });
  expect(await w.figures()).toEqual([8, 0, 0]);

  // What was returned cannot be taken back as never received.
  const { items } = await w.must(200, 'GET', `/stock/ledger?lineId=${line.id}&movementType=POReceipt`);
  const first = items.at(-1) as LedgerEntry;
  expect((await w.must(409, 'POST', reversal(first.id), { note })).code).toBe('over_reversal');
  const [wrong] = kept.entries;
  const undone = await w.must(201, 'POST', reversal(wrong.id), { note });
  expect(undone.line).toMatchObject({ returnedQty: 3 });
  await w.expectConsistent();
});

test('goods come back from a customer into a location of choice', async () => {
  const w = await make();
  await w.adjust(w.items[0], w.locations[0], 5);
  const sale = (await w.line({ type: 'salesOrder', quantity: 5 })).body.line;
  await w.must(201, 'POST', `/stock/lines/${sale.id}/shipments`, { quantity: 5 });
  const path = `/orders/${sale.orderId}/returns`;
  const lines = [{ lineId: sale.id, quantity: 2, locationEntityId: w.locations[1] }];
  expect((await w.must(409, 'POST', path, { lines, replace: true })).code).toBe('line_not_open');
  const { order, entries } = await w.must(201, 'POST', path, { lines });
  expect(moved(entries)).toEqual([['SOReturn', 2]]);
  expect(order.lines[0]).toMatchObject({ state: 'Shipped', shippedQty: 5, returnedQty: 2, openQty: 0 });
  expect(await w.figures(w.items[0], w.locations[1])).toEqual([2, 0, 0]);
  const nowhere = [{ ...lines[0], locationEntityId: w.items[1] }];
  expect((await w.must(422, 'POST', path, { lines: nowhere })).code).toBe('not_a_location');
  await w.expectConsistent();
});

test('a build is taken back with the components that it took, and the line can be built again', async () => {
  const w = await makeProcuringWorkspace(server, { items: 3, locations: 1 });
  const [board, chip, wire] = w.items as [string, string, string];
  await w.link(board, chip, 2);
  await w.link(board, wire, 0.5);
  await w.adjust(chip, w.locations[0], 20);
  await w.adjust(wire, w.locations[0], 20);
  const order = { type: 'manufacturingOrder', itemEntityId: board, quantity: 6 };
  const line = (await w.line(order)).body.line;
  const received = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 6 });
  expect(await w.figures(chip)).toEqual([8, 0, 0]);
  const entry = received.entries.find((one: LedgerEntry) => one.movementType === 'MOReceipt');
  const first = await w.must(201, 'POST', reversal(entry.id), { quantity: 1, note });
  expect(first.line).toMatchObject({ state: 'Ordered', receivedQty: 5, openQty: 1 });
  expect(await w.figures(board)).toEqual([5, 0, 1]);
  // Components that were free before are free again.
  expect(await w.figures(chip)).toEqual([10, 0, 0]);
  expect((await w.figures(wire))[0]).toBe(17.5);
  await w.must(201, 'POST', reversal(entry.id), { note });
  expect(await w.figures(board)).toEqual([0, 0, 6]);
  expect(await w.figures(chip)).toEqual([20, 0, 0]);
  expect(await w.figures(wire)).toEqual([20, 0, 0]);
  await w.expectConsistent();
  const again = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 6 });
  expect(again.line).toMatchObject({ state: 'Received', receivedQty: 6 });
  expect(await w.figures(chip)).toEqual([8, 0, 0]);
  await w.expectConsistent();
});

test('goods are received at other locations than planned, and the correction is on order where it was', async () => {
  const w = await make();
  const [planned, other] = w.locations;
  const line = await purchase(w, 10);
  const one = { quantity: 4, locationEntityId: other };
  const received = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, one);
  expect(moved(received.entries)).toEqual([
    ['OnOrderRelease', -4],
    ['OnOrderAdd', 4],
    ['POReceipt', 4],
  ]);
  expect(await w.figures(w.items[0], other)).toEqual([4, 0, 0]);
  expect(await w.figures(w.items[0], planned)).toEqual([0, 0, 6]);
  const wrong = [{ lineId: line.id, quantity: 1, locationEntityId: w.items[1] }];
  const refused = await w.must(422, 'POST', `/orders/${line.orderId}/receipts`, { lines: wrong });
  expect([refused.code, refused.errors[0].pointer]).toEqual(['not_a_location', '/lines/0/locationEntityId']);
  const lines = [
    { lineId: line.id, quantity: 1 },
    { lineId: line.id, quantity: 5, locationEntityId: other },
  ];
  const order = await w.must(201, 'POST', `/orders/${line.orderId}/receipts`, { lines });
  expect(order.lines[0]).toMatchObject({ state: 'Received', receivedQty: 10, openQty: 0 });

  await w.must(201, 'POST', reversal(received.entries[2].id), { quantity: 3, note });
  expect(await w.figures(w.items[0], other)).toEqual([6, 0, 0]);
  expect(await w.figures(w.items[0], planned)).toEqual([1, 0, 3]);
  const again = await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 3 });
  expect(again.line.state).toBe('Received');
  await w.expectConsistent();
});

test('a transfer is taken back at both ends, whichever entry is named', async () => {
  const w = await make();
  const [from, to] = w.locations;
  await w.adjust(w.items[0], from, 10);
  await w.adjust(w.items[1], from, 10);
  const moves = [w.items[0], w.items[1]].map((itemEntityId) => ({
    itemEntityId,
    fromLocationEntityId: from,
    toLocationEntityId: to,
    quantity: 4,
  }));
  await w.must(201, 'POST', '/stock/transfers', { lines: moves });
  const { items } = await w.must(200, 'GET', `/stock/ledger/by-item/${w.items[1]}`);
  const end = (type: string) => items.find((one: { movementType: string }) => one.movementType === type);
  const first = await w.must(201, 'POST', reversal(end('TransferIn').id), { quantity: 1, note });
  expect(moved(first.entries)).toEqual([
    ['TransferIn', -1],
    ['TransferOut', 1],
  ]);
  await w.must(201, 'POST', reversal(end('TransferOut').id), { note });
  expect(await w.figures(w.items[1], from)).toEqual([10, 0, 0]);
  expect(await w.figures(w.items[1], to)).toEqual([0, 0, 0]);
  expect(await w.figures(w.items[0], to)).toEqual([4, 0, 0]);
  await w.expectConsistent();
});

test('goods for one requirement that go back over several lines release what it holds once', async () => {
  const w = await make();
  const require = (requiredQty: number) =>
    w.must(201, 'POST', '/requirements', { projectId: w.project, itemEntityId: w.items[0], requiredQty });
  const own = await require(10);
  const other = await require(5);
  const place = { locationEntityId: w.locations[0] };
  await w.adjust(w.items[0], w.locations[0], 30);
  await w.must(201, 'POST', `/requirements/${other.id}/reservations`, { ...place, quantity: 5 });
  const path = `/requirements/${own.id}`;
  const first = (await w.must(201, 'POST', `${path}/orders`, { ...place, quantity: 6 })).line;
  const more = { ...place, quantity: 4, orderId: first.orderId };
  const second = (await w.must(201, 'POST', `${path}/orders`, more)).line;
  await w.must(201, 'POST', `/orders/${first.orderId}/receipts`, {});
  await w.must(201, 'POST', `${path}/reservations`, { ...place, quantity: 10 });
  await w.must(201, 'POST', `${path}/issues`, { ...place, quantity: 7 });
  const lines = [first, second].map(({ id, quantity }) => ({ lineId: id, quantity }));
  await w.must(201, 'POST', `/orders/${first.orderId}/returns`, { lines });
  expect((await w.figures())[1]).toBe(5);
  const { reservedQty, issuedQty } = await w.must(200, 'GET', path);
  expect(reservedQty - issuedQty).toBe(0);
  await w.expectConsistent();
});

test('a delivery of which a part was returned is not taken back as never delivered', async () => {
  const w = await make();
  const line = await purchase(w, 10);
  const lines = [6, 4].map((quantity) => ({ lineId: line.id, quantity }));
  await w.must(201, 'POST', `/orders/${line.orderId}/receipts`, { lines });
  const { items } = await w.must(200, 'GET', `/stock/ledger?lineId=${line.id}&movementType=POReceipt`);
  await w.must(201, 'POST', `/orders/${line.orderId}/returns`, { lines: [{ lineId: line.id, quantity: 3 }] });
  await w.adjust(w.items[0], w.locations[0], 10);
  const booking = `/orders/${line.orderId}/receipts/${items[0].bookingId}/reversals`;
  expect((await w.must(409, 'POST', booking, { note })).code).toBe('over_reversal');
  await w.must(201, 'POST', reversal(items[0].id), { note });
  await w.expectConsistent();
});

test('two receipts of a build in one delivery give back the components of each', async () => {
  const w = await makeProcuringWorkspace(server, { items: 2, locations: 1 });
  const [board, chip] = w.items as [string, string];
  await w.link(board, chip, 2);
  await w.adjust(chip, w.locations[0], 50);
  const { line } = (await w.line({ type: 'manufacturingOrder', itemEntityId: board, quantity: 10 })).body;
  const lines = [6, 4].map((quantity) => ({ lineId: line.id, quantity }));
  await w.must(201, 'POST', `/orders/${line.orderId}/receipts`, { lines });
  const { items } = await w.must(200, 'GET', `/stock/ledger?lineId=${line.id}&movementType=MOReceipt`);
  const four = items.find((one: { quantity: number }) => one.quantity === 4);
  await w.must(201, 'POST', reversal(four.id), { note });
  expect((await w.figures(chip))[0]).toBe(38);
  await w.must(201, 'POST', `/orders/${line.orderId}/receipts/${four.bookingId}/reversals`, { note });
  expect((await w.figures(chip))[0]).toBe(50);
  await w.must(201, 'POST', `/orders/${line.orderId}/receipts`, { lines });
  await w.must(409, 'POST', reversal(four.id), { note });
  const again = await w.must(200, 'GET', `/stock/ledger?lineId=${line.id}&movementType=MOReceipt`);
  const booking = `/orders/${line.orderId}/receipts/${again.items[0].bookingId}/reversals`;
  await w.must(201, 'POST', booking, { note });
  expect((await w.figures(chip))[0]).toBe(50);
  await w.expectConsistent();
});

test('scrap is taken back with its components, which are then required no more', async () => {
  const w = await makeProcuringWorkspace(server, { items: 2, locations: 1 });
  const [board, chip] = w.items as [string, string];
  await w.link(board, chip, 2);
  await w.adjust(chip, w.locations[0], 50);
  const { line } = (await w.line({ type: 'manufacturingOrder', itemEntityId: board, quantity: 10 })).body;
  await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 4, scrap: 3 });
  const { items } = await w.must(200, 'GET', `/stock/ledger?lineId=${line.id}&movementType=Adjustment`);
  const figures = async () => {
    const { scrappedQty, components } = await w.must(200, 'GET', `/stock/lines/${line.id}/components`);
    const [{ requiredQty, issuedQty }] = components;
    return [scrappedQty, requiredQty, issuedQty, (await w.figures(board))[0]];
  };
  expect(await figures()).toEqual([3, 26, 14, 4]);
  const [out, into] = items;
  expect(moved([out, into])).toEqual([
    ['Adjustment', -3],
    ['Adjustment', 3],
  ]);
  await w.must(201, 'POST', reversal(out.id), { quantity: 1, note });
  expect(await figures()).toEqual([2, 24, 12, 4]);
  await w.must(201, 'POST', reversal(into.id), { note });
  expect(await figures()).toEqual([0, 20, 8, 4]);
  expect((await w.must(409, 'POST', reversal(out.id), { note })).code).toBe('over_reversal');
  await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 6 });
  expect((await w.figures(chip)).slice(0, 2)).toEqual([30, 0]);
  await w.expectConsistent();
});

test('units that were taken apart are not taken back as never built, nor put together by a reversal', async () => {
  const w = await makeProcuringWorkspace(server, { items: 2, locations: 1 });
  const [board, chip] = w.items as [string, string];
  await w.link(board, chip, 2);
  await w.adjust(chip, w.locations[0], 20);
  await w.adjust(board, w.locations[0], 10);
  const { line } = (await w.line({ type: 'manufacturingOrder', itemEntityId: board, quantity: 5 })).body;
  const path = `/stock/lines/${line.id}`;
  const { entries } = await w.must(201, 'POST', `${path}/receipts`, { quantity: 5 });
  const apart = await w.must(201, 'POST', `${path}/disassemblies`, { quantity: 3 });
  expect((await w.must(409, 'POST', reversal(entries[0].id), { note })).code).toBe('over_reversal');
  expect((await w.must(409, 'POST', reversal(apart.entries[0].id), { note })).code).toBe('not_reversible');
  await w.must(201, 'POST', reversal(entries[0].id), { quantity: 2, note });
  expect((await w.figures(chip))[0]).toBe(20);
  await w.expectConsistent();
});

test('components that a build did not take are required again when it is taken back', async () => {
  const w = await makeProcuringWorkspace(server, { items: 3, locations: 1 });
  const [board, chip, wire] = w.items as [string, string, string];
  await w.link(board, chip, 2);
  await w.link(board, wire, 1);
  await w.adjust(chip, w.locations[0], 20);
  await w.adjust(wire, w.locations[0], 20);
  const { line } = (await w.line({ type: 'manufacturingOrder', itemEntityId: board, quantity: 5 })).body;
  const path = `/stock/lines/${line.id}`;
  const components = `/requirements?lineId=${line.id}`;
  const [first] = (await w.must(200, 'GET', `${components}&itemEntityId=${wire}`)).items;
  await w.move(first.id, 'Cancelled');
  const { entries } = await w.must(201, 'POST', `${path}/receipts`, { quantity: 5, consume: 'none' });
  expect((await w.must(200, 'GET', `${components}&status=open`)).items).toEqual([]);
  await w.must(201, 'POST', reversal(entries[0].id), { note });
  const { items } = await w.must(200, 'GET', `${components}&status=open`);
  expect(items).toMatchObject([{ itemEntityId: chip, requiredQty: 10 }]);
  const again = await w.must(201, 'POST', `${path}/receipts`, { quantity: 5 });
  expect(again.line.state).toBe('Received');
  expect([(await w.figures(chip))[0], (await w.figures(wire))[0]]).toEqual([10, 20]);
  await w.expectConsistent();
});

test('a return for which goods come again is taken back, and nothing of its line is open any more', async () => {
  const w = await make();
  const line = await purchase(w, 5);
  await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 5 });
  const lines = [{ lineId: line.id, quantity: 2 }];
  const { entries } = await w.must(201, 'POST', `/orders/${line.orderId}/returns`, { lines, replace: true });
  const returned = entries.find((one: LedgerEntry) => one.movementType === 'POReturn');
  const body = await w.must(201, 'POST', reversal(returned.id), { note });
  expect(body.line).toMatchObject({ state: 'Received', returnedQty: 0, openQty: 0 });
  expect(await w.figures()).toEqual([5, 0, 0]);
  expect((await w.must(200, 'GET', `/orders/${line.orderId}`)).state).toBe('Closed');
  await w.expectConsistent();
});

test('a return of goods that came in excess is taken back after a part of them was ordered again', async () => {
  const w = await make();
  const line = await purchase(w, 10, { overDeliveryPercent: 20 });
  await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 12 });
  const lines = [{ lineId: line.id, quantity: 5 }];
  const { order, entries } = await w.must(201, 'POST', `/orders/${line.orderId}/returns`, {
    lines,
    replace: true,
  });
  expect(order.lines[0]).toMatchObject({ state: 'Ordered', openQty: 3 });
  const returned = entries.find((one: LedgerEntry) => one.movementType === 'POReturn');
  const body = await w.must(201, 'POST', reversal(returned.id), { note });
  expect(body.line).toMatchObject({ state: 'Received', returnedQty: 0, openQty: 0 });
  expect(await w.figures()).toEqual([12, 0, 0]);
  await w.expectConsistent();
});

test('what a requirement lacks after a return is open again, or on order where it is replaced', async () => {
  const w = await make();
  const values = { projectId: w.project, itemEntityId: w.items[0], requiredQty: 10 };
  const { id } = await w.must(201, 'POST', '/requirements', values);
  const [path, place] = [`/requirements/${id}`, { locationEntityId: w.locations[0] }];
  const { line } = await w.must(201, 'POST', `${path}/orders`, { ...place, quantity: 10 });
  await w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 10 });
  await w.must(201, 'POST', `${path}/reservations`, { ...place, quantity: 10 });
  const giveBack = (quantity: number, replace: boolean) => {
    const lines = [{ lineId: line.id, quantity }];
    return w.must(201, 'POST', `/orders/${line.orderId}/returns`, { lines, replace });
  };
  const { entries } = await giveBack(4, false);
  const lacking = { status: 'open', reservedQty: 6, orderedQty: 0, openQty: 4 };
  expect(await w.must(200, 'GET', path)).toMatchObject(lacking);
  await giveBack(1, true);
  expect(await w.must(200, 'GET', path)).toMatchObject({ reservedQty: 5, orderedQty: 1, openQty: 4 });
  const first = entries.find((one: LedgerEntry) => one.movementType === 'POReturn');
  await w.must(201, 'POST', reversal(first.id), { note });
  expect(await w.must(200, 'GET', path)).toMatchObject({ reservedQty: 5, orderedQty: 5, openQty: 0 });
  await w.must(201, 'POST', `${path}/reservations`, { ...place, quantity: 4 });
  expect(await w.must(200, 'GET', path)).toMatchObject({ reservedQty: 9, orderedQty: 1, openQty: 0 });
  await w.expectConsistent();
});

test('goods for a requirement go back from where it holds them, although what was bought beyond it lies elsewhere', async () => {
  const w = await make();
  const values = { projectId: w.project, itemEntityId: w.items[0], requiredQty: 10 };
  const { id } = await w.must(201, 'POST', '/requirements', values);
  const [first, second] = w.locations as [string, string];
  const path = `/requirements/${id}`;
  const { line } = await w.must(201, 'POST', `${path}/orders`, { locationEntityId: first, quantity: 12 });
  const receive = (quantity: number, locationEntityId: string) =>
    w.must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity, locationEntityId });
  await receive(10, second);
  await receive(2, first);
  await w.must(201, 'POST', `${path}/reservations`, { locationEntityId: second, quantity: 10 });
  const lines = [{ lineId: line.id, quantity: 5, locationEntityId: second }];
  const { entries } = await w.must(201, 'POST', `/orders/${line.orderId}/returns`, { lines, replace: false });
  expect(moved(entries)).toEqual([
    ['MRRelease', -5],
    ['POReturn', -5],
  ]);
  expect(await w.must(200, 'GET', path)).toMatchObject({ reservedQty: 5, openQty: 5, status: 'open' });
  expect(await w.figures(w.items[0] as string, second)).toEqual([5, 5, 0]);
  const tooMany = [{ lineId: line.id, quantity: 6, locationEntityId: second }];
  const refused = await w.must(409, 'POST', `/orders/${line.orderId}/returns`, {
    lines: tooMany,
    replace: false,
  });
  expect(refused.code).toBe('insufficient_stock');
  await w.expectConsistent();
});
