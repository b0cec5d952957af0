import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordChange } from '../../src/audit/record-change.ts';
import { CategoryRow } from '../../src/configuration/categories/category.entity.ts';
import { loadConfiguration } from '../../src/configuration/current/read-configuration.ts';
import { sqlState } from '../../src/db/transaction.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from './default-workspace.ts';

let server: TestServer;
let ours: DefaultWorkspace;
let theirs: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  ours = await makeDefaultWorkspace(server);
  theirs = await makeDefaultWorkspace(server);
  await theirs.ask('POST', '/property-definitions', { key: 'Secret', name: 'Secret', type: 'text' });
});
afterAll(() => server.close());

test.each([
  ['GET', '/categories'],
  ['GET', '/categories/part'],
  ['PUT', '/categories/part'],
  ['DELETE', '/lifecycles/part'],
  ['POST', '/property-definitions'],
  ['GET', '/audit'],
])(
  "another workspace's key gets 403 for %s %s, as for a workspace that does not exist",
  async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const answers = await Promise.all(
      [theirs.slug, 'no-such-workspace'].map((slug) =>
        server.request(`/api/wid/${slug}${path}`, { method, key: ours.key, body }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([403, 403]);
    const [foreign, absent] = answers.map(({ body: { code, title, detail } }) => ({ code, title, detail }));
    expect(foreign).toEqual(absent);
  },
);

const configurationTables = [
  'category',
  'lifecycle',
  'property_definition',
  'audit_log',
  'actor',
  'api_key',
  'csv_link',
];

test.each(configurationTables)(
  'a transaction of ours cannot see their rows of %s, even without a WHERE',
  async (table) => {
    const seen = await ours.transact((tx) =>
      tx.query<{ workspace_id: string }>(`select distinct workspace_id from ${table}`),
    );
    expect(seen.every((row) => row.workspace_id === ours.id)).toBe(true);
  },
);

test('nor change or delete them', async () => {
  const changed = await ours.transact((tx) =>
    tx.query(`update property_definition set name = 'Mine' returning key`),
  );
  const deleted = await ours.transact((tx) => tx.query('delete from property_definition returning key'));
  expect([changed, deleted]).toEqual([[], []]);
  expect((await theirs.ask('GET', '/property-definitions/Secret')).body.name).toBe('Secret');
});

test('nor put rows among them', async () => {
  const attempt = ours.transact((tx) =>
    tx.query(
      `insert into property_definition (workspace_id, key, name, type) values ($1, 'Planted', 'P', 'text')`,
      [theirs.id],
    ),
  );
  expect(await attempt.catch(sqlState)).toBe('42501');
});

test('nor reach them through the entity manager', async () => {
  const rows = await ours.transact((tx) => tx.em.find(CategoryRow, { workspaceId: theirs.id }));
  expect(rows).toEqual([]);
});

test('the configuration that is loaded is our own', async () => {
  const configuration = await ours.transact(loadConfiguration);
  expect(configuration.properties.has('Secret')).toBe(false);
  expect(configuration.categories.get('part')?.lifecycle.initialState).toBe('In Work');
});

test('the audit trail cannot be rewritten, not even by the instance', async () => {
  for (const sql of ['update audit_log set action = action', 'delete from audit_log']) {
    expect(await ours.transact((tx) => tx.query(sql)).catch(sqlState)).toBe('42501');
  }
  const forged = ours.transact((tx) =>
    recordChange(tx, {
      actor: { type: 'system', id: ours.id, name: 'System' },
      action: 'create',
      subjectType: 'category',
      subjectKey: 'x',
      before: null,
      after: null,
      workspaceId: theirs.id,
    }),
  );
  await forged;
  expect((await theirs.ask('GET', '/audit')).body.items).not.toContainEqual(
    expect.objectContaining({ subjectKey: 'x' }),
  );
});
