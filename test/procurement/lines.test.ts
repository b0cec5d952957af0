import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, moved, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
});
afterEach(() => workspace.expectConsistent());
afterAll(() => server.close());

describe('a purchase line', () => {
  test('is made with its order and its entry', async () => {
    const made = await workspace.line({ quantity: 10, requiredBy: '2026-12-24', note: 'For December' });
    expect(made.status, made.text).toBe(201);
    const { line, entries } = made.body;
    expect(line).toMatchObject({
      type: 'purchaseOrder',
      orderNumber: 'PO-000001',
      number: 'POL-000001',
      state: 'Ordered',
      quantity: 10,
      receivedQty: 0,
      openQty: 10,
      requiredBy: '2026-12-24',
      requirementId: null,
    });
    expect(moved(entries)).toEqual([['OnOrderAdd', 10]]);
    expect(entries[0]).toMatchObject({ lineId: line.id, orderId: line.orderId, note: 'For December' });
    expect(await workspace.figures()).toEqual([0, 0, 10]);
    expect(made.headers.get('location')).toContain(`/stock/lines/${line.id}`);
    expect(await workspace.must(200, 'GET', `/stock/lines/${line.id}`)).toEqual(line);
    expect(await workspace.must(200, 'GET', `/entities/${line.id}`)).toMatchObject({
      category: 'purchaseOrderLine',
      state: 'Ordered',
    });
  });

  test('is received in parts, and is Received with the last', async () => {
    const { id } = (await workspace.line({ quantity: 10 })).body.line;
    const first = await workspace.act(id, 'receipts', { quantity: 4, note: 'Delivery 1' });
    expect(first.status, first.text).toBe(201);
    expect(first.body.line).toMatchObject({ state: 'Ordered', receivedQty: 4, openQty: 6 });
    expect(moved(first.body.entries)).toEqual([['POReceipt', 4]]);
    expect(await workspace.figures()).toEqual([4, 0, 6]);
    const over = await workspace.act(id, 'receipts', { quantity: 6.000001 });
    expect([over.status, over.body.code, over.body.openQty]).toEqual([409, 'over_receipt', 6]);
    const last = await workspace.act(id, 'receipts', { quantity: 6 });
    expect(last.body.line).toMatchObject({ state: 'Received', receivedQty: 10, openQty: 0 });
    expect(moved(last.body.entries)).toEqual([['POReceipt', 6]]);
    expect(await workspace.figures()).toEqual([10, 0, 0]);
    const more = await workspace.act(id, 'receipts', { quantity: 1 });
    expect([more.status, more.body.code]).toEqual([409, 'over_receipt']);
  });

  test.each([
    ['close', 'Closed'],
    ['cancel', 'Cancelled'],
  ])('%s gives back what is open', async (what, state) => {
    const { id } = (await workspace.line({ quantity: 10 })).body.line;
    // A line of which something came can only be closed.
    const received = what === 'close' ? 4 : 0;
    if (received > 0) await workspace.act(id, 'receipts', { quantity: received });
    const ended = await workspace.act(id, what, { note: 'No more needed' });
    expect(ended.status, ended.text).toBe(200);
    expect(ended.body.line).toMatchObject({ state, receivedQty: received, openQty: 0 });
    expect(moved(ended.body.entries)).toEqual([['OnOrderRelease', received - 10]]);
    expect(ended.body.entries[0].note).toBe('No more needed');
    expect(await workspace.figures()).toEqual([received, 0, 0]);
    const again = await workspace.act(id, what);
    expect([again.status, again.body.code]).toEqual([409, 'transition_not_allowed']);
  });

  test('as a draft writes no entry, and is ordered by its transition', async () => {
    const { line, entries } = (await workspace.line({ quantity: 3, state: 'Draft' })).body;
    expect(line).toMatchObject({ state: 'Draft', openQty: 3 });
    expect(entries).toEqual([]);
    const early = await workspace.act(line.id, 'receipts', { quantity: 1 });
    expect([early.status, early.body.code]).toEqual([409, 'line_not_open']);
    expect((await workspace.move(line.id, 'Ordered')).status).toBe(200);
    expect(await workspace.figures()).toEqual([0, 0, 3]);
    expect((await workspace.act(line.id, 'receipts', { quantity: 1 })).status).toBe(201);
  });

  test('the transition to Received is the receipt of what is open', async () => {
    const { id } = (await workspace.line({ quantity: 3 })).body.line;
    await workspace.act(id, 'receipts', { quantity: 1 });
    expect((await workspace.move(id, 'Received')).body.state).toBe('Received');
    expect(await workspace.figures()).toEqual([3, 0, 0]);
    expect(await workspace.must(200, 'GET', `/stock/lines/${id}`)).toMatchObject({
      receivedQty: 3,
      openQty: 0,
    });
  });

  test('the transition to Cancelled is the cancellation', async () => {
    const { id } = (await workspace.line({ quantity: 3 })).body.line;
    await workspace.move(id, 'Cancelled');
    expect(await workspace.figures()).toEqual([0, 0, 0]);
  });

  test('is not shipped or reserved', async () => {
    const { id } = (await workspace.line({})).body.line;
    for (const what of ['shipments', 'reservations', 'releases']) {
      const answer = await workspace.act(id, what, { quantity: 1 });
      expect([answer.status, answer.body.code]).toEqual([409, 'line_not_open']);
    }
  });

  test('whose first receipt is repeated with its Idempotency-Key is received once', async () => {
    const { id } = (await workspace.line({ quantity: 2 })).body.line;
    const send = () =>
      workspace.ask('POST', `/stock/lines/${id}/receipts`, { quantity: 1 }, { 'Idempotency-Key': 'r1' });
    const [one, two] = [await send(), await send()];
    expect(two.text).toBe(one.text);
    expect(await workspace.figures()).toEqual([1, 0, 1]);
  });
});

