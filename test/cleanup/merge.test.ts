import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { mergeEntity } from '../../src/cleanup/merge-entity.ts';
import type { Tx } from '../../src/db/transaction.ts';
import { changeLotStatus } from '../../src/stock/lots/change-status.ts';
import { changeHold } from '../../src/stock/lots/holds.ts';
import { partsOf } from '../entities/parts.ts';
import {
  makeProcuringWorkspace,
  moved,
  type ProcuringWorkspace,
} from '../procurement/procuring-workspace.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
const { ask, create, release } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeProcuringWorkspace(server, { items: 1, locations: 2 });
});
afterAll(() => server.close());
afterEach(() => workspace.expectConsistent());

const must: ProcuringWorkspace['must'] = (...given) => workspace.must(...given);
const part = async (values: object = {}) => (await create({ name: 'A part', ...values })).id;
const use = async (parent: string, child: string, line: object) => {
  const answer = await ask('PUT', `/entities/${parent}/uses/${child}`, line);
  expect(answer.status, answer.text).toBeLessThan(300);
};
const merge = (into: string, from: string, more: object = {}, headers: Record<string, string> = {}) =>
  ask('POST', `/entities/${into}/merge`, { from, ...more }, headers);
const merged = async (into: string, from: string, more: object = {}) => {
  const answer = await merge(into, from, more);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const usesOf = async (id: string): Promise<[string, number][]> => {
  const { items } = await must(200, 'GET', `/entities/${id}/uses`);
  return items.map((one: { entityId: string; quantity: number }) => [one.entityId, one.quantity]);
};
const numberOf = async (id: string): Promise<string> => (await must(200, 'GET', `/entities/${id}`)).number;
const idsOf = async (query: string): Promise<string[]> =>
  (await must(200, 'GET', `/entities?${query}`)).items.map(({ id }: { id: string }) => id);

describe('the structure', () => {
  test('of assemblies names the part that stays, released ones are revised, and a dry run says so before', async () => {
    const [into, from, draft, released, both] = await Promise.all([part(), part(), part(), part(), part()]);
    await use(draft, from, { quantity: 2, findNumber: '10', note: 'Glue it' });
    await use(released, from, { quantity: 0.5 });
    await release(released);
    await use(both, from, { quantity: 3, referenceDesignators: ['R3'] });
    await use(both, into, { quantity: 1, referenceDesignators: ['R9'] });
    const number = await numberOf(from);

    const plan = await merged(into, from, { dryRun: true });
    expect(plan).toMatchObject({
      dryRun: true,
      into,
      from,
      reasons: [],
      aliases: { guid: null, number, further: 0 },
      parents: { count: 3, revised: 1 },
    });
    expect(await usesOf(draft)).toEqual([[from, 2]]);

    const key = { 'Idempotency-Key': randomUUID() };
    const done = await merge(into, from, { reason: 'Entered twice' }, key);
    expect(done.body).toEqual({ ...plan, dryRun: false });
    // The retry of a call whose answer was lost.
    expect((await merge(into, from, { reason: 'Entered twice' }, key)).body).toEqual(done.body);
    expect(await usesOf(draft)).toEqual([[into, 2]]);
    expect(await usesOf(released)).toEqual([[into, 0.5]]);
    expect(await usesOf(both)).toEqual([[into, 4]]);
    const first = await must(200, 'GET', `/entities/${released}/revisions/1/uses`);
    expect(first.items).toMatchObject([{ entityId: from, quantity: 0.5 }]);

    const old = await must(200, 'GET', `/entities/${from}`);
    expect(old).toMatchObject({ number: null, mergedInto: into, archivedAt: expect.any(String) });
    const trail = await must(200, 'GET', `/audit?subjectType=entity&subjectKey=${from}`);
    expect(trail.items[0]).toMatchObject({
      before: { number, mergedInto: null },
      after: { number: null, mergedInto: into, reason: 'Entered twice' },
    });
    const refused = await ask('POST', `/entities/${from}/unarchive`);
    expect([refused.status, refused.body.code, refused.body.reasons[0].code]).toEqual([
      409,
      'archive_refused',
      'merged',
    ]);
  });

  test('of the merged part moves only to a part that has none', async () => {
    const [into, from, screw, nut] = await Promise.all([part(), part(), part(), part()]);
    await use(from, screw, { quantity: 4 });
    expect(await merged(into, from)).toMatchObject({ children: { moved: 1, left: 0 } });
    expect(await usesOf(into)).toEqual([[screw, 4]]);
    const other = await part();
    await use(other, nut, { quantity: 1 });
    expect(await merged(into, other)).toMatchObject({ children: { moved: 0, left: 1 } });
    expect(await usesOf(into)).toEqual([[screw, 4]]);
    expect(await usesOf(other)).toEqual([[nut, 1]]);
  });
});

test('references follow the merged part, in entities, lists, tables and conditions, and are not changed by what was read', async () => {
  const guid = randomUUID();
  const [into, from, other] = [await part(), await part({ E_Guid: guid }), await part()];
  for (const key of ['Spare', 'Plain']) {
    const definition = { key, name: key, type: 'reference', filterable: key === 'Spare' };
    await must(201, 'POST', '/property-definitions', definition);
  }
  const byId = await part({ properties: { Spare: from, Plain: from } });
  const byGuid = await part({ properties: { Spare: `guid:${guid}`, Plain: `guid:${guid}` } });
  const toOther = await part({ properties: { Spare: other, Plain: other } });
  await release(byId);
  await merged(into, from);
  const read = await must(200, 'GET', `/entities/${byId}`);
  expect(read.properties).toEqual({ Spare: into, Plain: into });
  for (const key of ['Spare', 'Plain']) {
    for (const name of [into, from, `guid:${guid}`]) {
      expect((await idsOf(`where=${key}:eq:${name}`)).sort(), `${key} ${name}`).toEqual(
        [byId, byGuid].sort(),
      );
      expect(await idsOf(`where=${key}:ne:${name}&where=${key}:has`)).toEqual([toOther]);
    }
    expect((await idsOf(`where=${key}:in:${other},${into}`)).sort()).toEqual([byId, byGuid, toOther].sort());
    await must(422, 'GET', `/entities?where=${key}:eq:nobody`);
    const { properties } = await must(200, 'GET', `/entities/facets?values=${key}`);
    expect(properties[0].values, key).toEqual([
      { value: into, count: 2, isAtLeast: false },
      { value: other, count: 1, isAtLeast: false },
    ]);
  }
  const { items } = await must(200, 'GET', `/entities?number=${read.number}`);
  expect(items[0].properties).toEqual(read.properties);
  const found = await must(200, 'GET', `/entities?where=Spare:eq:${into}&sort=name`);
  expect(found.items[0].properties).toEqual(read.properties);
  const table = await ask('GET', `/entities/export?number=${read.number}`);
  expect(
    table.text
      .split('\r\n')[1]
      ?.split(',')
      .filter((cell) => cell === into),
  ).toHaveLength(2);
  const same = await must(200, 'PATCH', `/entities/${byId}`, { properties: read.properties });
  expect(same).toEqual(read);
  const changed = await must(200, 'PATCH', `/entities/${byId}`, { properties: { Spare: other } });
  expect(changed).toMatchObject({ revision: 'B', properties: { Spare: other, Plain: into } });
});

test('stock, open lines, requirements and what they hold move, and go on as if nothing had happened', async () => {
  const [into, from] = [await part(), await part()];
  const [shelf, rack] = workspace.locations as [string, string];
  await workspace.adjust(into, shelf, 3);
  await workspace.adjust(from, shelf, 10);
  await workspace.adjust(from, rack, 5);
  const line = async (values: object) => {
    const answer = await workspace.line({ itemEntityId: from, locationEntityId: shelf, ...values });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.line.id as string;
  };
  const requirement = await must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: from,
    requiredQty: 6,
  });
  await must(201, 'POST', `/requirements/${requirement.id}/reservations`, {
    locationEntityId: shelf,
    quantity: 2,
  });
  const sale = await line({ type: 'salesOrder', quantity: 4 });
  const purchase = await line({ quantity: 7, requirementId: requirement.id });
  const draft = await line({ quantity: 1, state: 'Draft' });
  const ended = await line({ quantity: 1 });
  await workspace.act(ended, 'close');
  const before = await must(200, 'GET', `/requirements/${requirement.id}`);

  const done = await merged(into, from);
  expect(done).toMatchObject({
    lines: 3,
    requirements: 1,
    stock: { positions: 2, onHand: 15, reserved: 6, onOrder: 7, lots: 0 },
  });
  expect(await workspace.figures(from, shelf)).toEqual([0, 0, 0]);
  expect(await workspace.figures(into, shelf)).toEqual([13, 6, 7]);
  expect(await workspace.figures(into, rack)).toEqual([5, 0, 0]);
  const after = await must(200, 'GET', `/requirements/${requirement.id}`);
  expect(after).toEqual({
    ...before,
    itemEntityId: into,
    itemNumber: await numberOf(into),
    itemName: 'A part',
  });
  for (const [id, item] of [
    [sale, into],
    [purchase, into],
    [draft, into],
    [ended, from],
  ] as const)
    expect((await must(200, 'GET', `/stock/lines/${id}`)).itemEntityId).toBe(item);
  const received = await workspace.act(purchase, 'receipts', { quantity: 7 });
  expect(received.status, received.text).toBe(201);
  expect((await workspace.act(sale, 'shipments', { quantity: 4 })).status).toBe(201);
  await must(201, 'POST', `/requirements/${requirement.id}/issues`, { locationEntityId: shelf, quantity: 2 });
  expect(await workspace.figures(into, shelf)).toEqual([14, 0, 0]);
});

