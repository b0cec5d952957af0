// What conditions refuse, and what lists, counts and downloads make of them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayOf } from '../../../src/entities/conditions/relative-day.ts';
import { fillValueIndexes } from '../../../src/entities/values/fill-value-indexes.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';

const guid = 'guid:6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
let server: TestServer;
let workspace: DefaultWorkspace;
const ask: DefaultWorkspace['ask'] = (...given) => workspace.ask(...given);

beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  for (const [key, more] of Object.entries({
    Mass: { type: 'numeric', filterable: true },
    Material: { type: 'text', filterable: true },
    Colour: { type: 'choice', choices: ['Red', 'Green'], filterable: true },
    Due: { type: 'date' },
    Approved: { type: 'boolean' },
    Vendor: { type: 'reference' },
  }))
    expect((await ask('POST', '/property-definitions', { key, name: key, ...more })).status).toBe(201);
  const today = dayOf('today', new Date());
  for (const [name, properties] of Object.entries({
    Block: { Mass: 0.4, Material: 'EN AW-6082', Colour: 'Red', Due: today },
    Plate: { Mass: 0.7, Material: 'S235', Colour: 'Red', Approved: true },
    Bolt: { Mass: 0.01, Material: 'A2-70', Colour: 'Green', Due: '2020-01-01' },
    Drawing: {},
  }))
    expect((await ask('POST', '/entities', { category: 'part', name, properties })).status).toBe(201);
  await fillValueIndexes(server.ctx);
});
afterAll(() => server.close());

