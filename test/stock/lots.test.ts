// Lots and serial numbers: each movement of a tracked item names them, and the ledger, the positions and the lots agree.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StockLedgerEntry, TraceNode } from '../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { asSuperuser } from './stocked-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let glue: string;
let pump: string;
let shelf: string;
let rack: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [glue, pump] = workspace.items as [string, string];
  [shelf, rack] = workspace.locations as [string, string];
  await track(glue, 'lot');
  await track(pump, 'serial');
});
afterEach(() => workspace.expectConsistent());

const track = (item: string, tracking: string, status = 200) =>
  workspace.must(status, 'PUT', `/stock/tracking/${item}`, { tracking });
const adjust = (status: number, item: string, quantity: number, more: object = {}) =>
  workspace.must(status, 'POST', '/stock/adjustments', {
    itemEntityId: item,
    locationEntityId: shelf,
    quantity,
    ...more,
  });
/** Number and On Hand of each lot of an item that is in stock. */
const lotsOf = async (item: string): Promise<[string, number][]> => {
  const { items } = await workspace.must(200, 'GET', `/stock/lots?itemEntityId=${item}&inStock=true`);
  return items.map(({ number, onHand }: { number: string; onHand: number }) => [number, onHand]);
};
const lotId = async (item: string, number: string): Promise<string> =>
  (await workspace.must(200, 'GET', `/stock/lots?itemEntityId=${item}&number=${number}`)).items[0].id;
const reasonsOf = ({ refusals }: { refusals: { reason: string }[] }) => refusals.map(({ reason }) => reason);
const movedLots = (entries: readonly StockLedgerEntry[]) =>
  entries.map(({ movementType, quantity, lot }) => [movementType, quantity, lot]);

describe('adjustments', () => {
  test('of a tracked item name the lot, which they create only if they say so', async () => {
    expect(reasonsOf(await adjust(409, glue, 5))).toEqual(['lotRequired']);
    expect(reasonsOf(await adjust(409, glue, 5, { lot: 'L-1' }))).toEqual(['lotUnknown']);
    expect(await lotsOf(glue)).toEqual([]);
    const { entry } = await adjust(201, glue, 5, { lot: 'L-1', newLot: { expiresOn: '2999-01-31' } });
    expect(entry).toMatchObject({ lot: 'L-1', quantity: 5 });
    await adjust(201, glue, -2, { lot: 'L-1' });
    const refused = await adjust(409, glue, -4, { lot: 'L-1' });
    expect([refused.code, ...reasonsOf(refused)]).toEqual(['insufficient_stock', 'onHand']);
    await adjust(201, glue, 9, { lot: 'L-2', newLot: {} });
    const short = await adjust(409, glue, -4, { lot: 'L-1' });
    expect([short.code, ...reasonsOf(short)]).toEqual(['insufficient_stock', 'lotOnHand']);
    expect(await lotsOf(glue)).toEqual([
      ['L-1', 3],
      ['L-2', 9],
    ]);
  });

  test('refuse a lot of another item, of an item that is not tracked, and one that contradicts what is known', async () => {
    await adjust(201, glue, 5, { lot: 'L-1', newLot: { expiresOn: '2999-01-31', supplierLot: 'S-1' } });
    expect(reasonsOf(await adjust(409, pump, 1, { lot: 'L-1' }))).toEqual(['lotUnknown']);
    const untracked = workspace.items[2] as string;
    expect(reasonsOf(await adjust(409, untracked, 1, { lot: 'L-1', newLot: {} }))).toEqual(['notTracked']);
    const other = { lot: 'L-1', newLot: { expiresOn: '2999-02-01' } };
    expect(reasonsOf(await adjust(409, glue, 1, other))).toEqual(['lotDiffers']);
    await adjust(201, glue, 1, { lot: 'L-1', newLot: { supplierLot: 'S-1' } });
    expect((await adjust(422, glue, 1, { lot: 'a\u0007b', newLot: {} })).errors[0].pointer).toBe('/lot');
  });

  test('hold a serial number once, as one unit, at one location', async () => {
    expect(reasonsOf(await adjust(409, pump, 2, { lot: 'SN-1', newLot: {} }))).toEqual(['serialQuantity']);
    await adjust(201, pump, 1, { lot: 'SN-1', newLot: {} });
    expect(reasonsOf(await adjust(409, pump, 1, { lot: 'SN-1' }))).toEqual(['serialInStock']);
    const elsewhere = { lot: 'SN-1', locationEntityId: rack };
    expect(reasonsOf(await adjust(409, pump, 1, elsewhere))).toEqual(['serialInStock']);
    await adjust(201, pump, -1, { lot: 'SN-1' });
    await adjust(201, pump, 1, elsewhere);
    expect(await lotsOf(pump)).toEqual([['SN-1', 1]]);
  });

  test('of many callers for one serial number let one through', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        workspace.ask('POST', '/stock/adjustments', {
          itemEntityId: pump,
          locationEntityId: workspace.locations[n % 3],
          quantity: 1,
          lot: 'SN-7',
          newLot: {},
        }),
      ),
    );
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, ...Array(11).fill(409)]);
  });

  test('that are only tried show the refusal and create nothing', async () => {
    const tried = await adjust(200, glue, 5, { lot: 'L-1', dryRun: true });
    expect(tried.adjustments[0].refusal.code).toBe('lot_refused');
    const { refusals } = await adjust(200, glue, 5, { lot: 'L-1', newLot: {}, dryRun: true });
    expect(refusals).toBe(0);
    expect(await lotsOf(glue)).toEqual([]);
    const batch = { itemEntityId: glue, locationEntityId: shelf, lot: 'L-9' };
    const adjustments = [
      { ...batch, quantity: 4, newLot: {} },
      { ...batch, quantity: -3 },
      { ...batch, quantity: -3 },
    ];
    const refused = await workspace.must(409, 'POST', '/stock/adjustments/batch', { adjustments });
    expect(refused.refusals[0].index).toBe(2);
    expect((await workspace.must(200, 'GET', `/stock/lots?itemEntityId=${glue}`)).items).toEqual([]);
  });
});

