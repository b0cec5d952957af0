import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultTemplate } from '../../src/workspaces/default-template.ts';
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
const minimal = (key: string, more: object = {}) => ({ key, name: 'A category', lifecycle: 'part', ...more });

test('a category is made with defaults, read, listed', async () => {
  const made = await ask('POST', '/categories', minimal('fixture'));
  expect(made.status, made.text).toBe(201);
  expect(made.headers.get('location')).toBe(`/api/wid/${workspace.slug}/categories/fixture`);
  const expected = {
    key: 'fixture',
    name: 'A category',
    numbering: { source: 'payload', pattern: '{000000}' },
    lifecycle: 'part',
    role: 'none',
    behaviour: 'none',
    hiddenFromNew: false,
    tabs: [],
    properties: [],
    consume: null,
    unreleasedChildren: 'warn',
  };
  expect(made.body).toEqual(expected);
  const read = await ask('GET', '/categories/fixture');
  expect(read.body).toEqual(expected);
  expect(read.headers.get('etag')).toMatch(/^"[^"]+"$/);
  expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
  expect((await ask('GET', '/categories')).body.items).toContainEqual(expected);
  expect((await ask('GET', '/categories/Fixture')).status).toBe(404);
});

test.each(
  defaultTemplate.categories.map(({ key, role, behaviour, lifecycle }) => [key, role, behaviour, lifecycle]),
)(
  'a category like %s (role %s, behaviour %s) follows the lifecycle %s where it names none',
  async (key, role, behaviour, lifecycle) => {
    const made = await ask('POST', '/categories', { key: `own-${key}`, name: 'Own', role, behaviour });
    expect([made.status, made.body.lifecycle], made.text).toEqual([201, lifecycle]);
  },
);

test('where the workspace has no lifecycle of that key, one has to be named', async () => {
  const bare = await makeDefaultWorkspace(server);
  await bare.ask('DELETE', '/categories/project');
  expect((await bare.ask('DELETE', '/lifecycles/project')).status).toBe(204);
  const refused = await bare.ask('POST', '/categories', { key: 'mission', name: 'Mission', role: 'project' });
  expect([refused.status, refused.body.errors[0]]).toMatchObject([
    422,
    { pointer: '/lifecycle', code: 'lifecycle_not_found' },
  ]);
});

test('a replacement names its lifecycle', async () => {
  await ask('POST', '/categories', minimal('replaced'));
  const answer = await ask('PUT', '/categories/replaced', { name: 'Without' });
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/lifecycle']);
});

test('a key is taken once, however many ask at the same time', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => ask('POST', '/categories', minimal('raced'))),
  );
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  expect(answers.find((answer) => answer.status === 409)?.body.code).toBe('key_taken');
});

test.each(['__proto__', 'constructor', 'with space', 'a/b', 'Ü (mm)', '100%', 'x'.repeat(255)])(
  'key %j is an ordinary key',
  async (key) => {
    expect((await ask('POST', '/categories', minimal(key))).status).toBe(201);
    const path = `/categories/${encodeURIComponent(key)}`;
    expect((await ask('GET', path)).body.key).toBe(key);
    expect((await ask('PUT', path, minimal(key, { name: 'Renamed' }))).body.name).toBe('Renamed');
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).status).toBe(404);
  },
);

test.each([
  ['key', '', '/key'],
  ['key', '.', '/key'],
  ['key', ' a', '/key'],
  ['key', 'a\nb', '/key'],
  ['key', 'a\0b', '/key'],
  ['key', 'x'.repeat(256), '/key'],
  ['name', '', '/name'],
  ['name', '\ud800', '/name'],
  ['role', 'thing', '/role'],
  ['behaviour', 'stockLine', '/behaviour'],
  ['hiddenFromNew', 'yes', '/hiddenFromNew'],
  ['tabs', ['stockLedger', 'stockLedger'], '/tabs'],
  ['tabs', ['weather'], '/tabs/0'],
  ['lifecycle', 'none-such', '/lifecycle'],
  ['numbering', { source: 'guess', pattern: '{0}' }, '/numbering/source'],
  ['numbering', { source: 'scheme', pattern: 'PRT' }, '/numbering/pattern'],
  ['numbering', { source: 'scheme', pattern: '{0}-{00}' }, '/numbering/pattern'],
  ['numbering', { source: 'scheme', pattern: 'P{}' }, '/numbering/pattern'],
  ['numbering', { source: 'scheme', pattern: '{0a}' }, '/numbering/pattern'],
  ['numbering', { source: 'scheme', pattern: `${'x'.repeat(62)}{0}` }, '/numbering/pattern'],
])('%s = %j is refused at %s', async (field, value, pointer) => {
  const answer = await ask('POST', '/categories', minimal('refused', { [field]: value }));
  expect(answer.status).toBe(422);
  expect(answer.body.code).toBe('validation_failed');
  expect(answer.body.errors[0].pointer).toBe(pointer);
});

