// Deliveries of several lines of one order: what goes out, what comes twice, and what several do at once.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StockLine } from '../../web/client/operations.ts';
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

const line = (itemEntityId: string, quantity: number, more: object = {}) => ({
  itemEntityId,
  locationEntityId: shelf,
  quantity,
  ...more,
});
const order = (type: StockLine['type'], lines: object[]) =>
  workspace.must(201, 'POST', '/orders', { type, lines });
const ship = (order: { id: string }, body: object = {}, headers: Record<string, string> = {}) =>
  workspace.ask('POST', `/orders/${order.id}/shipments`, body, headers);
const receive = (order: { id: string }, body: object = {}) =>
  workspace.ask('POST', `/orders/${order.id}/receipts`, body);
const standsOf = (lines: StockLine[]) =>
  lines.map(({ state, shippedQty, reservedQty, openQty }) => [state, shippedQty, reservedQty, openQty]);

test('lines of a sales order are shipped together, then all that is open', async () => {
  await workspace.adjust(bolt, shelf, 12);
  await workspace.adjust(nut, shelf, 20);
  const made = await order('salesOrder', [line(bolt, 10), line(nut, 20), line(bolt, 5, { state: 'Draft' })]);
  const [first, second, draft] = made.lines as [StockLine, StockLine, StockLine];
  const over = await ship(made, {
    lines: [
      { lineId: first.id, quantity: 4 },
      { lineId: second.id, quantity: 21 },
    ],
  });
  expect([over.status, over.body.code, over.body.errors[0].pointer]).toEqual([
    409,
    'over_shipment',
    '/lines/1',
  ]);
  expect(await workspace.figures(bolt, shelf)).toEqual([12, 10, 0]);

  const part = await ship(made, { lines: [{ lineId: first.id, quantity: 4 }], note: 'By parcel' });
  expect(part.status, part.text).toBe(201);
  expect(standsOf(part.body.lines)).toEqual([
    ['Reserved', 4, 6, 6],
    ['Reserved', 0, 20, 20],
    ['Draft', 0, 0, 5],
  ]);
  const rest = await ship(made);
  expect(standsOf(rest.body.lines)).toEqual([
    ['Shipped', 10, 0, 0],
    ['Shipped', 20, 0, 0],
    ['Draft', 0, 0, 5],
  ]);
  const again = await ship(made);
  expect([again.status, again.body.code, again.body.errors]).toEqual([409, 'line_not_open', undefined]);
  expect(again.body.detail).toBe(
    'There is nothing to ship: 1 line is still a draft. To ship what is open, move it to "Reserved" first.',
  );
  const begun = await ship(made, { lines: [{ lineId: draft.id, quantity: 1 }] });
  expect([begun.status, begun.body.code, begun.body.errors[0].pointer]).toEqual([
    409,
    'line_not_open',
    '/lines/0',
  ]);
  expect(await workspace.figures(bolt, shelf)).toEqual([2, 0, 0]);
  const { items } = await workspace.must(200, 'GET', `/stock/ledger/by-item/${bolt}`);
  expect(
    items.map((one: { movementType: string; note: string }) => [one.movementType, one.note]),
  ).toContainEqual(['SOShipment', 'By parcel']);
  await workspace.expectConsistent();
});

test('each line of which there is not enough is named, and nothing goes out', async () => {
  for (const item of [bolt, nut]) await workspace.adjust(item, shelf, 10);
  const made = await order('salesOrder', [
    line(bolt, 10),
    line(nut, 10),
    line(bolt, 0.5, { state: 'Draft' }),
  ]);
  const [first, second] = made.lines as [StockLine, StockLine];
  for (const { id } of [first, second]) await workspace.act(id, 'releases', { quantity: 10 });
  await order('salesOrder', [line(bolt, 4), line(nut, 9)]);
  const lines = [second, first].map(({ id }) => ({ lineId: id, quantity: 7 }));
  const short = await ship(made, { lines });
  expect(short.status, short.text).toBe(409);
  expect(short.body).toMatchObject({
    code: 'insufficient_stock',
    errors: [
      { pointer: '/lines/0', code: 'insufficient_stock', message: expect.stringMatching(/which is 1\.$/) },
      { pointer: '/lines/1', code: 'insufficient_stock', message: expect.stringMatching(/which is 6\.$/) },
    ],
    refusals: [
      { index: 0, lineId: second.id, available: 1 },
      { index: 1, lineId: first.id, available: 6 },
    ],
  });
  // Of all that is open the body names no line: the refusals do.
  const all = await ship(made);
  expect(all.body).toMatchObject({ code: 'insufficient_stock', refusalCount: 2 });
  expect(all.body.refusals.map((one: { lineId: string }) => one.lineId).toSorted()).toEqual(
    [first.id, second.id].toSorted(),
  );
  expect(all.body.errors ?? []).toEqual([]);
  expect(await workspace.figures(bolt, shelf)).toEqual([10, 4, 0]);
  expect(await workspace.figures(nut, shelf)).toEqual([10, 9, 0]);
  await workspace.expectConsistent();
});

