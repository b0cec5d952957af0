import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LineComponent, StockLedgerEntry } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, moved, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let product: string;
let frame: string;
let screw: string;
let shop: string;
let shelf: string;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [product, frame, screw] = workspace.items as [string, string, string];
  [shop, shelf] = workspace.locations as [string, string];
  await workspace.link(product, frame, 1);
  await workspace.link(product, screw, 4);
});
afterEach(() => workspace.expectConsistent());
afterAll(() => server.close());

const guids = [1, 2, 3].map((n) => `9e3f4d82-6c75-4a20-8c8d-517fbe40300${n}`);
const order = async (values: object = {}) => {
  const made = await workspace.line({ type: 'manufacturingOrder', quantity: 10, ...values });
  expect(made.status, made.text).toBe(201);
  return made.body.line;
};
const stock = async (frames: number, screws: number) => {
  if (frames > 0) await workspace.adjust(frame, shelf, frames);
  if (screws > 0) await workspace.adjust(screw, shelf, screws);
};
const components = (lineId: string) => workspace.must(200, 'GET', `/stock/lines/${lineId}/components`);
const figuresOf = async (lineId: string) =>
  (await components(lineId)).components.map((one: LineComponent) => [
    one.requiredQty,
    one.issuedQty,
    one.heldQty,
  ]);
const act = (status: number, lineId: string, what: string, body: object = {}) =>
  workspace.must(status, 'POST', `/stock/lines/${lineId}/${what}`, body);

describe('components of a line', () => {
  test('say what is required, held, issued and available, and how many units can be built', async () => {
    await stock(10, 18);
    const { id } = await order();
    const shown = await components(id);
    expect(shown).toMatchObject({
      itemRevision: 1,
      itemRevisionLabel: 'A',
      consume: 'proportional',
      quantity: 10,
      openQty: 10,
      buildableQty: 4,
      limitedBy: { itemEntityId: screw },
    });
    expect(shown.components).toMatchObject([
      {
        itemEntityId: frame,
        requiredQty: 10,
        perUnitQty: 1,
        missingQty: 10,
        availableQty: 10,
        buildableQty: 10,
      },
      {
        itemEntityId: screw,
        requiredQty: 40,
        perUnitQty: 4,
        missingQty: 40,
        availableQty: 18,
        availableAt: [{ locationEntityId: shelf, quantity: 18 }],
      },
    ]);
  });

  test('are those of the revision that was ordered, whatever becomes of the item', async () => {
    const draft = await order({ state: 'Draft' });
    expect(draft.itemRevision).toBeNull();
    expect((await components(draft.id)).components).toMatchObject([
      { requirementId: null },
      { requirementId: null },
    ]);
    for (const state of ['In Review', 'Released']) await workspace.move(product, state);
    await workspace.move(draft.id, 'Ordered');
    await workspace.move(product, 'In Work');
    await workspace.must(204, 'DELETE', `/entities/${product}/uses/${screw}`);
    expect(await workspace.must(200, 'GET', `/stock/lines/${draft.id}`)).toMatchObject({ itemRevision: 1 });
    expect(await figuresOf(draft.id)).toEqual([
      [10, 0, 0],
      [40, 0, 0],
    ]);
    expect(await order()).toMatchObject({ itemRevision: 2 });
  });

  test('count losses, stand for phantoms, and show substitutes beside them', async () => {
    const names = ['Kit', 'Cable', 'Other screw'];
    await workspace.must(200, 'POST', '/pdm/sync', {
      entities: names.map((name, at) => ({ guid: guids[at], number: `N-${at}`, name, categoryKey: 'part' })),
    });
    const [kit, cable, other] = guids.map((guid) => `guid:${guid}`) as [string, string, string];
    await workspace.must(200, 'PUT', `/entities/${product}/uses/${screw}`, {
      quantity: 4,
      lossPercent: 5,
      lossFixed: 2,
      substitutes: [{ guid: guids[2], ratio: 2 }],
    });
    await workspace.must(201, 'PUT', `/entities/${product}/uses/${kit}`, { quantity: 2, phantom: true });
    await workspace.must(201, 'PUT', `/entities/${kit}/uses/${cable}`, { quantity: 3, lossFixed: 1 });
    await workspace.must(201, 'PUT', `/entities/${kit}/uses/${screw}`, { quantity: 1 });
    await workspace.adjust((await workspace.must(200, 'GET', `/entities/${other}`)).id, shelf, 70);
    const { id } = await order();
    const shown = await components(id);
    const found = new Map(shown.components.map((one: LineComponent) => [one.itemName, one]));
    expect(shown.components).toHaveLength(3);
    expect(found.get('Cable')).toMatchObject({ requiredQty: 61, perUnitQty: 6 });
    const screws = shown.components.find((one: LineComponent) => one.itemEntityId === screw);
    expect(screws).toMatchObject({
      requiredQty: 64,
      perUnitQty: 6.2,
      availableQty: 0,
      substitutes: [{ itemName: 'Other screw', rank: 1, ratio: 2, availableQty: 70 }],
    });
    const uses = await workspace.must(200, 'GET', `/entities/${product}/uses`);
    expect(uses.items.find((one: { entityId: string }) => one.entityId === screw)).toMatchObject({
      lossPercent: 5,
      lossFixed: 2,
      phantom: false,
      substitutes: [{ guid: guids[2], rank: 1, ratio: 2 }],
    });
  });

  test('belong to manufacturing lines only', async () => {
    const { line } = (await workspace.line({ quantity: 1 })).body;
    const refused = await act(409, line.id, 'components/issues');
    expect(refused.code).toBe('line_not_open');
    expect((await workspace.must(409, 'GET', `/stock/lines/${line.id}/components`)).code).toBe(
      'line_not_open',
    );
    expect((await act(409, line.id, 'receipts', { quantity: 1, consume: 'none' })).code).toBe(
      'line_not_open',
    );
    await workspace.must(404, 'GET', `/stock/lines/${frame}/components`);
  });
});

