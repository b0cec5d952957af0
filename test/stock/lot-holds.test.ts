// Lots that reservations hold: nobody else takes them, shipments and issues of their holder do, and the ledger proves them.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import type { StockLedgerEntry } from '../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { asSuperuser } from './stocked-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let glue: string;
let shelf: string;
let rack: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [glue] = workspace.items as [string];
  [shelf, rack] = workspace.locations as [string, string];
  await workspace.must(200, 'PUT', `/stock/tracking/${glue}`, { tracking: 'lot' });
  for (const [lot, quantity, expiresOn] of [
    ['L-1', 5, '2998-01-01'],
    ['L-2', 6, '2999-01-01'],
  ] as const)
    await post(201, '/stock/adjustments', { ...at(shelf), quantity, lot, newLot: { expiresOn } });
});
afterEach(() => workspace.expectConsistent());

const at = (location: string) => ({ itemEntityId: glue, locationEntityId: location });
const post = (status: number, path: string, body: object) => workspace.must(status, 'POST', path, body);
const lotId = async (number: string): Promise<string> =>
  (await workspace.must(200, 'GET', `/stock/lots?itemEntityId=${glue}&number=${number}`)).items[0].id;
const hold = async (status: number, lot: string, quantity: number, holder: object, more: object = {}) =>
  post(status, `/stock/lots/${await lotId(lot)}/holds`, {
    locationEntityId: shelf,
    quantity,
    ...holder,
    ...more,
  });
const sale = async (quantity: number): Promise<string> => {
  const { line } = await post(201, '/stock/lines', { type: 'salesOrder', ...at(shelf), quantity });
  return line.id;
};
const requirement = async (quantity: number): Promise<string> => {
  const body = { projectId: workspace.project, itemEntityId: glue, requiredQty: quantity };
  const { id } = await post(201, '/requirements', body);
  await post(201, `/requirements/${id}/reservations`, { locationEntityId: shelf, quantity });
  return id;
};
const ship = (status: number, line: string, lots: unknown, quantity: number) =>
  post(status, `/stock/lines/${line}/shipments`, { quantity, lots });
const heldBy = async (query: string): Promise<[string, number][]> =>
  (await workspace.must(200, 'GET', `/stock/holds?${query}`)).holds.map(
    ({ lot, quantity }: { lot: string; quantity: number }) => [lot, quantity],
  );
const refusalOf = ({ code, refusals }: { code: string; refusals: { reason: string }[] }) => [
  code,
  refusals[0]?.reason,
];
const notAllowed = (reason: string) => ['lot_refused', reason];
const moves = async (limit: number) =>
  (await workspace.must(200, 'GET', `/stock/ledger/by-item/${glue}?limit=${limit}`)).items
    .toReversed()
    .map(({ movementType, quantity, lot }: StockLedgerEntry) => [movementType, quantity, lot]);

test('a lot that a reservation holds is taken by nobody else, and not proposed to others', async () => {
  const [mine, other] = [await sale(4), await sale(3)];
  const { holds } = await hold(201, 'L-1', 4, { lineId: mine }, { note: 'Customer wants it' });
  expect(holds).toMatchObject([{ lot: 'L-1', lineId: mine, requirementId: null, quantity: 4 }]);
  expect(await workspace.figures(glue, shelf)).toEqual([11, 7, 0]);
  const proposal = await workspace.must(
    200,
    'GET',
    `/stock/lots/proposal?itemEntityId=${glue}&locationEntityId=${shelf}`,
  );
  expect(proposal.lots).toMatchObject([
    { lot: 'L-1', quantity: 1 },
    { lot: 'L-2', quantity: 6 },
  ]);
  const share = [{ lot: 'L-1', quantity: 2 }];
  expect(refusalOf(await ship(409, other, share, 2))).toEqual(notAllowed('lotHeld'));
  const transfer = { itemEntityId: glue, fromLocationEntityId: shelf, toLocationEntityId: rack };
  const move = { lines: [{ ...transfer, quantity: 2, lot: 'L-1' }] };
  expect(refusalOf(await post(409, '/stock/transfers', move))).toEqual(notAllowed('lotHeld'));
  await ship(201, other, 'firstExpired', 3);
  expect(await moves(2)).toEqual([
    ['SOShipment', -1, 'L-1'],
    ['SOShipment', -2, 'L-2'],
  ]);
  await ship(201, mine, 'firstExpired', 3);
  expect(await moves(2)).toEqual([
    ['LotHold', -3, 'L-1'],
    ['SOShipment', -3, 'L-1'],
  ]);
  expect(await heldBy(`lineId=${mine}`)).toEqual([['L-1', 1]]);
  expect((await workspace.must(200, 'GET', `/stock/lots/${await lotId('L-1')}`)).positions).toMatchObject([
    { onHand: 1, held: 1 },
  ]);
});

test('a reservation holds no more than it has, and no more than there is of a lot that can be used', async () => {
  const [mine, other] = [await sale(6), await sale(2)];
  expect(refusalOf(await hold(409, 'L-2', 7, { lineId: mine }))).toEqual(['insufficient_stock', 'lotOnHand']);
  await hold(201, 'L-1', 4, { lineId: mine });
  expect(refusalOf(await hold(409, 'L-2', 3, { lineId: mine }))).toEqual(notAllowed('lotNotReserved'));
  expect(refusalOf(await hold(409, 'L-1', 2, { lineId: other }))).toEqual(notAllowed('lotHeld'));
  await hold(201, 'L-1', 1, { lineId: other });
  await hold(404, 'L-1', 1, { lineId: workspace.project });
  await hold(404, 'L-1', 1, { requirementId: mine });
  await hold(422, 'L-1', 1, {});
  await hold(422, 'L-1', 0, { lineId: mine });
  await hold(404, 'L-1', 1, { lineId: mine }, { locationEntityId: newId() });
  await post(200, `/stock/lots/${await lotId('L-2')}/status`, { status: 'rejected' });
  expect(refusalOf(await hold(409, 'L-2', 1, { lineId: mine }))).toEqual(notAllowed('lotNotAvailable'));
  const release = async (status: number, quantity: number) =>
    post(status, `/stock/lots/${await lotId('L-1')}/holds/releases`, {
      lineId: mine,
      locationEntityId: shelf,
      quantity,
    });
  expect(refusalOf(await release(409, 5))).toEqual(notAllowed('lotNotHeld'));
  expect((await release(201, 4)).holds).toEqual([]);
  expect(await heldBy(`lotId=${await lotId('L-1')}`)).toEqual([['L-1', 1]]);
});

