import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlannedAdjustment } from '../../src/stock/entries/stock.schema.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { asSuperuser, makeStockedWorkspace, nowhere, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
let workspace: StockedWorkspace;
let item: string;
let location: string;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeStockedWorkspace(server);
  [item, location] = [workspace.items[0] as string, workspace.locations[0] as string];
});
afterAll(async () => {
  await workspace.expectConsistent();
  await server.close();
});

const onHand = async (itemId = item, locationId = location) => {
  const { body } = await workspace.ask('GET', `/stock/positions/by-item/${itemId}`);
  const found = body.items.find(
    (position: { locationEntityId: string }) => position.locationEntityId === locationId,
  );
  return found?.onHand ?? 0;
};

test('an adjustment answers with its entry and the position after it', async () => {
  const fresh = await makeStockedWorkspace(server);
  const [a, b] = [fresh.items[0], fresh.locations[0]];
  const made = await fresh.adjust(a, b, 12.5, { note: 'Stock count' });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toEqual({
    entry: {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sequence: 1,
      recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      movementType: 'Adjustment',
      itemEntityId: a,
      itemNumber: 'N-1',
      locationEntityId: b,
      locationNumber: 'N-1',
      quantity: 12.5,
      onHandAfter: 12.5,
      reservedAfter: 0,
      onOrderAfter: 0,
      note: 'Stock count',
      lineId: null,
      orderId: null,
      requirementId: null,
      actor: { type: 'apiKey', id: expect.any(String), name: expect.any(String) },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      bookingId: null,
      reversesId: null,
      effectiveOn: null,
      reason: null,
      consume: null,
      itemRevision: null,
      lot: null,
      enteredQuantity: null,
      enteredUnit: null,
      coveredQuantity: null,
    },
    position: {
      itemEntityId: a,
      itemNumber: 'N-1',
      itemName: 'An entity',
      locationEntityId: b,
      locationNumber: 'N-1',
      locationName: 'An entity',
      onHand: 12.5,
      reserved: 0,
      onOrder: 0,
      available: 12.5,
      updatedAt: made.body.entry.recordedAt,
    },
  });
  const second = await fresh.adjust(a, b, -2.25);
  expect(second.body.entry).toMatchObject({ sequence: 2, quantity: -2.25, onHandAfter: 10.25, note: null });
  expect((await fresh.ask('GET', `/stock/positions/by-location/${b}`)).body.items).toMatchObject([
    second.body.position,
  ]);
  const place = { itemEntityId: a, locationEntityId: b };
  const scrapped = { ...place, quantity: -1, reason: ' scrap ' };
  expect((await fresh.ask('POST', '/stock/adjustments', scrapped)).body.entry.reason).toBe('scrap');
  const blank = await fresh.ask('POST', '/stock/adjustments', { ...scrapped, reason: ' ' });
  expect([blank.status, blank.body.errors[0].pointer]).toEqual([422, '/reason']);
  await fresh.expectConsistent();
});

test('decimals are exact', async () => {
  const [a, b] = [workspace.items[1], workspace.locations[1]];
  for (let i = 0; i < 10; i++) expect((await workspace.adjust(a, b, 0.1)).status).toBe(201);
  expect((await workspace.adjust(a, b, 0.2)).body.position.onHand).toBe(1.2);
  expect((await workspace.adjust(a, b, -1.199999)).body.position.onHand).toBe(0.000001);
  expect((await workspace.adjust(a, b, -0.000001)).body.position.onHand).toBe(0);
  expect((await workspace.adjust(a, b, 999_999_999.999999)).body.position.onHand).toBe(999_999_999.999999);
  const over = await workspace.adjust(a, b, 0.000001);
  expect(over.status).toBe(422);
  expect(over.body.code).toBe('quantity_out_of_range');
  expect(over.body.refusals[0]).toMatchObject({ reason: 'range', onHand: 999_999_999.999999 });
});

test('a removal of more than there is is refused with the figures', async () => {
  await workspace.adjust(item, location, 3);
  const before = await onHand();
  const refused = await workspace.adjust(item, location, -(before + 1.5));
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    code: 'insufficient_stock',
    refusalCount: 1,
    refusals: [
      {
        index: 0,
        reason: 'onHand',
        movementType: 'Adjustment',
        itemEntityId: item,
        locationEntityId: location,
        quantity: -(before + 1.5),
        onHand: before,
        reserved: 0,
        onOrder: 0,
        available: before,
      },
    ],
  });
  expect(refused.body.detail).toContain('On Hand of item N-');
  expect(await onHand()).toBe(before);
});

