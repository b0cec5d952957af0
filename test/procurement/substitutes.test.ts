/** Substitutes that stand in for components of a build: reserved, issued, consumed and given back. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LineComponent, StockLedgerEntry } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

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

let other: string;
const instead = (quantity?: number) => [
  { itemEntityId: screw, substituteEntityId: other, ...(quantity === undefined ? {} : { quantity }) },
];
beforeEach(async () => {
  await workspace.must(200, 'POST', '/pdm/sync', {
    entities: [{ guid: guids[0], number: 'S-1', name: 'Other screw', categoryKey: 'part' }],
  });
  other = (await workspace.must(200, 'GET', `/entities/guid:${guids[0]}`)).id;
  const line = { quantity: 4, substitutes: [{ guid: guids[0], ratio: 1.5 }] };
  await workspace.must(200, 'PUT', `/entities/${product}/uses/${screw}`, line);
});

test('substitutes are issued in place of a component where the call names them, and cover it', async () => {
  await stock(10, 10);
  await workspace.adjust(other, shelf, 100);
  const { id } = await order();
  expect((await act(409, id, 'components/issues')).shortages).toMatchObject([{ shortQty: 30 }]);
  const wrong = [{ itemEntityId: screw, substituteEntityId: frame }];
  const refused = await act(422, id, 'components/issues', { substitutes: wrong });
  expect(refused.errors).toMatchObject([{ pointer: '/substitutes/0/substituteEntityId' }]);
  const tooMuch = await act(422, id, 'components/issues', { substitutes: instead(61) });
  expect(tooMuch.errors).toMatchObject([{ pointer: '/substitutes/0/quantity' }]);

  await act(201, id, 'components/reservations', { quantity: 2 });
  const body = { substitutes: instead(45) };
  const preview = await act(200, id, 'components/issues', { ...body, dryRun: true });
  const issued = await act(201, id, 'components/issues', body);
  expect(issued.taken).toEqual(preview.taken);
  expect(issued.taken.slice(2)).toMatchObject([
    { itemEntityId: screw, quantity: 8, wasReserved: true, insteadOf: null },
    { itemEntityId: other, quantity: 45, insteadOf: { itemEntityId: screw, quantity: 30 } },
    { itemEntityId: screw, quantity: 2 },
  ]);
  expect(await figuresOf(id)).toEqual([
    [10, 10, 0],
    [40, 40, 0],
  ]);
  expect(await workspace.figures(other, shelf)).toEqual([55, 0, 0]);
  const { items } = await workspace.must(200, 'GET', `/requirements?lineId=${id}`);
  expect(items).toMatchObject([{ status: 'covered' }, { status: 'covered', issuedQty: 40 }]);

  const ledger = await workspace.must(200, 'GET', `/stock/ledger/by-item/${other}?movementType=MRIssue`);
  expect(ledger.items).toMatchObject([{ quantity: -45, coveredQuantity: 30 }]);
  const back = { quantity: 15, note: 'Too many' };
  const reversed = await workspace.must(201, 'POST', `/stock/ledger/${ledger.items[0].id}/reversals`, back);
  expect(reversed.entry).toMatchObject({ quantity: 15, coveredQuantity: -10 });
  expect((await figuresOf(id))[1]).toEqual([40, 30, 0]);
  const open = await workspace.must(200, 'GET', `/requirements?lineId=${id}&status=open`);
  expect(open.items).toMatchObject([{ itemEntityId: screw, openQty: 10 }]);
});

test('substitutes are consumed by receipts in shares that add up, and come back when the units are taken apart', async () => {
  await stock(10, 0);
  await workspace.adjust(other, shelf, 60);
  const { id } = await order();
  const nothing = { quantity: 3, consume: 'none', substitutes: instead() };
  expect((await act(422, id, 'receipts', nothing)).errors).toMatchObject([{ pointer: '/substitutes' }]);
  for (const quantity of [3, 3, 4]) {
    const { consumed } = await act(201, id, 'receipts', { quantity, substitutes: instead() });
    expect(consumed[1]).toMatchObject({ itemEntityId: other, insteadOf: { quantity: 4 * quantity } });
  }
  expect(await workspace.figures(other, shelf)).toEqual([0, 0, 0]);
  const apart = await act(201, id, 'disassemblies', { quantity: 2 });
  expect(apart.returned).toMatchObject([
    { itemEntityId: frame, quantity: 2 },
    { itemEntityId: other, quantity: 12, insteadOf: { itemEntityId: screw, quantity: 8 } },
  ]);
  expect(await workspace.figures(other, shelf)).toEqual([12, 0, 0]);
  const { items } = await workspace.must(200, 'GET', `/stock/ledger?lineId=${id}`);
  const receipt = items.find((entry: StockLedgerEntry) => entry.quantity === 3);
  await workspace.must(201, 'POST', `/stock/ledger/${receipt.id}/reversals`, { note: 'Wrong' });
  expect(await workspace.figures(other, shelf)).toEqual([30, 0, 0]);
  expect((await figuresOf(id))[1]).toEqual([32, 20, 0]);
});

test('substitutes are reserved for a component, and issued, released, moved and given back as its reservation', async () => {
  await stock(10, 10);
  await workspace.adjust(other, shelf, 100);
  const { id } = await order();
  const body = { quantity: 8, substitutes: instead(30) };
  const preview = await act(200, id, 'components/reservations', { ...body, dryRun: true });
  expect(preview.shortages).toMatchObject([{ itemEntityId: screw, neededQty: 12, foundQty: 10 }]);
  const reserved = await act(201, id, 'components/reservations', { ...body, quantity: 5 });
  expect(reserved.taken.slice(1)).toMatchObject([
    {
      itemEntityId: other,
      quantity: 30,
      wasReserved: false,
      insteadOf: { itemEntityId: screw, quantity: 20 },
    },
  ]);
  expect(reserved.components[1]).toMatchObject({
    heldQty: 20,
    missingQty: 20,
    availableQty: 10,
    reservedAt: [
      {
        locationEntityId: shelf,
        quantity: 30,
        substitute: { itemEntityId: other, itemNumber: 'S-1', covers: 20 },
      },
    ],
  });
  expect(await workspace.figures(other, shelf)).toEqual([100, 30, 0]);
  const { items } = await workspace.must(200, 'GET', `/requirements?lineId=${id}`);
  const requirement = `/requirements/${items[1].id}`;
  expect(items[1]).toMatchObject({ reservedQty: 20, openQty: 20 });

  const at = (locationEntityId: string) => ({ locationEntityId, substituteEntityId: other });
  const tooMuch = { locationEntityId: shelf, quantity: 3 };
  expect((await workspace.must(409, 'POST', `${requirement}/releases`, tooMuch)).heldQty).toBe(0);
  const lines = [
    {
      itemEntityId: other,
      fromLocationEntityId: shelf,
      toLocationEntityId: shop,
      quantity: 12,
      requirementId: items[1].id,
    },
  ];
  await workspace.must(201, 'POST', '/stock/transfers', { lines });
  expect((await workspace.must(200, 'GET', requirement)).held).toMatchObject([
    { locationEntityId: shop, quantity: 12, substitute: { itemEntityId: other, covers: 8 } },
    { locationEntityId: shelf, quantity: 18, substitute: { covers: 12 } },
  ]);
  const released = await workspace.must(201, 'POST', `${requirement}/releases`, {
    ...at(shop),
    quantity: 3,
  });
  expect(released.entries).toMatchObject([{ itemNumber: 'S-1', quantity: -3, coveredQuantity: 2 }]);
  expect(released.requirement).toMatchObject({ reservedQty: 18 });
  await workspace.must(201, 'POST', `${requirement}/issues`, { ...at(shop), quantity: 9 });
  expect((await figuresOf(id))[1]).toEqual([40, 6, 12]);

  await workspace.must(200, 'PATCH', `/stock/lines/${id}`, { quantity: 4 });
  expect((await figuresOf(id))[1]).toEqual([16, 6, 10]);
  expect(await workspace.figures(other, shelf)).toEqual([88, 15, 0]);
  const received = await act(201, id, 'receipts', { quantity: 3 });
  expect(received.consumed[1]).toMatchObject({
    itemEntityId: other,
    quantity: 9,
    wasReserved: true,
    insteadOf: { quantity: 6 },
  });
  const [receipt] = received.entries;
  await workspace.must(201, 'POST', `/stock/ledger/${receipt.id}/reversals`, { note: 'Wrong' });
  expect((await figuresOf(id))[1]).toEqual([16, 6, 10]);
  expect(await workspace.figures(other, shelf)).toEqual([88, 15, 0]);
  await workspace.must(200, 'POST', `/stock/lines/${id}/close`, { unused: 'return' });
  expect(await workspace.figures(other, shelf)).toEqual([88, 0, 0]);
  expect(await workspace.figures(other, shop)).toEqual([12, 0, 0]);
});

test('of a substitute nothing stays reserved that covers nothing of the component', async () => {
  const tiny = 0.000001;
  await stock(10, 0);
  await workspace.adjust(other, shelf, 60);
  const { id } = await order();
  await act(201, id, 'components/reservations', { quantity: 5, substitutes: instead(30) });
  const { items } = await workspace.must(200, 'GET', `/requirements?lineId=${id}`);
  const requirementId = items[1].id;
  const line = { itemEntityId: other, fromLocationEntityId: shelf, toLocationEntityId: shop, requirementId };
  await workspace.must(201, 'POST', '/stock/transfers', { lines: [{ ...line, quantity: tiny }] });
  expect(await workspace.figures(other, shop)).toEqual([tiny, 0, 0]);
  const held = async () => (await workspace.must(200, 'GET', `/requirements/${requirementId}`)).held;
  expect(await held()).toMatchObject([{ quantity: 29.999999, substitute: { covers: 20 } }]);

  const issued = await workspace.must(201, 'POST', `/requirements/${requirementId}/issues`, {
    locationEntityId: shelf,
    substituteEntityId: other,
    quantity: 29.999999,
  });
  const back = { quantity: tiny, note: 'One too many' };
  await workspace.must(201, 'POST', `/stock/ledger/${issued.entries[0].id}/reversals`, back);
  expect(await held()).toEqual([]);
  expect(await workspace.figures(other, shelf)).toEqual([30.000001, 0, 0]);
});

test('of a substitute at two places none is reserved that covers nothing by its share', async () => {
  await workspace.adjust(frame, shelf, 10);
  await workspace.adjust(screw, shelf, 39.999999);
  await workspace.adjust(other, shelf, 0.000001);
  await workspace.adjust(other, shop, 1);
  const { id } = await order();
  const from = [shelf, shop];
  const { taken } = await act(201, id, 'components/reservations', { from, substitutes: instead(0.000002) });
  const own = taken.filter((one: { itemEntityId: string }) => one.itemEntityId === other);
  expect(own).toMatchObject([{ locationEntityId: shop, insteadOf: { quantity: 0.000001 } }]);
  expect(await workspace.figures(other, shelf)).toEqual([0.000001, 0, 0]);
});

test('substitutes that are reserved stay so when their item is merged into another', async () => {
  await stock(10, 0);
  await workspace.adjust(other, shelf, 60);
  const { id } = await order();
  await act(201, id, 'components/reservations', { substitutes: instead() });
  const into = (await workspace.must(201, 'POST', '/entities', { name: 'Better screw', category: 'part' }))
    .id;
  await workspace.must(200, 'POST', `/entities/${into}/merge`, { from: other });
  expect(await workspace.figures(into, shelf)).toEqual([60, 60, 0]);
  const [, component] = (await components(id)).components;
  expect(component).toMatchObject({
    heldQty: 40,
    reservedAt: [{ quantity: 60, substitute: { itemEntityId: into } }],
  });
  await act(201, id, 'receipts', { quantity: 10 });
  expect(await workspace.figures(into, shelf)).toEqual([0, 0, 0]);
});

test('substitutes of which there is not enough are named as short', async () => {
  await stock(10, 0);
  await workspace.adjust(other, shelf, 10);
  const { id } = await order();
  const refused = await act(409, id, 'receipts', { quantity: 10, substitutes: instead() });
  expect(refused.shortages).toMatchObject([{ itemEntityId: other, neededQty: 60, foundQty: 10 }]);
  expect(refused.detail).toContain('S-1');
});
