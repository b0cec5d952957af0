// API keys of a workspace: made, shown once, changed, revoked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

let server: TestServer;
let workspace: TestWorkspace;
let keys: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function freshWorkspace(): Promise<void> {
  workspace = await server.createWorkspace();
  keys = `${workspace.path}/api-keys`;
}
const as =
  (key: string) =>
  (path: string, options: Parameters<TestServer['request']>[1] = {}) =>
    server.request(path, { key, ...options });
const create = (body: object) =>
  as(workspace.key)(keys, { body: { name: 'CAD', permission: 'write', ...body } });

test('a key is shown once, works, and only its hash is stored', async () => {
  await freshWorkspace();
  const made = await create({ expiresAt: '2099-01-01T00:00:00+01:00' });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    name: 'CAD',
    permission: 'write',
    areas: ['read', 'stock', 'procurement', 'engineering'],
    expiresAt: '2098-12-31T23:00:00.000Z',
    lastUsedAt: null,
    revokedAt: null,
  });
  expect(made.body.key.startsWith(made.body.prefix)).toBe(true);
  expect(made.headers.get('location')).toBe(`${keys}/${made.body.id}`);

  const { key, ...shown } = made.body;
  const read = await as(workspace.key)(`${keys}/${made.body.id}`);
  expect(read.body).toEqual(shown);
  expect((await as(key)(keys)).status).toBe(403);
  const dump = await inTransaction(server.ctx.db, { workspaceId: workspace.id }, (tx) =>
    tx.query<{ all: string }>(
      `select (select jsonb_agg(k)::text from api_key k) || (select jsonb_agg(l)::text from audit_log l) as all`,
    ),
  );
  expect(dump[0]?.all).toContain(made.body.prefix);
  expect(dump[0]?.all).not.toContain(key);
});

test('a repeated creation with an Idempotency-Key shows the same key', async () => {
  await freshWorkspace();
  const options = { body: { name: 'a', permission: 'read' }, headers: { 'Idempotency-Key': 'once' } };
  const first = await as(workspace.key)(keys, options);
  const again = await as(workspace.key)(keys, options);
  expect(again.text).toBe(first.text);
  expect((await as(workspace.key)(keys)).body.items).toHaveLength(2);
});

test('the list is newest first and paged', async () => {
  await freshWorkspace();
  for (let i = 0; i < 4; i++) await create({ name: `key ${i}` });
  const names: string[] = [];
  let cursor = '';
  do {
    const page = await as(workspace.key)(`${keys}?limit=2${cursor}`);
    names.push(...page.body.items.map((item: { name: string }) => item.name));
    cursor = page.body.nextCursor === null ? '' : `&cursor=${page.body.nextCursor}`;
  } while (cursor !== '');
  expect(names).toEqual(['key 3', 'key 2', 'key 1', 'key 0', 'admin key']);
  expect((await as(workspace.key)(`${keys}?cursor=abc`)).body.code).toBe('invalid_cursor');
});

test('what GET gave can be PUT, with an entity tag that guards it', async () => {
  await freshWorkspace();
  const { body: made } = await create({});
  const path = `${keys}/${made.id}`;
  const read = await as(workspace.key)(path);
  const put = (body: object, tag: string | null) =>
    as(workspace.key)(path, { method: 'PUT', body, headers: tag === null ? {} : { 'If-Match': tag } });
  const renamed = await put({ ...read.body, name: 'PLM' }, read.headers.get('etag'));
  expect([renamed.status, renamed.body.name]).toEqual([200, 'PLM']);
  expect((await put({ ...read.body, name: 'X' }, read.headers.get('etag'))).status).toBe(412);
  expect((await put({ name: 'X' }, null)).body.errors).toMatchObject([{ pointer: '/expiresAt' }]);
  expect((await put({ ...read.body, nmae: 'X' }, null)).body.code).toBe('unknown_field');
});

test('a weakened key is weaker at once, an expired one is refused', async () => {
  await freshWorkspace();
  const { body: made } = await create({ permission: 'admin' });
  const put = (body: object) =>
    as(workspace.key)(`${keys}/${made.id}`, { method: 'PUT', body: { name: 'a', ...body } });
  expect((await as(made.key)(keys)).status).toBe(200);
  await put({ permission: 'read', expiresAt: null });
  expect((await as(made.key)(keys)).status).toBe(403);
  await put({ permission: 'read', expiresAt: '2020-01-01T00:00:00Z' });
  expect((await as(made.key)(keys)).status).toBe(401);
});

test('the last usable admin key can neither revoke, weaken nor expire itself', async () => {
  await freshWorkspace();
  const own = (await as(workspace.key)(keys)).body.items[0];
  const path = `${keys}/${own.id}`;
  const refusals = [
    await as(workspace.key)(path, { method: 'DELETE' }),
    await as(workspace.key)(path, { method: 'PUT', body: { ...own, permission: 'write' } }),
    await as(workspace.key)(path, { method: 'PUT', body: { ...own, expiresAt: '2020-01-01T00:00:00Z' } }),
  ];
  for (const answer of refusals) expect([answer.status, answer.body.code]).toEqual([409, 'last_admin_key']);
  await create({ permission: 'admin' });
  expect((await as(workspace.key)(path, { method: 'DELETE' })).status).toBe(204);
  expect((await as(workspace.key)(path)).status).toBe(401);
});

