import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAudit } from '../../src/audit/read-audit.ts';
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

test('every change leaves who, when, what, from what, to what; newest first', async () => {
  const body = { key: 'Mass', name: 'Mass', type: 'text' };
  await ask('POST', '/property-definitions', body);
  await ask('PUT', '/property-definitions/Mass', { ...body, type: 'numeric' });
  await ask('DELETE', '/property-definitions/Mass');
  const { items } = (await ask('GET', '/audit?limit=3')).body;
  const numeric = { ...body, type: 'numeric' };
  expect(items).toMatchObject([
    { action: 'delete', before: numeric, after: null },
    { action: 'update', before: body, after: numeric },
    { action: 'create', before: null, after: body },
  ]);
  for (const item of items) {
    expect(item).toMatchObject({ subjectType: 'propertyDefinition', subjectKey: 'Mass' });
    expect(item.actor).toMatchObject({ type: 'apiKey', id: expect.any(String) });
    expect(item.recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
});

test('categories and lifecycles are in it as the API shows them', async () => {
  const category = (await ask('GET', '/categories/part')).body;
  await ask('PUT', '/categories/part', { ...category, name: 'Piece' });
  const lifecycle = (await ask('GET', '/lifecycles/part')).body;
  await ask('PUT', '/lifecycles/part', { ...lifecycle, name: 'Life of a piece' });
  expect((await ask('GET', '/audit?limit=2')).body.items).toMatchObject([
    { subjectType: 'lifecycle', before: lifecycle, after: { ...lifecycle, name: 'Life of a piece' } },
    { subjectType: 'category', before: category, after: { ...category, name: 'Piece' } },
  ]);
});

test('a refused change leaves nothing', async () => {
  const before = (await ask('GET', '/audit')).body.items;
  expect((await ask('DELETE', '/lifecycles/part')).status).toBe(409);
  expect((await ask('PUT', '/categories/part', { name: 'X', lifecycle: 'gone' })).status).toBe(422);
  expect((await ask('GET', '/audit')).body.items).toEqual(before);
});

test('pages follow each other while entries are added', async () => {
  const whole = (await ask('GET', '/audit')).body.items;
  const first = (await ask('GET', '/audit?limit=2')).body;
  await ask('POST', '/property-definitions', { key: 'Later', name: 'Later', type: 'text' });
  const rest = (await ask('GET', `/audit?limit=1000&cursor=${first.nextCursor}`)).body;
  expect([...first.items, ...rest.items]).toEqual(whole);
});

test('the trail is read, never written', async () => {
  expect((await ask('POST', '/audit', {})).status).toBe(405);
  expect((await ask('DELETE', '/audit')).status).toBe(405);
});

test('what only administrators read of API keys, the trail shows to them alone', async () => {
  const made = await ask('POST', '/api-keys', { name: 'Payroll robot', permission: 'read' });
  const { key, ...shown } = made.body;
  const as = (shownKey: string) =>
    server.request(`/api/wid/${workspace.slug}/audit?limit=1`, { key: shownKey });
  const [full] = (await as(workspace.key)).body.items;
  expect(full).toMatchObject({ subjectType: 'apiKey', after: shown, redacted: false });
  const [entry] = (await as(key)).body.items;
  expect(entry).toEqual({ ...full, before: null, after: null, redacted: true });
  await ask('POST', '/invitations', { name: 'Payroll clerk', areas: ['read'] });
  const [invitation] = (await as(key)).body.items;
  expect(invitation).toMatchObject({ subjectType: 'invitation', after: null, redacted: true });
  for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
    const path = `/api/wid/${workspace.slug}/audit?limit=1000`;
    const whole = await server.request(path, { key, headers: { Accept: accept } });
    expect([accept, whole.status]).toEqual([accept, 200]);
    expect(whole.text).not.toContain(shown.prefix);
    expect(whole.text).not.toMatch(/Payroll (robot|clerk)/);
  }
  await ask('POST', '/property-definitions', { key: 'Tint', name: 'Tint', type: 'text' });
  expect((await as(key)).body.items[0]).toMatchObject({ after: { key: 'Tint' }, redacted: false });
});

test('the whole trail is to be had as NDJSON and as CSV, however long', async () => {
  const other = await makeDefaultWorkspace(server);
  for (let n = 0; n < 120; n++)
    await other.ask('POST', '/property-definitions', { key: `P${n}`, name: `"quoted", ${n}`, type: 'text' });
  const items = (await other.ask('GET', '/audit?limit=1000')).body.items;
  expect(items.length).toBeGreaterThan(120);
  const lines = await other.ask('GET', '/audit?limit=5', undefined, { Accept: 'application/x-ndjson' });
  expect(lines.headers.get('content-type')).toContain('application/x-ndjson');
  expect(
    lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(items);
  const csv = await other.ask('GET', '/audit', undefined, { Accept: 'text/csv' });
  const rows = csv.text.trimEnd().split('\r\n');
  expect(rows[0]).toBe(
    'id,recordedAt,actorType,actorId,actorName,action,subjectType,subjectKey,before,after,redacted',
  );
  expect(rows).toHaveLength(items.length + 1);
  expect(rows[1]).toContain(items[0].id);
  expect(rows[1]).toContain('""quoted');
  const neither = await other.ask('GET', '/audit', undefined, { Accept: 'image/png' });
  expect([neither.status, neither.body.code]).toEqual([406, 'not_acceptable']);
  const head = await server.request(`/api/wid/${other.slug}/audit`, {
    method: 'HEAD',
    key: other.key,
    headers: { Accept: 'text/csv' },
  });
  expect([head.status, head.text]).toEqual([200, '']);
});

test('it is found by who, by what, by when, in pages and as a file', async () => {
  const other = await makeDefaultWorkspace(server);
  const since = async (query: string): Promise<string[]> => {
    const found: string[] = [];
    let cursor = '';
    do {
      const { status, body, text } = await other.ask('GET', `/audit?limit=2&${query}${cursor}`);
      expect(status, text).toBe(200);
      found.push(...body.items.map((one: { subjectKey: string }) => one.subjectKey));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    return found;
  };
  const buyer = (await other.ask('POST', '/api-keys', { name: 'Buyer', permission: 'admin' })).body;
  const asBuyer = (method: string, path: string, body?: unknown) =>
    server.request(`/api/wid/${other.slug}${path}`, { method, key: buyer.key, body });
  for (const key of ['A', 'B', 'C'])
    await other.ask('POST', '/property-definitions', { key, name: key, type: 'text' });
  const [newest] = (await other.ask('GET', '/audit?limit=1')).body.items;
  await asBuyer('POST', '/property-definitions', { key: 'D', name: 'D', type: 'text' });
  await asBuyer('DELETE', '/property-definitions/B');
  expect(await since(`actorId=${buyer.id}`)).toEqual(['B', 'D']);
  expect(await since('subjectType=propertyDefinition')).toEqual(['B', 'D', 'C', 'B', 'A']);
  expect(await since('subjectType=propertyDefinition&action=delete')).toEqual(['B']);
  expect(await since('subjectKey=B')).toEqual(['B', 'B']);
  expect(await since(`subjectKey=B&actorId=${buyer.id}`)).toEqual(['B']);
  expect(await since('subjectKey=B&subjectType=category')).toEqual([]);
  expect(await since(`from=${newest.recordedAt}`)).toEqual(['B', 'D', 'C']);
  const before = await since(`to=${newest.recordedAt}&subjectType=propertyDefinition`);
  expect(before).toEqual(['B', 'A']);
  const csv = await other.ask('GET', `/audit?actorId=${buyer.id}`, undefined, { Accept: 'text/csv' });
  expect(csv.text.trimEnd().split('\r\n')).toHaveLength(3);

  // By the sort of change alone; and where one filter passes over more than a page looks at, page after page.
  expect(await since('action=delete')).toEqual(['B']);
  await other.transact((tx) =>
    tx.query(
      `insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key)
       select $1, uuidv7(), $2, 'update', 'propertyDefinition', 'Z' from generate_series(1, 6000)`,
      [other.id, buyer.id],
    ),
  );
  const narrow = `actorId=${buyer.id}&action=delete`;
  const first = (await other.ask('GET', `/audit?${narrow}`)).body;
  expect([first.items.length, typeof first.nextCursor]).toEqual([0, 'string']);
  expect(await since(narrow)).toEqual(['B']);
  const file = await other.ask('GET', `/audit?format=csv&${narrow}`);
  expect(file.text.trimEnd().split('\r\n')).toHaveLength(2);
});

test('what is recorded while a page is read shows nothing twice', async () => {
  const other = await makeDefaultWorkspace(server);
  await other.transact(async (tx) => {
    const record = (action: string, count: number) =>
      tx.query(
        `insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key)
         select $1, uuidv7(), $2, $3, 'thing', 'T' from generate_series(1, $4)`,
        [tx.workspaceId, tx.workspaceId, action, count],
      );
    await record('update', 5000);
    await record('delete', 1);
    // Between the page and the question where it ends.
    const query: typeof tx.query = async (sql, ...given) => {
      if (sql.includes('offset')) await record('update', 5000);
      return tx.query(sql, ...given);
    };
    const busy = new Proxy(tx, {
      get: (of, name) => {
        const own = Reflect.get(of, name);
        if (name === 'query') return query;
        return typeof own === 'function' ? own.bind(of) : own;
      },
    });
    const wanted = { showsKeys: true, filters: { subjectType: 'thing', action: 'delete' } } as const;
    const first = await readAudit(busy, wanted, null, 50);
    expect(first.rows).toHaveLength(1);
    const rest = await readAudit(tx, wanted, first.nextBelow, 50);
    expect(rest.rows).toEqual([]);
  });
});

test('a file begins where its cursor says', async () => {
  const page = (await ask('GET', '/audit?limit=2')).body;
  const all = (await ask('GET', '/audit?format=ndjson')).text.trimEnd().split('\n');
  const rest = (await ask('GET', `/audit?format=ndjson&cursor=${page.nextCursor}`)).text
    .trimEnd()
    .split('\n');
  expect(rest).toEqual(all.slice(2));
});