describe('an item that has stock already', () => {
  test('is tracked from then on: a count assigns what was there, and the rest is counted as nothing', async () => {
    const old = workspace.items[2] as string;
    await adjust(201, old, 10);
    expect(await track(old, 'lot')).toMatchObject({
      unassignedQty: 10,
      unassigned: [{ locationEntityId: shelf, quantity: 10 }],
    });
    expect(reasonsOf(await adjust(409, old, 1))).toEqual(['lotRequired']);
    const line = { item: old, location: shelf };
    const lines = [
      { ...line, lot: 'L-1', countedQty: 6, newLot: {} },
      { ...line, lot: 'L-2', countedQty: 3, newLot: {} },
      { ...line, countedQty: 0 },
    ];
    const tried = await workspace.must(200, 'POST', '/stock/counts', { lines, dryRun: true });
    expect(tried.lines.map(({ difference }: { difference: number }) => difference)).toEqual([6, 3, -10]);
    await workspace.must(201, 'POST', '/stock/counts', { lines });
    expect((await workspace.must(200, 'GET', `/stock/tracking/${old}`)).unassignedQty).toBe(0);
    expect(await lotsOf(old)).toEqual([
      ['L-1', 6],
      ['L-2', 3],
    ]);
    expect(await workspace.figures(old, shelf)).toEqual([9, 0, 0]);
    const again = [{ ...line, lot: 'L-1', countedQty: 4, seenOnHand: 6 }];
    expect((await workspace.must(201, 'POST', '/stock/counts', { lines: again })).entries).toBe(1);
    const twice = [...again, { ...line, lot: 'L-1', countedQty: 5 }];
    expect((await workspace.must(422, 'POST', '/stock/counts', { lines: twice })).code).toBe(
      'duplicate_position',
    );
  });

  test('takes back movements from before, and keeps its lots while they are in stock', async () => {
    const old = workspace.items[2] as string;
    const { entry } = await adjust(201, old, 4);
    await track(old, 'serial');
    await workspace.must(201, 'POST', `/stock/ledger/${entry.id}/reversals`, { quantity: 3, note: 'Wrong' });
    await adjust(201, old, 1, { lot: 'SN-1', newLot: {} });
    await adjust(201, old, -1);
    await adjust(409, old, -1);
    expect((await track(old, 'none', 409)).code).toBe('tracking_in_use');
    await adjust(201, old, -1, { lot: 'SN-1' });
    await track(old, 'none');
    await adjust(201, old, 2);
  });
});