describe('a sales line', () => {
  const sell = (values: object = {}) => workspace.line({ type: 'salesOrder', quantity: 4, ...values });

  test('reserves when it is made, or is not made', async () => {
    const refused = await sell();
    expect([refused.status, refused.body.code, refused.body.feature]).toEqual([
      409,
      'insufficient_stock',
      'reserveSalesLine',
    ]);
    expect((await workspace.must(200, 'GET', '/stock/lines')).items).toEqual([]);
    expect((await workspace.must(200, 'GET', '/orders')).items).toEqual([]);
    await workspace.adjust(workspace.items[0], workspace.locations[0], 5);
    const made = await sell();
    expect(moved(made.body.entries)).toEqual([['SOReservation', 4]]);
    expect(made.body.line).toMatchObject({
      state: 'Reserved',
      reservedQty: 4,
      openQty: 4,
      orderNumber: 'SO-000001',
    });
    expect(await workspace.figures()).toEqual([5, 4, 0]);
  });

  test('ships in parts, first what it has reserved', async () => {
    await workspace.adjust(workspace.items[0], workspace.locations[0], 5);
    const { id } = (await sell()).body.line;
    const released = await workspace.act(id, 'releases', { quantity: 3 });
    expect(released.body.line).toMatchObject({ state: 'Reserved', reservedQty: 1, openQty: 4 });
    expect(moved(released.body.entries)).toEqual([['SORelease', -3]]);
    const first = await workspace.act(id, 'shipments', { quantity: 2 });
    expect(first.body.line).toMatchObject({ shippedQty: 2, reservedQty: 0, openQty: 2 });
    expect(await workspace.figures()).toEqual([3, 0, 0]);
    const over = await workspace.act(id, 'shipments', { quantity: 3 });
    expect([over.status, over.body.code]).toEqual([409, 'over_shipment']);
    expect((await workspace.act(id, 'reservations', { quantity: 3 })).body.code).toBe('over_reservation');
    expect((await workspace.act(id, 'reservations', { quantity: 2 })).body.line.reservedQty).toBe(2);
    expect((await workspace.act(id, 'releases', { quantity: 3 })).body.code).toBe('over_release');
    const last = await workspace.act(id, 'shipments', { quantity: 2 });
    expect(last.body.line).toMatchObject({ state: 'Shipped', shippedQty: 4, openQty: 0, reservedQty: 0 });
    expect(await workspace.figures()).toEqual([1, 0, 0]);
  });

  test('does not ship what others have reserved', async () => {
    await workspace.adjust(workspace.items[0], workspace.locations[0], 4);
    const { id } = (await sell()).body.line;
    await workspace.act(id, 'releases', { quantity: 4 });
    expect((await sell()).status).toBe(201);
    const answer = await workspace.act(id, 'shipments', { quantity: 1 });
    expect([answer.status, answer.body.code]).toEqual([409, 'insufficient_stock']);
  });

  test.each(['close', 'cancel'])('%s gives the reservation back', async (what) => {
    await workspace.adjust(workspace.items[0], workspace.locations[0], 4);
    const { id } = (await sell()).body.line;
    const shipped = what === 'close' ? 1 : 0;
    if (shipped > 0) await workspace.act(id, 'shipments', { quantity: shipped });
    const ended = await workspace.act(id, what);
    expect(moved(ended.body.entries)).toEqual([['SORelease', shipped - 4]]);
    expect(await workspace.figures()).toEqual([4 - shipped, 0, 0]);
  });

  test('the transition to Shipped is the shipment of what is open', async () => {
    await workspace.adjust(workspace.items[0], workspace.locations[0], 4);
    const { id } = (await sell()).body.line;
    await workspace.act(id, 'releases', { quantity: 1 });
    expect((await workspace.move(id, 'Shipped')).status).toBe(200);
    expect(await workspace.figures()).toEqual([0, 0, 0]);
  });

  test('a refused transition says which feature refused it, and leaves nothing', async () => {
    const { line } = (await sell({ state: 'Draft' })).body;
    const answer = await workspace.move(line.id, 'Reserved');
    expect([answer.status, answer.body.code, answer.body.feature]).toEqual([
      409,
      'insufficient_stock',
      'reserveSalesLine',
    ]);
    expect(answer.body.detail).toMatch(/^Reserve Sales Line: /);
    expect((await workspace.must(200, 'GET', `/stock/lines/${line.id}`)).state).toBe('Draft');
    expect((await workspace.must(200, 'GET', `/entities/${line.id}/transitions`)).items).toEqual([]);
  });
});

