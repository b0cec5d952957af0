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

const raise = (values: object = {}) =>
  workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: workspace.items[0],
    requiredQty: 10,
    ...values,
  });
const act = (id: string, what: string, quantity: number, values: object = {}) =>
  workspace.ask('POST', `/requirements/${id}/${what}`, {
    locationEntityId: workspace.locations[0],
    quantity,
    ...values,
  });
const read = (id: string) => workspace.must(200, 'GET', `/requirements/${id}`);
const stock = (quantity: number) => workspace.adjust(workspace.items[0], workspace.locations[0], quantity);
const quantities = ({ reservedQty, issuedQty, orderedQty, openQty, status }: Record<string, unknown>) => [
  reservedQty,
  issuedQty,
  orderedQty,
  openQty,
  status,
];

test('raising one writes no ledger entry', async () => {
  const raised = await raise({ requiredBy: '2026-12-24' });
  expect(raised).toMatchObject({
    number: 'MR-000001',
    projectId: workspace.project,
    lineId: null,
    requiredQty: 10,
    requiredBy: '2026-12-24',
    status: 'open',
  });
  expect(quantities(raised)).toEqual([0, 0, 0, 10, 'open']);
  expect(await workspace.figures()).toEqual([0, 0, 0]);
  expect(await workspace.must(200, 'GET', `/entities/${raised.id}`)).toMatchObject({ state: 'Open' });
});

test('reserving and ordering combine; open is always what is left', async () => {
  const { id } = await raise();
  await stock(4);
  const reserved = await act(id, 'reservations', 4);
  expect(reserved.status, reserved.text).toBe(201);
  expect(moved(reserved.body.entries)).toEqual([['MRReservation', 4]]);
  expect(reserved.body.entries[0].requirementId).toBe(id);
  expect(quantities(reserved.body.requirement)).toEqual([4, 0, 0, 6, 'open']);
  const ordered = await act(id, 'orders', 5);
  expect(ordered.status, ordered.text).toBe(201);
  expect(moved(ordered.body.entries)).toEqual([['OnOrderAdd', 5]]);
  expect(ordered.body.line).toMatchObject({ state: 'Ordered', requirementId: id, quantity: 5 });
  expect(quantities(ordered.body.requirement)).toEqual([4, 0, 5, 1, 'open']);
  const also = await act(id, 'orders', 1, { orderId: ordered.body.line.orderId });
  expect(quantities(also.body.requirement)).toEqual([4, 0, 6, 0, 'covered']);
  const over = await act(id, 'orders', 2);
  expect([over.status, over.body.code, over.body.openQty]).toEqual([409, 'over_requirement', 0]);
  expect((await workspace.must(200, 'GET', `/entities/${id}`)).state).toBe('Covered');
  expect((await act(id, 'reservations', 1)).body.code).toBe('over_requirement');
  expect(await workspace.figures()).toEqual([4, 4, 6]);
});

test('cancelling a line gives its quantity back, closing one what is open of it', async () => {
  const { id } = await raise();
  const first = (await act(id, 'orders', 6)).body.line;
  const second = (await act(id, 'orders', 4)).body.line;
  expect(quantities(await read(id))).toEqual([0, 0, 10, 0, 'covered']);
  await workspace.act(first.id, 'cancel');
  expect(quantities(await read(id))).toEqual([0, 0, 4, 6, 'open']);
  expect((await workspace.must(200, 'GET', `/entities/${id}`)).state).toBe('Open');
  await workspace.act(second.id, 'receipts', { quantity: 3 });
  await workspace.act(second.id, 'close');
  expect(quantities(await read(id))).toEqual([0, 0, 3, 7, 'open']);
});

test('a receipt leaves it covered; what was received is reserved for it and issued', async () => {
  const { id } = await raise();
  const { line } = (await act(id, 'orders', 10)).body;
  expect((await act(id, 'reservations', 1)).body.code).toBe('over_requirement');
  const receipt = await workspace.act(line.id, 'receipts', { quantity: 6 });
  expect(moved(receipt.body.entries)).toEqual([['POReceipt', 6]]);
  expect(await workspace.figures()).toEqual([6, 0, 4]);
  expect(quantities(await read(id))).toEqual([0, 0, 10, 0, 'covered']);
  expect((await act(id, 'reservations', 7)).body.code).toBe('over_requirement');
  const reserved = await act(id, 'reservations', 6);
  expect(quantities(reserved.body.requirement)).toEqual([6, 0, 4, 0, 'covered']);
  const issued = await act(id, 'issues', 5);
  expect(moved(issued.body.entries)).toEqual([['MRIssue', -5]]);
  expect(quantities(issued.body.requirement)).toEqual([6, 5, 4, 0, 'covered']);
  expect(await workspace.figures()).toEqual([1, 1, 4]);
  const over = await act(id, 'issues', 2);
  expect([over.status, over.body.code, over.body.heldQty]).toEqual([409, 'over_issue', 1]);
  expect((await act(id, 'releases', 2)).body.code).toBe('over_release');
  expect(quantities((await act(id, 'releases', 1)).body.requirement)).toEqual([5, 5, 5, 0, 'covered']);
});