test('transfers move lots, and reversals take the same lot back', async () => {
  await adjust(201, glue, 5, { lot: 'L-1', newLot: {} });
  await adjust(201, pump, 1, { lot: 'SN-1', newLot: {} });
  const places = { fromLocationEntityId: shelf, toLocationEntityId: rack };
  const move = (status: number, lines: object[]) =>
    workspace.must(status, 'POST', '/stock/transfers', {
      lines: lines.map((line) => ({ ...places, ...line })),
    });
  expect(reasonsOf(await move(409, [{ itemEntityId: glue, quantity: 2 }]))).toEqual([
    'lotRequired',
    'lotRequired',
  ]);
  const { entries } = await move(201, [
    { itemEntityId: glue, quantity: 2, lot: 'L-1' },
    { itemEntityId: pump, quantity: 1, lot: 'SN-1' },
  ]);
  const lot = await workspace.must(200, 'GET', `/stock/lots/${await lotId(glue, 'L-1')}`);
  expect(lot.positions.map(({ onHand }: { onHand: number }) => onHand).toSorted()).toEqual([2, 3]);
  const back = await workspace.must(201, 'POST', `/stock/ledger/${entries[3].id}/reversals`, {
    note: 'Not that',
  });
  expect(movedLots(back.entries)).toEqual([
    ['TransferIn', -1, 'SN-1'],
    ['TransferOut', 1, 'SN-1'],
  ]);
  expect(await lotsOf(pump)).toEqual([['SN-1', 1]]);
});

