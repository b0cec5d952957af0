import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StockLedgerEntry } from '../../web/client/operations.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
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

const made = async (values: object) => (await workspace.line(values)).body.line;
const change = (id: string, body: object) => workspace.ask('PATCH', `/stock/lines/${id}`, body);
const read = (id: string) => workspace.must(200, 'GET', `/stock/lines/${id}`);
const entity = (id: string) => workspace.must(200, 'GET', `/entities/${id}`);
const entriesOf = async (id: string): Promise<StockLedgerEntry[]> =>
  (await workspace.must(200, 'GET', `/stock/ledger?lineId=${id}&limit=1000`)).items.toReversed();
const audit = async (id: string) =>
  (await workspace.must(200, 'GET', `/audit?subjectType=stockLine&subjectKey=${id}`)).items;

/** A change that is done, and writes these entries. */
async function changed(id: string, body: object, entries: [string, number][]): Promise<TestAnswer['body']> {
  const before = (await entriesOf(id)).length;
  const answer = await change(id, body);
  expect(answer.status, answer.text).toBe(200);
  expect(moved((await entriesOf(id)).slice(before))).toEqual(entries);
  expect(await read(id)).toEqual(answer.body);
  return answer.body;
}

test('what is on order follows the quantity of a purchase line, up and down', async () => {
  const { id, itemName } = await made({ quantity: 10, requiredBy: '2026-12-24' });
  await workspace.act(id, 'receipts', { quantity: 4 });
  const more = { quantity: 12.5, note: 'They sell by the box' };
  expect(await changed(id, more, [['OnOrderAdd', 2.5]])).toMatchObject({
    state: 'Ordered',
    quantity: 12.5,
    receivedQty: 4,
    openQty: 8.5,
    requiredBy: '2026-12-24',
  });
  const notes = (await entriesOf(id)).map(({ note }) => note);
  expect(notes.filter((note) => note !== null)).toEqual(['They sell by the box']);
  expect(await workspace.figures()).toEqual([4, 0, 8.5]);
  expect((await entity(id)).name).toBe(`12.5 × ${itemName}`);

  const less = await changed(id, { quantity: 6 }, [['OnOrderRelease', -6.5]]);
  expect(less).toMatchObject({ quantity: 6, openQty: 2 });
  expect(await workspace.figures()).toEqual([4, 0, 2]);
  expect(await workspace.must(200, 'GET', `/orders/${less.orderId}`)).toMatchObject({ lines: [less] });
});

test('a line that is left with nothing open is Received', async () => {
  const { id } = await made({ quantity: 10 });
  await workspace.act(id, 'receipts', { quantity: 4 });
  expect(
    await changed(id, { quantity: 4, note: 'The rest is sold out' }, [['OnOrderRelease', -6]]),
  ).toMatchObject({
    state: 'Received',
    quantity: 4,
    openQty: 0,
  });
  expect(await workspace.figures()).toEqual([4, 0, 0]);
  const again = await change(id, { quantity: 5 });
  expect([again.status, again.body.code, again.body.state]).toEqual([409, 'line_not_open', 'Received']);
});

test('what a sales line holds follows: reserved in addition, and given back only beyond its need', async () => {
  await workspace.adjust(workspace.items[0], workspace.locations[0], 10);
  const { id } = await made({ type: 'salesOrder', quantity: 6 });
  await changed(id, { quantity: 9 }, [['SOReservation', 3]]);
  expect(await workspace.figures()).toEqual([10, 9, 0]);
  const over = await change(id, { quantity: 11 });
  expect([over.status, over.body.code]).toEqual([409, 'insufficient_stock']);
  expect(await read(id)).toMatchObject({ quantity: 9, reservedQty: 9 });

  await workspace.act(id, 'releases', { quantity: 5 });
  await changed(id, { quantity: 8 }, []);
  await changed(id, { quantity: 3 }, [['SORelease', -1]]);
  await workspace.act(id, 'shipments', { quantity: 2 });
  expect(await changed(id, { quantity: 2 }, [['SORelease', -1]])).toMatchObject({
    state: 'Shipped',
    shippedQty: 2,
    reservedQty: 0,
    openQty: 0,
  });
  expect(await workspace.figures()).toEqual([8, 0, 0]);
});

test('less than has come is refused, with what has come', async () => {
  const { id, number } = await made({ quantity: 10 });
  await workspace.act(id, 'receipts', { quantity: 4 });
  const { status, body } = await change(id, { quantity: 3.999999 });
  expect([status, body.code, body.receivedQty]).toEqual([409, 'quantity_below_done', 4]);
  expect(body.detail).toContain(number);
  expect(body.errors[0].pointer).toBe('/quantity');
  expect(await read(id)).toMatchObject({ quantity: 10, openQty: 6 });
});