test('a caller that engineers but does not buy merges no part that is sold', async () => {
  const [into, from] = [await part(), await part()];
  const supplierId = (await must(201, 'POST', '/suppliers', { name: 'Sells it' })).id;
  await must(201, 'POST', '/supplier-parts', { itemEntityId: from, supplierId, sku: 'S-1' });
  const { key } = await must(201, 'POST', '/api-keys', { name: 'Engineer', areas: ['engineering'] });
  const path = `/api/wid/${workspace.slug}/entities/${into}/merge`;
  const refused = await server.request(path, { key, body: { from } });
  expect(refused.body).toMatchObject({ code: 'area_missing', needed: ['procurement'] });
  expect(await merged(into, from)).toMatchObject({ supplierParts: 1 });
});

test('planning moves with its supplier part, and is left where the part that stays has its own', async () => {
  const supplierId = (await must(201, 'POST', '/suppliers', { name: 'Plans it' })).id;
  const sold = async (itemEntityId: string) =>
    (await must(201, 'POST', '/supplier-parts', { itemEntityId, supplierId, sku: 'S-2' })).id as string;
  const plan = (item: string, more: object) =>
    must(200, 'PUT', `/planning/items/${item}`, { policy: 'reorderPoint', ...more });
  const read = (item: string) => must(200, 'GET', `/planning/items/${item}`);
  const [into, from, third] = [await part(), await part(), await part()];
  const [kept, dropped] = [await sold(into), await sold(from)];
  await plan(from, { reorderPoint: 7, supplierPartId: dropped });
  expect(await merged(into, from, { dryRun: true })).toMatchObject({ planning: 'moved' });
  expect(await merged(into, from)).toMatchObject({ planning: 'moved' });
  // The part of the supplier that both had is that of the part that stays.
  expect(await read(into)).toMatchObject({ policy: 'reorderPoint', reorderPoint: 7, supplierPartId: kept });
  await plan(third, { reorderPoint: 9 });
  expect(await merged(into, third)).toMatchObject({ planning: 'left' });
  expect(await read(into)).toMatchObject({ reorderPoint: 7 });
});

