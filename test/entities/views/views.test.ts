// Saved views: filters, order and columns under a name, for their owner or for the whole workspace.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';

const VIEWS_MAX = 6;
let server: TestServer;
let workspace: DefaultWorkspace;
/** Keys of a colleague who may write, and of one who may only read. */
const keys: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer({ environment: { VIEWS_MAX: String(VIEWS_MAX) } });
  workspace = await makeDefaultWorkspace(server);
  for (const permission of ['write', 'read']) {
    const made = await workspace.ask('POST', '/api-keys', { name: permission, permission });
    keys[permission] = made.body.key;
  }
  await workspace.ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
  for (const [number, Mass] of [
    ['P-1', 3],
    ['P-2', 1],
    ['P-3', 2],
    ['P-4', 9],
  ]) {
    const made = await workspace.ask('POST', '/entities', {
      category: 'part',
      name: `Part ${number}`,
      number,
      properties: { Mass },
    });
    expect(made.status, made.text).toBe(201);
  }
});
afterAll(() => server.close());

const as = (who: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  server.request(`/api/wid/${workspace.slug}${path}`, { method, key: keys[who] as string, body, headers });
const light = {
  name: 'Light parts',
  list: 'entities',
  filters: { category: 'part', where: ['Mass:lt:5'] },
  sort: 'properties.Mass',
  order: 'desc',
  columns: ['number', 'properties.Mass'],
};
const numbersOf = ({ body }: { body: { items: { number: string }[] } }) =>
  body.items.map(({ number }) => number);

test('a view is private until its owner shares it, and only its owner and administrators change it', async () => {
  const made = await as('write', 'POST', '/views', light);
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({ shared: false, mine: true, owner: { name: 'write' } });
  expect(made.body.filters).toEqual({ category: ['part'], where: ['Mass:lt:5'] });
  const path = `/views/${made.body.id}`;
  expect((await as('read', 'GET', path)).body.code).toBe('view_not_found');
  expect((await as('read', 'GET', `/entities?view=${made.body.id}`)).body.code).toBe('view_not_found');
  expect((await as('read', 'GET', '/views')).body.items).toEqual([]);

  const tag = made.headers.get('etag') ?? '';
  const shared = await as(
    'write',
    'PUT',
    path,
    { ...made.body, list: undefined, shared: true, name: 'Light' },
    { 'if-match': tag },
  );
  expect(shared.status, shared.text).toBe(200);
  const late = await as('write', 'PUT', path, { ...shared.body, name: 'Late' }, { 'if-match': tag });
  expect(late.status).toBe(412);
  expect((await as('read', 'GET', '/views?list=entities')).body.items).toMatchObject([
    { name: 'Light', mine: false },
  ]);
  expect((await as('read', 'GET', '/views?list=orders')).body.items).toEqual([]);
  expect((await as('read', 'PUT', path, shared.body)).status).toBe(403);
  expect((await as('read', 'POST', '/views', light)).body.code).toBe('area_missing');

  const of = await workspace.ask('POST', '/views', { ...light, name: 'Of the administrator', shared: true });
  const refused = await as('write', 'DELETE', `/views/${of.body.id}`);
  expect(refused.body.code).toBe('area_missing');
  expect(refused.body.detail).toMatch(/Only its owner and administrators/);
  expect((await workspace.ask('DELETE', path)).status).toBe(204);
  expect((await workspace.ask('DELETE', `/views/${of.body.id}`)).status).toBe(204);
  const { items } = (await workspace.ask('GET', '/audit?subjectType=savedView')).body;
  expect(items.map(({ action }: { action: string }) => action)).toEqual([
    'delete',
    'delete',
    'create',
    'update',
  ]);
});

test('lists, counts, downloads and CSV links take the filters, order and columns of a view', async () => {
  const { id } = (await workspace.ask('POST', '/views', light)).body;
  expect(numbersOf(await workspace.ask('GET', `/entities?view=${id}`))).toEqual(['P-1', 'P-3', 'P-2']);
  const first = await workspace.ask('GET', `/entities?view=${id}&limit=2`);
  const second = await workspace.ask('GET', `/entities?view=${id}&limit=2&cursor=${first.body.nextCursor}`);
  expect([...numbersOf(first), ...numbersOf(second)]).toEqual(['P-1', 'P-3', 'P-2']);
  // A filter beside it replaces that of the view.
  const heavy = await workspace.ask('GET', `/entities?view=${id}&where=Mass:gt:2&sort=number&order=desc`);
  expect(numbersOf(heavy)).toEqual(['P-4', 'P-1']);
  const facets = await workspace.ask('GET', `/entities/facets?view=${id}`);
  expect(facets.body.items).toMatchObject([{ category: 'part', count: 3 }]);
  const csv = 'number,properties.Mass\r\nP-1,3\r\nP-3,2\r\nP-2,1\r\n';
  expect((await workspace.ask('GET', `/entities/export?view=${id}`)).text).toBe(csv);
  const link = await workspace.ask('POST', '/csv-links', {
    name: 'Light',
    table: { of: 'entities', view: id },
  });
  expect(link.status, link.text).toBe(201);
  const { pathname } = new URL(link.body.url);
  expect((await server.request(pathname)).text).toBe(csv);
  await workspace.ask('DELETE', `/views/${id}`);
  const missing = await server.request(pathname);
  expect([missing.status, missing.body.code]).toEqual([404, 'view_not_found']);
});

test('a view that its list would refuse is not saved, and neither are more than there is room for', async () => {
  const refusal = async (change: object) => {
    const { status, body } = await workspace.ask('POST', '/views', { ...light, ...change });
    return [status, body.code, body.errors?.[0]?.pointer];
  };
  expect(await refusal({ filters: { colour: 'red' } })).toEqual([
    422,
    'validation_failed',
    '/filters/colour',
  ]);
  expect(await refusal({ filters: { role: 'wizard' } })).toEqual([422, 'validation_failed', '/filters/role']);
  expect(await refusal({ filters: { where: ['Weight:lt:5'] } })).toEqual([
    422,
    'invalid_condition',
    '/where/0',
  ]);
  expect(await refusal({ sort: 'best' })).toEqual([422, 'validation_failed', '/sort']);
  expect(await refusal({ sort: 'properties.Weight' })).toEqual([422, 'validation_failed', '/sort']);
  expect(await refusal({ columns: ['number', 'Weight'] })).toEqual([422, 'validation_failed', '/columns/1']);
  expect(await refusal({ list: 'wishes' })).toEqual([422, 'validation_failed', '/list']);
  const long = Array.from({ length: 200 }, (_, at) => `${at}${'x'.repeat(290)}`);
  expect((await refusal({ list: 'orders', columns: long }))[0]).toBe(422);
  for (let at = 0; at < VIEWS_MAX; at++)
    expect((await workspace.ask('POST', '/views', { name: `${at}`, list: 'orders' })).status).toBe(201);
  expect(await refusal({})).toEqual([409, 'configuration_full', undefined]);
});