describe('orders', () => {
  test('take lines while they are open, and show their totals', async () => {
    const first = (await workspace.line({ quantity: 10 })).body.line;
    const second = (await workspace.line({ quantity: 5, orderId: first.orderId })).body.line;
    await workspace.act(first.id, 'receipts', { quantity: 4 });
    const order = await workspace.must(200, 'GET', `/orders/${first.orderId}`);
    expect(order).toMatchObject({ type: 'purchaseOrder', number: 'PO-000001', state: 'Open' });
    expect(order.lines.map((line: { id: string }) => line.id)).toEqual([first.id, second.id]);
    expect(order.totals).toEqual({
      lines: 2,
      openLines: 2,
      quantity: 15,
      receivedQty: 4,
      shippedQty: 0,
      returnedQty: 0,
      reservedQty: 0,
      openQty: 11,
      amounts: [],
      unpricedLines: 2,
    });
    const { lines: _, ...listed } = order;
    expect((await workspace.must(200, 'GET', '/orders?type=purchaseOrder&state=Open')).items).toEqual([
      listed,
    ]);
    expect((await workspace.must(200, 'GET', '/orders?state=Closed')).items).toEqual([]);
  });

  test.each(['Closed', 'Cancelled'])('%s takes the lines along', async (state) => {
    const first = (await workspace.line({ quantity: 10 })).body.line;
    const values = { quantity: 5, orderId: first.orderId, itemEntityId: workspace.items[1] };
    const second = (await workspace.line(values)).body.line;
    const received = state === 'Closed' ? 4 : 0;
    if (received > 0) await workspace.act(first.id, 'receipts', { quantity: received });
    const moved = await workspace.move(first.orderId, state);
    expect(moved.status, moved.text).toBe(200);
    for (const { id } of [first, second]) {
      expect((await workspace.must(200, 'GET', `/stock/lines/${id}`)).state).toBe(state);
    }
    expect(await workspace.figures()).toEqual([received, 0, 0]);
    expect(await workspace.figures(workspace.items[1])).toEqual([0, 0, 0]);
    const late = await workspace.line({ orderId: first.orderId });
    expect([late.status, late.body.code]).toEqual([409, 'order_not_open']);
  });

  test('once closed, begin none of their drafts', async () => {
    const { line } = (await workspace.line({ state: 'Draft' })).body;
    await workspace.move(line.orderId, 'Closed');
    const late = await workspace.move(line.id, 'Ordered');
    expect([late.status, late.body.code]).toEqual([409, 'order_not_open']);
    expect((await workspace.act(line.id, 'cancel')).status).toBe(200);
  });

  test('made by hand take lines; of another type they do not', async () => {
    const order = await workspace.must(201, 'POST', '/entities', { category: 'salesOrder', name: 'For Ada' });
    const wrong = await workspace.line({ orderId: order.id });
    expect([wrong.status, wrong.body.code]).toEqual([404, 'order_not_found']);
    const right = await workspace.line({ type: 'salesOrder', orderId: order.id, state: 'Draft' });
    expect(right.body.line.orderId).toBe(order.id);
  });
});