test('holds follow a reservation that is released, and end with it', async () => {
  const line = await sale(8);
  await hold(201, 'L-1', 3, { lineId: line });
  await hold(201, 'L-2', 4, { lineId: line });
  await post(201, `/stock/lines/${line}/releases`, { quantity: 1 });
  expect(await heldBy(`lineId=${line}`)).toEqual([
    ['L-1', 3],
    ['L-2', 4],
  ]);
  await post(201, `/stock/lines/${line}/releases`, { quantity: 2 });
  expect(await heldBy(`lineId=${line}`)).toEqual([
    ['L-1', 1],
    ['L-2', 4],
  ]);
  const shipment = await ship(201, line, [{ lot: 'L-1', quantity: 2 }], 2);
  expect(await heldBy(`lineId=${line}`)).toEqual([['L-2', 3]]);
  await post(201, `/stock/ledger/${shipment.entries[0].id}/reversals`, { note: 'Wrong' });
  expect(await heldBy(`lineId=${line}`)).toEqual([['L-2', 3]]);
  const [held] = (await workspace.must(200, 'GET', `/stock/ledger?movementType=LotHold&limit=1`)).items;
  expect((await post(409, `/stock/ledger/${held.id}/reversals`, { note: 'Wrong' })).code).toBe(
    'not_reversible',
  );
  await post(200, `/stock/lines/${line}/close`, {});
  expect(await heldBy(`lineId=${line}`)).toEqual([]);
});

test('a requirement holds a lot until it is issued, also at another location', async () => {
  const id = await requirement(5);
  await hold(201, 'L-2', 3, { requirementId: id });
  const transfer = { itemEntityId: glue, fromLocationEntityId: shelf, toLocationEntityId: rack };
  await post(201, '/stock/transfers', {
    lines: [{ ...transfer, quantity: 2, lot: 'L-2', requirementId: id }],
  });
  expect(await heldBy(`requirementId=${id}`)).toEqual([
    ['L-2', 1],
    ['L-2', 2],
  ]);
  const issue = { locationEntityId: rack, quantity: 2, lots: 'firstExpired' };
  const { entries } = await post(201, `/requirements/${id}/issues`, issue);
  expect(entries).toMatchObject([{ movementType: 'MRIssue', lot: 'L-2', quantity: -2 }]);
  expect(await heldBy(`requirementId=${id}`)).toEqual([['L-2', 1]]);
});

test('a lot that is rejected is held by no reservation any more, and the reservation stays', async () => {
  const line = await sale(4);
  await hold(201, 'L-1', 4, { lineId: line });
  await post(200, `/stock/lots/${await lotId('L-1')}/status`, { status: 'rejected' });
  expect(await heldBy(`lineId=${line}`)).toEqual([]);
  expect(await moves(2)).toEqual([
    ['LotHold', -4, 'L-1'],
    ['LotStatus', 5, 'L-1'],
  ]);
  expect(await workspace.figures(glue, shelf)).toEqual([11, 9, 0]);
  await hold(201, 'L-2', 4, { lineId: line });
  await ship(201, line, 'firstExpired', 4);
  // A count is a fact: it may find less than is held.
  const other = await sale(2);
  await hold(201, 'L-2', 2, { lineId: other });
  await post(201, '/stock/adjustments', { ...at(shelf), quantity: -1, lot: 'L-2' });
  expect(refusalOf(await ship(409, other, [{ lot: 'L-2', quantity: 2 }], 2))).toEqual([
    'insufficient_stock',
    'lotOnHand',
  ]);
});

test('holds of lots that counts have written off end when the item is not tracked any more', async () => {
  const line = await sale(4);
  await hold(201, 'L-1', 3, { lineId: line });
  for (const [lot, quantity] of [
    ['L-1', -5],
    ['L-2', -6],
  ] as const)
    await post(201, '/stock/adjustments', { ...at(shelf), quantity, lot });
  expect(await heldBy(`lineId=${line}`)).toEqual([['L-1', 3]]);
  await workspace.must(200, 'PUT', `/stock/tracking/${glue}`, { tracking: 'none' });
  expect(await heldBy(`lineId=${line}`)).toEqual([]);
  await post(201, `/stock/lines/${line}/releases`, { quantity: 4 });
});

test('verification finds a hold that was changed past the ledger', async () => {
  const line = await sale(4);
  await hold(201, 'L-1', 4, { lineId: line });
  const tamper = (quantity: number) =>
    asSuperuser(server, (client) =>
      client.query('update stock_lot_hold set quantity = $2 where workspace_id = $1', [
        workspace.id,
        quantity,
      ]),
    );
  await tamper(3);
  const { problems } = await workspace.must(200, 'GET', '/stock/ledger/verify');
  expect(problems).toMatchObject([{ kind: 'lot', itemEntityId: glue, locationEntityId: shelf }]);
  await tamper(4);
});