test('forecasts move and add up, and a span that reaches into another refuses the merge', async () => {
  const [into, from] = [await part(), await part()];
  const forecast = (itemEntityId: string, since: string, until: string, quantity: number) =>
    must(200, 'POST', '/planning/forecasts', {
      forecasts: [{ itemEntityId, from: since, until, quantity }],
    });
  await forecast(into, '2027-01-01', '2027-01-31', 10);
  await forecast(from, '2027-01-01', '2027-01-31', 5);
  await forecast(from, '2027-02-01', '2027-02-28', 7);
  await forecast(from, '2027-03-15', '2027-04-15', 9);
  await forecast(into, '2027-03-01', '2027-03-31', 1);
  const refused = await merge(into, from);
  expect(refused.body).toMatchObject({ code: 'merge_refused', reasons: [{ code: 'forecasts' }] });
  expect(refused.body.detail).toContain('2027-03-15');
  await must(204, 'DELETE', `/planning/forecasts/${into}/2027-03-01`);
  expect(await merged(into, from, { dryRun: true })).toMatchObject({ forecasts: 3, reasons: [] });
  expect(await merged(into, from)).toMatchObject({ forecasts: 3 });
  const { items } = await must(200, 'GET', '/planning/forecasts');
  expect(items.map((one: Record<string, unknown>) => [one.itemEntityId, one.from, one.quantity])).toEqual([
    [into, '2027-01-01', 15],
    [into, '2027-02-01', 7],
    [into, '2027-03-15', 9],
  ]);
});