describe('all components at once', () => {
  test('are reserved and issued, or none is and every shortage is listed', async () => {
    await stock(4, 30);
    const { id } = await order();
    const refused = await act(409, id, 'components/reservations');
    expect(refused).toMatchObject({
      code: 'insufficient_stock',
      shortageCount: 2,
      shortages: [
        { itemEntityId: frame, neededQty: 10, foundQty: 4, shortQty: 6 },
        { itemEntityId: screw, neededQty: 40, foundQty: 30, shortQty: 10 },
      ],
    });
    expect(await workspace.figures(screw, shelf)).toEqual([30, 0, 0]);
    const preview = await act(200, id, 'components/reservations', { quantity: 4, dryRun: true });
    expect(preview.taken.map((one: { quantity: number }) => one.quantity)).toEqual([4, 16]);
    expect(preview.shortages).toEqual([]);
    expect(await workspace.figures(screw, shelf)).toEqual([30, 0, 0]);

    const reserved = await act(201, id, 'components/reservations', { quantity: 4 });
    expect(reserved.components).toMatchObject([{ heldQty: 4 }, { heldQty: 16, missingQty: 24 }]);
    expect(reserved.buildableQty).toBe(4);
    // Once more for as many units: nothing is missing for them.
    expect((await act(201, id, 'components/reservations', { quantity: 4 })).taken).toEqual([]);
    const issued = await act(201, id, 'components/issues', { quantity: 4 });
    expect(issued.taken).toMatchObject([
      { itemEntityId: frame, quantity: 4, wasReserved: true },
      { itemEntityId: screw, quantity: 16, wasReserved: true },
    ]);
    expect(await figuresOf(id)).toEqual([
      [10, 4, 0],
      [40, 16, 0],
    ]);
    expect(await workspace.figures(screw, shelf)).toEqual([14, 0, 0]);
  });

  test('come from the chosen locations, in their order', async () => {
    await stock(20, 30);
    await workspace.adjust(frame, shop, 10);
    await workspace.adjust(screw, shop, 15);
    const { id } = await order();
    const issued = await act(201, id, 'components/issues', { from: [shelf, shop] });
    expect(
      issued.taken.map((one: { locationEntityId: string; quantity: number }) => [
        one.locationEntityId,
        one.quantity,
      ]),
    ).toEqual([
      [shelf, 10],
      [shelf, 30],
      [shop, 10],
    ]);
    expect((await act(422, id, 'components/issues', { from: [frame] })).code).toBe('not_a_location');
    // A location that is named twice has its stock once.
    const more = await order({ quantity: 5 });
    const twice = { from: [shop, shop.toUpperCase()], dryRun: true };
    const { shortages } = await act(200, more.id, 'components/issues', twice);
    expect(shortages).toMatchObject([{ itemEntityId: screw, neededQty: 20, foundQty: 5 }]);
  });

  test('do not take what others have reserved', async () => {
    await stock(10, 40);
    await workspace.line({ type: 'salesOrder', itemEntityId: screw, locationEntityId: shelf, quantity: 1 });
    const { id } = await order();
    expect((await act(409, id, 'components/issues')).shortages).toMatchObject([
      { itemEntityId: screw, foundQty: 39 },
    ]);
  });
});

