// Transfers: stock moves between locations, all lines or none, and nothing is made or lost on the way.

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ListedStockPosition, StockTransferred } from '../../web/client/operations.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { makeStockedWorkspace, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
let stocked: StockedWorkspace;
let item: string;
let other: string;
let shelf: string;
let rack: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  stocked = await makeStockedWorkspace(server);
  [item, other] = stocked.items as [string, string];
  [shelf, rack] = stocked.locations as [string, string];
  expect((await stocked.adjust(item, shelf, 10)).status).toBe(201);
});

const line = (quantity: number, more: object = {}) => ({
  itemEntityId: item,
  fromLocationEntityId: shelf,
  toLocationEntityId: rack,
  quantity,
  ...more,
});
const transfer = (
  lines: object[],
  more: object = {},
  headers: Record<string, string> = {},
): Promise<TestAnswer> => stocked.ask('POST', '/stock/transfers', { lines, ...more }, headers);

/** On Hand and Reserved of the item at the shelf and at the rack. */
async function figures(): Promise<[number, number][]> {
  const { body } = await stocked.ask('GET', `/stock/positions/by-item/${item}`);
  return [shelf, rack].map((place) => {
    const at = body.items.find(({ locationEntityId }: ListedStockPosition) => locationEntityId === place);
    return [at?.onHand ?? 0, at?.reserved ?? 0];
  });
}

test('a line makes two entries with one booking, and the positions show both ends', async () => {
  const moved = await transfer([line(4)], { note: 'To the rack' });
  expect(moved.status, moved.text).toBe(201);
  const { entries, positions }: StockTransferred = moved.body;
  expect(entries.map(({ movementType, quantity, note }) => [movementType, quantity, note])).toEqual([
    ['TransferOut', -4, 'To the rack'],
    ['TransferIn', 4, 'To the rack'],
  ]);
  expect(entries[0]?.bookingId).toMatch(/^[0-9a-f-]{36}$/);
  expect(entries[1]?.bookingId).toBe(entries[0]?.bookingId);
  expect(positions.map(({ onHand }) => onHand)).toEqual([6, 4]);
  expect(await figures()).toEqual([
    [6, 0],
    [4, 0],
  ]);
  await stocked.expectConsistent();
});

test('where a line lacks stock nothing moves, and each such line is named with its figures', async () => {
  const refused = await transfer([line(8), line(3), line(1, { itemEntityId: other }), line(2)]);
  expect([refused.status, refused.body.code], refused.text).toEqual([409, 'insufficient_stock']);
  expect(
    refused.body.refusals.map(({ index, available }: { index: number; available: number }) => [
      index,
      available,
    ]),
  ).toEqual([
    [1, 2],
    [2, 0],
  ]);
  expect(await figures()).toEqual([
    [10, 0],
    [0, 0],
  ]);
});

test('a line moves on what an earlier one has brought', async () => {
  const onwards = line(5, { fromLocationEntityId: rack, toLocationEntityId: stocked.locations[2] });
  expect((await transfer([line(5), onwards])).status).toBe(201);
  expect(await figures()).toEqual([
    [5, 0],
    [0, 0],
  ]);
  await stocked.expectConsistent();
});

