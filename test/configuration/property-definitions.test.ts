import { afterAll, beforeAll, expect, test } from 'vitest';
import { markPropertiesUsed } from '../../src/configuration/current/mark-properties-used.ts';
import { loadConfiguration } from '../../src/configuration/current/read-configuration.ts';
import { configurationLimits } from '../../src/configuration/limits.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { syncCalls } from '../sync/sync-calls.ts';
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
  const plain = {
    choices: null,
    unit: null,
    default: null,
    pattern: null,
    requiredFrom: null,
    group: null,
    description: null,
    filterable: false,
    searchable: false,
    index: 'none',
  };
  expect(made.body).toEqual({ ...body, ...plain });
  expect((await ask('POST', '/property-definitions', body)).body.code).toBe('key_taken');
  expect((await ask('GET', '/property-definitions')).body.items).toEqual([{ ...body, ...plain }]);
  const put = await ask('PUT', '/property-definitions/Mass', { name: 'Weight', type: 'text' });
  expect(put.body).toEqual({ key: 'Mass', name: 'Weight', type: 'text', ...plain });
  expect((await ask('DELETE', '/property-definitions/Mass')).status).toBe(204);
  expect((await ask('GET', '/property-definitions/Mass')).status).toBe(404);
});

test('keys are case-sensitive, and __proto__ is one of them', async () => {
  for (const key of ['colour', 'Colour', '__proto__', 'constructor', 'hasOwnProperty']) await define(key);
  const { properties } = await workspace.transact(loadConfiguration);
  expect(properties.get('__proto__')).toMatchObject({
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
  [{ key: 'x', name: 'x', type: 'text', colour: 'red' }, 'unknown_field', '/colour'],
  [{ key: 'x', name: 'x', type: 'text', unit: 'kg' }, 'validation_failed', '/unit'],
  [{ key: 'x', name: 'x', type: 'choice' }, 'validation_failed', '/choices'],
  [{ key: 'x', name: 'x', type: 'numeric', searchable: true }, 'validation_failed', '/searchable'],
  [{ key: 'x', name: 'x', type: 'choice', choices: ['a', 'a'] }, 'validation_failed', '/choices'],
  [{ key: 'x', name: 'x', type: 'choice', choices: ['a'], default: 'b' }, 'validation_failed', '/default'],
  [{ key: 'x', name: 'x', type: 'numeric', default: 'b' }, 'validation_failed', '/default'],
  [{ key: 'x', name: 'x', type: 'text', pattern: '(' }, 'validation_failed', '/pattern'],
  [{ key: 'x', name: 'x', type: 'text', pattern: '(?=a)b' }, 'validation_failed', '/pattern'],
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

test('a choice, a pattern, an address and a reference are checked when a person writes them', async () => {
  const choice = { type: 'choice', choices: ['Red', 'Green'], group: 'Look', description: 'Of the surface' };
  for (const [key, more] of Object.entries({
    Paint: choice,
    Code: { type: 'text', pattern: '[A-Z]{2}-[0-9]+' },
    Sheet: { type: 'url' },
    Twin: { type: 'reference' },
  })) {
    const made = await ask('POST', '/property-definitions', { key, name: key, ...more });
    expect(made.status, made.text).toBe(201);
  }
  const twin = (await ask('POST', '/entities', { category: 'part', name: 'Twin' })).body.id;
  const make = (properties: object) =>
    ask('POST', '/entities', { category: 'part', name: 'A part', properties });
  const good = { Paint: 'Red', Code: 'AB-12', Sheet: 'https://example.com/a.pdf', Twin: twin };
  expect((await make(good)).body.properties).toEqual(good);
  for (const [key, value, code] of [
    ['Paint', 'Blue', 'value_not_in_choices'],
    ['Code', 'AB-12x', 'pattern_mismatch'],
    ['Sheet', 'javascript:alert(1)', 'invalid_url'],
    ['Twin', 'somebody', 'invalid_reference'],
    ['Twin', '00000000-0000-7000-8000-000000000000', 'entity_not_found'],
  ]) {
    const refused = await make({ [key as string]: value });
    expect([refused.status, refused.body.errors?.[0]], refused.text).toMatchObject([
      422,
      { pointer: `/properties/${key}`, code },
    ]);
  }
});

test('a sync leaves out a value that the definition does not allow, with a warning', async () => {
  const [good, bad] = [
    {
      Paint: 'Green',
      Code: 'XY-1',
      Sheet: ' http://a.example ',
      Twin: '6F9619FF-8B86-D011-B42D-00C04FC964FF',
    },
    { Paint: 'Blue', Code: 'xy', Sheet: 'file:///etc', Twin: 'it' },
  ];
  const element = (name: string, properties: object) => ({
    guid: crypto.randomUUID(),
    number: name,
    name,
    categoryKey: 'part',
    parentGuid: null,
    level: 0,
    properties,
  });
  const { results } = await syncCalls(server, workspace).sync([element('Good', good), element('Bad', bad)]);
  expect([results[0].result, results[1].result]).toEqual(['created', 'created']);
  const warnings = (results[1].warnings ?? []).map(({ code, property }) => [property, code]);
  expect(Object.fromEntries(warnings)).toEqual({
    Paint: 'value_not_in_choices',
    Code: 'pattern_mismatch',
    Sheet: 'invalid_url',
    Twin: 'invalid_reference',
  });
  const read = async (id: string | undefined) => (await ask('GET', `/entities/${id}`)).body.properties;
  expect(await read(results[0].entityId)).toEqual({
    ...good,
    Sheet: 'http://a.example',
    Twin: 'guid:6f9619ff-8b86-d011-b42d-00c04fc964ff',
  });
  expect(await read(results[1].entityId)).toEqual({});
});

test('a new entity gets defaults; a state asks for what is required from it and names what is missing', async () => {
  for (const [key, more] of Object.entries({
    Origin: { type: 'text', default: 'EU' },
    Weight: { type: 'numeric', requiredFrom: 'Released' },
    Finish2: { type: 'text', requiredFrom: 'Released' },
  }))
    expect((await ask('POST', '/property-definitions', { key, name: key, ...more })).status).toBe(201);
  const made = await ask('POST', '/entities', {
    category: 'part',
    name: 'Bracket',
    properties: { Weight: 2 },
  });
  expect(made.body.properties).toEqual({ Origin: 'EU', Weight: 2 });
  const path = `/entities/${made.body.id}`;
  const release = () => ask('POST', `${path}/transitions`, { toState: 'Released' });
  await ask('POST', `${path}/transitions`, { toState: 'In Review' });
  const refused = await release();
  expect([refused.status, refused.body.code, refused.body.missing]).toEqual([
    409,
    'properties_required',
    ['Finish2'],
  ]);
  await ask('PATCH', path, { properties: { Finish2: 'Plain' } });
  const released = await release();
  expect([released.status, released.body.toState ?? released.body.state], released.text).toEqual([
    released.status,
    'Released',
  ]);
  // A category that lists its properties needs no others.
  const category = (await ask('GET', '/categories/assembly')).body;
  const listed = await ask('PUT', '/categories/assembly', { ...category, properties: ['Origin'] });
  expect(listed.body.properties).toEqual(['Origin']);
  const unknown = await ask('PUT', '/categories/assembly', { ...category, properties: ['Nope'] });
  expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_property']);
});

test('a sync converts a number with a unit exactly, or leaves it out with a warning', async () => {
  const { ask, ...own } = await makeDefaultWorkspace(server);
  await ask('POST', '/property-definitions', { key: 'Heft', name: 'Heft', type: 'numeric', unit: 'kg' });
  const sent = ['412 g', '0.5kg', '2.5', '1 mm', '1 [lb_av]', '-3.2 t', '7 parsnips'];
  const { results } = await syncCalls(server, { ...own, ask }).sync(
    sent.map((Heft, index) => ({
      guid: crypto.randomUUID(),
      number: `H-${index}`,
      name: 'Weighed',
      categoryKey: 'part',
      parentGuid: null,
      level: 0,
      properties: { Heft },
    })),
  );
  const read = await Promise.all(
    results.map(async ({ entityId }) => (await ask('GET', `/entities/${entityId}`)).body.properties.Heft),
  );
  expect(read).toEqual([0.412, 0.5, 2.5, undefined, 0.45359237, -3200, undefined]);
  expect(results.map(({ warnings = [] }) => warnings.map(({ code }) => code).join())).toEqual([
    '',
    '',
    '',
    'invalid_numeric',
    '',
    '',
    'invalid_numeric',
  ]);
  const heavy = await ask('GET', '/entities?where=Heft:eq:412%20g');
  expect(heavy.body.items.map(({ number }: { number: string }) => number)).toEqual(['H-0']);
});
