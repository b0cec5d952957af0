// Orders of several lines, deliveries of several lines, and the names that a buyer reads.

import { randomUUID } from 'node:crypto';
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
const order = (lines: object[]) =>
  workspace.must(201, 'POST', '/orders', { type: 'purchaseOrder', lines, note: 'Weekly' });

test('an order is made with all of its lines, or not at all', async () => {
  const made = await order([
    line(bolt, 10),
    line(nut, 20, { requiredBy: '2026-12-24' }),
    line(bolt, 5, { state: 'Draft' }),
  ]);
  expect(made.totals).toMatchObject({ lines: 3, openLines: 3, quantity: 35 });
  expect(
    made.lines.map((one: StockLine) => [one.itemEntityId, one.quantity, one.state, one.requiredBy]),
  ).toEqual([
    [bolt, 10, 'Ordered', null],
    [nut, 20, 'Ordered', '2026-12-24'],
    [bolt, 5, 'Draft', null],
  ]);
  expect(new Set(made.lines.map((one: StockLine) => one.orderId))).toEqual(new Set([made.id]));
  expect(await workspace.figures(bolt, shelf)).toEqual([0, 0, 10]);

  const before = (await workspace.must(200, 'GET', '/orders')).items.length;
  const refused = await workspace.ask('POST', '/orders', {
    type: 'purchaseOrder',
    lines: [line(bolt, 1), line(shelf, 1)],
  });
  expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
    422,
    'not_an_item',
    '/lines/1/itemEntityId',
  ]);
  expect((await workspace.must(200, 'GET', '/orders')).items).toHaveLength(before);
  expect(await workspace.figures(bolt, shelf)).toEqual([0, 0, 10]);
});

test('names, references and codes are one line', async () => {
  const [bad, good] = ['Rover\r\nWorks', ' Rover Works AB\n'];
  const pointers = async (path: string, body: object) => {
    const answer = await workspace.ask('POST', path, body);
    return [answer.status, ...answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)];
  };
  const lines = [line(bolt, 1)];
  expect(
    await pointers('/orders', {
      type: 'salesOrder',
      lines,
      customer: bad,
      ourReference: `a\u2028b`,
      theirReference: `a\u202eb`,
    }),
  ).toEqual([422, '/customer', '/ourReference', '/theirReference']);
  expect(await pointers('/suppliers', { name: 'A\u0007B', code: bad })).toEqual([422, '/name', '/code']);
  expect(await pointers('/api-keys', { name: bad, permission: 'read' })).toEqual([422, '/name']);
  expect(await pointers('/views', { name: bad, list: 'entities', state: {} })).toContain('/name');
  const made = await workspace.must(201, 'POST', '/orders', {
    type: 'salesOrder',
    lines: [line(bolt, 1, { state: 'Draft' })],
    customer: good,
  });
  expect(made.customer).toBe('Rover Works AB');
});