test('a draft is written anew, and writes no entry', async () => {
  const { id, itemName } = await made({ quantity: 10, state: 'Draft' });
  await changed(id, { quantity: 3, requiredBy: '2027-01-31' }, []);
  expect(await read(id)).toMatchObject({ state: 'Draft', quantity: 3, requiredBy: '2027-01-31' });
  expect((await entity(id)).name).toBe(`3 × ${itemName}`);
  await workspace.move(id, 'Ordered');
  expect(await workspace.figures()).toEqual([0, 0, 3]);
});

test('the day alone is changed or taken away, and no stock moves', async () => {
  const { id } = await made({ quantity: 10 });
  const { version } = await entity(id);
  expect((await changed(id, { requiredBy: '2026-12-01' }, [])).requiredBy).toBe('2026-12-01');
  expect((await changed(id, { quantity: 10 }, [])).requiredBy).toBe('2026-12-01');
  const { items } = await workspace.must(200, 'GET', '/stock/lines?requiredBefore=2026-12-02');
  expect(items).toHaveLength(1);
  expect((await changed(id, { requiredBy: null }, [])).requiredBy).toBeNull();
  expect((await entity(id)).version).toBe(version);
});

test('the audit trail has who wanted what before; who changes nothing leaves nothing there', async () => {
  const { id } = await made({ quantity: 10, requiredBy: '2026-12-24' });
  await change(id, { quantity: 12 });
  await change(id, { quantity: 12, requiredBy: '2026-12-24' });
  await change(id, {});
  await change(id, { quantity: 14, requiredBy: null });
  expect(await audit(id)).toMatchObject([
    {
      action: 'update',
      before: { number: 'POL-000001', quantity: 12, requiredBy: '2026-12-24' },
      after: { quantity: 14, requiredBy: null },
    },
    { before: { quantity: 10, requiredBy: '2026-12-24' }, after: { quantity: 12, requiredBy: '2026-12-24' } },
  ]);
});

test('a name that somebody has given the line stays', async () => {
  const { id } = await made({ quantity: 10 });
  await workspace.must(200, 'PATCH', `/entities/${id}`, { name: 'For the prototype' });
  await changed(id, { quantity: 11 }, [['OnOrderAdd', 1]]);
  expect((await entity(id)).name).toBe('For the prototype');
});

test('the requirement that it is for is open by what is no longer ordered, and more than it needs is free', async () => {
  const { project, items, must } = workspace;
  const { id: requirementId } = await must(201, 'POST', '/requirements', {
    projectId: project,
    itemEntityId: items[0],
    requiredQty: 10,
  });
  const { id } = await made({ quantity: 8, requirementId });
  await changed(id, { quantity: 10.5 }, [
    ['OnOrderAdd', 2],
    ['OnOrderAdd', 0.5],
  ]);
  expect(await must(200, 'GET', `/stock/lines/${id}`)).toMatchObject({ forRequirement: 10, free: 0.5 });
  await changed(id, { quantity: 10 }, [['OnOrderRelease', -0.5]]);
  expect(await must(200, 'GET', `/requirements/${requirementId}`)).toMatchObject({
    status: 'covered',
    orderedQty: 10,
  });
  expect((await entity(requirementId)).state).toBe('Covered');
  await changed(id, { quantity: 7 }, [['OnOrderRelease', -3]]);
  expect(await must(200, 'GET', `/requirements/${requirementId}`)).toMatchObject({
    status: 'open',
    orderedQty: 7,
    openQty: 3,
  });
  expect((await entity(requirementId)).state).toBe('Open');
});

test('the components of a manufacturing line follow its quantity', async () => {
  const { items } = workspace;
  await workspace.link(items[0] as string, items[1] as string, 2);
  const draft = await made({ type: 'manufacturingOrder', quantity: 5, state: 'Draft' });
  await changed(draft.id, { quantity: 4 }, []);
  await workspace.move(draft.id, 'Ordered');
  const required = async () =>
    (await workspace.must(200, 'GET', `/requirements?lineId=${draft.id}`)).items.map(
      (one: { requiredQty: number }) => one.requiredQty,
    );
  expect(await required()).toEqual([8]);
  await changed(draft.id, { quantity: 6 }, [['OnOrderAdd', 2]]);
  expect(await required()).toEqual([12]);
  await changed(draft.id, { quantity: 3, requiredBy: '2027-02-01' }, [['OnOrderRelease', -3]]);
  expect(await required()).toEqual([6]);
});

