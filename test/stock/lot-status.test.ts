// Status of lots: only available lots are used, and the ledger proves at any time what is available.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ListedStockPosition, StockLedgerEntry } from '../../web/client/operations.ts';
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
  workspace = await makeProcuringWorkspace(server, { reserveReceived: true });
  [glue] = workspace.items as [string];
  [shelf, rack] = workspace.locations as [string, string];
  await workspace.must(200, 'PUT', `/stock/tracking/${glue}`, { tracking: 'lot' });
});
afterEach(() => workspace.expectConsistent());

const post = (status: number, path: string, body: object) => workspace.must(status, 'POST', path, body);
const adjust = (status: number, quantity: number, lot: string, more: object = {}) =>
  post(status, '/stock/adjustments', {
    itemEntityId: glue,
    locationEntityId: shelf,
    quantity,
    lot,
    newLot: {},
    ...more,
  });
const lotId = async (number: string): Promise<string> =>
  (await workspace.must(200, 'GET', `/stock/lots?itemEntityId=${glue}&number=${number}`)).items[0].id;
const setStatus = async (number: string, status: string, more: object = {}) =>
  post(200, `/stock/lots/${await lotId(number)}/status`, { status, ...more });
const figures = (location = shelf) => workspace.figures(glue, location);
const refusalOf = ({
  code,
  refusals,
}: {
  code: string;
  refusals: { reason: string; lotStatus: string }[];
}) => [code, refusals[0]?.reason, refusals[0]?.lotStatus];
const entriesOf = async (): Promise<[string, number, string | null, string | null][]> => {
  const { items } = await workspace.must(200, 'GET', `/stock/ledger/by-item/${glue}?order=asc`);
  return items.map(({ movementType, quantity, lot, reason }: StockLedgerEntry) => [
    movementType,
    quantity,
    lot,
    reason,
  ]);
};

test('a lot in quarantine is not available at any of its locations, until it is available again', async () => {
  await adjust(201, 5, 'L-1');
  await adjust(201, 3, 'L-2');
  await adjust(201, 2, 'L-1', { locationEntityId: rack });
  const lot = await setStatus('L-1', 'quarantine', { note: 'Smells wrong' });
  expect(lot).toMatchObject({ status: 'quarantine', onHand: 7 });
  expect([await figures(), await figures(rack)]).toEqual([
    [8, 5, 0],
    [2, 2, 0],
  ]);
  await setStatus('L-1', 'quarantine');
  await setStatus('L-1', 'rejected');
  expect((await workspace.must(200, 'GET', '/stock/lots?status=rejected')).items).toMatchObject([
    { number: 'L-1', status: 'rejected' },
  ]);
  expect((await workspace.must(200, 'GET', '/stock/lots?status=quarantine')).items).toEqual([]);
  await setStatus('L-1', 'available');
  expect(await figures()).toEqual([8, 0, 0]);
  expect((await entriesOf()).slice(3)).toEqual(
    expect.arrayContaining([
      ['LotStatus', 5, 'L-1', 'quarantine'],
      ['LotStatus', 2, 'L-1', 'quarantine'],
      ['LotStatus', -5, 'L-1', 'quarantine'],
      ['LotStatus', 5, 'L-1', 'rejected'],
      ['LotStatus', -5, 'L-1', 'rejected'],
    ]),
  );
  expect(await entriesOf()).toHaveLength(3 + 2 + 4 + 2);
  const audit = await workspace.must(200, 'GET', `/audit?subjectType=lot&subjectKey=${lot.id}`);
  expect(audit.items.map(({ after }: { after: { status: string } }) => after.status).toSorted()).toEqual([
    'available',
    'quarantine',
    'rejected',
  ]);
});