test('an unknown field is refused, also a nested one', async () => {
  const typo = await ask('POST', '/categories', minimal('typo', { lifecyle: 'part' }));
  expect([typo.status, typo.body.code, typo.body.errors[0].pointer]).toEqual([
    422,
    'unknown_field',
    '/lifecyle',
  ]);
  const nested = minimal('typo', { numbering: { source: 'scheme', pattern: '{0}', start: 5 } });
  expect((await ask('POST', '/categories', nested)).body.errors[0].pointer).toBe('/numbering/start');
});

test.each(['purchaseOrderLine', 'salesOrderLine', 'manufacturingOrderLine', 'materialRequirement'])(
  'behaviour %s is hidden from New, whatever is asked for',
  async (behaviour) => {
    const key = `custom-${behaviour}`;
    const body = minimal(key, { behaviour, hiddenFromNew: false });
    expect((await ask('POST', '/categories', body)).body.hiddenFromNew).toBe(true);
    expect((await ask('PUT', `/categories/${key}`, body)).body.hiddenFromNew).toBe(true);
  },
);

test('what GET gave can be PUT, and changes neither version nor trail', async () => {
  const read = await ask('GET', '/categories/assembly');
  const trail = (await ask('GET', '/audit')).body.items.length;
  const put = await ask('PUT', '/categories/assembly', read.body, {
    'If-Match': read.headers.get('etag') as string,
  });
  expect(put.status, put.text).toBe(200);
  expect(put.body).toEqual(read.body);
  expect(put.headers.get('etag')).toBe(read.headers.get('etag'));
  expect((await ask('GET', '/audit')).body.items.length).toBe(trail);
});

test('what happens to a taken number is shown, so that a PUT of what was read keeps it', async () => {
  const numbering = { source: 'payload', pattern: 'F-{000}', whenTaken: 'refuse' };
  await ask('POST', '/categories', minimal('refusing', { numbering }));
  const { body } = await ask('GET', '/categories/refusing');
  expect(body.numbering).toEqual(numbering);
  expect((await ask('PUT', '/categories/refusing', { ...body, name: 'Other' })).body.numbering).toEqual(
    numbering,
  );
});

test('the next number of a category is told and not taken', async () => {
  const numbering = { source: 'scheme', pattern: 'N-{000}' };
  await ask('POST', '/categories', minimal('counted', { numbering }));
  const next = async () => (await ask('GET', '/categories/counted/next-number')).body;
  expect([await next(), await next()]).toEqual([{ number: 'N-001' }, { number: 'N-001' }]);
  const made = await ask('POST', '/entities', { category: 'counted', name: 'First' });
  expect(made.body.number).toBe('N-001');
  expect(await next()).toEqual({ number: 'N-002' });
  expect((await ask('GET', '/categories/nothing/next-number')).status).toBe(404);
});

test('a PUT replaces: what it leaves out gets its default', async () => {
  await ask('POST', '/categories', minimal('replaced', { role: 'item', tabs: ['stockLedger'] }));
  const put = await ask('PUT', '/categories/replaced', { name: 'Plain', lifecycle: 'location' });
  expect(put.body).toMatchObject({
    key: 'replaced',
    name: 'Plain',
    lifecycle: 'location',
    role: 'none',
    tabs: [],
  });
});

test('receipts of a new category of manufacturing lines take their components; a PUT without it says nothing of them', async () => {
  const lines = { behaviour: 'manufacturingOrderLine', lifecycle: 'supplyLine' };
  const made = await ask('POST', '/categories', minimal('built', lines));
  expect(made.body.consume).toBe('proportional');
  expect(
    (await ask('POST', '/categories', minimal('byHand', { ...lines, consume: null }))).body.consume,
  ).toBeNull();
  const put = await ask('PUT', '/categories/built', { name: 'Built', ...lines });
  expect(put.body.consume).toBeNull();
  expect((await ask('POST', '/categories', minimal('some', { consume: 'some' }))).status).toBe(422);
});

test('another key in the body is refused: keys do not change', async () => {
  const answer = await ask('PUT', '/categories/part', minimal('part2'));
  expect([answer.status, answer.body.errors[0].code]).toEqual([422, 'read_only_field']);
});

