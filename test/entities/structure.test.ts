import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStructureEdits } from '../../src/entities/links/lock-structure.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { versionOf } from '../setup/version-of.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, guidOf, partsOf, refOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, sync, release } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const put = (parent: string, child: string, quantity = 1, headers = {}) =>
  ask('PUT', `/entities/${parent}/uses/${child}`, { quantity }, headers);
const usesOf = async (id: string): Promise<[string, number][]> =>
  (await ask('GET', `/entities/${id}/uses`)).body.items.map((use: { entityId: string; quantity: number }) => [
    use.entityId,
    use.quantity,
  ]);
/** That many new entities, in the order of their ids. */
const several = (count: number) =>
  Promise.all(Array.from({ length: count }, () => create())).then((made) =>
    made.map(({ id }): string => id).sort(),
  ) as Promise<string[]>;

test('a child is added, changed and removed, and the parent has a new tag each time', async () => {
  const [parent, child] = (await several(2)) as [string, string];
  const added = await put(parent, child, 0.5);
  expect(added.status, added.text).toBe(201);
  expect(added.body).toMatchObject({ entityId: child, quantity: 0.5, revision: 'A', category: 'part' });
  const version = versionOf(added);
  expect(versionOf(await ask('GET', `/entities/${parent}`))).toBe(version);
  const changed = await put(parent, child, 999_999_999.999999);
  expect([changed.status, changed.body.quantity]).toEqual([200, 999_999_999.999999]);
  expect(versionOf(changed)).not.toBe(version);
  const same = await put(parent, child, 999_999_999.999999);
  expect([same.status, same.headers.get('etag')]).toEqual([200, changed.headers.get('etag')]);
  expect((await ask('DELETE', `/entities/${parent}/uses/${child}`)).status).toBe(204);
  expect(await usesOf(parent)).toEqual([]);
  const gone = await ask('DELETE', `/entities/${parent}/uses/${child}`);
  expect([gone.status, gone.body.code]).toEqual([404, 'use_not_found']);
});

test('GUIDs are taken for both ends', async () => {
  const [a, b] = [await create({ E_Guid: guidOf(1) }), await create({ E_Guid: guidOf(2) })];
  expect((await put(refOf(1), `guid:%7B${guidOf(2)}%7D`, 3)).status).toBe(201);
  expect(await usesOf(a.id)).toEqual([[b.id, 3]]);
});

test.each([0, -1, 1_000_000_000, 0.0000001, 1.2345678])('quantity %d is out of range', async (quantity) => {
  const [parent, child] = (await several(2)) as [string, string];
  const answer = await put(parent, child, quantity);
  expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([
    422,
    'quantity_out_of_range',
    '/quantity',
  ]);
});

test('ends that do not exist give 404, and a stale tag 412', async () => {
  const [parent, child] = (await several(2)) as [string, string];
  const absent = '0199d0f0-0000-7000-8000-000000000001';
  expect((await put(parent, absent)).body.code).toBe('entity_not_found');
  expect((await put(absent, child)).body.code).toBe('entity_not_found');
  expect((await put(parent, child, 1, { 'If-Match': '"99"' })).status).toBe(412);
  expect((await put(parent, child, 1, { 'If-Match': '"1"' })).status).toBe(201);
  const read = await ask('GET', `/entities/${parent}/uses/${child}`);
  expect([read.status, read.body.quantity, versionOf(read)]).toEqual([200, 1, '2']);
  const none = await ask('GET', `/entities/${child}/uses/${parent}`);
  expect([none.status, none.body.code]).toEqual([404, 'use_not_found']);
  expect(
    (await ask('DELETE', `/entities/${parent}/uses/${child}`, undefined, { 'If-Match': '"1"' })).status,
  ).toBe(412);
});

test('a cycle is refused, however long, and nothing is written', async () => {
  const [a, b, c, d] = (await several(4)) as [string, string, string, string];
  for (const [parent, child] of [
    [a, b],
    [b, c],
    [c, d],
    [a, d],
  ] as const)
    expect((await put(parent, child)).status).toBe(201);
  const numberOf = Promise.all(
    [a, b, c, d].map(async (id) => [id, (await ask('GET', `/entities/${id}`)).body.number] as const),
  ).then((pairs) => new Map(pairs));
  for (const [parent, child] of [
    [a, a],
    [b, a],
    [c, a],
    [d, a],
    [d, b],
  ] as const) {
    const answer = await put(parent, child);
    expect([answer.status, answer.body.code]).toEqual([409, 'cycle']);
    const numbers = await numberOf;
    const way = { [a]: [a], [b]: [b, a, b], [c]: [c, a, b, c], [d]: child === a ? [d, a, d] : [d, b, c, d] };
    const named = (parent === child ? [a, a] : (way[parent] as string[])).map((id) => numbers.get(id));
    expect(answer.body.detail).toContain(`would close a cycle: ${named.join(' → ')}.`);
  }
  expect(await usesOf(d)).toEqual([]);
  expect((await put(a, b, 7)).status).toBe(200);
});