test('lots and serial numbers move with their facts', async () => {
  const [shelf] = workspace.locations as [string];
  for (const tracking of ['lot', 'serial']) {
    const [into, from] = [await part(), await part()];
    for (const item of [into, from]) await must(200, 'PUT', `/stock/tracking/${item}`, { tracking });
    const quantity = tracking === 'lot' ? 5 : 1;
    const facts = { expiresOn: '2999-01-31', supplierLot: 'S-1' };
    const place = { itemEntityId: from, locationEntityId: shelf, quantity };
    await must(201, 'POST', '/stock/adjustments', { ...place, lot: 'L-1', newLot: facts });
    const { stock } = await merged(into, from);
    expect(stock).toMatchObject({ lots: 1, onHand: quantity, entries: 2 });
    const { items } = await must(200, 'GET', `/stock/lots?itemEntityId=${into}&inStock=true`);
    expect(items).toMatchObject([{ number: 'L-1', onHand: quantity, ...facts }]);
    const ledger = await must(200, 'GET', `/stock/ledger/by-item/${into}`);
    expect(moved(ledger.items)).toEqual([['TransferIn', quantity]]);
    // A serial number that came back and was received for another copy of the part.
    const again = await part();
    await must(200, 'PUT', `/stock/tracking/${again}`, { tracking });
    await must(201, 'POST', '/stock/adjustments', {
      ...place,
      itemEntityId: again,
      lot: 'L-1',
      newLot: { ...facts, supplierLot: 'S-2' },
    });
    const refused = await merge(into, again);
    expect([refused.status, refused.body.reasons[0].code], refused.text).toEqual([409, 'lots']);
  }
});

test('reservations of the part that stays hold the lots that those of the other held', async () => {
  const [shelf] = workspace.locations as [string];
  const [into, from] = [await part(), await part()];
  for (const item of [into, from]) await must(200, 'PUT', `/stock/tracking/${item}`, { tracking: 'lot' });
  const place = { itemEntityId: from, locationEntityId: shelf };
  await must(201, 'POST', '/stock/adjustments', { ...place, quantity: 5, lot: 'H-1', newLot: {} });
  const sale = { type: 'salesOrder', ...place, quantity: 4 };
  const lineId = (await must(201, 'POST', '/stock/lines', sale)).line.id;
  const wanted = { projectId: workspace.project, itemEntityId: from, requiredQty: 1 };
  const requirementId = (await must(201, 'POST', '/requirements', wanted)).id;
  const reserved = { locationEntityId: shelf, quantity: 1 };
  await must(201, 'POST', `/requirements/${requirementId}/reservations`, reserved);
  const lotOf = async (item: string) =>
    (await must(200, 'GET', `/stock/lots?itemEntityId=${item}`)).items[0].id;
  const holds = `/stock/lots/${await lotOf(from)}/holds`;
  await must(201, 'POST', holds, { locationEntityId: shelf, quantity: 3, lineId });
  await must(201, 'POST', holds, { locationEntityId: shelf, quantity: 1, requirementId });

  const { stock } = await merged(into, from);
  const { items } = await must(200, 'GET', `/stock/ledger/by-item/${into}`);
  const { items: former } = await must(200, 'GET', `/stock/ledger/by-item/${from}`);
  // Before the merge: the stock, two reservations, and two holds.
  expect(items.length + former.length - 5).toBe(stock.entries);
  const held = await must(200, 'GET', `/stock/holds?lotId=${await lotOf(into)}`);
  expect(held.holds).toHaveLength(2);
  expect(held.holds).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ lot: 'H-1', lineId, quantity: 3 }),
      expect.objectContaining({ lot: 'H-1', requirementId, quantity: 1 }),
    ]),
  );
});

