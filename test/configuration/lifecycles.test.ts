import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { configurationForWriting } from '../../src/configuration/current/configuration-for-writing.ts';
import type { Lifecycle } from '../../src/configuration/lifecycles/lifecycle.schema.ts';
import type { Tx } from '../../src/db/transaction.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const ask: DefaultWorkspace['ask'] = (...given) => workspace.ask(...given);
const drawn = (more: object = {}) => ({
  name: 'A lifecycle',
  initialState: 'Draft',
  states: [
    { name: 'Draft', released: false },
    { name: 'Frozen', released: true },
  ],
  transitions: [{ id: 'freeze', name: 'Freeze', from: 'Draft', to: 'Frozen', featureAutomations: [] }],
  ...more,
});
const way = (id: string, from: string, to: string, more: object = {}) => ({
  id,
  name: id,
  from,
  to,
  ...more,
});

/** A lifecycle with a category that follows it. */
async function makeFollowed(key: string): Promise<Lifecycle> {
  const made = await ask('POST', '/lifecycles', { key, ...drawn() });
  expect(made.status, made.text).toBe(201);
  const category = await ask('POST', '/categories', { key, name: key, lifecycle: key });
  expect(category.status, category.text).toBe(201);
  return made.body;
}

test('a lifecycle is made, read, replaced, deleted', async () => {
  const made = await ask('POST', '/lifecycles', { key: 'simple', ...drawn() });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toEqual({ key: 'simple', ...drawn() });
  expect((await ask('POST', '/lifecycles', { key: 'simple', ...drawn() })).body.code).toBe('key_taken');
  const etag = made.headers.get('etag') as string;
  const put = await ask('PUT', '/lifecycles/simple', drawn({ name: 'Renamed' }), { 'If-Match': etag });
  expect(put.body.name).toBe('Renamed');
  expect((await ask('PUT', '/lifecycles/simple', drawn(), { 'If-Match': etag })).status).toBe(412);
  expect((await ask('DELETE', '/lifecycles/simple')).status).toBe(204);
  expect((await ask('GET', '/lifecycles/simple')).status).toBe(404);
});

test('what GET gave can be PUT, and changes nothing', async () => {
  const read = await ask('GET', '/lifecycles/supplyLine');
  const put = await ask('PUT', '/lifecycles/supplyLine', read.body);
  expect(put.status, put.text).toBe(200);
  expect(put.headers.get('etag')).toBe(read.headers.get('etag'));
});

test.each([
  ['initial state unknown', { initialState: 'Nowhere' }, '/initialState'],
  ['no state', { states: [] }, '/states'],
  ['state twice', { states: [{ name: 'Draft' }, { name: 'Draft' }], transitions: [] }, '/states/1/name'],
  ['from unknown', { transitions: [way('a', 'Nowhere', 'Frozen')] }, '/transitions/0/from'],
  ['to unknown', { transitions: [way('a', 'Draft', 'Nowhere')] }, '/transitions/0/to'],
  ['to itself', { transitions: [way('a', 'Draft', 'Draft')] }, '/transitions/0/to'],
  [
    'id twice',
    { transitions: [way('a', 'Draft', 'Frozen'), way('a', 'Frozen', 'Draft')] },
    '/transitions/1/id',
  ],
  [
    'way twice',
    { transitions: [way('a', 'Draft', 'Frozen'), way('b', 'Draft', 'Frozen')] },
    '/transitions/1/to',
  ],
  [
    'feature unknown',
    { transitions: [way('a', 'Draft', 'Frozen', { featureAutomations: [{ feature: 'makeCoffee' }] })] },
    '/transitions/0/featureAutomations/0/feature',
  ],
  [
    'settings with U+0000',
    {
      transitions: [
        way('a', 'Draft', 'Frozen', {
          featureAutomations: [{ feature: 'notifyWebhook', settings: { a: '\0' } }],
        }),
      ],
    },
    '/transitions/0/featureAutomations/0/settings/a',
  ],
])('%s is refused', async (_, change, pointer) => {
  for (const [method, path] of [
    ['POST', '/lifecycles'],
    ['PUT', '/lifecycles/part'],
  ] as const) {
    const key = method === 'POST' ? { key: 'refused' } : {};
    const answer = await ask(method, path, { ...key, ...drawn(change) });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  }
});

test('a typo in a transition is an unknown field', async () => {
  const answer = await ask('POST', '/lifecycles', {
    key: 'typo',
    ...drawn({ transitions: [way('a', 'Draft', 'Frozen', { featureAutomation: [] })] }),
  });
  expect([answer.status, answer.body.code]).toEqual([422, 'unknown_field']);
});