describe('orders', () => {
  const line = async (values: object) => {
    const made = await workspace.line({ itemEntityId: pump, locationEntityId: shelf, ...values });
    expect(made.status, made.text).toBe(201);
    return made.body.line;
  };
  const act = (status: number, id: string, what: string, body: object) =>
    workspace.must(status, 'POST', `/stock/lines/${id}/${what}`, body);

  test('are received in lots and ranges of serial numbers, and shipped from them', async () => {
    const { id } = await line({ quantity: 4 });
    expect(reasonsOf(await act(409, id, 'receipts', { quantity: 1 }))).toEqual(['lotRequired']);
    const wrong = await act(422, id, 'receipts', { quantity: 4, lots: [{ serials: 'SN-0101..0103' }] });
    expect(wrong.errors[0]).toMatchObject({ pointer: '/lots' });
    const lots = [{ serials: 'SN-0098..0100', supplierLot: 'S-7' }, { lot: 'SN-X' }];
    const received = await act(201, id, 'receipts', { quantity: 4, lots });
    expect(movedLots(received.entries)).toEqual([
      ['POReceipt', 1, 'SN-0098'],
      ['POReceipt', 1, 'SN-0099'],
      ['POReceipt', 1, 'SN-0100'],
      ['POReceipt', 1, 'SN-X'],
    ]);
    expect(received.line).toMatchObject({ state: 'Received', receivedQty: 4 });
    const sale = await line({ type: 'salesOrder', quantity: 3 });
    expect(reasonsOf(await act(409, sale.id, 'shipments', { quantity: 1 }))).toEqual(['lotRequired']);
    const shipped = await act(201, sale.id, 'shipments', {
      quantity: 2,
      lots: [{ serials: 'SN-0099..0100' }],
    });
    expect(shipped.line).toMatchObject({ shippedQty: 2, reservedQty: 1 });
    const gone = await act(409, sale.id, 'shipments', { quantity: 1, lots: [{ lot: 'SN-0100' }] });
    expect(reasonsOf(gone)).toEqual(['lotOnHand']);
    const [entry] = shipped.entries;
    await workspace.must(201, 'POST', `/stock/ledger/${entry.id}/reversals`, { note: 'Not sent' });
    expect(await lotsOf(pump)).toEqual([
      ['SN-0098', 1],
      ['SN-0099', 1],
      ['SN-X', 1],
    ]);
    const orders = `/orders/${sale.orderId}`;
    const returned = { lineId: sale.id, quantity: 1 };
    expect(reasonsOf(await workspace.must(409, 'POST', `${orders}/returns`, { lines: [returned] }))).toEqual([
      'lotRequired',
    ]);
    await workspace.must(201, 'POST', `${orders}/returns`, {
      lines: [{ ...returned, lots: [{ lot: 'SN-0100' }], locationEntityId: rack }],
    });
    expect((await lotsOf(pump)).length).toBe(4);
  });

  test('are read as a range whose second end repeats the prefix, and never as one number with dots', async () => {
    const { id } = await line({ quantity: 3 });
    const receive = (status: number, serials: string, quantity = 1) =>
      act(status, id, 'receipts', { quantity, lots: [{ serials }] });
    for (const serials of ['RN-A..C', 'RN-1..QN-3', 'RN-..', '..5', 'RN-01..', 'RN-3..RN-1'])
      expect((await receive(422, serials)).errors[0]).toMatchObject({ pointer: '/lots/0/serials' });
    const received = await receive(201, 'RN-08..RN-10', 3);
    expect(movedLots(received.entries).map(([, , number]) => number)).toEqual(['RN-08', 'RN-09', 'RN-10']);
  });

  test('have numbers of up to 100 characters, also in a range', async () => {
    const made = await workspace.line({ itemEntityId: pump, locationEntityId: shelf, quantity: 2 });
    const receive = (status: number, serials: string) =>
      act(status, made.body.line.id, 'receipts', { quantity: 2, lots: [{ serials }] });
    for (const serials of [`${'€'.repeat(196)}01..02`, `${'x'.repeat(99)}01..02`]) {
      const refused = await receive(422, serials);
      expect(refused.errors[0].pointer).toBe('/lots/0/serials');
    }
    await receive(201, `${'€'.repeat(98)}01..02`);
    const single = await workspace.line({ itemEntityId: pump, locationEntityId: shelf, quantity: 1 });
    const lots = [{ serials: 'y'.repeat(101) }];
    await act(422, single.body.line.id, 'receipts', { quantity: 1, lots });
  });

  test('share the limit of the call over all lines of an order', async () => {
    const { id, lines } = await workspace.must(201, 'POST', '/orders', {
      type: 'purchaseOrder',
      lines: [0, 1].map(() => ({ itemEntityId: pump, locationEntityId: shelf, quantity: 6000 })),
    });
    const receipt = {
      lines: lines.map(({ id: lineId }: { id: string }, at: number) => ({
        lineId,
        quantity: 6000,
        lots: [{ serials: `S${at}-0001..6000` }],
      })),
    };
    const refused = await workspace.must(422, 'POST', `/orders/${id}/receipts`, receipt);
    expect(refused.errors[0].pointer).toBe('/lines/1/lots/0');
    const back = await workspace.must(422, 'POST', `/orders/${id}/returns`, receipt);
    expect(back.errors[0].pointer).toBe('/lines/1/lots/0');
  });

  test('are shipped from the lots that expire first if the caller wants it, and never from expired ones', async () => {
    await adjust(201, glue, 4, { lot: 'OLD', newLot: { expiresOn: '2001-01-01' } });
    await adjust(201, glue, 4, { lot: 'B', newLot: { expiresOn: '2999-02-01' } });
    await adjust(201, glue, 4, { lot: 'A', newLot: { expiresOn: '2999-01-01' } });
    const query = `itemEntityId=${glue}&locationEntityId=${shelf}`;
    expect(await workspace.must(200, 'GET', `/stock/lots/proposal?${query}&quantity=9`)).toMatchObject({
      lots: [
        { lot: 'A', quantity: 4 },
        { lot: 'B', quantity: 4 },
      ],
      missingQty: 1,
    });
    const sale = await line({ type: 'salesOrder', itemEntityId: glue, quantity: 9 });
    const expired = await act(409, sale.id, 'shipments', { quantity: 1, lots: [{ lot: 'OLD' }] });
    expect(reasonsOf(expired)).toEqual(['lotExpired']);
    const shipped = await act(201, sale.id, 'shipments', { quantity: 5, lots: 'firstExpired' });
    expect(movedLots(shipped.entries)).toEqual([
      ['SOShipment', -4, 'A'],
      ['SOShipment', -1, 'B'],
    ]);
    const rest = await act(409, sale.id, 'shipments', { quantity: 4, lots: 'firstExpired' });
    expect(reasonsOf(rest)).toEqual(['lotRequired']);
    const { items } = await workspace.must(200, 'GET', '/stock/lots?expiresBefore=2999-01-15&inStock=true');
    expect(items.map(({ number }: { number: string }) => number)).toEqual(['OLD']);
  });
});

