import { afterAll, beforeAll, expect, test } from 'vitest';
import { markPropertiesUsed } from '../../src/configuration/current/mark-properties-used.ts';
import { loadConfiguration } from '../../src/configuration/current/read-configuration.ts';
import { configurationLimits } from '../../src/configuration/limits.ts';
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
const define = async (key: string, type = 'text') => {
  const made = await ask('POST', '/property-definitions', { key, name: key, type });
  expect(made.status, made.text).toBe(201);
};
const mark = (...keys: string[]) =>
  workspace.transact(async (tx) => markPropertiesUsed(tx, await loadConfiguration(tx), keys));

test('a property definition is made, read, listed, replaced, deleted', async () => {
  const body = { key: 'Mass', name: 'Mass (kg)', type: 'numeric' };
  const made = await ask('POST', '/property-definitions', body);
  expect(made.status, made.text).toBe(201);
  expect(made.body).toEqual(body);
  expect((await ask('POST', '/property-definitions', body)).body.code).toBe('key_taken');
  expect((await ask('GET', '/property-definitions')).body.items).toEqual([body]);
  const put = await ask('PUT', '/property-definitions/Mass', { name: 'Weight', type: 'text' });
  expect(put.body).toEqual({ key: 'Mass', name: 'Weight', type: 'text' });
  expect((await ask('DELETE', '/property-definitions/Mass')).status).toBe(204);
  expect((await ask('GET', '/property-definitions/Mass')).status).toBe(404);
});

test('keys are case-sensitive, and __proto__ is one of them', async () => {
  for (const key of ['colour', 'Colour', '__proto__', 'constructor', 'hasOwnProperty']) await define(key);
  const { properties } = await workspace.transact(loadConfiguration);
  expect(properties.get('__proto__')).toEqual({
    key: '__proto__',
    name: '__proto__',
    type: 'text',
    used: false,
  });
  expect(properties.get('toString')).toBeUndefined();
  expect(properties.has('colour') && properties.has('Colour')).toBe(true);
});

test.each([
  [{ key: 'x', name: 'x', type: 'money' }, 'validation_failed', '/type'],
  [{ key: 'x', name: 'x' }, 'validation_failed', '/type'],
  [{ key: 'x', name: 'x', type: 'text', unit: 'kg' }, 'unknown_field', '/unit'],
])('%j is refused', async (body, code, pointer) => {
  const answer = await ask('POST', '/property-definitions', body);
  expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([422, code, pointer]);
});

test('a definition whose values entities carry is neither deleted nor given another type', async () => {
  await define('Finish');
  const [id] = await workspace.addEntities(1, { properties: { Finish: 'anodised' } });
  for (const refused of [
    await ask('DELETE', '/property-definitions/Finish'),
    await ask('PUT', '/property-definitions/Finish', { name: 'Finish', type: 'date' }),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.usedBy.entities.examples).toEqual(['N-1']);
  }
  const renamed = await ask('PUT', '/property-definitions/Finish', { name: 'Surface', type: 'text' });
  expect(renamed.status).toBe(200);
  await workspace.transact((tx) => tx.query('delete from entity where id = $1', [id]));
  expect((await ask('DELETE', '/property-definitions/Finish')).status).toBe(204);
});

test('once marked as used it stays, however far back the entity is that carries it', async () => {
  await define('Supplier');
  await workspace.addEntities(1, { properties: { Supplier: 'Acme' } });
  await mark('Supplier', 'NotDefined');
  await workspace.addEntities(1000);
  const refused = await ask('DELETE', '/property-definitions/Supplier');
  expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
});

test('marking concurrently, in any order, neither fails nor loses', async () => {
  const keys = Array.from({ length: 20 }, (_, i) => `P${i}`);
  for (const key of keys) await define(key);
  await Promise.all([mark(...keys), mark(...keys.toReversed()), mark(...keys.slice(5)), mark(...keys)]);
  // Marking is no change of the configuration: what is kept of it in memory need not know.
  const marked = await workspace.transact((tx) =>
    tx.query<{ key: string }>(
      'select key from property_definition where workspace_id = $1 and key = any($2) and used',
      [workspace.id, keys],
    ),
  );
  expect(marked.map(({ key }) => key).sort()).toEqual(keys.toSorted());
});

test('marking does not change the entity tag', async () => {
  await define('Tagged');
  const before = (await ask('GET', '/property-definitions/Tagged')).headers.get('etag');
  await mark('Tagged');
  expect((await ask('GET', '/property-definitions/Tagged')).headers.get('etag')).toBe(before);
});

test('a workspace has room for a number of definitions, and for no more', async () => {
  const full = await makeDefaultWorkspace(server);
  await full.transact((tx) =>
    tx.query(
      `insert into property_definition (workspace_id, key, name, type)
       select $1, 'p' || n, 'p', 'text' from generate_series(2, $2::int) as n`,
      [full.id, configurationLimits.propertyDefinitions],
    ),
  );
  const body = (key: string) => ({ key, name: key, type: 'text' });
  expect((await full.ask('POST', '/property-definitions', body('last'))).status).toBe(201);
  const refused = await full.ask('POST', '/property-definitions', body('one-more'));
  expect(refused.body).toMatchObject({
    code: 'configuration_full',
    limit: configurationLimits.propertyDefinitions,
  });
});