test('lines are added to an order that is there, all or none of them, once', async () => {
  const made = await order([line(bolt, 10)]);
  const add = (lines: object[], headers = {}, id = made.id) =>
    workspace.ask('POST', `/orders/${id}/lines`, { lines, note: 'Forgotten' }, headers);
  const lineIds = async () =>
    (await workspace.must(200, 'GET', `/orders/${made.id}`)).lines.map((one: StockLine) => one.id);

  const more = [
    line(nut, 20, { requiredBy: '2026-12-24' }),
    line(bolt, 5),
    line(bolt, 7, { state: 'Draft' }),
  ];
  const added = await add(more, { 'Idempotency-Key': 'pasted' });
  expect(added.status, added.text).toBe(201);
  expect(
    added.body.lines.map((one: StockLine) => [one.orderId, one.itemEntityId, one.quantity, one.state]),
  ).toEqual([
    [made.id, nut, 20, 'Ordered'],
    [made.id, bolt, 5, 'Ordered'],
    [made.id, bolt, 7, 'Draft'],
  ]);
  expect(added.body.lines[0].requiredBy).toBe('2026-12-24');
  // The same again, as after an answer that was lost, adds nothing.
  const again = await add(more, { 'Idempotency-Key': 'pasted' });
  expect([again.status, again.text]).toEqual([201, added.text]);
  const ids = [made.lines[0].id, ...added.body.lines.map((one: StockLine) => one.id)];
  expect(await lineIds()).toEqual(ids);
  expect(await workspace.figures(bolt, shelf)).toEqual([0, 0, 15]);

  const refused = await add([line(nut, 1), line(shelf, 1)]);
  expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
    422,
    'not_an_item',
    '/lines/1/itemEntityId',
  ]);
  const tooMany = await add(Array.from({ length: 101 }, () => line(nut, 1)));
  expect(tooMany.status).toBe(422);
  expect((await add([])).status).toBe(422);
  const nowhere = await add([line(nut, 1)], {}, bolt);
  expect([nowhere.status, nowhere.body.code]).toEqual([404, 'order_not_found']);
  expect(await lineIds()).toEqual(ids);

  // By id and by GUID as everywhere, of many callers of one moment.
  const E_Guid = randomUUID();
  await workspace.must(200, 'PATCH', `/entities/${nut}`, { E_Guid });
  const together = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      add([line(at % 2 === 0 ? nut : `guid:${E_Guid}`, 1), line(bolt, 1)]),
    ),
  );
  expect(together.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(await lineIds()).toHaveLength(ids.length + 16);
  expect(await workspace.figures(nut, shelf)).toEqual([0, 0, 28]);

  await workspace.must(200, 'POST', `/entities/${made.id}/transitions`, { toState: 'Closed' });
  const late = await add([line(nut, 1)]);
  expect([late.status, late.body.code]).toEqual([409, 'order_not_open']);
  // What was answered before is answered still, even when the order is none any more.
  expect((await add(more, { 'Idempotency-Key': 'pasted' })).text).toBe(added.text);
  await workspace.expectConsistent();
  const behaves = (behaviour: string) =>
    workspace.transact((tx) =>
      tx.query(`update category set behaviour = $2 where workspace_id = $1 and key = 'purchaseOrder'`, [
        tx.workspaceId,
        behaviour,
      ]),
    );
  await behaves('none');
  expect((await add([line(nut, 1)])).body.code).toBe('order_not_found');
  expect((await add(more, { 'Idempotency-Key': 'pasted' })).text).toBe(added.text);
  const other = await add([line(nut, 1)], { 'Idempotency-Key': 'pasted' });
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  await behaves('purchaseOrder');
});

test('lines added to a sales order reserve all that they want, or none of it', async () => {
  await workspace.adjust(bolt, shelf, 10);
  const made = await workspace.must(201, 'POST', '/orders', { type: 'salesOrder', lines: [line(bolt, 1)] });
  const short = await workspace.ask('POST', `/orders/${made.id}/lines`, {
    lines: [line(bolt, 4), line(bolt, 6)],
  });
  expect([short.status, short.body.code, short.body.errors?.[0].pointer]).toEqual([
    409,
    'insufficient_stock',
    '/lines/1',
  ]);
  expect(await workspace.figures(bolt, shelf)).toEqual([10, 1, 0]);
  await workspace.must(201, 'POST', `/orders/${made.id}/lines`, { lines: [line(bolt, 4), line(bolt, 5)] });
  expect(await workspace.figures(bolt, shelf)).toEqual([10, 10, 0]);
  await workspace.expectConsistent();
});

test('a delivery receives lines of the order together, then all that is open', async () => {
  const made = await order([line(bolt, 10), line(nut, 20)]);
  const [first, second] = made.lines as [StockLine, StockLine];
  const receive = (body: object) => workspace.ask('POST', `/orders/${made.id}/receipts`, body);
  const over = await receive({
    lines: [
      { lineId: first.id, quantity: 4 },
      { lineId: second.id, quantity: 21 },
    ],
  });
  expect([over.status, over.body.code, over.body.errors[0].pointer]).toEqual([
    409,
    'over_receipt',
    '/lines/1',
  ]);
  expect(await workspace.figures(bolt, shelf)).toEqual([0, 0, 10]);

  const part = await receive({ lines: [{ lineId: first.id, quantity: 4 }] });
  expect(part.status, part.text).toBe(201);
  expect(part.body.totals).toMatchObject({ receivedQty: 4, openQty: 26 });
  const rest = await receive({});
  expect(rest.body.lines.map((one: StockLine) => [one.state, one.openQty])).toEqual([
    ['Received', 0],
    ['Received', 0],
  ]);
  const again = await receive({});
  expect([again.status, again.body.code]).toEqual([409, 'line_not_open']);
  expect(await workspace.figures(nut, shelf)).toEqual([20, 0, 0]);
  const other = await order([line(bolt, 1)]);
  const foreign = await receive({ lines: [{ lineId: other.lines[0].id, quantity: 1 }] });
  expect([foreign.status, foreign.body.code]).toEqual([404, 'line_not_found']);
  await workspace.expectConsistent();
});