test('what was received and reserved stays reserved when the rest does not come, and the rest is open', async () => {
  const { id } = await raise();
  const { line } = (await act(id, 'orders', 10)).body;
  await workspace.act(line.id, 'receipts', { quantity: 4 });
  expect(quantities((await act(id, 'reservations', 4)).body.requirement)).toEqual([4, 0, 6, 0, 'covered']);
  await workspace.act(line.id, 'close');
  expect(quantities(await read(id))).toEqual([4, 0, 0, 6, 'open']);
  // The rest is ordered elsewhere, comes and is reserved too.
  const again = await act(id, 'orders', 6);
  expect(quantities(again.body.requirement)).toEqual([4, 0, 6, 0, 'covered']);
  await workspace.act(again.body.line.id, 'receipts', { quantity: 6 });
  expect((await act(id, 'orders', 1)).body.code).toBe('over_requirement');
  expect(quantities((await act(id, 'reservations', 6)).body.requirement)).toEqual([10, 0, 0, 0, 'covered']);
  expect(await workspace.must(200, 'GET', `/requirements?status=covered`)).toMatchObject({
    items: [{ id, orderedQty: 0, openQty: 0 }],
  });
});

test('what was reserved from stock before does not stand for what is received for it', async () => {
  await stock(4);
  const { id } = await raise();
  await act(id, 'reservations', 4);
  const { line } = (await act(id, 'orders', 6)).body;
  await workspace.act(line.id, 'receipts', { quantity: 5 });
  await workspace.act(line.id, 'close');
  expect(quantities(await read(id))).toEqual([4, 0, 5, 1, 'open']);
  // All that came is reserved; what is given back was the last that was taken.
  expect(quantities((await act(id, 'reservations', 6)).body?.requirement ?? (await read(id)))).toEqual([
    4,
    0,
    5,
    1,
    'open',
  ]);
  expect(quantities((await act(id, 'reservations', 5)).body.requirement)).toEqual([9, 0, 1, 0, 'covered']);
  expect(quantities((await act(id, 'releases', 5)).body.requirement)).toEqual([4, 0, 5, 1, 'open']);
});

test('more than there is cannot be reserved; at another location nothing is held', async () => {
  const { id } = await raise();
  await stock(3);
  const short = await act(id, 'reservations', 4);
  expect([short.status, short.body.code, short.body.refusals[0].available]).toEqual([
    409,
    'insufficient_stock',
    3,
  ]);
  await act(id, 'reservations', 3);
  const elsewhere = await act(id, 'releases', 1, { locationEntityId: workspace.locations[1] });
  expect([elsewhere.body.code, elsewhere.body.heldQty]).toEqual(['over_release', 0]);
  expect(quantities((await act(id, 'releases', 3)).body.requirement)).toEqual([0, 0, 0, 10, 'open']);
});

test('cancelling one gives its reservations back, at every location, and nothing covers it any more', async () => {
  const { id } = await raise();
  await stock(3);
  await workspace.adjust(workspace.items[0], workspace.locations[1], 3);
  await act(id, 'reservations', 3);
  await act(id, 'reservations', 2, { locationEntityId: workspace.locations[1] });
  await act(id, 'issues', 1);
  expect((await workspace.move(id, 'Cancelled')).status).toBe(200);
  expect(await workspace.figures()).toEqual([2, 0, 0]);
  expect(await workspace.figures(workspace.items[0], workspace.locations[1])).toEqual([3, 0, 0]);
  expect((await read(id)).status).toBe('cancelled');
  for (const what of ['reservations', 'orders']) {
    const late = await act(id, what, 1);
    expect([late.status, late.body.code]).toEqual([409, 'requirement_cancelled']);
  }
});