test('state names such as __proto__ are ordinary, and settings keep their form', async () => {
  const states = ['__proto__', 'constructor', 'toString'].map((name) => ({ name, released: false }));
  const settings = { whenNoWay: 'skip', toState: '__proto__' };
  const transitions = [
    way('__proto__', '__proto__', 'constructor', {
      featureAutomations: [{ feature: 'cascadeTransition', settings }],
    }),
  ];
  const body = { key: 'hostile', name: 'Hostile', initialState: '__proto__', states, transitions };
  const made = await ask('POST', '/lifecycles', body);
  expect(made.status, made.text).toBe(201);
  expect((await ask('GET', '/lifecycles/hostile')).body).toEqual(body);
});

test('a state that entities are in does not go, and its released does not change', async () => {
  await makeFollowed('followed');
  await workspace.addEntities(4, { category: 'followed', state: 'Draft' });

  const gone = drawn({
    initialState: 'Frozen',
    states: [{ name: 'Frozen', released: true }],
    transitions: [],
  });
  const refused = await ask('PUT', '/lifecycles/followed', gone);
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    code: 'in_use',
    usedBy: { states: [{ state: 'Draft', entities: 4, more: false }] },
  });
  expect(refused.body.detail).toContain('4 entities');

  const [draft, frozen] = drawn().states as [object, object];
  const released = await ask(
    'PUT',
    '/lifecycles/followed',
    drawn({ states: [{ ...draft, released: true }, frozen] }),
  );
  expect([released.status, released.body.code]).toEqual([409, 'in_use']);
});

test('a state that no entity is in may go or change, and new ones may come', async () => {
  await makeFollowed('free');
  await workspace.addEntities(1, { category: 'free', state: 'Draft' });
  const states = [
    { name: 'Draft', released: false },
    { name: 'Frozen', released: false },
    { name: 'Thawed', released: false },
  ];
  expect((await ask('PUT', '/lifecycles/free', drawn({ states }))).status).toBe(200);
  const smaller = drawn({ states: states.slice(0, 1), transitions: [] });
  expect((await ask('PUT', '/lifecycles/free', smaller)).status).toBe(200);
});

test('entities of categories with another lifecycle do not count', async () => {
  await makeFollowed('mine');
  await makeFollowed('others');
  await workspace.addEntities(1, { category: 'others', state: 'Frozen' });
  const smaller = drawn({ states: [{ name: 'Draft', released: false }], transitions: [] });
  expect((await ask('PUT', '/lifecycles/mine', smaller)).status).toBe(200);
});

test('a lifecycle that categories follow is not deleted, and the refusal names them', async () => {
  const answer = await ask('DELETE', '/lifecycles/part');
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({
    code: 'in_use',
    usedBy: { categories: ['assembly', 'material', 'part'] },
  });
});

async function someLockIsAwaited(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ any: boolean }>(
    `select exists (
       select from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.locktype = 'advisory' and not l.granted) as any`,
  );
  return row?.any === true;
}

test('a change waits for the writers that go by the configuration, and then sees what they wrote', async () => {
  const lifecycle = await makeFollowed('awaited');
  const order: string[] = [];
  const change = workspace.transact(async (tx) => {
    await configurationForWriting(tx);
    const put = ask('PUT', '/lifecycles/awaited', {
      ...lifecycle,
      states: [{ name: 'Draft', released: false }],
      transitions: [],
    }).then((answer) => {
      order.push('changed');
      return answer;
    });
    await vi.waitUntil(() => someLockIsAwaited(tx), patience);
    await tx.query(
      `insert into entity (workspace_id, id, version_id, name, category, state, revised_by)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'Late', 'awaited', 'Frozen', $1)`,
      [workspace.id],
    );
    order.push('written');
    return { put };
  });
  const answer = await (await change).put;
  expect(order).toEqual(['written', 'changed']);
  expect(answer.status).toBe(409);
});

test('a lifecycle and a category that names it never pass each other', async () => {
  for (let round = 0; round < 5; round++) {
    const key = `pair${round}`;
    await ask('POST', '/lifecycles', { key, ...drawn() });
    const [deleted, made] = await Promise.all([
      ask('DELETE', `/lifecycles/${key}`),
      ask('POST', '/categories', { key, name: key, lifecycle: key }),
    ]);
    expect([
      [204, 422],
      [409, 201],
    ]).toContainEqual([deleted.status, made.status]);
  }
});

test('a lifecycle has a size', async () => {
  const settings = { text: 'x'.repeat(300_000) };
  const transitions = [
    way('a', 'Draft', 'Frozen', { featureAutomations: [{ feature: 'notifyWebhook', settings }] }),
  ];
  const answer = await ask('POST', '/lifecycles', { key: 'vast', ...drawn({ transitions }) });
  expect(answer.status).toBe(413);
});