test.each(['hold', 'status', 'merge'])(
  'a merge beside a change of what lots hold loses none of it: %s first',
  async (first) => {
    const [shelf] = workspace.locations as [string];
    const [into, from] = [await part(), await part()];
    for (const item of [into, from]) await must(200, 'PUT', `/stock/tracking/${item}`, { tracking: 'lot' });
    const place = { itemEntityId: from, locationEntityId: shelf };
    await must(201, 'POST', '/stock/adjustments', { ...place, quantity: 5, lot: 'H-2', newLot: {} });
    const sale = { type: 'salesOrder', ...place, quantity: 4 };
    const lineId = (await must(201, 'POST', '/stock/lines', sale)).line.id;
    const lot = (await must(200, 'GET', `/stock/lots?itemEntityId=${from}`)).items[0].id;
    const actor = { type: 'apiKey' as const, id: randomUUID(), name: 'A key' };
    const held = { lotId: lot, lineId, location: shelf, quantity: 3, note: null, isRelease: false };
    const begin = {
      hold: (tx: Tx) => changeHold(tx, actor, held),
      status: (tx: Tx) =>
        changeLotStatus(tx, actor, { id: lot, status: 'quarantine', note: null, check: () => {} }),
      merge: (tx: Tx) => mergeEntity(tx, actor, { into, from, reason: null, dryRun: false }),
    }[first] as (tx: Tx) => Promise<unknown>;
    let other: ReturnType<typeof ask> | undefined;
    await workspace.transact(async (tx) => {
      await begin(tx);
      other =
        first === 'merge'
          ? ask('POST', `/stock/lots/${lot}/holds`, { locationEntityId: shelf, quantity: 3, lineId })
          : merge(into, from);
      const waiting =
        'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))';
      await vi.waitUntil(async () => (await tx.query(waiting)).length > 0, patience);
    });
    const answer = await other;
    const holds = (await must(200, 'GET', `/stock/holds?lineId=${lineId}`)).holds;
    if (first === 'hold') {
      expect(answer?.status, answer?.text).toBe(200);
      expect(holds).toMatchObject([{ lot: 'H-2', itemEntityId: into, quantity: 3 }]);
      return;
    }
    expect([answer?.status, answer?.body.code]).toEqual(
      first === 'merge' ? [404, 'line_not_found'] : [409, 'merge_refused'],
    );
    expect(holds).toEqual([]);
  },
);

describe('aliases', () => {
  const guids = { into: randomUUID(), from: randomUUID(), top: randomUUID(), under: randomUUID() };
  const element = (guid: string, more: object = {}) => ({
    guid,
    number: `N-${guid.slice(0, 8)}`,
    name: 'Sent',
    categoryKey: 'part',
    ...more,
  });
  const sync = async (entities: object[]) => (await must(200, 'POST', '/pdm/sync', { entities })).results;
  let into: string;
  let from: string;
  beforeAll(async () => {
    const results = await sync([
      element(guids.top),
      element(guids.into, { parentGuid: guids.top, quantity: 2 }),
      element(guids.from, { parentGuid: guids.top, quantity: 3, number: 'TWICE' }),
    ]);
    [into, from] = results.slice(1).map(({ entityId }: { entityId: string }) => entityId);
    await merged(into, from);
  });

  test('lead from the GUID, the number and the id to the part that stays', async () => {
    expect((await must(200, 'GET', `/entities/guid:${guids.from}`)).id).toBe(into);
    for (const query of [
      `guid=${guids.from}`,
      'number=TWICE',
      'q=twice',
      'q=number:TWICE',
      'q=twice&sort=best',
    ])
      expect(await idsOf(query), query).toEqual([into]);
    expect(await idsOf('q=twice&archived=only')).toEqual([]);
    const { items } = await must(200, 'POST', '/entities/lookup', { numbers: ['TWICE'] });
    expect(items[0].entities).toMatchObject([{ id: into }]);
    await must(201, 'POST', '/stock/adjustments', {
      itemEntityId: `guid:${guids.from}`,
      locationEntityId: workspace.locations[0],
      quantity: 1,
    });
    expect((await workspace.figures(into))[0]).toBe(1);
  });

  test('of a GUID are followed by a sync, which keeps the number and warns', async () => {
    const number = await numberOf(into);
    const again = [
      element(guids.top),
      element(guids.into, { parentGuid: guids.top, quantity: 2 }),
      element(guids.from, { parentGuid: guids.top, quantity: 3, number: 'TWICE' }),
    ];
    for (const _ of ['once', 'again']) {
      const results = await sync(again);
      expect(results).toMatchObject([
        { result: 'skipped' },
        { result: 'skipped', entityId: into },
        { result: 'skipped', entityId: into },
      ]);
      const codes = results[2].warnings.map(({ code }: { code: string }) => code);
      expect(codes).toContain('merged');
      expect(await usesOf(results[0].entityId)).toEqual([[into, 5]]);
    }
    const [updated] = await sync([element(guids.from, { name: 'Renamed', number: 'TWICE' })]);
    expect(updated).toMatchObject({ result: 'updated', entityId: into });
    expect(await must(200, 'GET', `/entities/${into}`)).toMatchObject({ name: 'Renamed', number });
    const [child] = await sync([element(guids.under, { parentGuid: guids.from })]);
    expect(child.warnings.map(({ code }: { code: string }) => code)).toEqual(['merged']);
    expect(await usesOf(into)).toEqual([[child.entityId, 1]]);
    // What was sent once word for word is known again.
    expect((await sync([element(guids.under, { parentGuid: guids.from })]))[0]).toMatchObject({
      result: 'skipped',
    });
    const [itself] = await sync([element(guids.from, { parentGuid: guids.into })]);
    expect(itself).toMatchObject({ result: 'error', code: 'cycle' });
  });

  test('never lead to another alias, and no other entity gets their GUID', async () => {
    const last = await part();
    expect(await merged(last, into)).toMatchObject({ aliases: { guid: null, further: 1 } });
    expect(await must(200, 'GET', `/entities/${last}`)).toMatchObject({ E_Guid: guids.into });
    for (const guid of [guids.into, guids.from])
      expect((await must(200, 'GET', `/entities/guid:${guid}`)).id).toBe(last);
    expect((await must(200, 'GET', `/entities/${from}`)).mergedInto).toBe(last);
    const taken = await ask('POST', '/entities', { category: 'part', name: 'New', E_Guid: guids.from });
    const given = await ask('PATCH', `/entities/${into}`, { E_Guid: guids.from });
    expect([taken.body.code, given.body.code]).toEqual(['guid_taken', 'guid_taken']);
    const [updated] = await sync([element(guids.from, { name: 'Renamed again' })]);
    expect(updated).toMatchObject({ result: 'updated', entityId: last });
  });
});