test('a refusal on a position that was never there leaves none behind', async () => {
  const [a, b] = [workspace.items[2], workspace.locations[2]];
  expect((await workspace.adjust(a, b, -1)).body.code).toBe('insufficient_stock');
  expect((await workspace.ask('GET', `/stock/positions/by-item/${a}`)).body.items).toEqual([]);
});

test.each([
  ['zero', 0, 'zero_quantity'],
  ['negative zero', -0, 'zero_quantity'],
  ['seven decimals', 0.1234567, 'quantity_out_of_range'],
  ['less than a millionth', 1e-7, 'quantity_out_of_range'],
  ['ten integer digits', 1_000_000_000, 'quantity_out_of_range'],
  ['ten integer digits below zero', -1_000_000_000, 'quantity_out_of_range'],
  ['a huge number', 1e300, 'quantity_out_of_range'],
  ['text', '5', 'validation_failed'],
  ['text that says NaN', 'NaN', 'validation_failed'],
  ['null, which JSON makes of NaN', Number.NaN, 'validation_failed'],
  ['nothing', undefined, 'validation_failed'],
  ['an array', [1], 'validation_failed'],
  ['true', true, 'validation_failed'],
])('a quantity that is %s is refused', async (_name, quantity, code) => {
  const before = await onHand();
  const refused = await workspace.adjust(item, location, quantity);
  expect(refused.status, refused.text).toBe(422);
  expect(refused.body.code).toBe(code);
  expect(refused.body.errors[0].pointer).toBe('/quantity');
  expect(await onHand()).toBe(before);
});

test('a bare NaN or an Infinity is no quantity', async () => {
  const send = (quantity: string) =>
    workspace.ask(
      'POST',
      '/stock/adjustments',
      `{"itemEntityId":"${item}","locationEntityId":"${location}","quantity":${quantity}}`,
    );
  expect((await send('NaN')).body.code).toBe('invalid_json');
  expect((await send('1e999')).status).toBe(422);
});

test('items must be items, locations locations, and both of this workspace', async () => {
  const other = await makeStockedWorkspace(server);
  const cases: [string | undefined, string | undefined, number, string, string][] = [
    [location, location, 422, 'not_an_item', '/itemEntityId'],
    [item, item, 422, 'not_a_location', '/locationEntityId'],
    [nowhere, location, 404, 'entity_not_found', '/itemEntityId'],
    [item, nowhere, 404, 'entity_not_found', '/locationEntityId'],
    [other.items[0], location, 404, 'entity_not_found', '/itemEntityId'],
    [item, other.locations[0], 404, 'entity_not_found', '/locationEntityId'],
    ['not an id', location, 422, 'validation_failed', '/itemEntityId'],
    [`guid:{${nowhere}`, location, 422, 'validation_failed', '/itemEntityId'],
  ];
  for (const [a, b, status, code, pointer] of cases) {
    const refused = await workspace.adjust(a, b, 1);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(refused.body.errors[0].pointer).toBe(pointer);
  }
  const path = `/stock/positions/by-item/${other.items[0]}`;
  expect((await workspace.ask('GET', path)).body.code).toBe('entity_not_found');
  expect((await workspace.ask('GET', `/stock/ledger/by-location/${nowhere}`)).status).toBe(404);
  expect((await workspace.ask('GET', '/stock/ledger/by-item/x')).status).toBe(422);
});

test('entities that are items and locations at once are both', async () => {
  await workspace.ask('POST', '/categories', {
    key: 'kit',
    name: 'Kit',
    lifecycle: 'part',
    role: 'itemAndLocation',
  });
  const [kit] = await workspace.addEntities(1, { category: 'kit' });
  expect((await workspace.adjust(kit, location, 1)).status).toBe(201);
  expect((await workspace.adjust(item, kit, 1)).status).toBe(201);
});

