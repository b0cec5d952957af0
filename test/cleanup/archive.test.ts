import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillValueIndexes } from '../../src/entities/values/fill-value-indexes.ts';
import { element, guidOf } from '../entities/parts.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
beforeAll(async () => {
  server = await startTestServer({ environment: { ARCHIVE_LOOKED_MAX: '5' } });
  workspace = await makeProcuringWorkspace(server, { items: 6, locations: 3 });
});
afterAll(async () => {
  await workspace.expectConsistent();
  await server.close();
});

let made = 0;
const part = async (values: object = {}): Promise<string> =>
  (
    await workspace.must(201, 'POST', '/entities', {
      category: 'part',
      name: `Odd part ${++made}`,
      ...values,
    })
  ).id;
const archive = (id: string) => workspace.ask('POST', `/entities/${id}/archive`);
const unarchive = (id: string) => workspace.ask('POST', `/entities/${id}/unarchive`);
const archived = async (values: object = {}): Promise<string> => {
  const id = await part(values);
  await workspace.must(200, 'POST', `/entities/${id}/archive`);
  return id;
};
const reasonsOf = ({ status, body, text }: TestAnswer) => {
  expect(status, text).toBe(409);
  expect(body.code, text).toBe('archive_refused');
  return body.reasons.map(({ code, count }: { code: string; count: number }) => [code, count]);
};
const idsIn = async (path: string): Promise<string[]> => {
  const { items } = await workspace.must(200, 'GET', path);
  return items.map((one: { id?: string; entityId?: string }) => one.id ?? one.entityId);
};

test('an archived part is left out of lists, search and pickers, and found where it is asked for', async () => {
  const [id, other] = [
    await part({ number: 'ARC-1', name: 'Quaint flange' }),
    await part({ name: 'Quaint bolt' }),
  ];
  const before = await workspace.must(200, 'GET', `/entities/${id}`);
  expect(before.archivedAt).toBeNull();
  const answer = await archive(id);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({ id, number: 'ARC-1', archivedAt: expect.stringMatching(/Z$/) });

  for (const query of [
    'q=quaint',
    'q=quaint&sort=name',
    'q=quaint&sort=best',
    'sort=created&order=desc',
    'sort=number',
    'category=part',
    'category=part&state=In%20Work',
    'q=quaint&category=part&sort=best',
  ]) {
    const all = query.startsWith('q') ? '' : '&limit=200';
    expect(await idsIn(`/entities?${query}${all}`), query).not.toContain(id);
    expect(await idsIn(`/entities?${query}${all}&archived=true`), query).toEqual(
      expect.arrayContaining([id, other]),
    );
    const only = await idsIn(`/entities?${query}${all}&archived=only`);
    expect(only, query).toContain(id);
    expect(only, query).not.toContain(other);
  }
  expect(await idsIn('/entities?number=ARC-1')).toEqual([]);
  expect(await idsIn('/entities?number=ARC-1&archived=true')).toEqual([id]);
  // Who names one exactly gets it.
  expect((await workspace.must(200, 'GET', `/entities/${id}`)).archivedAt).toBe(answer.body.archivedAt);
  const { items } = await workspace.must(200, 'POST', '/entities/lookup', { numbers: ['ARC-1'] });
  expect(items[0].entities).toMatchObject([{ id, archivedAt: answer.body.archivedAt }]);

  const { text } = await workspace.ask('GET', '/entities/export?q=quaint');
  expect(text).toContain('Quaint bolt');
  expect(text).not.toContain('Quaint flange');
  expect((await archive(id)).body).toEqual(answer.body);
  const back = await unarchive(id);
  expect(back.body).toMatchObject({ id, archivedAt: null });
  expect(await idsIn('/entities?q=quaint')).toEqual([id, other]);
});