test('a lot is traced up to the customers that have it, and down to the receipts that it was made of', async () => {
  const product = workspace.items[2] as string;
  await track(product, 'serial');
  await workspace.link(product, glue, 2);
  await workspace.link(product, pump, 1);
  const receive = async (item: string, quantity: number, lots: object[]) => {
    const made = await workspace.line({ itemEntityId: item, locationEntityId: shelf, quantity });
    await workspace.must(201, 'POST', `/stock/lines/${made.body.line.id}/receipts`, { quantity, lots });
  };
  await receive(glue, 3, [{ lot: 'L-1', quantity: 3, expiresOn: '2999-01-01' }]);
  await receive(glue, 5, [{ lot: 'L-2', quantity: 5, expiresOn: '2999-02-01' }]);
  await receive(pump, 3, [{ serials: 'SN-1..3' }]);
  const made = await workspace.line({
    type: 'manufacturingOrder',
    itemEntityId: product,
    locationEntityId: shelf,
    quantity: 2,
  });
  const build = (status: number, body: object) =>
    workspace.must(status, 'POST', `/stock/lines/${made.body.line.id}/receipts`, { quantity: 1, ...body });
  expect(reasonsOf(await build(409, { lots: [{ lot: 'P-1' }] }))).toContain('lotRequired');
  await build(201, { lots: [{ lot: 'P-1' }], componentLots: 'firstExpired' });
  const componentLots = [
    { itemEntityId: glue, lot: 'L-1' },
    { itemEntityId: glue, lot: 'L-2' },
    { itemEntityId: pump, lot: 'SN-3' },
  ];
  const second = await build(201, { lots: [{ lot: 'P-2' }], componentLots });
  const sale = await workspace.line({
    type: 'salesOrder',
    itemEntityId: product,
    locationEntityId: shelf,
    quantity: 1,
  });
  await workspace.must(201, 'POST', `/stock/lines/${sale.body.line.id}/shipments`, {
    quantity: 1,
    lots: [{ lot: 'P-2' }],
  });
  const trace = async (item: string, lot: string, direction: string) => {
    const { items } = await workspace.must(
      200,
      'GET',
      `/stock/lots/${await lotId(item, lot)}/trace?direction=${direction}`,
    );
    return items.map(({ level, type, lot: of, quantity, movementType }: TraceNode) =>
      [level, type === 'movement' ? movementType : type, of, quantity].join(' '),
    );
  };
  expect(await trace(glue, 'L-2', 'up')).toEqual(['1 lot P-2 1', '2 SOShipment P-2 -1']);
  expect(await trace(glue, 'L-1', 'up')).toEqual(['1 lot P-1 2', '1 lot P-2 1', '2 SOShipment P-2 -1']);
  expect((await trace(product, 'P-2', 'down')).toSorted()).toEqual([
    '1 lot L-1 1',
    '1 lot L-2 1',
    '1 lot SN-3 1',
    '2 POReceipt L-1 3',
    '2 POReceipt L-2 5',
    '2 POReceipt SN-3 1',
  ]);
  const receipt = second.entries.find(({ movementType }: StockLedgerEntry) => movementType === 'MOReceipt');
  expect(reasonsOf(await reverse(409, receipt.id))).toContain('lotOnHand');
  const shipment = (await workspace.must(200, 'GET', `/stock/ledger?lineId=${sale.body.line.id}`)).items[0];
  await reverse(201, shipment.id);
  await reverse(201, receipt.id);
  expect(await trace(glue, 'L-2', 'up')).toEqual([]);
  expect(await lotsOf(glue)).toEqual([
    ['L-1', 1],
    ['L-2', 5],
  ]);
});