test('a line that is named twice is shipped twice, from what the first left', async () => {
  await workspace.adjust(bolt, shelf, 10);
  const made = await order('salesOrder', [line(bolt, 10)]);
  const [{ id }] = made.lines;
  const twice = (second: number) => ({
    lines: [
      { lineId: id, quantity: 4 },
      { lineId: id.toUpperCase(), quantity: second },
    ],
  });
  const over = await ship(made, twice(7));
  expect([over.status, over.body.code, over.body.errors[0].pointer]).toEqual([
    409,
    'over_shipment',
    '/lines/1',
  ]);
  const done = await ship(made, twice(6), { 'Idempotency-Key': 'parcel' });
  expect(standsOf(done.body.lines)).toEqual([['Shipped', 10, 0, 0]]);
  expect((await ship(made, twice(6), { 'Idempotency-Key': 'parcel' })).text).toBe(done.text);
  await workspace.expectConsistent();
});

test('what is bought is not shipped, what is sold is not received, and lines of others are neither', async () => {
  await workspace.adjust(bolt, shelf, 10);
  const bought = await order('purchaseOrder', [line(bolt, 1)]);
  const sold = await order('salesOrder', [line(bolt, 1)]);
  const named = ({ lines }: { lines: StockLine[] }) => ({
    lines: lines.map(({ id }) => ({ lineId: id, quantity: 1 })),
  });
  for (const [work, own, other] of [
    [ship, bought, sold],
    [receive, sold, bought],
  ] as const) {
    const all = await work(own);
    expect([all.status, all.body.code, all.body.orderType]).toEqual([409, 'line_not_open', own.type]);
    const one = await work(own, named(own));
    expect([one.status, one.body.code, one.body.errors[0].pointer]).toEqual([
      409,
      'line_not_open',
      '/lines/0',
    ]);
    const foreign = await work(own, named(other));
    expect([foreign.status, foreign.body.code]).toEqual([404, 'line_not_found']);
  }
  expect(await workspace.figures(bolt, shelf)).toEqual([10, 1, 1]);
});

test('orders of the same items, shipped and received at once: each once and none refused', async () => {
  const rounds = 6;
  for (const item of [bolt, nut]) await workspace.adjust(item, shelf, 2 * rounds);
  const [there, back] = [
    [line(bolt, 1), line(nut, 1)],
    [line(nut, 1), line(bolt, 1)],
  ] as const;
  const sold = await Promise.all(
    Array.from({ length: rounds }, (_, n) => order('salesOrder', n % 2 ? [...there] : [...back])),
  );
  const bought = await Promise.all(
    Array.from({ length: rounds }, (_, n) => order('purchaseOrder', n % 2 ? [...back] : [...there])),
  );
  const answers = await Promise.all([
    ...sold.map((one) => ship(one)),
    ...bought.map((one) => receive(one)),
    // A second pair of hands at each.
    ...sold.map((one) => ship(one)),
    ...bought.map((one) => receive(one)),
  ]);
  const counts = Map.groupBy(answers, ({ status, body }) => (status === 201 ? 201 : body.code));
  expect([...counts].map(([what, { length }]) => [what, length]).toSorted()).toEqual([
    [201, 2 * rounds],
    ['line_not_open', 2 * rounds],
  ]);
  expect(await workspace.figures(bolt, shelf)).toEqual([2 * rounds, 0, 0]);
  expect(await workspace.figures(nut, shelf)).toEqual([2 * rounds, 0, 0]);
  await workspace.expectConsistent();
});

test('a delivery that is tried writes nothing, and is refused as the delivery would be', async () => {
  await workspace.adjust(bolt, shelf, 5);
  const made = await order('salesOrder', [line(bolt, 5)]);
  const [sold] = made.lines as [StockLine];
  const before = await workspace.must(200, 'GET', '/stock/ledger');
  const tried = await ship(made, { dryRun: true }, { 'Idempotency-Key': 'shipped-once' });
  expect(tried.status, tried.text).toBe(200);
  expect(standsOf(tried.body.lines)).toEqual([['Shipped', 5, 0, 0]]);
  expect(await workspace.must(200, 'GET', '/stock/ledger')).toEqual(before);
  const read = await workspace.must(200, 'GET', `/orders/${made.id}`);
  expect([read.state, ...standsOf(read.lines)]).toEqual([made.state, ['Reserved', 0, 5, 5]]);
  const over = { lines: [{ lineId: sold.id, quantity: 6 }], dryRun: true };
  expect((await ship(made, over)).body.code).toBe('over_shipment');
  expect((await ship(made)).status).toBe(201);
  await workspace.expectConsistent();
});