const names = async (query: string) => {
  const answer = await ask('GET', `/entities?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items.map((one: { name: string }) => one.name);
};

test.each([
  ['Mss:lt:1', 'unknown_property', 'no property "Mss"', 'Approved:has', 'Mass'],
  ['Mass:lt:light', 'invalid_numeric', '"light" is not a number', 'Mass:lt:0.5', null],
  ['Mass:in:0.5,light,2', 'invalid_numeric', '"light" (value 2 of 3) is not a number', 'Mass:in:0.5', null],
  ['Mass:lt:', 'invalid_numeric', '"" is not a number', 'Mass:lt:0.5', null],
  ['Mass:lt', 'required', 'needs a value', 'Mass:lt:0.5', null],
  ['Mass:none:1', 'too_many_values', 'takes no value', 'Mass:none', null],
  ['Mass:has:1', 'unknown_operator', 'without a text', 'Mass:has', null],
  ['Colour:eq:Blue', 'invalid_choice', 'Red, Green', 'Colour:eq:Red', 'Green'],
  ['Colour:in:Red,Blue', 'invalid_choice', '"Blue" (value 2 of 2)', 'Colour:in:Red', 'Green'],
  ['Colour:lt:Red', 'unknown_operator', 'takes eq, ne, in', 'Colour:eq:Red', 'in'],
  ['Approved:lt:true', 'unknown_operator', 'takes eq, ne', 'Approved:eq:true', 'eq'],
  ['Approved:eq:yes', 'invalid_boolean', 'true or false', 'Approved:eq:true', 'true'],
  ['Due:ge:soon', 'invalid_date', 'YYYY-MM-DD', 'Due:ge:-30d', null],
  ['Due:ge:2026-02-30', 'invalid_date', '"2026-02-30" is not a date', 'Due:ge:-30d', null],
  ['Due:ge:-30x', 'invalid_date', '-30d', 'Due:ge:-30d', null],
  ['Vendor:eq:Bolt', 'invalid_reference', 'id of an entity', `Vendor:eq:${guid}`, null],
])(
  '%s is refused, and the answer says where and why, and shows a right one',
  async (where, code, message, example, allowed) => {
    const answer = await ask('GET', `/entities?where=Mass:has&where=${encodeURIComponent(where)}`);
    expect([answer.status, answer.body.code], answer.text).toEqual([422, 'invalid_condition']);
    expect(answer.body.errors).toEqual([
      { pointer: '/where/1', code, message: expect.stringContaining(message) },
    ]);
    expect(answer.body.example).toBe(example);
    expect(answer.body.detail).toContain(JSON.stringify(where));
    if (allowed === null) expect(answer.body.allowed).toBeUndefined();
    else expect(answer.body.allowed).toContain(allowed);
    // What is shown is right.
    expect((await ask('GET', `/entities?where=${encodeURIComponent(example)}`)).status).toBe(200);
  },
);

test('a text without an operator, and a thousand conditions, are refused', async () => {
  for (const query of [
    'where=Mass',
    `where=${'x'.repeat(1001)}:has`,
    Array(1000).fill('where=Mass:has').join('&'),
  ]) {
    const answer = await ask('GET', `/entities?${query}`);
    expect(answer.status, answer.text.slice(0, 300)).toBe(422);
    expect(answer.body.code).toBe('validation_failed');
  }
  expect((await ask('GET', `/entities?${Array(20).fill('where=Mass:has').join('&')}`)).status).toBe(200);
});

test('conditions, dates relative to today, sorting, and the other filters go together', async () => {
  expect(await names('where=Mass:lt:0.5&where=Material:in:EN%20AW-6082,S235')).toEqual(['Block']);
  expect(await names('where=Mass:has&sort=properties.Mass&order=desc')).toEqual(['Plate', 'Block', 'Bolt']);
  expect(await names('sort=properties.Mass')).toEqual(['Bolt', 'Block', 'Plate', 'Drawing']);
  expect(await names('sort=properties.Due')).toEqual(['Bolt', 'Block', 'Plate', 'Drawing']);
  expect(await names('where=Due:ge:-30d')).toEqual(['Block']);
  expect(await names('where=Due:lt:today')).toEqual(['Bolt']);
  expect(await names('where=Mass:none')).toEqual(['Drawing']);
  expect(await names('where=Material:has:aw%206082&q=blo&category=part&state=In%20Work')).toEqual(['Block']);
  // A text without a word asks for any value.
  expect((await names('where=Material:has:%20%20')).toSorted()).toEqual(
    await names('where=Material:has&sort=name'),
  );
  expect(await names('where=Mass:has&category=assembly')).toEqual([]);
  const unknown = await ask('GET', '/entities?sort=properties.Nope');
  expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_property']);
  const best = await ask('GET', '/entities?sort=best&q=block&where=Mass:has');
  expect([best.status, best.body.errors[0].pointer]).toEqual([422, '/where']);
});

test('conditions on the number, the name, the category and the state of an entity', async () => {
  expect(await names('where=name:has:blo')).toEqual(['Block']);
  expect(await names('where=name:in:Bolt,Plate&where=Mass:lt:0.5')).toEqual(['Bolt']);
  expect(await names('where=number:none')).toEqual([]);
  const part = 'where=category:eq:part&where=state:ne:Released&where=number:has';
  expect(await names(`${part}&where=name:lt:Bz&sort=name`)).toEqual(['Block', 'Bolt']);
  // A property that has such a key comes first, and its definition decides.
  const definition = { key: 'state', name: 'State of the drawing', type: 'numeric', filterable: true };
  expect((await ask('POST', '/property-definitions', definition)).status).toBe(201);
  expect(await names('where=state:none&where=name:eq:Plate')).toEqual(['Plate']);
  expect((await ask('GET', '/entities?where=state:eq:Released')).status).toBe(422);
  expect((await ask('DELETE', '/property-definitions/state')).status).toBe(204);
});

test('a relative day ends with the month', () => {
  const now = new Date('2024-03-31T10:00:00Z');
  expect(['today', '-1m', '+1y', '-1d', '-2w', '0d'].map((text) => dayOf(text, now))).toEqual([
    '2024-03-31',
    '2024-02-29',
    '2025-03-31',
    '2024-03-30',
    '2024-03-17',
    '2024-03-31',
  ]);
  expect(['-30', 'd', '99999y', '-99999y'].map((text) => dayOf(text, now))).toEqual([null, null, null, null]);
});

test('values are counted, of all entities and of those that meet conditions', async () => {
  const count = async (query: string) => {
    const answer = await ask('GET', `/entities/facets?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const of = (value: string, count: number) => ({ value, count, isAtLeast: false });
  const all = await count('values=Colour&values=Due');
  expect(all.items).toEqual([{ category: 'part', state: 'In Work', count: 4, isAtLeast: false }]);
  expect(all.properties[0]).toEqual({
    property: 'Colour',
    values: [of('Red', 2), of('Green', 1)],
    more: false,
  });
  expect(all.properties[1].values).toHaveLength(2);
  expect((await count('values=Colour')).properties[0].values).toEqual([of('Red', 2), of('Green', 1)]);
  const light = await count('where=Mass:lt:0.5&values=Colour');
  expect(light.items).toEqual([{ category: 'part', state: 'In Work', count: 2, isAtLeast: false }]);
  expect(light.properties[0].values).toEqual([of('Green', 1), of('Red', 1)]);
  expect((await ask('GET', '/entities/facets?values=Nope')).body.code).toBe('unknown_property');
});

test('a download has the entities that meet the conditions', async () => {
  const table = await ask('GET', '/entities/export?where=Mass:gt:0.1&where=Colour:eq:Red');
  expect(
    table.text
      .trim()
      .split('\n')
      .map((line) => line.split(',')[3]),
  ).toEqual(['name', 'Block', 'Plate']);
});