test('Open and Covered follow the quantities and nothing else', async () => {
  const { id } = await raise();
  const covered = await workspace.move(id, 'Covered');
  expect([covered.status, covered.body.code]).toEqual([409, 'transition_not_allowed']);
  await act(id, 'orders', 10);
  expect((await workspace.move(id, 'Open')).status).toBe(409);
});

test('a draft line for a requirement counts when it is ordered, up to what is open', async () => {
  const { id } = await raise();
  const draft = { quantity: 7, requirementId: id, state: 'Draft' };
  const first = (await workspace.line(draft)).body.line;
  const second = (await workspace.line(draft)).body.line;
  const third = (await workspace.line(draft)).body.line;
  expect(quantities(await read(id))).toEqual([0, 0, 0, 10, 'open']);
  expect((await workspace.move(first.id, 'Ordered')).status).toBe(200);
  expect((await workspace.move(second.id, 'Ordered')).status).toBe(200);
  expect(await workspace.must(200, 'GET', `/stock/lines/${second.id}`)).toMatchObject({
    forRequirement: 3,
    free: 4,
  });
  const over = await workspace.move(third.id, 'Ordered');
  expect([over.status, over.body.code, over.body.feature]).toEqual([
    409,
    'over_requirement',
    'updateOnOrderStock',
  ]);
  expect(quantities(await read(id))).toEqual([0, 0, 10, 0, 'covered']);
});

test('lines are for requirements of their own item only, and sales lines for none', async () => {
  const { id } = await raise();
  const other = await workspace.line({ requirementId: id, itemEntityId: workspace.items[1] });
  expect([other.status, other.body.errors[0].pointer]).toEqual([422, '/requirementId']);
  expect((await workspace.line({ requirementId: id, type: 'salesOrder' })).status).toBe(422);
});

