import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, guidOf, partsOf, refOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, sync, define } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
  await define('Mass', 'numeric');
  await define('Note', 'text');
  await define('Approved', 'boolean');
  await define('Since', 'date');
  await define('__proto__', 'text');
  await define('constructor', 'text');
});
afterAll(() => server.close());

test('an entity is made with a scheme number, in the initial state, at a location that reads it', async () => {
  const made = await ask('POST', '/entities', {
    category: 'part',
    name: 'Bracket',
    properties: { Mass: 1.5 },
  });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    number: expect.stringMatching(/^PRT-\d{6}$/),
    name: 'Bracket',
    E_Guid: null,
    state: 'In Work',
    released: false,
    revision: 'A',
    revisionNumber: 1,
    properties: { Mass: 1.5 },
  });
  const read = await server.request(made.headers.get('location') ?? '', { key: workspace.key });
  expect(read.body).toEqual(made.body);
  expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
});

test('a given number is kept, but where the category numbers by its scheme alone', async () => {
  expect((await create({ number: 'MINE-1' })).number).toBe('MINE-1');
  const order = await create({ category: 'purchaseOrder', number: 'MINE-2' });
  expect(order.number).toMatch(/^PO-\d{6}$/);
});

test('values are stored typed; keys such as __proto__ are ordinary', async () => {
  const properties = JSON.parse(
    '{"Mass":-0.5,"Note":"","Approved":false,"Since":"2024-02-29","__proto__":"p","constructor":"c"}',
  );
  const made = await create({ properties: { ...properties, ['__proto__']: 'p' } });
  expect(
    JSON.stringify(Object.entries((await ask('GET', `/entities/${made.id}`)).body.properties).sort()),
  ).toBe(JSON.stringify(Object.entries(properties).sort()));
  expect((await create({ properties: { Mass: null } })).properties).toEqual({});
});

test.each([
  [{ Weight: 1 }, 'unknown_property', '/properties/Weight', 'unknown_property'],
  [{ toString: 'x' }, 'unknown_property', '/properties/toString', 'unknown_property'],
  [{ 'a/b~c': 1 }, 'unknown_property', '/properties/a~1b~0c', 'unknown_property'],
  [{ Mass: '1.5' }, 'validation_failed', '/properties/Mass', 'invalid_numeric'],
  [{ Note: 5 }, 'validation_failed', '/properties/Note', 'invalid_text'],
  [{ Note: ['x'] }, 'validation_failed', '/properties/Note', 'invalid_text'],
  [{ Approved: 'true' }, 'validation_failed', '/properties/Approved', 'invalid_boolean'],
  [{ Since: '2023-02-29' }, 'validation_failed', '/properties/Since', 'invalid_date'],
  [{ Since: '2023-1-1' }, 'validation_failed', '/properties/Since', 'invalid_date'],
  [{ Note: 'x'.repeat(32_769) }, 'validation_failed', '/properties/Note', 'too_big'],
])('properties %j are refused as %s', async (properties, code, pointer, finding) => {
  const answer = await ask('POST', '/entities', { category: 'part', name: 'X', properties });
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ code, errors: [{ pointer, code: finding }] });
});