describe('a receipt', () => {
  test('takes its components in the same transaction', async () => {
    await stock(10, 40);
    const { id } = await order();
    const preview = await act(200, id, 'receipts', { quantity: 3, dryRun: true });
    expect(preview.taken).toMatchObject([{ quantity: 3 }, { quantity: 12 }]);
    const received = await act(201, id, 'receipts', { quantity: 3 });
    expect(moved(received.entries)).toEqual([['MOReceipt', 3]]);
    expect(received.entries[0]).toMatchObject({ consume: 'proportional', itemRevision: 1 });
    expect(received.consumed).toMatchObject([
      { itemEntityId: frame, quantity: 3, locationEntityId: shelf },
      { itemEntityId: screw, quantity: 12 },
    ]);
    const { items } = await workspace.must(200, 'GET', `/stock/ledger/by-item/${screw}`);
    const own = items.filter((entry: StockLedgerEntry) => entry.bookingId === received.entries[0].bookingId);
    // Free stock is issued without a reservation before.
    expect(moved(own)).toEqual([['MRIssue', -12]]);
    await act(201, id, 'receipts', { quantity: 7 });
    expect(await workspace.figures(frame, shelf)).toEqual([0, 0, 0]);
    expect(await workspace.figures(screw, shelf)).toEqual([0, 0, 0]);
    const { items: required } = await workspace.must(200, 'GET', `/requirements?lineId=${id}`);
    expect(required).toMatchObject([{ status: 'covered' }, { status: 'covered' }]);
  });

  test('at another location than planned is one booking with its components', async () => {
    await stock(10, 40);
    const { id, orderId } = await order();
    const { entries } = await act(201, id, 'receipts', { quantity: 10, locationEntityId: shelf });
    const { bookingId } = entries[0];
    const { items } = await workspace.must(200, 'GET', `/stock/ledger?bookingId=${bookingId}&order=asc`);
    expect(items.slice(0, 3).map((one: StockLedgerEntry) => [one.movementType, one.orderId])).toEqual([
      ['OnOrderRelease', orderId],
      ['OnOrderAdd', orderId],
      ['MOReceipt', orderId],
    ]);
    expect(items).toHaveLength(5);
  });

  test('without enough components names all of them, and receives nothing', async () => {
    await stock(2, 7);
    const { id, orderId } = await order();
    for (const [path, body] of [
      [`/stock/lines/${id}/receipts`, { quantity: 3 }],
      [`/orders/${orderId}/receipts`, { lines: [{ lineId: id, quantity: 3 }] }],
    ] as const) {
      const refused = await workspace.must(409, 'POST', path, body);
      expect(refused.code).toBe('insufficient_stock');
      expect(refused.shortages).toMatchObject([
        { itemEntityId: frame, shortQty: 1 },
        { itemEntityId: screw, shortQty: 5 },
      ]);
    }
    const refused = await workspace.move(id, 'Received');
    expect(refused.body).toMatchObject({ code: 'insufficient_stock', shortageCount: 2 });
    expect(await workspace.figures()).toEqual([0, 0, 10]);
    expect(await workspace.figures(screw, shelf)).toEqual([7, 0, 0]);
  });

  test('takes what was issued before into account, and shares of one exactly', async () => {
    await workspace.must(200, 'PUT', `/entities/${product}/uses/${frame}`, { quantity: 0.333333 });
    await stock(1, 12);
    const { id } = await order({ quantity: 3 });
    await act(201, id, 'components/issues', { quantity: 1 });
    const taken: number[] = [];
    for (let unit = 0; unit < 3; unit++)
      for (const one of (await act(201, id, 'receipts', { quantity: 1 })).consumed) taken.push(one.quantity);
    expect(taken).toEqual([0.333333, 4, 0.333333, 4]);
    expect(await workspace.figures(frame, shelf)).toEqual([0.000001, 0, 0]);
  });

  test('consumes nothing if it says so, and the ledger says so too', async () => {
    const { id } = await order();
    const received = await act(201, id, 'receipts', { quantity: 10, consume: 'none' });
    expect(received).toMatchObject({
      line: { state: 'Received' },
      consumed: [],
      entries: [{ consume: 'none' }],
    });
    const { items } = await workspace.must(200, 'GET', `/requirements?lineId=${id}`);
    expect(items).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
  });

  test('consumes what the caller lists', async () => {
    await stock(10, 50);
    const { id } = await order();
    const listed = [{ itemEntityId: screw, quantity: 45 }];
    const received = await act(201, id, 'receipts', {
      quantity: 10,
      consume: 'asListed',
      components: listed,
    });
    expect(received.consumed).toMatchObject([{ itemEntityId: screw, quantity: 45 }]);
    expect(await workspace.figures(frame, shelf)).toEqual([10, 0, 0]);
    expect(await workspace.figures(screw, shelf)).toEqual([5, 0, 0]);
    const other = await order();
    const wrong = await act(422, other.id, 'receipts', {
      quantity: 1,
      consume: 'asListed',
      components: [{ itemEntityId: product, quantity: 1 }],
    });
    expect(wrong.errors).toMatchObject([{ pointer: '/components/0/itemEntityId' }]);
    await act(422, other.id, 'receipts', { quantity: 1, components: listed });
  });

  test('takes no components in a category without a default, as before', async () => {
    const category = await workspace.must(200, 'GET', '/categories/manufacturingOrderLine');
    expect(category.consume).toBe('proportional');
    await workspace.must(200, 'PUT', '/categories/manufacturingOrderLine', { ...category, consume: null });
    await stock(10, 40);
    const { id } = await order();
    const received = await act(201, id, 'receipts', { quantity: 10 });
    expect(received.entries[0]).toMatchObject({ movementType: 'MOReceipt', consume: null, bookingId: null });
    expect(await workspace.figures(frame, shelf)).toEqual([10, 0, 0]);
    const { items } = await workspace.must(200, 'GET', `/requirements?lineId=${id}`);
    expect(items).toMatchObject([{ status: 'open' }, { status: 'open' }]);
    expect((await act(201, id, 'components/issues')).taken).toHaveLength(2);
  });

  test('with scrap takes components for the failed units too, which stay open', async () => {
    await stock(12, 48);
    const { id } = await order();
    const received = await act(201, id, 'receipts', { quantity: 4, scrap: 1 });
    expect(moved(received.entries)).toEqual([
      ['MOReceipt', 4],
      ['Adjustment', 1],
      ['Adjustment', -1],
    ]);
    expect(received.line).toMatchObject({ openQty: 6 });
    expect(await figuresOf(id)).toEqual([
      [11, 5, 0],
      [44, 20, 0],
    ]);
    await act(201, id, 'scrap', { quantity: 1 });
    await act(201, id, 'receipts', { quantity: 6 });
    expect(await components(id)).toMatchObject({ state: 'Received', scrappedQty: 2 });
    expect(await workspace.figures(frame, shelf)).toEqual([0, 0, 0]);
    expect(await workspace.figures(screw, shelf)).toEqual([0, 0, 0]);
    expect((await act(409, id, 'scrap', { quantity: 1 })).code).toBe('line_not_open');
  });
});