describe('refused is', () => {
  const reasonsOf = async (into: string, from: string): Promise<string[]> => {
    const plan = await merged(into, from, { dryRun: true });
    const refused = await merge(into, from);
    expect([refused.status, refused.body.code], refused.text).toEqual([409, 'merge_refused']);
    expect(refused.body.reasons).toEqual(plan.reasons);
    return plan.reasons.map(({ code }: { code: string }) => code);
  };

  test('a part of the other one', async () => {
    const [top, middle, bottom] = [await part(), await part(), await part()];
    await use(top, middle, { quantity: 1 });
    await use(middle, bottom, { quantity: 1 });
    expect(await reasonsOf(top, bottom)).toEqual(['cycle']);
    expect(await reasonsOf(bottom, top)).toEqual(['cycle']);
    expect(await usesOf(middle)).toEqual([[bottom, 1]]);
  });

  test('another category, base unit or tracking, and what is archived or merged', async () => {
    const [one, other] = [await part(), await part()];
    const assembly = await part({ category: 'assembly' });
    expect(await reasonsOf(one, assembly)).toEqual(['category']);
    const [shelf, rack] = workspace.locations as [string, string];
    expect(await reasonsOf(shelf, rack)).toEqual(['category']);
    await must(200, 'PUT', `/stock/tracking/${other}`, { tracking: 'lot' });
    expect(await reasonsOf(one, other)).toEqual(['tracking']);
    const gone = await part();
    await must(200, 'POST', `/entities/${gone}/archive`);
    expect(await reasonsOf(gone, one)).toEqual(['archived']);
    // An archived duplicate is merged like any other.
    await merged(one, gone);
    expect(await reasonsOf(one, gone)).toEqual(['merged']);
  });

  test('stock that a status keeps from use', async () => {
    const [into, from] = [await part(), await part()];
    for (const item of [into, from]) await must(200, 'PUT', `/stock/tracking/${item}`, { tracking: 'lot' });
    await must(201, 'POST', '/stock/adjustments', {
      itemEntityId: from,
      locationEntityId: workspace.locations[0],
      quantity: 2,
      lot: 'Q-1',
      newLot: { status: 'quarantine' },
    });
    expect(await reasonsOf(into, from)).toEqual(['lots', 'stock']);
  });

  test.each([
    ['the same part', (id: string) => ({ from: id }), 422, 'validation_failed'],
    ['an unknown part', () => ({ from: '0199d0f0-0000-7000-8000-00000000dead' }), 404, 'entity_not_found'],
    ['no part', () => ({}), 422, 'validation_failed'],
  ])('%s', async (_, body, status, code) => {
    const id = await part();
    const answer = await ask('POST', `/entities/${id}/merge`, body(id));
    expect([answer.status, answer.body.code], answer.text).toEqual([status, code]);
  });
});