test('what was issued before several receipts of a lot counts once in traces', async () => {
  const [product] = (await workspace.addEntities(1)) as [string];
  await track(product, 'lot');
  await workspace.link(product, glue, 2);
  await adjust(201, glue, 9, { lot: 'L-1', newLot: {} });
  const wanted = { type: 'manufacturingOrder', itemEntityId: product, quantity: 3 };
  const { id } = (await workspace.line(wanted)).body.line;
  const act = (what: string, body: object) => workspace.must(201, 'POST', `/stock/lines/${id}/${what}`, body);
  await act('components/issues', { componentLots: 'firstExpired' });
  for (const lot of ['P-1', 'P-1', 'P-2']) await act('receipts', { quantity: 1, lots: [{ lot }] });
  const trace = async (item: string, lot: string, direction: string) => {
    const path = `/stock/lots/${await lotId(item, lot)}/trace?direction=${direction}`;
    const { items } = await workspace.must(200, 'GET', path);
    return items.map(({ lot: of, quantity }: TraceNode) => [of, quantity]);
  };
  expect(Object.fromEntries(await trace(glue, 'L-1', 'up'))).toEqual({ 'P-1': 6, 'P-2': 6 });
  expect(await trace(product, 'P-1', 'down')).toEqual([['L-1', 6]]);
});

test('a unit with a serial number gives back what it consumed, and a reservation holds lots of all components', async () => {
  const product = workspace.items[2] as string;
  await track(product, 'serial');
  await workspace.link(product, glue, 2);
  await adjust(201, glue, 4, { lot: 'L-1', newLot: { expiresOn: '2999-01-31' } });
  await adjust(201, glue, 6, { lot: 'L-2', newLot: {} });
  const { line } = (
    await workspace.line({
      type: 'manufacturingOrder',
      itemEntityId: product,
      locationEntityId: shelf,
      quantity: 5,
    })
  ).body;
  const post = (status: number, path: string, body: object) =>
    workspace.must(status, 'POST', `/stock/${path}`, body);
  await post(201, `lines/${line.id}/components/reservations`, { quantity: 3, componentLots: 'firstExpired' });
  const component = (await workspace.must(200, 'GET', `/requirements?lineId=${line.id}`)).items[0];
  const held = async () => {
    const { holds } = await workspace.must(200, 'GET', `/stock/holds?requirementId=${component.id}`);
    return holds.map(({ lot, quantity }: { lot: string; quantity: number }) => [lot, quantity]);
  };
  expect(await held()).toEqual([
    ['L-1', 4],
    ['L-2', 2],
  ]);
  // What it holds already is not held twice.
  await post(201, `lines/${line.id}/components/reservations`, { componentLots: 'firstExpired' });
  expect(await held()).toEqual([
    ['L-1', 4],
    ['L-2', 6],
  ]);
  const build = (quantity: number, serials: string, more: object) =>
    post(201, `lines/${line.id}/receipts`, { quantity, lots: [{ serials }], ...more });
  const from = (lot: string) => ({ componentLots: [{ itemEntityId: glue, lot }] });
  await build(2, 'P-1..2', from('L-1'));
  await build(1, 'P-3', { consume: 'none' });
  await build(1, 'P-4', {
    ...from('L-2'),
    consume: 'asListed',
    components: [{ itemEntityId: glue, quantity: 3 }],
  });

  const apart = async (status: number, lot: string) => {
    const { returned, code } = await post(status, `lots/${await lotId(product, lot)}/disassemblies`, {});
    return code ?? returned.map(({ quantity }: { quantity: number }) => quantity);
  };
  expect((await workspace.must(200, 'GET', `/stock/lots/${await lotId(product, 'P-1')}`)).isBuilt).toBe(true);
  expect(await apart(201, 'P-1')).toEqual([2]);
  expect(await lotsOf(glue)).toEqual([
    ['L-1', 2],
    ['L-2', 3],
  ]);
  expect(await apart(201, 'P-3')).toEqual([]);
  expect(await apart(201, 'P-4')).toEqual([3]);
  expect(await lotsOf(glue)).toEqual([
    ['L-1', 2],
    ['L-2', 6],
  ]);
  expect(await apart(409, 'P-4')).toBe('over_disassembly');
  // Built again, it gives back what it took the last time.
  await build(1, 'P-4', {
    ...from('L-2'),
    consume: 'asListed',
    components: [{ itemEntityId: glue, quantity: 1 }],
  });
  expect(await apart(201, 'P-4')).toEqual([1]);
  await adjust(201, pump, 1, { lot: 'SN-9', newLot: {} });
  const bought = await post(409, `lots/${await lotId(pump, 'SN-9')}/disassemblies`, {});
  expect(bought.code).toBe('over_disassembly');
});