describe('a line that changes', () => {
  test('requires more or less, and a smaller one releases what it held beyond that', async () => {
    await stock(10, 40);
    const { id } = await order();
    await act(201, id, 'components/reservations');
    await act(201, id, 'receipts', { quantity: 2 });
    await workspace.must(200, 'PATCH', `/stock/lines/${id}`, { quantity: 5 });
    expect(await figuresOf(id)).toEqual([
      [5, 2, 3],
      [20, 8, 12],
    ]);
    expect(await workspace.figures(screw, shelf)).toEqual([32, 12, 0]);
    await workspace.must(200, 'PATCH', `/stock/lines/${id}`, { quantity: 6 });
    expect(await figuresOf(id)).toEqual([
      [6, 2, 3],
      [24, 8, 12],
    ]);
  });

  test('returns, scraps or waives what was issued beyond what was built when it is closed', async () => {
    await stock(30, 120);
    let left: [number, number] = [30, 120];
    for (const unused of ['return', 'scrap', 'waive']) {
      const { id } = await order();
      await act(201, id, 'components/issues');
      await act(201, id, 'receipts', { quantity: 4 });
      await act(200, id, 'close', { unused });
      const { items } = await workspace.must(200, 'GET', `/requirements?lineId=${id}&status=open`);
      expect(items).toEqual([]);
      const [frames, screws] = unused === 'return' ? [4, 16] : [10, 40];
      left = [left[0] - frames, left[1] - screws];
      expect((await workspace.figures(frame, shelf))[0]).toBe(left[0]);
      expect((await workspace.figures(screw, shelf))[0]).toBe(left[1]);
    }
    const { items } = await workspace.must(
      200,
      'GET',
      `/stock/ledger/by-item/${screw}?movementType=Adjustment`,
    );
    expect(items[0]).toMatchObject({ quantity: -24, reason: 'scrap' });
  });
});