describe('goods in transit', () => {
  const inTransit = { inTransit: true };
  const send = async (quantity: number) => {
    const sent = await transfer([line(quantity)], { ...inTransit, note: 'By lorry' });
    expect(sent.status, sent.text).toBe(201);
    return sent.body.entries as StockTransferred['entries'];
  };
  const receive = (id: string, body: object) => stocked.ask('POST', `/stock/transfers/${id}/receipts`, body);
  const moved = (entries: StockTransferred['entries']) =>
    entries.map(({ movementType, quantity }) => [movementType, quantity]);
  const onOrder = async () => {
    const { body } = await stocked.ask('GET', `/entities/${item}/demand`);
    return [body.onOrder, body.inTransit];
  };

  test('are on hand nowhere and on order at their destination until they arrive, in parts', async () => {
    const entries = await send(6);
    expect(moved(entries)).toEqual([
      ['TransferOut', -6],
      ['OnOrderAdd', 6],
    ]);
    const id = entries[0]?.bookingId as string;
    expect(await figures()).toEqual([
      [4, 0],
      [0, 0],
    ]);
    expect(await onOrder()).toEqual([6, 6]);
    const { body } = await stocked.ask('GET', `/stock/transfers?itemEntityId=${item}`);
    expect(body.items).toMatchObject([
      { id, sentQty: 6, receivedQty: 0, inTransitQty: 6, differenceQty: null, note: 'By lorry' },
    ]);
    const csv = await stocked.ask('GET', `/stock/transfers/export?itemEntityId=${item}`);
    const [head, ...rows] = csv.text.trimEnd().split('\r\n');
    expect(head).toMatch(/^id,itemEntityId,itemNumber,.*,sentQty,receivedQty,inTransitQty,.*,note$/);
    expect(rows).toEqual([expect.stringMatching(new RegExp(`^${id},${item},.*,6,0,6,.*,By lorry$`))]);
    expect((await stocked.ask('GET', `/stock/transfers/export?itemEntityId=${id}`)).status).toBe(404);
    await stocked.expectConsistent();
    const first = await receive(id, { quantity: 4 });
    expect([first.status, moved(first.body.entries)], first.text).toEqual([
      201,
      [
        ['OnOrderRelease', -4],
        ['TransferIn', 4],
      ],
    ]);
    expect(first.body.transfer).toMatchObject({ receivedQty: 4, inTransitQty: 2 });
    expect((await receive(id, { quantity: 2 })).body.transfer).toMatchObject({ differenceQty: 0 });
    expect(await figures()).toEqual([
      [4, 0],
      [6, 0],
    ]);
    expect(await onOrder()).toEqual([0, 0]);
    expect((await stocked.ask('GET', '/stock/transfers')).body.items).toEqual([]);
    expect((await stocked.ask('GET', '/stock/transfers?open=false')).body.items).toHaveLength(1);
    expect((await receive(id, { quantity: 1 })).body.code).toBe('over_receipt');
    await stocked.expectConsistent();
  });

  test('that do not all arrive, or more than left, differ by an adjustment with a reason', async () => {
    const [lost, more, back] = [await send(3), await send(3), await send(3)].map(
      ([out]) => out?.bookingId as string,
    ) as [string, string, string];
    expect((await receive(lost, { quantity: 0 })).body.code).toBe('zero_quantity');
    const without = await receive(lost, { quantity: 1, isLast: true });
    expect([without.status, without.body.errors[0].pointer]).toEqual([422, '/reason']);
    const less = await receive(lost, { quantity: 1, isLast: true, reason: 'scrap' });
    expect(moved(less.body.entries), less.text).toEqual([
      ['OnOrderRelease', -3],
      ['TransferIn', 3],
      ['Adjustment', -2],
    ]);
    expect(less.body.transfer).toMatchObject({ receivedQty: 1, inTransitQty: 0, differenceQty: -2 });
    const found = await receive(more, { quantity: 4, reason: 'found' });
    expect(found.body.transfer, found.text).toMatchObject({ receivedQty: 4, differenceQty: 1 });
    const returned = await receive(back, { quantity: 3, locationEntityId: shelf });
    expect(returned.status, returned.text).toBe(201);
    expect(await figures()).toEqual([
      [4, 0],
      [5, 0],
    ]);
    await stocked.expectConsistent();
  });

  test('are received once by callers at the same time, and not taken back otherwise', async () => {
    const [out] = await send(5);
    const id = out?.bookingId as string;
    const reversal = await stocked.ask('POST', `/stock/ledger/${out?.id}/reversals`, { note: 'Wrong' });
    expect([reversal.status, reversal.body.code]).toEqual([409, 'not_reversible']);
    const answers = await Promise.all(Array.from({ length: 4 }, () => receive(id, { quantity: 5 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    expect((await receive(stocked.items[0] as string, { quantity: 1 })).body.code).toBe('transfer_not_found');
    const reserved = [line(1, { requirementId: id })];
    expect((await transfer(reserved, inTransit)).status).toBe(422);
    expect((await transfer([line(4)], { ...inTransit, dryRun: true })).body).toMatchObject({ entries: 2 });
    await stocked.expectConsistent();
  });
});

test.each([
  ['nothing', () => line(0), 'zero_quantity', '/lines/0/quantity'],
  ['less than nothing', () => line(-1), 'quantity_out_of_range', '/lines/0/quantity'],
  [
    'from a location to itself',
    () => line(1, { toLocationEntityId: shelf }),
    'same_location',
    '/lines/0/toLocationEntityId',
  ],
  [
    'to an item',
    () => line(1, { toLocationEntityId: other }),
    'not_a_location',
    '/lines/0/toLocationEntityId',
  ],
  ['a location', () => line(1, { itemEntityId: rack }), 'not_an_item', '/lines/0/itemEntityId'],
])('what cannot be moved is refused at its place: %s', async (_name, given, code, pointer) => {
  const { status, body } = await transfer([given()]);
  expect([status, body.code, body.errors[0].pointer]).toEqual([422, code, pointer]);
});

test('a dry run shows each line as those before it leave the stock, and writes nothing', async () => {
  const plan = await transfer([line(8), line(3), line(2)], { dryRun: true });
  expect(plan.status, plan.text).toBe(200);
  expect(
    plan.body.lines.map(({ available, refusal }: { available: number; refusal: { code: string } | null }) => [
      available,
      refusal?.code ?? null,
    ]),
  ).toEqual([
    [10, null],
    [2, 'insufficient_stock'],
    [2, null],
  ]);
  expect([plan.body.entries, plan.body.refusals]).toEqual([0, 1]);
  expect((await figures())[0]).toEqual([10, 0]);
});

test('a transfer that is sent again with its key is made once', async () => {
  const headers = { 'Idempotency-Key': 'move-1' };
  const [first, again] = [await transfer([line(4)], {}, headers), await transfer([line(4)], {}, headers)];
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await figures())[0]).toEqual([6, 0]);
});

test('a whole batch of lines moves in one transaction, beside a refused single one', async () => {
  const many = Array.from({ length: 500 }, () => line(0.01));
  const [moved, refused] = await Promise.all([transfer(many), transfer([line(100)])]);
  expect([moved.status, refused.status]).toEqual([201, 409]);
  expect(moved.body.entries).toHaveLength(1000);
  expect((await figures()).map(([onHand]) => onHand)).toEqual([5, 5]);
  await stocked.expectConsistent();
});

describe('stock that is reserved for a requirement', () => {
  let requirementId: string;
  beforeEach(async () => {
    const project = await stocked.ask('POST', '/entities', { category: 'project', name: 'Project' });
    const raised = await stocked.ask('POST', '/requirements', {
      projectId: project.body.id,
      itemEntityId: item,
      requiredQty: 8,
    });
    expect(raised.status, raised.text).toBe(201);
    requirementId = raised.body.id;
    const reserved = await stocked.ask('POST', `/requirements/${requirementId}/reservations`, {
      locationEntityId: shelf,
      quantity: 8,
    });
    expect(reserved.status, reserved.text).toBeLessThan(300);
  });

  test('stays where it is, unless the line names the requirement: then its reservation moves too', async () => {
    expect((await transfer([line(3)])).status).toBe(409);
    const moved = await transfer([line(3, { requirementId }), line(2)]);
    expect(moved.status, moved.text).toBe(201);
    expect(await figures()).toEqual([
      [5, 5],
      [5, 3],
    ]);
    const { body } = await stocked.ask('GET', `/requirements/${requirementId}`);
    expect([body.reservedQty, body.openQty, body.status]).toEqual([8, 0, 'covered']);
    const issued = await stocked.ask('POST', `/requirements/${requirementId}/issues`, {
      locationEntityId: rack,
      quantity: 3,
    });
    expect(issued.status, issued.text).toBeLessThan(300);
    await stocked.expectConsistent();
  });

  test('moves up to what the requirement holds there', async () => {
    const refused = await transfer([line(5, { requirementId }), line(4, { requirementId })]);
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      409,
      'insufficient_stock',
      '/lines/1/requirementId',
    ]);
    expect((await figures())[0]).toEqual([10, 8]);
  });

  test('moves once, however many callers move all of it, beside what another requirement holds', async () => {
    await stocked.adjust(item, shelf, 40);
    const { body: held } = await stocked.ask('GET', `/requirements/${requirementId}`);
    const values = { projectId: held.projectId, itemEntityId: item, requiredQty: 40 };
    const { body: another } = await stocked.ask('POST', '/requirements', values);
    const place = { locationEntityId: shelf, quantity: 40 };
    await stocked.ask('POST', `/requirements/${another.id}/reservations`, place);
    // An id may come in capitals; the ledger has it in small letters, as PostgreSQL does.
    const own = { requirementId: requirementId.toUpperCase() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => transfer([line(8, own)])));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    expect(await figures()).toEqual([
      [42, 40],
      [8, 8],
    ]);
    await stocked.expectConsistent();
  });

  test('is never moved twice, nor below zero, by callers who transfer, release and adjust at once', async () => {
    const calls = fc.sample(
      fc.oneof(
        fc.record({
          kind: fc.constant('transfer'),
          quantity: fc.integer({ min: 1, max: 5 }),
          back: fc.boolean(),
        }),
        fc.record({
          kind: fc.constant('held'),
          quantity: fc.integer({ min: 1, max: 5 }),
          back: fc.boolean(),
        }),
        fc.record({
          kind: fc.constant('releases'),
          quantity: fc.integer({ min: 1, max: 3 }),
          back: fc.boolean(),
        }),
        fc.record({
          kind: fc.constant('reservations'),
          quantity: fc.integer({ min: 1, max: 3 }),
          back: fc.boolean(),
        }),
      ),
      { numRuns: 60, seed: 47 },
    );
    const statuses = await Promise.all(
      calls.map(async ({ kind, quantity, back }) => {
        const [from, to] = back ? [rack, shelf] : [shelf, rack];
        const ends = { fromLocationEntityId: from, toLocationEntityId: to };
        const path = `/requirements/${requirementId}/${kind}`;
        const { status, text } =
          kind === 'transfer'
            ? await transfer([line(quantity, ends)])
            : kind === 'held'
              ? await transfer([line(quantity, { ...ends, requirementId })])
              : await stocked.ask('POST', path, { locationEntityId: from, quantity });
        expect(status, text).toBeLessThan(500);
        return status;
      }),
    );
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(0);
    const [at, beyond] = (await figures()) as [[number, number], [number, number]];
    expect(at[0] + beyond[0]).toBe(10);
    for (const figure of [...at, ...beyond]) expect(figure).toBeGreaterThanOrEqual(0);
    await stocked.expectConsistent();
  });
});