test('entities can be named by GUID, with or without braces, in any case', async () => {
  const guid = '6F9619FF-8B86-D011-B42D-00C04FC964FF';
  await workspace.transact((tx) =>
    tx.query('update entity set guid = $3 where workspace_id = $1 and id = $2', [workspace.id, item, guid]),
  );
  const made = await workspace.adjust(`guid:{${guid}}`, location.toUpperCase(), 1);
  expect(made.status, made.text).toBe(201);
  expect(made.body.entry.itemEntityId).toBe(item);
  const path = `/stock/positions/by-item/guid:${guid.toLowerCase()}`;
  expect((await workspace.ask('GET', path)).body.items.length).toBeGreaterThan(0);
});

test('a field too many, a weak key and a note that is too long are refused', async () => {
  const body = { itemEntityId: item, locationEntityId: location, quantity: 1 };
  expect((await workspace.ask('POST', '/stock/adjustments', { ...body, because: 'x' })).body.code).toBe(
    'unknown_field',
  );
  expect(
    (await workspace.ask('POST', '/stock/adjustments', { ...body, note: 'x'.repeat(2001) })).status,
  ).toBe(422);
  expect((await workspace.adjust(item, location, 1, { note: '€'.repeat(2000) })).status).toBe(201);
  const made = await workspace.ask('POST', '/api-keys', { name: 'Reader', permission: 'read' });
  const weak = await server.request(`/api/wid/${workspace.slug}/stock/adjustments`, {
    key: made.body.key,
    body,
  });
  expect(weak.status).toBe(403);
});

test('a batch is made as a whole, in order, the same position as often as it is named', async () => {
  const fresh = await makeStockedWorkspace(server);
  const [a, b] = fresh.items;
  const [x, y] = fresh.locations;
  const line = (itemEntityId: unknown, locationEntityId: unknown, quantity: number) => ({
    itemEntityId,
    locationEntityId,
    quantity,
  });
  const made = await fresh.ask('POST', '/stock/adjustments/batch', {
    adjustments: [line(a, x, 5), line(b, y, 1), line(a, x, -5), line(a, x, 2)],
  });
  expect(made.status, made.text).toBe(201);
  expect(made.body.entries.map((entry: { onHandAfter: number }) => entry.onHandAfter)).toEqual([5, 1, 0, 2]);
  expect(made.body.entries.map((entry: { sequence: number }) => entry.sequence)).toEqual([1, 1, 2, 3]);
  expect(made.body.positions).toHaveLength(2);
  expect(made.body.positions[0]).toMatchObject({ itemEntityId: a, onHand: 2 });

  const refused = await fresh.ask('POST', '/stock/adjustments/batch', {
    adjustments: [line(b, y, 7), line(a, x, -3), line(b, y, -8), line(b, y, -1)],
  });
  expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_stock']);
  expect(refused.body.refusals).toMatchObject([
    { index: 1, onHand: 2 },
    { index: 3, onHand: 0 },
  ]);
  expect((await fresh.ask('GET', `/stock/ledger/by-location/${y}`)).body.items).toHaveLength(1);

  const wrong = await fresh.ask('POST', '/stock/adjustments/batch', {
    adjustments: [line(a, x, 1), line(a, x, 0), line(x, a, 1)],
  });
  expect([wrong.status, wrong.body.code]).toEqual([422, 'zero_quantity']);
  expect(wrong.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
    '/adjustments/1/quantity',
    '/adjustments/2/itemEntityId',
    '/adjustments/2/locationEntityId',
  ]);
  expect((await fresh.ask('POST', '/stock/adjustments/batch', { adjustments: [] })).status).toBe(422);
  await fresh.expectConsistent();
});

test('a batch takes 10 000 adjustments, and not one more', async () => {
  const fresh = await makeStockedWorkspace(server, { items: 100, locations: 10 });
  const adjustments = Array.from({ length: 10_001 }, (_, i) => ({
    itemEntityId: fresh.items[i % 100],
    locationEntityId: fresh.locations[i % 7],
    quantity: 1,
  }));
  const over = await fresh.ask('POST', '/stock/adjustments/batch', { adjustments });
  expect([over.status, over.body.code]).toEqual([422, 'too_many_adjustments']);
  const made = await fresh.ask('POST', '/stock/adjustments/batch', { adjustments: adjustments.slice(1) });
  expect(made.status).toBe(201);
  expect(made.body.entries).toHaveLength(10_000);
  await fresh.expectConsistent();
});