test('scrap of several serial numbers is taken back one by one', async () => {
  const product = workspace.items[2] as string;
  await track(product, 'serial');
  const { id: screw } = await workspace.must(201, 'POST', '/entities', { category: 'part', name: 'A screw' });
  await workspace.link(product, screw, 1);
  await workspace.must(201, 'POST', '/stock/adjustments', {
    itemEntityId: screw,
    locationEntityId: shelf,
    quantity: 5,
  });
  const made = await workspace.line({
    type: 'manufacturingOrder',
    itemEntityId: product,
    locationEntityId: shelf,
    quantity: 3,
  });
  const { id } = made.body.line;
  const scrap = { quantity: 2, lots: [{ serials: 'P-1..2' }] };
  await workspace.must(201, 'POST', `/stock/lines/${id}/scrap`, scrap);
  const { items } = await workspace.must(200, 'GET', `/stock/ledger?lineId=${id}`);
  const written = (lot: string): StockLedgerEntry =>
    items.find((one: StockLedgerEntry) => one.lot === lot && one.quantity === -1);
  expect(await workspace.figures(screw)).toEqual([3, 0, 0]);
  await reverse(201, written('P-1').id);
  expect(await workspace.figures(screw)).toMatchObject({ 0: 4 });
  await reverse(201, written('P-2').id);
  expect(await lotsOf(product)).toEqual([]);
  expect(await workspace.figures(screw)).toMatchObject({ 0: 5 });
});

const reverse = (status: number, id: string) =>
  workspace.must(status, 'POST', `/stock/ledger/${id}/reversals`, { note: 'Wrong' });

test('material of a requirement is issued from lots', async () => {
  await adjust(201, glue, 5, { lot: 'L-1', newLot: {} });
  const { id } = await workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: glue,
    requiredQty: 4,
  });
  const act = (status: number, what: string, body: object) =>
    workspace.must(status, 'POST', `/requirements/${id}/${what}`, { locationEntityId: shelf, ...body });
  await act(201, 'reservations', { quantity: 4 });
  expect(reasonsOf(await act(409, 'issues', { quantity: 1 }))).toEqual(['lotRequired']);
  const issued = await act(201, 'issues', { quantity: 1, lots: [{ lot: 'L-1' }] });
  expect(movedLots(issued.entries)).toEqual([['MRIssue', -1, 'L-1']]);
  await act(201, 'issues', { quantity: 2, lots: 'firstExpired' });
  expect(await lotsOf(glue)).toEqual([['L-1', 2]]);
});