test('a workspace always has an admin key without an end', async () => {
  await freshWorkspace();
  const own = (await as(workspace.key)(keys)).body.items[0];
  const path = `${keys}/${own.id}`;
  const soon = () => new Date(Date.now() + 3_600_000).toISOString();
  const change = (body: object) => as(workspace.key)(path, { method: 'PUT', body: { ...own, ...body } });
  const expectRefused = async () => {
    const refusals = [
      await change({ expiresAt: soon() }),
      await change({ permission: 'write' }),
      await as(workspace.key)(path, { method: 'DELETE' }),
    ];
    for (const { status, body } of refusals) expect([status, body.code]).toEqual([409, 'last_admin_key']);
  };
  await expectRefused();
  const { body: ending } = await create({ permission: 'admin', expiresAt: soon() });
  await expectRefused();
  const ended = await as(workspace.key)(`${keys}/${ending.id}`, { method: 'DELETE' });
  expect(ended.status).toBe(204);
  const { body: lasting } = await create({ permission: 'admin' });
  expect((await change({ expiresAt: soon() })).status).toBe(200);
  const last = await as(workspace.key)(`${keys}/${lasting.id}`, { method: 'DELETE' });
  expect([last.status, last.body.code]).toEqual([409, 'last_admin_key']);
});

test('the operator makes an admin key for a workspace that has none left, and its audit trail says so', async () => {
  await freshWorkspace();
  await inTransaction(server.ctx.db, { workspaceId: workspace.id }, (tx) =>
    tx.query('update api_key set expires_at = now()'),
  );
  expect((await as(workspace.key)(keys)).status).toBe(401);
  const operator = as(server.ctx.operatorToken);
  const path = `/api/workspaces/${workspace.slug}/api-keys`;
  const made = await operator(path, { body: {} });
  expect([made.status, made.body.permission]).toEqual([201, 'admin']);
  const own = await as(made.body.key)(keys);
  expect(own.body.items[0]).toMatchObject({ name: 'Made by the operator', expiresAt: null });
  const { body: audit } = await as(made.body.key)(`${workspace.path}/audit`);
  expect(audit.items[0]).toMatchObject({
    actor: { type: 'operator' },
    action: 'create',
    subjectType: 'apiKey',
  });
  expect(audit.items[0].after).not.toHaveProperty('key');
  expect((await as(made.body.key)(path, { body: {} })).status).toBe(401);
  for (const slug of ['no-such', '%2e', 'A'])
    expect((await operator(`/api/workspaces/${slug}/api-keys`, { body: {} })).body.code).toBe('not_found');
});

test('of two admins who revoke each other at once, one stays', async () => {
  for (let round = 0; round < 5; round++) {
    await freshWorkspace();
    const own = (await as(workspace.key)(keys)).body.items[0];
    const { body: other } = await create({ permission: 'admin' });
    const statuses = await Promise.all([
      as(workspace.key)(`${keys}/${other.id}`, { method: 'DELETE' }),
      as(other.key)(`${keys}/${own.id}`, { method: 'DELETE' }),
    ]).then((answers) => answers.map((answer) => answer.status));
    expect(statuses).toContain(204);
    const left = [await as(workspace.key)(keys), await as(other.key)(keys)].map((answer) => answer.status);
    expect(left.toSorted()).toEqual([200, 401]);
  }
});

test('revoking twice is no error, a revoked key cannot be changed, an unknown one is 404', async () => {
  await freshWorkspace();
  const { body: made } = await create({});
  const path = `${keys}/${made.id}`;
  for (let i = 0; i < 2; i++) expect((await as(workspace.key)(path, { method: 'DELETE' })).status).toBe(204);
  const read = await as(workspace.key)(path);
  expect(read.body.revokedAt).toMatch(/Z$/);
  const put = await as(workspace.key)(path, { method: 'PUT', body: read.body });
  expect([put.status, put.body.code]).toEqual([409, 'api_key_revoked']);
  const unknown = await as(workspace.key)(`${keys}/01900000-0000-7000-8000-000000000000`);
  expect([unknown.status, unknown.body.code]).toEqual([404, 'api_key_not_found']);
});

test('every change stands in the audit trail', async () => {
  await freshWorkspace();
  const { body: made } = await create({});
  const path = `${keys}/${made.id}`;
  await as(workspace.key)(path, {
    method: 'PUT',
    body: { name: 'new', permission: 'read', expiresAt: null },
  });
  await as(workspace.key)(path, { method: 'DELETE' });
  const rows = await inTransaction(server.ctx.db, { workspaceId: workspace.id }, (tx) =>
    tx.query<{ action: string; before: { name: string } | null; after: { name: string } | null }>(
      `select action, before, after from audit_log where subject_type = 'apiKey' and subject_key = $1 order by id`,
      [made.id],
    ),
  );
  expect(rows.map((row) => [row.action, row.before?.name, row.after?.name])).toEqual([
    ['create', undefined, 'CAD'],
    ['update', 'CAD', 'new'],
    ['revoke', 'new', 'new'],
  ]);
});

