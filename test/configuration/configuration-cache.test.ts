// What was parsed of a configuration is kept until it changes, whoever changes it, and never longer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/api.ts';
import { ConfigurationCache } from '../../src/configuration/current/configuration-cache.ts';
import { configurationForWriting } from '../../src/configuration/current/configuration-for-writing.ts';
import { markPropertiesUsed } from '../../src/configuration/current/mark-properties-used.ts';
import { loadConfiguration } from '../../src/configuration/current/read-configuration.ts';
import type { WorkspaceConfiguration } from '../../src/configuration/current/workspace-configuration.ts';
import { plainStockSettings } from '../../src/configuration/stock-settings/stock-settings.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type OtherServer, startOtherServer } from '../stock/other-server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let other: OtherServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  other = await startOtherServer(server);
});
afterAll(async () => {
  await other.end();
  await server.close();
});

const load = () => workspace.transact((tx) => loadConfiguration(tx));
/** The same call, to another process. */
const askOther = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${other.baseUrl}/api/wid/${workspace.slug}${path}`, {
    method,
    headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
};

test('it is the same until it changes, and different after every call that changes it', async () => {
  const states = [
    { name: 'A', released: false },
    { name: 'B', released: true },
  ];
  const lifecycle = { key: 'l', name: 'L', initialState: 'A', states };
  const category = { key: 'c', name: 'C', lifecycle: 'l' };
  const property = { key: 'p', name: 'P', type: 'text' };
  const calls: [operationId: string, method: string, path: string, body?: unknown][] = [
    ['createLifecycle', 'POST', '/lifecycles', lifecycle],
    ['replaceLifecycle', 'PUT', '/lifecycles/l', { ...lifecycle, name: 'M' }],
    ['createCategory', 'POST', '/categories', category],
    ['replaceCategory', 'PUT', '/categories/c', { ...category, name: 'D' }],
    ['createPropertyDefinition', 'POST', '/property-definitions', property],
    ['replacePropertyDefinition', 'PUT', '/property-definitions/p', { ...property, name: 'Q' }],
    ['deletePropertyDefinition', 'DELETE', '/property-definitions/p'],
    ['deleteCategory', 'DELETE', '/categories/c'],
    ['deleteLifecycle', 'DELETE', '/lifecycles/l'],
  ];
  const changing = routes.filter(
    ({ method, path }) =>
      method !== 'get' && /\/(categories|lifecycles|property-definitions)(\/|$)/.test(path),
  );
  expect(calls.map(([operationId]) => operationId).sort()).toEqual(
    changing.map(({ operationId }) => operationId).sort(),
  );
  let before = await load();
  for (const [operationId, method, path, body] of calls) {
    expect(await load(), operationId).toBe(before);
    const { status, text } = await askOther(method, path, body);
    expect(status, text).toBeLessThan(300);
    const after = await load();
    expect(after, operationId).not.toBe(before);
    expect(await workspace.transact((tx) => configurationForWriting(tx))).toBe(after);
    before = after;
  }
});

test('another process goes by a change at once, and a refused one changes nothing', async () => {
  const make = (key: string) => askOther('POST', '/entities', { category: key, name: 'An entity' });
  expect((await make('fresh')).status).toBe(422);
  await workspace.ask('POST', '/categories', { key: 'fresh', name: 'Fresh', lifecycle: 'part' });
  expect((await make('fresh')).status).toBe(201);
  const { body } = await workspace.ask('GET', '/categories/fresh');
  await workspace.ask('PUT', '/categories/fresh', { ...body, hiddenFromNew: true });
  expect((await make('fresh')).status).toBe(422);
});

test('what a transaction changed and took back is not what others see, however it is read in it', async () => {
  const before = await load();
  const within = workspace.transact(async (tx) => {
    await tx.query(`update category set name = 'Taken back' where workspace_id = $1 and key = 'part'`, [
      workspace.id,
    ]);
    expect((await loadConfiguration(tx)).categories.get('part')?.name).toBe('Taken back');
    throw new Error('taken back');
  });
  await expect(within).rejects.toThrow('taken back');
  expect((await load()).categories.get('part')?.name).toBe(before.categories.get('part')?.name);
});

test('that a property is used is no change; it is marked once, and again where the mark was taken back', async () => {
  await workspace.ask('POST', '/property-definitions', { key: 'Mark', name: 'Mark', type: 'text' });
  const mark = async (end: 'commit' | 'roll back') => {
    let sent = 0;
    const present = await load();
    const work = workspace.transact(async (tx) => {
      const query = <Row>(sql: string, params?: readonly unknown[]) => {
        sent++;
        return tx.query<Row>(sql, params);
      };
      const counted = { ...tx, query };
      await markPropertiesUsed(counted, present, ['Mark']);
      if (end === 'roll back') throw new Error(end);
    });
    if (end === 'commit') await work;
    else await expect(work).rejects.toThrow(end);
    return sent;
  };
  const configuration = await load();
  expect(await mark('roll back')).toBe(1);
  expect(await mark('commit')).toBe(1);
  expect(await mark('commit')).toBe(1);
  expect(await mark('commit')).toBe(0);
  expect(await load()).toBe(configuration);
  const refused = await workspace.ask('DELETE', '/property-definitions/Mark');
  expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
});

test('a workspace has so much configuration and no more, and the way out is open', async () => {
  const full = await makeDefaultWorkspace(server);
  const states = [
    { name: 'A', released: false },
    { name: 'B', released: false },
  ];
  const lifecycle = (key: string, transitions: number) => ({
    key,
    name: 'L',
    initialState: 'S0',
    states: [...states, ...Array.from({ length: 98 }, (_, n) => ({ name: `S${n}`, released: false }))],
    transitions: Array.from({ length: transitions }, (_, n) => ({
      id: `${'語'.repeat(80)}${n}`,
      name: '語'.repeat(80),
      from: `S${Math.floor(n / 90)}`,
      to: `S${(Math.floor(n / 90) + 1 + (n % 90)) % 98}`,
    })),
  });
  let made = 0;
  let answer = await full.ask('POST', '/lifecycles', lifecycle('l0', 800));
  while (answer.status === 201) answer = await full.ask('POST', '/lifecycles', lifecycle(`l${++made}`, 800));
  expect([answer.status, answer.body.code, answer.body.limit], answer.text.slice(0, 500)).toEqual([
    409,
    'configuration_full',
    4 * 1024 * 1024,
  ]);
  expect(made).toBeGreaterThan(5);
  expect((await full.ask('PUT', '/lifecycles/l0', lifecycle('l0', 790))).status).toBe(200);
  const long = { key: 'c', name: 'C', lifecycle: 'l0' };
  expect((await full.ask('POST', '/categories', long)).status).toBe(201);
});

test('those that were used last are kept, within a bound of bytes', () => {
  const cache = new ConfigurationCache(100);
  const configuration = (): WorkspaceConfiguration => ({
    categories: new Map(),
    lifecycles: new Map(),
    properties: new Map(),
    stock: plainStockSettings,
    aliases: new Map(),
  });
  const [a, b, c, large] = [configuration(), configuration(), configuration(), configuration()];
  cache.keep('a', { version: '1', bytes: 40, configuration: a });
  cache.keep('b', { version: '1', bytes: 40, configuration: b });
  expect(cache.find('a', '1')).toBe(a);
  cache.keep('c', { version: '1', bytes: 40, configuration: c });
  expect([cache.find('a', '1'), cache.find('b', '1'), cache.find('c', '1')]).toEqual([a, null, c]);
  expect(cache.find('a', '2')).toBeNull();
  cache.keep('a', { version: '2', bytes: 101, configuration: large });
  expect([cache.find('a', '1'), cache.find('a', '2'), cache.find('c', '1')]).toEqual([null, null, c]);
});