test('a PUT or DELETE of what is not there is 404', async () => {
  expect((await ask('PUT', '/categories/none', minimal('none'))).status).toBe(404);
  expect((await ask('DELETE', '/categories/none')).status).toBe(404);
});

test('of two PUTs with one If-Match, one gets 412 and nothing of it stays', async () => {
  await ask('POST', '/categories', minimal('contested'));
  const etag = (await ask('GET', '/categories/contested')).headers.get('etag') as string;
  const answers = await Promise.all(
    ['Left', 'Right'].map((name) =>
      ask('PUT', '/categories/contested', { ...minimal('contested'), name }, { 'If-Match': etag }),
    ),
  );
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 412]);
  const won = answers.find((answer) => answer.status === 200);
  const now = await ask('GET', '/categories/contested');
  expect(now.body.name).toBe(won?.body.name);
  expect(now.headers.get('etag')).toBe(won?.headers.get('etag'));
  expect(now.headers.get('etag')).not.toBe(etag);
});

test('a stale If-Match stops a DELETE, and an old tag does not fit a key that was made again', async () => {
  const first = await ask('POST', '/categories', minimal('phoenix'));
  const etag = first.headers.get('etag') as string;
  expect((await ask('DELETE', '/categories/phoenix', undefined, { 'If-Match': '"99-zz"' })).status).toBe(412);
  expect((await ask('DELETE', '/categories/phoenix', undefined, { 'If-Match': etag })).status).toBe(204);
  await ask('POST', '/categories', minimal('phoenix'));
  expect((await ask('PUT', '/categories/phoenix', minimal('phoenix'), { 'If-Match': etag })).status).toBe(
    412,
  );
});

test('a category with entities is not deleted, and the refusal says how many there are', async () => {
  await ask('POST', '/categories', minimal('busy'));
  await workspace.addEntities(3, { category: 'busy' });
  const answer = await ask('DELETE', '/categories/busy');
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 'in_use', usedBy: { entities: 3, more: false } });
  expect(answer.body.detail).toContain('3 entities');
});

test('counting the entities in use stops at 10 000', async () => {
  await ask('POST', '/categories', minimal('crowded'));
  await workspace.addEntities(10_000, { category: 'crowded' });
  expect((await ask('DELETE', '/categories/crowded')).body.usedBy).toEqual({ entities: 10_000, more: false });
  await workspace.addEntities(1, { category: 'crowded' });
  expect((await ask('DELETE', '/categories/crowded')).body.usedBy).toEqual({ entities: 10_000, more: true });
});

test('a category with entities keeps its behaviour, and takes only a lifecycle that has their states', async () => {
  await ask('POST', '/categories', minimal('settled'));
  await workspace.addEntities(2, { category: 'settled', state: 'Released' });
  const behaviour = await ask('PUT', '/categories/settled', minimal('settled', { behaviour: 'salesOrder' }));
  expect([behaviour.status, behaviour.body.code]).toEqual([409, 'in_use']);

  const lifecycle = await ask('PUT', '/categories/settled', minimal('settled', { lifecycle: 'location' }));
  expect(lifecycle.status).toBe(409);
  expect(lifecycle.body.usedBy.states).toEqual([{ state: 'Released', entities: 2, more: false }]);

  const states = [
    { name: 'Released', released: true },
    { name: 'Withdrawn', released: false },
  ];
  await ask('POST', '/lifecycles', { key: 'short', name: 'Short', initialState: 'Withdrawn', states });
  expect((await ask('PUT', '/categories/settled', minimal('settled', { lifecycle: 'short' }))).status).toBe(
    200,
  );
});

test('configuration takes an admin to change, and a reader to read', async () => {
  const made = await ask('POST', '/api-keys', { name: 'writer', permission: 'write' });
  const key = made.body.key;
  const path = `/api/wid/${workspace.slug}/categories`;
  expect((await server.request(path, { key })).status).toBe(200);
  expect((await server.request(path, { key, body: minimal('denied') })).status).toBe(403);
  expect((await server.request(`${path}/part`, { key, method: 'DELETE' })).status).toBe(403);
});

test('a list is paged by key', async () => {
  const whole = (await ask('GET', '/categories?limit=1000')).body.items.map(
    (item: { key: string }) => item.key,
  );
  const first = await ask('GET', '/categories?limit=5');
  const second = await ask('GET', `/categories?limit=1000&cursor=${first.body.nextCursor}`);
  const paged = [...first.body.items, ...second.body.items].map((item: { key: string }) => item.key);
  expect(paged).toEqual(whole);
  expect(second.body.nextCursor).toBeNull();
  expect((await ask('GET', `/lifecycles?cursor=${first.body.nextCursor}`)).body.code).toBe('invalid_cursor');
});
