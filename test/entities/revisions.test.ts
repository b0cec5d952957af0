import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { partsOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, release, define } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  await define('Mass', 'numeric');
  await define('constructor', 'text');
});
afterAll(() => server.close());

const put = (parent: string, child: string, quantity: number) =>
  ask('PUT', `/entities/${parent}/uses/${child}`, { quantity });

test('revisions are listed newest first with the current one, and page', async () => {
  const { id } = await create({ name: 'v1' });
  for (let n = 2; n <= 5; n++) {
    await release(id);
    await ask('PATCH', `/entities/${id}`, { name: `v${n}` });
  }
  const all = await ask('GET', `/entities/${id}/revisions`);
  expect(
    all.body.items.map((r: { revision: string; name: string; state: string }) => [
      r.revision,
      r.name,
      r.state,
    ]),
  ).toEqual([
    ['E', 'v5', 'In Work'],
    ['D', 'v4', 'Released'],
    ['C', 'v3', 'Released'],
    ['B', 'v2', 'Released'],
    ['A', 'v1', 'Released'],
  ]);
  expect(new Set(all.body.items.map((r: { versionId: string }) => r.versionId)).size).toBe(5);
  expect(all.body.items[0].createdBy).toMatchObject({ type: 'apiKey', name: 'First key' });
  const paged: unknown[] = [];
  let cursor = '';
  do {
    const page = await ask('GET', `/entities/${id}/revisions?limit=2${cursor}`);
    paged.push(...page.body.items);
    cursor = page.body.nextCursor === null ? '' : `&cursor=${page.body.nextCursor}`;
  } while (cursor !== '');
  expect(paged).toEqual(all.body.items);
  for (const [n, name] of [
    [1, 'v1'],
    [5, 'v5'],
  ] as const) {
    expect((await ask('GET', `/entities/${id}/revisions/${n}`)).body).toMatchObject({
      name,
      uses: [],
      usesNextCursor: null,
    });
  }
  expect((await ask('GET', `/entities/${id}/revisions/6`)).body.code).toBe('revision_not_found');
  expect((await ask('GET', `/entities/${id}/revisions/0`)).status).toBe(422);
});

test('two revisions compared: fields, properties, structure', async () => {
  const children = await Promise.all([1, 2, 3, 4].map(() => create()));
  const [same, gone, more, fresh] = children.map(({ id }) => id) as [string, string, string, string];
  const { id } = await create({ name: 'Old', properties: { Mass: 1, constructor: 'c' } });
  await put(id, same, 1);
  await put(id, gone, 2);
  await put(id, more, 3);
  await release(id);
  await ask('PATCH', `/entities/${id}`, { name: 'New', properties: { Mass: 1.5, constructor: null } });
  await ask('DELETE', `/entities/${id}/uses/${gone}`);
  await put(id, more, 3.5);
  await put(id, fresh, 4);

  const forward = await ask('GET', `/entities/${id}/revisions/compare?from=1&to=2`);
  expect(forward.status, forward.text).toBe(200);
  expect(forward.body).toMatchObject({
    from: 1,
    to: 2,
    fields: [
      { field: 'name', from: 'Old', to: 'New' },
      { field: 'state', from: 'Released', to: 'In Work' },
    ],
    properties: [
      { property: 'Mass', from: 1, to: 1.5 },
      { property: 'constructor', from: 'c', to: null },
    ],
    structure: {
      added: [{ entityId: fresh, quantity: 4 }],
      removed: [{ entityId: gone, quantity: 2 }],
      quantity: [{ entityId: more, from: 3, to: 3.5 }],
      truncated: false,
    },
  });
  const back = (await ask('GET', `/entities/${id}/revisions/compare?from=2&to=1`)).body;
  expect(back.structure.added[0].entityId).toBe(gone);
  const self = (await ask('GET', `/entities/${id}/revisions/compare?from=1&to=1`)).body;
  expect([self.fields, self.properties, self.structure.quantity]).toEqual([[], [], []]);
  expect((await ask('GET', `/entities/${id}/revisions/compare?from=1&to=9`)).body.code).toBe(
    'revision_not_found',
  );
  expect((await ask('GET', `/entities/${id}/revisions/compare?from=1`)).status).toBe(422);
});

test('a revision with more than a thousand children: the rest by pages', async () => {
  const { id } = await create();
  const children = await workspace.addEntities(1100);
  await workspace.transact((tx) =>
    tx.query(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity) select $1, $2, c, 1 from unnest($3::uuid[]) c`,
      [workspace.id, id, children],
    ),
  );
  await release(id);
  await ask('PATCH', `/entities/${id}`, { name: 'Next' });
  for (const n of [1, 2]) {
    const { uses, usesNextCursor } = (await ask('GET', `/entities/${id}/revisions/${n}`)).body;
    expect(uses).toHaveLength(1000);
    const rest = await ask('GET', `/entities/${id}/revisions/${n}/uses?cursor=${usesNextCursor}`);
    expect(rest.body.items).toHaveLength(100);
    expect(rest.body.nextCursor).toBeNull();
  }
});