test('lots that are not available are neither shipped, issued, reserved nor proposed', async () => {
  await adjust(201, 5, 'L-1', { newLot: { expiresOn: '2998-01-01' } });
  await adjust(201, 5, 'L-2', { newLot: { expiresOn: '2999-01-01' } });
  const sale = await workspace.line({ type: 'salesOrder', itemEntityId: glue, quantity: 4 });
  await setStatus('L-1', 'quarantine');
  expect(await figures()).toEqual([10, 9, 0]);
  const ship = (status: number, body: object) =>
    post(status, `/stock/lines/${sale.body.line.id}/shipments`, body);
  const refused = await ship(409, { quantity: 2, lots: [{ lot: 'L-1', quantity: 2 }] });
  expect(refusalOf(refused)).toEqual(['lot_refused', 'lotNotAvailable', 'quarantine']);
  expect(refused.detail).toContain('lot L-1 is in status quarantine');
  expect(
    (await workspace.must(200, 'GET', `/stock/lots/proposal?itemEntityId=${glue}&locationEntityId=${shelf}`))
      .lots,
  ).toMatchObject([{ lot: 'L-2', quantity: 5 }]);
  const { entries } = await ship(201, { quantity: 4, lots: 'firstExpired' });
  expect(entries).toMatchObject([{ movementType: 'SOShipment', lot: 'L-2', quantity: -4 }]);
  const other = await workspace.line({ type: 'salesOrder', itemEntityId: glue, quantity: 2 });
  expect([other.status, other.body.code]).toEqual([409, 'insufficient_stock']);
  const { id } = await post(201, '/requirements', {
    projectId: workspace.project,
    itemEntityId: glue,
    requiredQty: 4,
  });
  const act = (status: number, what: string, body: object) =>
    post(status, `/requirements/${id}/${what}`, { locationEntityId: shelf, ...body });
  await act(409, 'reservations', { quantity: 2 });
  await act(201, 'reservations', { quantity: 1 });
  expect(refusalOf(await act(409, 'issues', { quantity: 1, lots: [{ lot: 'L-1' }] }))).toEqual([
    'lot_refused',
    'lotNotAvailable',
    'quarantine',
  ]);
  await act(201, 'issues', { quantity: 1, lots: 'firstExpired' });
  expect(await figures()).toEqual([5, 5, 0]);
});

test('a lot that is not available is counted, moved, written off and returned, and stays so', async () => {
  const { body } = await workspace.line({ itemEntityId: glue, quantity: 10 });
  const { line } = body;
  const lots = [
    { lot: 'L-1', quantity: 6, status: 'quarantine' },
    { lot: 'L-2', quantity: 4 },
  ];
  const receipt = await post(201, `/stock/lines/${line.id}/receipts`, { quantity: 10, lots });
  expect(receipt.entries.map(({ movementType }: StockLedgerEntry) => movementType)).toEqual([
    'POReceipt',
    'POReceipt',
  ]);
  expect(await figures()).toEqual([10, 6, 0]);
  expect(refusalOf(await adjust(409, 1, 'L-2', { newLot: { status: 'rejected' } }))).toEqual([
    'lot_refused',
    'lotDiffers',
    'available',
  ]);
  const move = {
    itemEntityId: glue,
    fromLocationEntityId: shelf,
    toLocationEntityId: rack,
    quantity: 2,
    lot: 'L-1',
  };
  const moved = await post(201, '/stock/transfers', { lines: [move] });
  expect(moved.entries).toHaveLength(2);
  expect([await figures(), await figures(rack)]).toEqual([
    [8, 4, 0],
    [2, 2, 0],
  ]);
  await post(201, `/stock/ledger/${moved.entries[0].id}/reversals`, { note: 'Wrong' });
  expect([await figures(), await figures(rack)]).toEqual([
    [10, 6, 0],
    [0, 0, 0],
  ]);
  await adjust(201, -1, 'L-1', { newLot: undefined });
  const counted = { item: glue, location: shelf, countedQty: 7, lot: 'L-1' };
  await post(201, '/stock/counts', { lines: [counted] });
  expect(await figures()).toEqual([11, 7, 0]);
  await setStatus('L-1', 'rejected');
  await adjust(409, -8, 'L-1');
  const back = [{ lineId: line.id, quantity: 5, reason: 'Wrong', lots: [{ lot: 'L-1', quantity: 5 }] }];
  await post(201, `/orders/${line.orderId}/returns`, { lines: back });
  expect(await figures()).toEqual([6, 2, 0]);
});

test('what arrives in quarantine is not reserved for its requirement', async () => {
  const { id } = await post(201, '/requirements', {
    projectId: workspace.project,
    itemEntityId: glue,
    requiredQty: 5,
  });
  const { body } = await workspace.line({ itemEntityId: glue, quantity: 5, requirementId: id });
  const lots = [
    { lot: 'L-1', quantity: 3, status: 'quarantine' },
    { lot: 'L-2', quantity: 2 },
  ];
  await post(201, `/stock/lines/${body.line.id}/receipts`, { quantity: 5, lots });
  expect(await workspace.must(200, 'GET', `/requirements/${id}`)).toMatchObject({ reservedQty: 2 });
  expect(await figures()).toEqual([5, 5, 0]);
});