test('lots are downloaded as a table, and all of a location are listed for a count, whatever their state', async () => {
  await adjust(201, glue, 5, { lot: 'L-1', newLot: { expiresOn: '2999-01-31', properties: { grade: 'A' } } });
  await adjust(201, glue, 4, { lot: '=L-2', newLot: { status: 'quarantine' } });
  await adjust(201, pump, 1, { lot: 'SN-1', newLot: {} });
  const cellsOf = async (query: string) => {
    const { status, text, headers } = await workspace.ask('GET', `/stock/lots/export${query}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    return text.trimEnd().split('\r\n');
  };
  const [head, ...lines] = await cellsOf(`?itemEntityId=${glue}`);
  expect(head).toBe(
    'id,itemEntityId,itemNumber,itemName,number,kind,expiresOn,supplierLot,status,onHand,createdAt,properties',
  );
  expect(lines.toSorted()).toEqual([
    expect.stringMatching(/,L-1,lot,2999-01-31,,available,5,[^,]+,"{""grade"":""A""}"$/),
    expect.stringMatching(/,'=L-2,lot,,,quarantine,4,[^,]+,$/),
  ]);
  expect(await cellsOf('')).toHaveLength(4);
  expect(await cellsOf('?status=quarantine')).toHaveLength(2);
  expect(await cellsOf('?status=available&expiresBefore=2999-12-31')).toHaveLength(2);
  expect(await cellsOf(`?status=available&itemEntityId=${pump}`)).toHaveLength(2);
  expect(await cellsOf('?status=available')).toHaveLength(3);
  await workspace.must(404, 'GET', `/stock/lots/export?itemEntityId=${workspace.id}`);

  const at = `/stock/lots/proposal?itemEntityId=${glue}&locationEntityId=${shelf}`;
  const named = ({ lots }: { lots: { lot: string; quantity: number }[] }) =>
    lots.map(({ lot, quantity }) => [lot, quantity]);
  expect(named(await workspace.must(200, 'GET', at))).toEqual([['L-1', 5]]);
  expect(named(await workspace.must(200, 'GET', `${at}&all=true`))).toEqual([
    ['L-1', 5],
    ['=L-2', 4],
  ]);
  const { items } = await workspace.must(200, 'GET', `/stock/positions/by-item/${glue}`);
  expect(items).toMatchObject([{ onHand: 9, inLots: 9, unit: null }]);
});

test('facts of a lot can be changed, and the audit trail keeps those before', async () => {
  await adjust(201, glue, 5, { lot: 'L-1', newLot: { expiresOn: '2001-01-01', properties: { grade: 'A' } } });
  const id = await lotId(glue, 'L-1');
  const changed = await workspace.must(200, 'PATCH', `/stock/lots/${id}`, { expiresOn: '2999-12-31' });
  expect(changed).toMatchObject({ number: 'L-1', expiresOn: '2999-12-31', properties: { grade: 'A' } });
  await workspace.must(200, 'PATCH', `/stock/lots/${id}`, changed);
  await workspace.must(422, 'PATCH', `/stock/lots/${id}`, { number: 'L-2' });
  const { items } = await workspace.must(200, 'GET', `/audit?subjectType=lot&subjectKey=${id}`);
  expect(items).toHaveLength(1);
  expect(items[0].before).toMatchObject({ expiresOn: '2001-01-01' });
  await workspace.must(404, 'GET', `/stock/lots/${workspace.items[0]}`);
});

test('verification finds a lot that was changed past the ledger, and an entry whose lot was changed', async () => {
  const { entry } = await adjust(201, glue, 5, { lot: 'L-1', newLot: {} });
  await adjust(201, glue, 2, { lot: 'L-2', newLot: {} });
  const tamper = (sql: string) =>
    asSuperuser(server, async (client) => {
      await client.query('begin');
      await client.query('alter table stock_ledger disable trigger user');
      await client.query(sql, [workspace.id]);
      await client.query('alter table stock_ledger enable trigger user');
      await client.query('commit');
    });
  const kinds = async () =>
    (await workspace.must(200, 'GET', '/stock/ledger/verify')).problems.map(
      ({ kind }: { kind: string }) => kind,
    );
  const lots = (quantity: number) =>
    tamper(`update stock_lot_position set on_hand = ${quantity} where workspace_id = $1 and lot = 'L-2'`);
  await lots(1);
  expect(await kinds()).toEqual(['lot', 'lot']);
  await lots(2);
  const name = (lot: string) =>
    tamper(`update stock_ledger set lot = '${lot}' where workspace_id = $1 and id = '${entry.id}'`);
  await name('L-2');
  expect(await kinds()).toEqual(['altered']);
  await name('L-1');
});