describe('lists of lines', () => {
  test('filter and page', async () => {
    await workspace.adjust(workspace.items[0], workspace.locations[0], 50);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await workspace.line({})).body.line.id);
    const sale = (await workspace.line({ type: 'salesOrder' })).body.line;
    const other = (await workspace.line({ itemEntityId: workspace.items[1], state: 'Draft' })).body.line;
    const listed = async (query: string) =>
      (await workspace.must(200, 'GET', `/stock/lines?${query}`)).items.map(
        (line: { id: string }) => line.id,
      );
    expect(await listed('')).toEqual([...ids, sale.id, other.id]);
    expect(await listed('type=salesOrder')).toEqual([sale.id]);
    expect(await listed('state=Ordered')).toEqual(ids);
    expect(await listed('state=Draft&type=salesOrder')).toEqual([]);
    expect(await listed(`itemEntityId=${workspace.items[1]}`)).toEqual([other.id]);
    expect(await listed(`itemEntityId=${workspace.items[0]}&state=Reserved`)).toEqual([sale.id]);
    expect(await listed(`orderId=${other.orderId}`)).toEqual([other.id]);
    for (const query of ['', 'state=Ordered&', 'type=purchaseOrder&']) {
      const all: string[] = [];
      let cursor = '';
      do {
        const page = await workspace.must(200, 'GET', `/stock/lines?${query}limit=2${cursor}`);
        all.push(...page.items.map((line: { id: string }) => line.id));
        cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
      } while (cursor !== '');
      expect(all).toEqual(await listed(query));
    }
  });
});

describe('refused', () => {
  test.each([
    ['no quantity', { quantity: undefined }, 422, 'validation_failed'],
    ['zero', { quantity: 0 }, 422, 'zero_quantity'],
    ['below zero', { quantity: -1 }, 422, 'quantity_out_of_range'],
    ['too fine', { quantity: 0.0000001 }, 422, 'quantity_out_of_range'],
    ['unknown field', { colour: 'red' }, 422, 'unknown_field'],
    ['unknown type', { type: 'gift' }, 422, 'validation_failed'],
    ['a purchase line Reserved', { state: 'Reserved' }, 422, 'validation_failed'],
    ['a sales line Ordered', { type: 'salesOrder', state: 'Ordered' }, 422, 'validation_failed'],
    ['no such item', { itemEntityId: '0199d0f0-0000-7000-8000-000000000001' }, 404, 'entity_not_found'],
    ['no such order', { orderId: '0199d0f0-0000-7000-8000-000000000001' }, 404, 'order_not_found'],
    [
      'no such requirement',
      { requirementId: '0199d0f0-0000-7000-8000-000000000001' },
      404,
      'requirement_not_found',
    ],
    ['no such day', { requiredBy: '2026-02-30' }, 422, 'validation_failed'],
  ])('%s', async (_, values, status, code) => {
    const answer = await workspace.line(values);
    expect([answer.status, answer.body.code], answer.text).toEqual([status, code]);
    expect((await workspace.must(200, 'GET', '/stock/lines')).items).toEqual([]);
  });

  test('an item that is none, a location that is none', async () => {
    const [item, location] = [workspace.items[0], workspace.locations[0]];
    expect((await workspace.line({ itemEntityId: location })).body.code).toBe('not_an_item');
    expect((await workspace.line({ locationEntityId: item })).body.code).toBe('not_a_location');
  });

  test('lines and requirements by hand (by sync: test/sync/rules.ts)', async () => {
    const categories = [
      'purchaseOrderLine',
      'salesOrderLine',
      'manufacturingOrderLine',
      'materialRequirement',
    ];
    for (const category of categories) {
      const answer = await workspace.ask('POST', '/entities', { category, name: 'By hand' });
      expect([answer.status, answer.body.code]).toEqual([422, 'category_hidden']);
      const unhidden = await workspace.must(200, 'GET', `/categories/${category}`);
      const put = await workspace.must(200, 'PUT', `/categories/${category}`, {
        ...unhidden,
        hiddenFromNew: false,
      });
      expect(put.hiddenFromNew).toBe(true);
    }
  });

  test('of another workspace nothing is found', async () => {
    const { id } = (await workspace.line({})).body.line;
    const other = await makeProcuringWorkspace(server);
    for (const [method, path, body] of [
      ['GET', `/stock/lines/${id}`, undefined],
      ['POST', `/stock/lines/${id}/receipts`, { quantity: 1 }],
      ['POST', `/stock/lines/${id}/cancel`, {}],
    ] as const) {
      const answer = await other.ask(method, path, body);
      expect([answer.status, answer.body.code]).toEqual([404, 'line_not_found']);
    }
  });
});