test('of a long cycle both ends are named', async () => {
  const chain = await several(20);
  for (const [at, parent] of chain.slice(0, -1).entries()) await put(parent, chain[at + 1] as string);
  const [first, last] = [chain[0] as string, chain.at(-1) as string];
  const { detail } = (await put(last, first)).body;
  expect(detail.match(/ → /g)).toHaveLength(10);
  expect(detail).toContain('→ (11 more) →');
  const { number } = (await ask('GET', `/entities/${last}`)).body;
  expect(detail).toMatch(new RegExp(`cycle: ${number} → .* → ${number}\\.`));
});

test('two at once that would close a cycle together: one is made', async () => {
  for (let round = 0; round < 8; round++) {
    const [a, b] = (await several(2)) as [string, string];
    const answers = await Promise.all([put(a, b), put(b, a)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  }
});

test('a ring of twenty, all at once: all links but one', async () => {
  const ring = await several(20);
  const answers = await Promise.all(ring.map((id, i) => put(id, ring[(i + 1) % ring.length] as string)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(19);
});

test('the structure of a released revision never changes: its parent is revised first', async () => {
  const [parent, kept, other] = (await several(3)) as [string, string, string];
  await put(parent, kept, 2);
  await release(parent);
  const frozen = (await ask('GET', `/entities/${parent}/revisions/1`)).body;
  expect(frozen.uses).toEqual([expect.objectContaining({ entityId: kept, quantity: 2 })]);

  await put(parent, kept, 2);
  expect((await ask('GET', `/entities/${parent}`)).body.revision).toBe('A');

  await put(parent, other, 1);
  expect((await ask('GET', `/entities/${parent}`)).body).toMatchObject({ revision: 'B', state: 'In Work' });
  await put(parent, kept, 5);
  await release(parent);
  await ask('DELETE', `/entities/${parent}/uses/${kept}`);
  await ask('PATCH', `/entities/${parent}`, { name: 'Changed' });

  const revisions = await Promise.all([1, 2, 3].map((n) => ask('GET', `/entities/${parent}/revisions/${n}`)));
  const structures = revisions.map(({ body }) =>
    body.uses.map((use: { entityId: string; quantity: number }) => [use.entityId, use.quantity]),
  );
  expect(structures).toEqual([
    [[kept, 2]],
    [
      [kept, 5],
      [other, 1],
    ],
    [[other, 1]],
  ]);
  expect(revisions.map(({ body }) => [body.revision, body.name, body.state])).toEqual([
    ['A', 'A part', 'Released'],
    ['B', 'A part', 'Released'],
    ['C', 'Changed', 'In Work'],
  ]);
});

test('links made and removed by hand are counted for batches under way; quantities are not', async () => {
  const edits = () => workspace.transact(readStructureEdits).then(Number);
  const [parent, child] = (await several(2)) as [string, string];
  const before = await edits();
  await put(parent, child, 1);
  expect(await edits()).toBe(before + 1);
  await put(parent, child, 2);
  await put(child, parent, 2);
  expect(await edits()).toBe(before + 1);
  await ask('DELETE', `/entities/${parent}/uses/${child}`);
  expect(await edits()).toBe(before + 2);
});

test('edits by hand while syncs write structure over the same parts: never a cycle, never an error', async () => {
  const parts = Array.from({ length: 6 }, (_, i) => 100 + i);
  await sync(parts.map((n) => element(n)));
  const pairs = parts.flatMap((a) => parts.filter((b) => b !== a).map((b) => [a, b] as const));
  const byHand = pairs.map(async ([a, b]) => {
    const { status } = await put(refOf(a), refOf(b));
    expect([200, 201, 409]).toContain(status);
  });
  const bySync = pairs.slice(0, 12).map(async ([a, b]) => {
    const answer = await ask('POST', '/pdm/sync', { entities: [element(a, { parentGuid: guidOf(b) })] });
    expect([answer.status, answer.body.status]).toEqual([200, 'completed']);
  });
  await Promise.all([...byHand, ...bySync]);
  const cycles = await workspace.transact((tx) =>
    tx.query(
      `with recursive way (start, at) as (
         select parent_id, child_id from entity_link union select w.start, l.child_id from way w
         join entity_link l on l.parent_id = w.at)
       select from way where start = at`,
    ),
  );
  expect(cycles).toEqual([]);
});

test('as many children as like wait for a parent, and are made its own in portions', async () => {
  const crowded = await makeDefaultWorkspace(server);
  const children = await crowded.addEntities(25_000);
  const [guid, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await crowded.transact((tx) =>
    tx.query(
      `insert into pending_link (workspace_id, parent_guid, child_id, quantity)
       select $1, guid, id, 1.5 from unnest($2::uuid[]) as i (id), unnest($3::uuid[]) as g (guid)`,
      [crowded.id, children, [guid, other]],
    ),
  );
  const made = await crowded.ask('POST', '/entities', { category: 'assembly', name: 'Crowd', E_Guid: guid });
  expect(made.status).toBe(201);
  const rows = await crowded.transact((tx) =>
    tx.query(
      `select (select count(*)::int from entity_link where workspace_id = $1 and parent_id = $2 and quantity = 1.5) as linked,
              (select count(*)::int from pending_link where workspace_id = $1 and parent_guid = $3) as left,
              (select count(*)::int from pending_link where workspace_id = $1 and parent_guid = $4) as of_other`,
      [crowded.id, made.body.id, guid, other],
    ),
  );
  expect(rows).toEqual([{ linked: 25_000, left: 0, of_other: 25_000 }]);
});