test('a change of status is no movement that can be taken back, and its callers take turns', async () => {
  await adjust(201, 5, 'L-1');
  const id = await lotId('L-1');
  const many = ['quarantine', 'available', 'rejected', 'quarantine', 'available', 'quarantine'];
  await Promise.all([
    ...many.map((status) => post(200, `/stock/lots/${id}/status`, { status })),
    ...many.map(() => adjust(201, 1, 'L-1', { locationEntityId: rack, newLot: undefined })),
  ]);
  await workspace.expectConsistent();
  await setStatus('L-1', 'available');
  await setStatus('L-1', 'quarantine');
  const [, , , kept] = (
    await workspace.must(200, 'GET', `/stock/ledger/by-item/${glue}?limit=4`)
  ).items.toReversed();
  expect(kept.movementType).toBe('LotStatus');
  expect((await post(409, `/stock/ledger/${kept.id}/reversals`, { note: 'Wrong' })).code).toBe(
    'not_reversible',
  );
  await workspace.must(422, 'PATCH', `/stock/lots/${id}`, { status: 'available' });
  await post(422, `/stock/lots/${id}/status`, { status: 'lost' });
  await post(404, `/stock/lots/${workspace.items[0]}/status`, { status: 'available' });
});

test('positions tell blocked stock apart from what orders reserve, now and as of a time', async () => {
  await adjust(201, 5, 'L-1');
  await adjust(201, 4, 'L-2');
  await workspace.line({ type: 'salesOrder', itemEntityId: glue, quantity: 3 });
  await setStatus('L-1', 'quarantine');
  const { items } = await workspace.must(200, 'GET', `/stock/ledger/by-item/${glue}?limit=1`);
  const quarantined = encodeURIComponent(items[0].recordedAt);
  await adjust(201, 1, 'L-1', { locationEntityId: rack, newLot: undefined });
  await setStatus('L-1', 'rejected');
  await adjust(201, -2, 'L-1', { newLot: undefined });
  const read = async (path: string) =>
    (await workspace.must(200, 'GET', path)).items.map(
      ({ onHand, reserved, blocked, available }: ListedStockPosition) => [
        onHand,
        reserved,
        blocked,
        available,
      ],
    );
  const here = [7, 6, 3, 1];
  for (const path of [
    `by-item/${glue}?location=${shelf}`,
    `by-location/${shelf}`,
    `by-location/${shelf}?below=true`,
  ])
    expect(await read(`/stock/positions/${path}`), path).toEqual([here]);
  expect(await read('/stock/positions')).toEqual(expect.arrayContaining([here, [1, 1, 1, 0]]));
  expect(await read(`/stock/sums/by-location/${shelf}`)).toEqual([here]);
  expect(await read(`/stock/positions/by-item/${glue}?asOf=${quarantined}`)).toEqual([[9, 8, 5, 1]]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await read(`/stock/positions/by-location/${shelf}?effectiveAsOf=${today}`)).toEqual([here]);
  await setStatus('L-1', 'available');
  expect(await read(`/stock/positions/by-location/${shelf}`)).toEqual([[7, 3, 0, 4]]);
});

test('verification finds a blocked quantity that was changed past the ledger', async () => {
  await adjust(201, 5, 'L-1');
  await setStatus('L-1', 'rejected');
  const tamper = (blocked: number) =>
    asSuperuser(server, (client) =>
      client.query('update stock_position set blocked = $2 where workspace_id = $1', [workspace.id, blocked]),
    );
  await tamper(4);
  const { problems } = await workspace.must(200, 'GET', '/stock/ledger/verify');
  expect(problems).toMatchObject([{ kind: 'lot', itemEntityId: glue, locationEntityId: shelf }]);
  await tamper(5);
});

test('verification finds a status that was changed past the ledger', async () => {
  await adjust(201, 5, 'L-1');
  const tamper = (status: string) =>
    asSuperuser(server, (client) =>
      client.query('update stock_lot set status = $2 where workspace_id = $1', [workspace.id, status]),
    );
  await tamper('rejected');
  const { problems } = await workspace.must(200, 'GET', '/stock/ledger/verify');
  const problem = { kind: 'lot', itemEntityId: glue, locationEntityId: shelf };
  expect(problems).toMatchObject([problem, problem]);
  await tamper('available');
});