test('lines and requirements are named, and found by requirement and by the day they are needed', async () => {
  await workspace.adjust(bolt, shelf, 30);
  const raise = (requiredBy: string | null) =>
    workspace.must(201, 'POST', '/requirements', {
      projectId: workspace.project,
      itemEntityId: bolt,
      requiredQty: 8,
      requiredBy,
    });
  const [soon, late] = [await raise('2026-12-01'), await raise('2027-06-01')];
  expect(soon).toMatchObject({
    itemName: expect.any(String),
    projectName: 'A project',
    projectNumber: expect.any(String),
  });
  const due = await workspace.must(200, 'GET', '/requirements?requiredBefore=2026-12-02');
  expect(due.items.map((one: { id: string }) => one.id)).toEqual([soon.id]);

  await workspace.must(201, 'POST', `/requirements/${soon.id}/reservations`, {
    locationEntityId: shelf,
    quantity: 3,
  });
  await workspace.must(201, 'POST', `/requirements/${soon.id}/orders`, {
    locationEntityId: shelf,
    quantity: 5,
  });
  const read = await workspace.must(200, 'GET', `/requirements/${soon.id}`);
  expect(read.held).toEqual([
    {
      locationEntityId: shelf,
      locationNumber: expect.any(String),
      locationName: expect.any(String),
      quantity: 3,
      substitute: null,
    },
  ]);
  expect((await workspace.must(200, 'GET', `/requirements/${late.id}`)).held).toEqual([]);
  const lines = await workspace.must(200, 'GET', `/stock/lines?requirementId=${soon.id}`);
  expect(lines.items).toEqual([
    expect.objectContaining({ quantity: 5, itemName: expect.any(String), locationName: expect.any(String) }),
  ]);
  expect((await workspace.must(200, 'GET', `/stock/lines?requirementId=${late.id}`)).items).toEqual([]);
});

test('an order is found by its number, however many others have the same', async () => {
  const before = await order([line(bolt, 1)]);
  const number = before.number.replace(/\d+$/, (digits: string) =>
    String(Number(digits) + 1).padStart(digits.length, '0'),
  );
  // More than the ids that a search goes on from, and all of them made before the order.
  const entities = Array.from({ length: 201 }, () => ({
    guid: randomUUID(),
    number,
    name: 'A part',
    categoryKey: 'part',
  }));
  const sent = await workspace.must(200, 'POST', '/pdm/sync', { entities });
  expect(sent.counts.created).toBe(201);
  const made = await order([line(nut, 1)]);
  expect(made.number).toBe(number);
  const { items } = await workspace.must(200, 'GET', `/orders?q=number:${number}`);
  expect(items.map((one: { id: string }) => one.id)).toEqual([made.id]);
  expect((await workspace.must(200, 'GET', `/orders?q=number:${number}9`)).items).toEqual([]);
});

test('orders are found by number, lines by state and day, whichever way the text is looked for', async () => {
  const [first, second] = [await order([line(bolt, 1)]), await order([line(nut, 1)])];
  await workspace.must(200, 'PATCH', `/entities/${second.id}`, { name: 'Castings of spring' });
  const found = async (query: string) =>
    (await workspace.must(200, 'GET', `/orders?${query}`)).items.map((one: { id: string }) => one.id);
  expect(await found(`q=${first.number.toLowerCase()}`)).toEqual([first.id]);
  expect(await found(`q=number:${second.number}`)).toEqual([second.id]);
  expect(await found('q=number:castings')).toEqual([]);
  expect(await found('q=castings')).toEqual([second.id]);
  expect(await found('q=Ca')).toEqual([second.id]);
  expect(await found('q=castings&type=salesOrder')).toEqual([]);
  expect(await found(`q=castings&state=${second.state}`)).toEqual([second.id]);
  expect(await found('q=castings&state=Closed')).toEqual([]);
  expect(await found(`q=${'zz'.repeat(20)}`)).toEqual([]);
  // Where more entities have the text than can be gone on from, one order after the other is looked at.
  await workspace.transact((tx) =>
    tx.query(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       select $1, gen_random_uuid(), gen_random_uuid(), 'X-' || n, 'Castings of winter', 'part', 'In Work', $1
       from generate_series(1, 300) n`,
      [workspace.id],
    ),
  );
  expect(await found('q=castings')).toEqual([second.id]);
  expect(await found('q=castings&order=desc&limit=1')).toEqual([second.id]);
});

test('a page by state and day goes on behind what does not fit', async () => {
  const far = await order(Array.from({ length: 3 }, () => line(bolt, 1, { requiredBy: '2027-06-01' })));
  const near = await order([line(nut, 1, { requiredBy: '2026-12-01' })]);
  const page = await workspace.must(
    200,
    'GET',
    '/stock/lines?state=Ordered&requiredBefore=2026-12-24&limit=1',
  );
  expect(page.items.map((one: StockLine) => one.id)).toEqual([near.lines[0].id]);
  expect(far.lines).toHaveLength(3);
});