test('facets count what the list shows', async () => {
  const fresh = await makeProcuringWorkspace(server, { items: 3, locations: 1 });
  const count = async (query: string) => {
    const { items } = await fresh.must(200, 'GET', `/entities/facets?category=part${query}`);
    return items.reduce((sum: number, one: { count: number }) => sum + one.count, 0);
  };
  const [first] = fresh.items as [string];
  await fresh.must(200, 'POST', `/entities/${first}/archive`);
  for (const q of ['', '&q=entity', '&q=number:N-1']) {
    const all = q === '&q=number:N-1' ? 1 : 3;
    const gone =
      (await fresh.must(200, 'GET', `/entities/${first}`)).number === 'N-1' || q === '' || q === '&q=entity';
    expect(await count(`${q}&archived=true`), q).toBe(all);
    expect(await count(q), q).toBe(all - (gone ? 1 : 0));
    expect(await count(`${q}&archived=only`), q).toBe(gone ? 1 : 0);
  }
});

test('facets of values count archived entities only where they are asked for, with an index and without', async () => {
  const fresh = await makeProcuringWorkspace(server, { items: 3, locations: 1 });
  for (const key of ['Finish', 'Plain'])
    await fresh.must(201, 'POST', '/property-definitions', {
      key,
      name: key,
      type: 'text',
      filterable: key === 'Finish',
    });
  await fillValueIndexes(server.ctx);
  const [first, second, third] = fresh.items as [string, string, string];
  for (const [id, value] of [
    [first, 'Raw'],
    [second, 'Raw'],
    [third, 'Blue'],
  ])
    await fresh.must(200, 'PATCH', `/entities/${id}`, { properties: { Finish: value, Plain: value } });
  for (const id of [first, third]) await fresh.must(200, 'POST', `/entities/${id}/archive`);
  const counts = async (key: string, archived: string) => {
    const { properties } = await fresh.must(
      200,
      'GET',
      `/entities/facets?values=${key}&archived=${archived}`,
    );
    return properties[0].values.map(({ value, count }: { value: string; count: number }) => [value, count]);
  };
  for (const key of ['Finish', 'Plain']) {
    expect(await counts(key, 'false'), key).toEqual([['Raw', 1]]);
    expect(await counts(key, 'true'), key).toEqual([
      ['Raw', 2],
      ['Blue', 1],
    ]);
    expect(await counts(key, 'only'), key).toEqual([
      ['Blue', 1],
      ['Raw', 1],
    ]);
  }
});

test('pages go on behind archived entities', async () => {
  const fresh = await makeProcuringWorkspace(server, { items: 9, locations: 1 });
  for (const id of fresh.items.slice(0, 6)) await fresh.must(200, 'POST', `/entities/${id}/archive`);
  for (const sort of ['created', 'number', 'name']) {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { items, nextCursor } = await fresh.must(
        200,
        'GET',
        `/entities?category=part&sort=${sort}&limit=2${cursor}`,
      );
      seen.push(...items.map(({ id }: { id: string }) => id));
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(seen.toSorted(), sort).toEqual(fresh.items.slice(6).toSorted());
  }
});

test('it is refused with every reason while something uses the part', async () => {
  const [item, location] = [await part(), workspace.locations[0] as string];
  await workspace.adjust(item, location, 5);
  const line = await workspace.line({
    itemEntityId: item,
    locationEntityId: location,
    quantity: 2,
    state: 'Draft',
  });
  expect(line.status, line.text).toBe(201);
  const requirement = await workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: item,
    requiredQty: 3,
  });
  const parent = await part({ name: 'Upper assembly', number: 'UP-1' });
  await workspace.link(parent, item, 1);

  const refused = await archive(item);
  expect(reasonsOf(refused)).toEqual([
    ['stock', 1],
    ['openLines', 1],
    ['openRequirements', 1],
    ['unreleasedParents', 1],
  ]);
  expect(refused.body.reasons[0]).toMatchObject({ onHand: 5, reserved: 0, onOrder: 0 });
  expect(refused.body.reasons[3].examples).toEqual([{ id: parent, number: 'UP-1', name: 'Upper assembly' }]);
  expect(refused.body.detail).toContain('1 open order line');
  expect(reasonsOf(await archive(workspace.project))).toEqual([['openRequirements', 1]]);
  expect(reasonsOf(await archive(location))[0]).toEqual(['stock', 1]);

  await workspace.adjust(item, location, -5);
  await workspace.must(200, 'POST', `/entities/${line.body.line.id}/transitions`, { toState: 'Cancelled' });
  await workspace.must(200, 'POST', `/entities/${requirement.id}/transitions`, { toState: 'Cancelled' });
  expect(reasonsOf(await archive(item))).toEqual([['unreleasedParents', 1]]);
  for (const toState of ['In Review', 'Released'])
    await workspace.must(200, 'POST', `/entities/${parent}/transitions`, { toState });
  expect((await archive(item)).status).toBe(200);
});