test('the last use is written, late', async () => {
  await freshWorkspace();
  await as(workspace.key)(keys);
  await expect
    .poll(async () => (await as(workspace.key)(keys)).body.items[0].lastUsedAt, { interval: 500 })
    .toMatch(/Z$/);
});

test('a bad body says what is wrong', async () => {
  await freshWorkspace();
  const past = await create({ expiresAt: '2020-01-01T00:00:00Z' });
  expect([past.status, past.body.errors[0].pointer]).toEqual([422, '/expiresAt']);
  expect((await create({ name: ' ' })).body.errors[0].pointer).toBe('/name');
  expect((await create({ permission: 'root' })).body.errors[0].pointer).toBe('/permission');
});

test('a workspace has a bound on its keys; revoked ones do not count, and the oldest of them go', async () => {
  const small = await startTestServer({ environment: { API_KEYS_MAX: '4', REVOKED_API_KEYS_MAX: '2' } });
  try {
    const { key, path } = await small.createWorkspace();
    const ask = (method: string, where: string, body?: object) =>
      small.request(`${path}/api-keys${where}`, { key, method, body });
    const make = () => ask('POST', '', { name: 'k', permission: 'admin' });
    // However many ask at once.
    const made = await Promise.all(Array.from({ length: 8 }, make));
    const created = made.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
    expect(created).toHaveLength(3);
    const refused = made.find(({ status }) => status !== 201);
    expect([refused?.status, refused?.body.code, refused?.body.limit]).toEqual([
      409,
      'configuration_full',
      4,
    ]);
    expect(refused?.body.detail).toContain('4 API keys');
    for (const id of created) {
      expect((await ask('DELETE', `/${id}`)).status).toBe(204);
      expect((await make()).status).toBe(201);
      const last = (await ask('GET', '')).body.items.filter(
        (one: { revokedAt: string | null }) => one.revokedAt === null,
      );
      expect(last).toHaveLength(4);
    }
    const left = (await ask('GET', '')).body.items.map((one: { id: string }) => one.id);
    expect(left).not.toContain(created[0]);
    expect(left).toEqual(expect.arrayContaining(created.slice(1)));
    expect((await ask('GET', `/${created[0]}`)).status).toBe(404);
    const audit = await small.request(`${path}/audit?limit=1000`, { key });
    const told = audit.body.items.filter((one: { subjectKey: string }) => one.subjectKey === created[0]);
    expect(told.map((one: { action: string }) => one.action)).toEqual(['revoke', 'create']);
  } finally {
    await small.close();
  }
});

test('a key has areas of its own, and a level is a name for some', async () => {
  await freshWorkspace();
  const made = await as(workspace.key)(keys, { body: { name: 'Store', areas: ['stock', 'stock'] } });
  expect(made.body).toMatchObject({ permission: 'read', areas: ['read', 'stock'] });
  const path = `${keys}/${made.body.id}`;
  const change = async (body: object) => {
    const answer = await as(workspace.key)(path, {
      method: 'PUT',
      body: { ...made.body, key: undefined, ...body },
    });
    return [
      answer.status,
      answer.body.permission,
      answer.body.areas?.join(),
      answer.body.errors?.[0]?.pointer,
    ];
  };
  // A client that knows only levels sends back the areas that it read with another level.
  expect(await change({ permission: 'write' })).toEqual([
    200,
    'write',
    'read,stock,procurement,engineering',
    undefined,
  ]);
  expect(await change({ areas: ['admin'], permission: 'write' })).toEqual([
    200,
    'read',
    'read,admin',
    undefined,
  ]);
  expect(await change({ areas: ['stock'], permission: 'admin' })).toEqual([
    422,
    undefined,
    undefined,
    '/permission',
  ]);
  expect(await change({ areas: undefined, permission: undefined })).toEqual([
    422,
    undefined,
    undefined,
    '/areas',
  ]);
});

test('nobody gives a key an area that they lack', async () => {
  await freshWorkspace();
  const clerk = as(await workspace.addKey(['stock', 'admin']));
  const made = await clerk(keys, { body: { name: 'a', areas: ['stock'] } });
  expect(made.body.areas).toEqual(['read', 'stock']);
  const more = await clerk(keys, { body: { name: 'b', areas: ['engineering'] } });
  expect([more.status, more.body.code, more.body.needed]).toEqual([403, 'area_missing', ['engineering']]);
  const raised = await clerk(`${keys}/${made.body.id}`, {
    method: 'PUT',
    body: { name: 'a', permission: 'admin', expiresAt: null },
  });
  expect([raised.status, raised.body.needed]).toEqual([403, ['procurement']]);
});