test('they are listed by project, item and status, in pages', async () => {
  const project = await workspace.addProject('Another');
  const mine = [await raise(), await raise({ itemEntityId: workspace.items[1] }), await raise()];
  const other = await raise({ projectId: project });
  await act(mine[0].id, 'orders', 10);
  await workspace.move(mine[2].id, 'Cancelled');
  const listed = async (query: string) =>
    (await workspace.must(200, 'GET', `/requirements?${query}`)).items.map((one: { id: string }) => one.id);
  expect(await listed(`projectId=${workspace.project}`)).toEqual(mine.map(({ id }) => id));
  expect(await listed(`projectId=${project}`)).toEqual([other.id]);
  expect(await listed(`itemEntityId=${workspace.items[1]}`)).toEqual([mine[1].id]);
  expect(await listed('status=covered')).toEqual([mine[0].id]);
  expect(await listed('status=cancelled')).toEqual([mine[2].id]);
  expect(await listed(`status=open&projectId=${workspace.project}`)).toEqual([mine[1].id]);
  const all: string[] = [];
  let cursor = '';
  do {
    const page = await workspace.must(200, 'GET', `/requirements?limit=1&status=open${cursor}`);
    all.push(...page.items.map((one: { id: string }) => one.id));
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  expect(all).toEqual([mine[1].id, other.id]);
});

test('they are found by what their item and project are called, and by day among those of a state', async () => {
  const project = await workspace.addProject('Lighthouse');
  const late = [await raise({ requiredBy: '2027-06-01' }), await raise({ requiredBy: '2027-06-01' })];
  const soon = await raise({ projectId: project, requiredBy: '2026-12-01' });
  const found = async (query: string) =>
    (await workspace.must(200, 'GET', `/requirements?${query}`)).items.map((one: { id: string }) => one.id);
  expect(await found('status=open&requiredBefore=2026-12-24&limit=1')).toEqual([soon.id]);
  expect(await found('requiredBefore=2026-12-24&limit=1')).toEqual([soon.id]);
  expect(await found('q=lighthouse')).toEqual([soon.id]);
  expect(await found('q=Li')).toEqual([soon.id]);
  expect(await found(`q=${late[1].number}`)).toEqual([late[1].id]);
  expect(await found(`q=${encodeURIComponent(soon.itemNumber)}&order=desc`)).toEqual([
    soon.id,
    late[1].id,
    late[0].id,
  ]);
  expect(await found('q=lighthouse&status=covered')).toEqual([]);
  expect(await found(`q=Li&projectId=${workspace.project}`)).toEqual([]);
});

test('what comes and goes of an item is told in the order of time, with what is left after each', async () => {
  const [item, location] = [workspace.items[0], workspace.locations[0]];
  await stock(10);
  const early = await raise({ requiredQty: 4, requiredBy: '2026-12-01' });
  await act(early.id, 'reservations', 1);
  await raise({ requiredQty: 20, requiredBy: '2026-12-10' });
  await workspace.line({ quantity: 30, requiredBy: '2026-12-20' });
  await workspace.line({ quantity: 5, state: 'Draft', requiredBy: '2026-12-02' });
  const cancelled = await raise({ requiredQty: 99 });
  await workspace.move(cancelled.id, 'Cancelled');
  const sale = (await workspace.line({ type: 'salesOrder', quantity: 2 })).body.line;
  await workspace.act(sale.id, 'releases', { quantity: 2 });
  const demand = await workspace.must(200, 'GET', `/entities/${item}/demand`);
  expect(demand).toMatchObject({ onHand: 10, reserved: 1, available: 9, onOrder: 30, isPartial: false });
  expect(
    demand.entries.map((one: { kind: string; quantity: number; availableAfter: number }) => [
      one.kind,
      one.quantity,
      one.availableAfter,
    ]),
  ).toEqual([
    ['requirement', -3, 6],
    ['requirement', -20, -14],
    ['purchaseOrder', 30, 16],
    ['salesOrder', -2, 14],
  ]);
  expect([demand.shortFrom, demand.shortBy]).toEqual(['2026-12-10', 14]);
  expect(demand.entries[0]).toMatchObject({ id: early.id, forId: workspace.project });

  const summary = await workspace.must(200, 'GET', `/entities/${item}/summary`);
  expect(summary).toMatchObject({
    stock: { onHand: 10, reserved: 1, onOrder: 30, available: 9, locations: 1, isPartial: false },
    demand: { openRequirements: 2, openQty: 23, requiredBy: '2026-12-01' },
    orders: { comingLines: 1, comingQty: 30, comingBy: '2026-12-20', goingLines: 1, goingQty: 2 },
    items: null,
  });
  expect(await workspace.must(200, 'GET', `/entities/${location}/summary`)).toMatchObject({
    stock: null,
    demand: null,
    items: 1,
    stockedItems: 1,
  });
  const { items: moved } = await workspace.must(200, 'GET', `/stock/ledger?requirementId=${early.id}`);
  expect(moved[0]).toMatchObject({ requirementId: early.id, requirementNumber: early.number });
  expect(await workspace.must(200, 'GET', `/entities/${workspace.project}/summary`)).toMatchObject({
    stock: null,
    demand: { openRequirements: 2, openQty: 23 },
  });
  const none = await workspace.ask('GET', `/entities/${location}/demand`);
  expect([none.status, none.body.code]).toEqual([422, 'not_an_item']);
});

describe('refused', () => {
  test.each([
    ['no quantity', { requiredQty: undefined }, 422, 'validation_failed'],
    ['zero', { requiredQty: 0 }, 422, 'zero_quantity'],
    ['below zero', { requiredQty: -1 }, 422, 'quantity_out_of_range'],
    ['no such item', { itemEntityId: '0199d0f0-0000-7000-8000-000000000001' }, 404, 'entity_not_found'],
    ['no such project', { projectId: '0199d0f0-0000-7000-8000-000000000001' }, 404, 'entity_not_found'],
    ['unknown field', { quantity: 1 }, 422, 'unknown_field'],
  ])('%s', async (_, values, status, code) => {
    const body = {
      projectId: workspace.project,
      itemEntityId: workspace.items[0],
      requiredQty: 1,
      ...values,
    };
    const answer = await workspace.ask('POST', '/requirements', body);
    expect([answer.status, answer.body.code], answer.text).toEqual([status, code]);
  });

  test('what is no project, no item, no location', async () => {
    const [item, location] = [workspace.items[0], workspace.locations[0]];
    const ask = (values: object) =>
      workspace.ask('POST', '/requirements', {
        projectId: workspace.project,
        itemEntityId: item,
        requiredQty: 1,
        ...values,
      });
    expect((await ask({ projectId: item })).body.code).toBe('not_a_project');
    expect((await ask({ itemEntityId: location })).body.code).toBe('not_an_item');
    const { id } = await raise();
    expect((await act(id, 'reservations', 1, { locationEntityId: item })).body.code).toBe('not_a_location');
    expect((await act(workspace.project, 'reservations', 1)).body.code).toBe('requirement_not_found');
  });
});