test('a product is archived from the top, and taken back from the bottom', async () => {
  const [top, middle] = [await part(), await part()];
  await workspace.link(top, middle, 2);
  expect(reasonsOf(await archive(middle))).toEqual([['unreleasedParents', 1]]);
  await workspace.must(200, 'POST', `/entities/${top}/archive`);
  expect(await idsIn(`/entities/${middle}/where-used`)).toEqual([]);
  expect(await idsIn(`/entities/${middle}/where-used/all`)).toEqual([]);
  expect(await idsIn(`/entities/${middle}/where-used?archived=true`)).toEqual([top]);
  expect(await idsIn(`/entities/${middle}/where-used/all?archived=only`)).toEqual([top]);
  await workspace.must(200, 'POST', `/entities/${middle}/archive`);
  const { items } = await workspace.must(200, 'GET', `/entities/${top}/uses`);
  expect(items).toMatchObject([{ entityId: middle, archived: true }]);
  expect(reasonsOf(await unarchive(top))).toEqual([['archivedChildren', 1]]);
  expect((await unarchive(middle)).status).toBe(200);
  expect((await unarchive(top)).status).toBe(200);
});

test('nothing new can be booked, ordered, required or built with an archived part', async () => {
  const [item, location] = [await archived(), workspace.locations[0] as string];
  const adjusted = await workspace.adjust(item, location, 1);
  const ordered = await workspace.line({ itemEntityId: item, locationEntityId: location, state: 'Draft' });
  const required = await workspace.ask('POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: item,
    requiredQty: 1,
  });
  const used = await workspace.ask('PUT', `/entities/${await part()}/uses/${item}`, { quantity: 1 });
  const counted = await workspace.ask('POST', '/stock/counts', {
    lines: [{ item, location, countedQty: 3, seenOnHand: 0 }],
  });
  for (const answer of [adjusted, ordered, required, used, counted])
    expect([answer.status, answer.body.code], answer.text).toEqual([409, 'entity_archived']);
  // The refusal of one takes nothing from others.
  const others = await Promise.all(
    workspace.items.map((other, at) => workspace.adjust(at === 0 ? item : other, location, 1)),
  );
  expect(others.map(({ status }) => status)).toEqual([409, ...workspace.items.slice(1).map(() => 201)]);
});

test('a location is archived when nothing lies in it', async () => {
  const of = (name: string, more = {}) =>
    workspace.must(201, 'POST', '/entities', { category: 'location', name, ...more });
  const hall = await of('Hall');
  const shelf = await of('Shelf', { parentLocation: hall.id });
  expect(reasonsOf(await archive(hall.id))).toEqual([['locations', 1]]);
  await workspace.must(200, 'POST', `/entities/${shelf.id}/archive`);
  await workspace.must(200, 'POST', `/entities/${hall.id}/archive`);
  expect(await idsIn('/locations?limit=200')).not.toContain(hall.id);
  expect(await idsIn('/locations?limit=200&archived=only')).toEqual(
    expect.arrayContaining([hall.id, shelf.id]),
  );
  expect(reasonsOf(await unarchive(shelf.id))).toEqual([['archivedLocation', 1]]);
  const inside = await workspace.ask('POST', '/entities', {
    category: 'location',
    name: 'Bin',
    parentLocation: hall.id,
  });
  expect([inside.status, inside.body.code]).toEqual([409, 'entity_archived']);
});