test.each([
  [{ category: 'nonsense' }, 422, 'category_not_found'],
  [{ category: 'purchaseOrderLine' }, 422, 'category_hidden'],
  [{ category: 'materialRequirement' }, 422, 'category_hidden'],
  [{ name: '' }, 422, 'validation_failed'],
  [{ name: 'x'.repeat(1025) }, 422, 'validation_failed'],
  [{ name: 'a\nb' }, 422, 'validation_failed'],
  [{ number: 'x'.repeat(256) }, 422, 'validation_failed'],
  [{ E_Guid: 'nonsense' }, 422, 'validation_failed'],
  [{ properties: [] }, 422, 'validation_failed'],
  [{ properties: null }, 422, 'validation_failed'],
  [{ nmae: 'x' }, 422, 'unknown_field'],
])('%j gives %i %s', async (more, status, code) => {
  const answer = await ask('POST', '/entities', { category: 'part', name: 'X', ...more });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('limits hold at n: 1024 characters of name, 255 of number, 32 768 of a value', async () => {
  const made = await create({
    name: 'n'.repeat(1024),
    number: 'N'.repeat(255),
    properties: { Note: 'x'.repeat(32_768) },
  });
  expect(made.name).toHaveLength(1024);
});

test('configured limits below those: at n it is taken, at n + 1 refused', async () => {
  const small = await startTestServer({
    environment: { ENTITY_NAME_CHARS_MAX: '5', ENTITY_NUMBER_CHARS_MAX: '3' },
  });
  try {
    const there = await makeDefaultWorkspace(small);
    const post = (values: object) => there.ask('POST', '/entities', { category: 'part', ...values });
    const made = await post({ name: '12345', number: '123' });
    expect(made.status, made.text).toBe(201);
    expect((await post({ name: '123456' })).body.errors).toEqual([
      { pointer: '/name', code: 'too_big', message: expect.any(String) },
    ]);
    expect((await post({ name: 'x', number: '1234' })).status).toBe(422);
    expect((await there.ask('PATCH', `/entities/${made.body.id}`, { name: '123456' })).status).toBe(422);
  } finally {
    await small.close();
  }
});

test('one GUID is one entity, whatever its spelling and however many ask at once', async () => {
  const answers = await Promise.all(
    [
      '6F9619FF-8B86-4011-B42D-00C04FC964FF',
      '{6f9619ff-8b86-4011-b42d-00c04fc964ff}',
      '6f9619ff-8b86-4011-b42d-00c04fc964ff',
    ].map((E_Guid) => ask('POST', '/entities', { category: 'part', name: 'X', E_Guid })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('guid_taken');
  expect(answers.find(({ status }) => status === 201)?.body.E_Guid).toBe(
    '6f9619ff-8b86-4011-b42d-00c04fc964ff',
  );
});

test('children that waited for a GUID are linked when an entity with it is made', async () => {
  await sync([element(2, { parentGuid: guidOf(1), quantity: 2.5 }), element(3, { parentGuid: guidOf(1) })]);
  const parent = await create({ E_Guid: guidOf(1) });
  const uses = await ask('GET', `/entities/${parent.id}/uses`);
  expect(
    uses.body.items.map((use: { number: string; quantity: number }) => [use.number, use.quantity]),
  ).toEqual([
    ['N-2', 2.5],
    ['N-3', 1],
  ]);
  expect((await sync([element(2, { parentGuid: guidOf(1), quantity: 2.5 })])).counts.skipped).toBe(1);
  expect((await ask('GET', `/entities/${refOf(2)}/where-used`)).body.items).toHaveLength(1);
});

test('40 at once get consecutive numbers, without a gap from those that fail among them', async () => {
  const category = {
    key: 'counted',
    name: 'Counted',
    lifecycle: 'part',
    numbering: { source: 'scheme', pattern: 'C-{000}' },
  };
  expect((await ask('POST', '/categories', category)).status).toBe(201);
  await create({ category: 'counted', E_Guid: guidOf(77) });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      ask('POST', '/entities', {
        category: 'counted',
        name: 'X',
        // Every third is refused after it has taken its number.
        ...(i % 3 === 0 ? { E_Guid: guidOf(77) } : {}),
      }),
    ),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(40);
  expect(made.map(({ body }) => body.number).sort()).toEqual(
    Array.from({ length: 40 }, (_, i) => `C-${String(i + 2).padStart(3, '0')}`),
  );
});

test('an Idempotency-Key makes one entity of two requests', async () => {
  const body = { category: 'part', name: 'Once' };
  const headers = { 'Idempotency-Key': 'make-it-once' };
  const [first, second] = [
    await ask('POST', '/entities', body, headers),
    await ask('POST', '/entities', body, headers),
  ];
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
});

test('a key that may only read makes nothing', async () => {
  const made = await ask('POST', '/api-keys', { name: 'Reader', permission: 'read' });
  const answer = await server.request(`/api/wid/${workspace.slug}/entities`, {
    key: made.body.key,
    body: { category: 'part', name: 'X' },
  });
  expect(answer.status).toBe(403);
});