test('the same key makes one adjustment, whoever asks again', async () => {
  const before = await onHand();
  const first = await workspace.adjust(item, location, 2, { key: 'once' });
  const again = await workspace.adjust(item, location, 2, { key: 'once' });
  expect(again.status).toBe(201);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  expect((await workspace.adjust(item, location, 3, { key: 'once' })).body.code).toBe(
    'idempotency_key_reused',
  );
  expect(await onHand()).toBe(before + 2);
  // A refusal is not kept: the same request may succeed later.
  expect((await workspace.adjust(item, location, -9999, { key: 'later' })).status).toBe(409);
  await workspace.adjust(item, location, 9999);
  expect((await workspace.adjust(item, location, -9999, { key: 'later' })).status).toBe(201);
});

test("the application's roles can neither update, delete nor truncate the ledger, nor delete positions", async () => {
  const refused = /permission denied/;
  await asSuperuser(server, async (client) => {
    for (const role of ['partbook_app', 'partbook_system']) {
      await client.query(`set role ${role}`);
      await client.query(`select set_config('partbook.workspace_id', $1, false)`, [workspace.id]);
      await expect(client.query(`update stock_ledger set note = 'x'`)).rejects.toThrow(refused);
      await expect(client.query('delete from stock_ledger')).rejects.toThrow(refused);
      await expect(client.query('truncate stock_ledger')).rejects.toThrow(refused);
      await expect(client.query('delete from stock_position')).rejects.toThrow(refused);
      await expect(client.query('truncate stock_position')).rejects.toThrow(refused);
      await client.query('reset role');
    }
    // The owner is stopped by the trigger.
    await expect(client.query(`update stock_ledger set note = 'x'`)).rejects.toThrow(/append-only: UPDATE/);
    await expect(client.query('delete from stock_ledger')).rejects.toThrow(/append-only: DELETE/);
    await expect(client.query('truncate stock_ledger')).rejects.toThrow(/append-only: TRUNCATE/);
  });
});

test('a dry run says what would change, refusals among it, and writes nothing', async () => {
  const fresh = await makeStockedWorkspace(server);
  const [a, b] = [fresh.items[0] as string, fresh.locations[0] as string];
  await fresh.adjust(a, b, 10);
  const ledger = async () => (await fresh.ask('GET', '/stock/ledger')).body.items;
  const before = await ledger();
  const at = { itemEntityId: a, locationEntityId: b };
  const single = await fresh.ask('POST', '/stock/adjustments', { ...at, quantity: -4.5, dryRun: true });
  expect([single.status, single.body]).toEqual([
    200,
    {
      adjustments: [
        expect.objectContaining({
          ...at,
          index: 0,
          quantity: -4.5,
          onHand: 10,
          onHandAfter: 5.5,
          availableAfter: 5.5,
          refusal: null,
        }),
      ],
      entries: 1,
      refusals: 0,
    },
  ]);
  // Each as those before it leave the position; what is refused is passed over.
  const { body } = await fresh.ask('POST', '/stock/adjustments/batch', {
    dryRun: true,
    adjustments: [-8, -3, -2].map((quantity) => ({ ...at, quantity })),
  });
  const shown = body.adjustments.map((one: PlannedAdjustment) => [
    one.onHand,
    one.onHandAfter,
    one.refusal?.code ?? null,
  ]);
  expect(shown).toEqual([
    [10, 2, null],
    [2, null, 'insufficient_stock'],
    [2, 0, null],
  ]);
  expect([body.entries, body.refusals]).toEqual([0, 1]);
  expect(await ledger()).toEqual(before);
  expect((await fresh.ask('GET', `/stock/positions/by-item/${a}`)).body.items[0].onHand).toBe(10);
  // What is wrong with the request itself is said as it is without.
  const wrong = await fresh.ask('POST', '/stock/adjustments', {
    itemEntityId: b,
    locationEntityId: a,
    quantity: 0,
    dryRun: true,
  });
  expect([wrong.status, wrong.body.code]).toEqual([422, 'zero_quantity']);
  // A plan takes no key away from what is then done.
  const headers = { 'Idempotency-Key': 'plan-then-do' };
  await fresh.ask('POST', '/stock/adjustments', { ...at, quantity: 1, dryRun: true }, headers);
  expect((await fresh.ask('POST', '/stock/adjustments', { ...at, quantity: 1 }, headers)).status).toBe(201);
  await fresh.expectConsistent();
});