test('order lines are looked for by the item and then among the open ones, and too many of both are a reason', async () => {
  const fresh = await makeProcuringWorkspace(server, { items: 3, locations: 2 });
  const [often, once, other] = fresh.items as [string, string, string];
  const [location, empty] = fresh.locations as [string, string];
  const draft = async (itemEntityId: string) => {
    const answer = await fresh.line({ itemEntityId, locationEntityId: location, state: 'Draft' });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.line.id as string;
  };
  const first = await draft(often);
  for (let n = 0; n < 6; n++)
    await fresh.must(200, 'POST', `/entities/${await draft(often)}/transitions`, { toState: 'Cancelled' });
  const archiveIn = (id: string) => fresh.ask('POST', `/entities/${id}/archive`);
  expect(reasonsOf(await archiveIn(often))).toEqual([['openLines', 1]]);
  await fresh.must(200, 'POST', `/entities/${first}/transitions`, { toState: 'Cancelled' });
  expect((await archiveIn(often)).status).toBe(200);
  await fresh.must(200, 'POST', `/entities/${often}/unarchive`);
  const open = [];
  for (let n = 0; n < 6; n++) open.push(await draft(other));
  for (const id of [often, empty]) expect(reasonsOf(await archiveIn(id)), id).toEqual([['tooMuch', 6]]);
  expect((await archiveIn(once)).status).toBe(200);
  await fresh.must(200, 'POST', `/entities/${open[0]}/transitions`, { toState: 'Cancelled' });
  for (const id of [often, empty]) expect((await archiveIn(id)).status).toBe(200);
});

test('a sync that brings it keeps it archived, takes its data, and says so each time', async () => {
  const send = (entities: object[]) => workspace.must(200, 'POST', '/pdm/sync', { entities });
  await send([element(900), element(901)]);
  await workspace.must(200, 'POST', `/entities/guid:${guidOf(900)}/archive`);
  const changed = element(900, { name: 'Another name', parentGuid: guidOf(901) });
  for (const result of ['updated', 'skipped', 'skipped']) {
    const batch = await send([changed]);
    expect(batch.results).toMatchObject([{ result, warnings: [{ code: 'archived' }] }]);
  }
  expect(await workspace.must(200, 'GET', `/entities/guid:${guidOf(900)}`)).toMatchObject({
    name: 'Another name',
    archivedAt: expect.any(String),
  });
  await workspace.must(200, 'POST', `/entities/guid:${guidOf(900)}/unarchive`);
  expect((await send([changed])).results[0].warnings).toBeUndefined();
});

test('the audit trail and events tell of it', async () => {
  const id = await archived();
  const { items } = await workspace.must(200, 'GET', `/audit?subjectType=entity&subjectKey=${id}`);
  expect(items).toMatchObject([
    { action: 'update', before: { archivedAt: null }, after: { archivedAt: expect.any(String) } },
  ]);
});

test('orders and lines are not archived', async () => {
  const line = await workspace.line({});
  const answer = await archive(line.body.line.id);
  expect([answer.status, answer.body.code]).toEqual([409, 'archive_refused']);
});

test('of an archive and a first use at the same moment one is refused', async () => {
  const location = workspace.locations[1] as string;
  const uses = [
    (item: string) => workspace.adjust(item, location, 1),
    (item: string) => workspace.line({ itemEntityId: item, locationEntityId: location, state: 'Draft' }),
    (item: string) =>
      workspace.ask('POST', '/requirements', {
        projectId: workspace.project,
        itemEntityId: item,
        requiredQty: 1,
      }),
    (item: string) => workspace.ask('PUT', `/entities/${workspace.items[5]}/uses/${item}`, { quantity: 1 }),
  ];
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const item = await part();
      const use = uses[i % uses.length] as (typeof uses)[number];
      const pair = i % 3 === 0 ? [archive(item), use(item)] : [use(item), archive(item)];
      return (await Promise.all(pair)).map(({ status }) => status).toSorted();
    }),
  );
  for (const [won, lost] of outcomes) {
    expect([200, 201]).toContain(won);
    expect(lost).toBe(409);
  }
});