test('a disassembly gives back what was really consumed, where it came from', async () => {
  await stock(6, 60);
  await workspace.adjust(frame, shop, 4);
  const { id } = await order();
  await act(201, id, 'receipts', {
    quantity: 10,
    consume: 'asListed',
    components: [
      { itemEntityId: frame, quantity: 10 },
      { itemEntityId: screw, quantity: 50 },
    ],
  });
  expect(await workspace.figures(screw, shelf)).toEqual([10, 0, 0]);
  const apart = await act(201, id, 'disassemblies', { quantity: 2 });
  expect(apart.entries).toMatchObject([{ movementType: 'Adjustment', quantity: -2, reason: 'disassembly' }]);
  expect(apart.returned.map((one: { quantity: number }) => one.quantity)).toEqual([2, 10]);
  expect(await workspace.figures()).toEqual([8, 0, 0]);
  expect(await workspace.figures(screw, shelf)).toEqual([20, 0, 0]);
  expect(apart.line).toMatchObject({ state: 'Received', openQty: 0 });
  await workspace.line({ type: 'salesOrder', quantity: 7 });
  expect((await act(409, id, 'disassemblies', { quantity: 2 })).code).toBe('insufficient_stock');
  expect((await act(409, id, 'disassemblies', { quantity: 9 })).code).toBe('over_disassembly');
  const { items } = await workspace.must(200, 'GET', `/requirements?lineId=${id}&status=open`);
  expect(items).toEqual([]);
});

test('components that were issued by more than a thousand entries come back', async () => {
  await stock(1100, 4400);
  const { id, orderId } = await order({ quantity: 1100 });
  const lines = Array.from({ length: 100 }, () => ({ lineId: id, quantity: 1 }));
  for (let received = 0; received < 1100; received += lines.length)
    await workspace.must(201, 'POST', `/orders/${orderId}/receipts`, { lines });
  for (const quantity of [1050, 50]) await act(201, id, 'disassemblies', { quantity });
  expect(await workspace.figures(screw, shelf)).toEqual([4400, 0, 0]);
});

test('units that would require more of a component than a quantity can be are refused', async () => {
  const { id } = await order();
  const change = await workspace.ask('PATCH', `/stock/lines/${id}`, { quantity: 999_999_999 });
  expect([change.status, change.body.code], change.text).toEqual([422, 'quantity_out_of_range']);
  const listed = { quantity: 999_999_999, consume: 'asListed', components: [] };
  expect((await act(422, id, 'scrap', listed)).code).toBe('quantity_out_of_range');
});