test.each([
  [{ quantity: 0 }, 422, 'zero_quantity'],
  [{ quantity: -1 }, 422, 'quantity_out_of_range'],
  [{ quantity: 0.0000001 }, 422, 'quantity_out_of_range'],
  [{ quantity: null }, 422, 'validation_failed'],
  [{ requiredBy: '2026-02-30' }, 422, 'validation_failed'],
  [{ state: 'Received' }, 422, 'read_only_field'],
])('%j is no change', async (body, status, code) => {
  const { id } = await made({ quantity: 10 });
  const answer = await change(id, body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('what is no line, and what is at its end, is not changed', async () => {
  const { items } = workspace;
  const none = await change(items[0] as string, { quantity: 3 });
  expect([none.status, none.body.code]).toEqual([404, 'line_not_found']);
  const { id } = await made({ quantity: 10 });
  await workspace.act(id, 'cancel');
  const ended = await change(id, { requiredBy: '2027-01-01' });
  expect([ended.status, ended.body.code]).toEqual([409, 'line_not_open']);
});

test('receipts and changes of one line at once: what is on order is what is open', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await made({ quantity: 20 });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        i % 2 === 0
          ? workspace.act(id, 'receipts', { quantity: 1 })
          : // More than the receipts come to, or the line is at its end before all have been made.
            change(id, { quantity: 13 + (i % 5), requiredBy: `2027-01-${String(i + 1).padStart(2, '0')}` }),
      ),
    );
    for (const { status, text } of answers) expect([200, 201], text).toContain(status);
    const { quantity, receivedQty, openQty } = await read(id);
    expect([receivedQty, openQty]).toEqual([12, quantity - 12]);
    const [, , onOrder] = await workspace.figures();
    expect(onOrder).toBe(openQty);
    await workspace.act(id, 'close');
  }
});

test('a purchase line is promised in parts, which follow what the line becomes', async () => {
  const [item] = workspace.items as [string];
  const [location] = workspace.locations as [string];
  const { line } = await workspace.must(201, 'POST', '/stock/lines', {
    type: 'purchaseOrder',
    itemEntityId: item,
    locationEntityId: location,
    quantity: 30,
    requiredBy: '2027-01-10',
  });
  expect(line.promises).toEqual([]);
  const change = (body: object) => workspace.ask('PATCH', `/stock/lines/${line.id}`, body);
  const promises = [
    { on: '2027-02-01', quantity: 12.5 },
    { on: '2027-01-05', quantity: 10 },
    { on: '2027-02-01', quantity: 5 },
  ];
  const byDay = [
    { on: '2027-01-05', quantity: 10 },
    { on: '2027-02-01', quantity: 17.5 },
  ];
  expect((await change({ promises })).body.promises).toEqual(byDay);
  expect((await workspace.must(200, 'GET', `/stock/lines/${line.id}`)).promises).toEqual(byDay);
  const [tooMuch, badDay, none] = await Promise.all([
    change({ promises: [{ on: '2027-01-05', quantity: 30.1 }] }),
    change({ promises: [{ on: '2027-02-30', quantity: 1 }] }),
    change({ promises: [{ on: '2027-02-01', quantity: 0 }] }),
  ]);
  expect([tooMuch.status, tooMuch.body.errors[0].pointer]).toEqual([422, '/promises']);
  expect([badDay.status, badDay.body.errors[0].pointer]).toEqual([422, '/promises/0/on']);
  expect([none.status, none.body.errors[0].pointer]).toEqual([422, '/promises/0/quantity']);
  // The latest part is the first that a smaller line does not need; another required date was not promised.
  expect((await change({ quantity: 12 })).body.promises).toEqual([
    { on: '2027-01-05', quantity: 10 },
    { on: '2027-02-01', quantity: 2 },
  ]);
  const { entries } = await workspace.must(200, 'GET', `/entities/${item}/demand`);
  expect(
    entries.map((entry: { requiredBy: string; quantity: number }) => [entry.requiredBy, entry.quantity]),
  ).toEqual([
    ['2027-01-05', 10],
    ['2027-02-01', 2],
  ]);
  // What can be promised counts each part on its own day.
  const promised = async (quantity: number) =>
    (await workspace.must(200, 'GET', `/entities/${item}/promise?quantity=${quantity}`)).availableOn;
  expect([await promised(10), await promised(11)]).toEqual(['2027-01-05', '2027-02-01']);
  expect((await change({ requiredBy: '2027-01-20' })).body.promises).toEqual([]);
  const sale = await workspace.must(201, 'POST', '/stock/lines', {
    type: 'salesOrder',
    itemEntityId: item,
    locationEntityId: location,
    quantity: 1,
    allowBackorder: true,
  });
  const refused = await workspace.ask('PATCH', `/stock/lines/${sale.line.id}`, { promises: byDay });
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    422,
    'Only a purchase line has promised days.',
  ]);
});
