// Filters leave events out before any script is started.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { element, syncCalls } from '../sync/sync-calls.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from './automated-workspace.ts';

let server: TestServer;
let workspace: AutomatedWorkspace;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeAutomatedWorkspace(server);
  for (const [key, type] of [
    ['Mass', 'numeric'],
    ['Material', 'text'],
  ])
    await workspace.ask('POST', '/property-definitions', { key, name: key, type });
});
afterAll(() => server.close());

/** Runs of an automation that listens to all show that the others have had their events. */
test('events of other categories, states and values start no run', async () => {
  const all = await workspace.automate(context.created, '1');
  const filters = {
    materials: { categories: ['material'] },
    parts: { categories: ['part'] },
    released: { states: ['Released'] },
    heavy: { properties: [{ property: 'Mass', is: 'greater', value: 5 }] },
    light: { properties: [{ property: 'Mass', is: 'less', value: 5 }] },
    steel: { properties: [{ property: 'Material', is: 'containing', value: 'teel' }] },
    literally: { properties: [{ property: 'Material', is: 'containing', value: 'S.*"l' }] },
    both: { where: ['Material:has:steel'], properties: [{ property: 'name', is: 'equal', value: 'Bolt' }] },
    neither: { where: ['Material:has:steel'], properties: [{ property: 'name', is: 'equal', value: 'Nut' }] },
    unnumbered: { properties: [{ property: 'number', is: 'notSet' }] },
    weighed: { properties: [{ property: 'Mass', is: 'set' }] },
    unweighed: { properties: [{ property: 'Mass', is: 'notSet' }] },
    bolts: { properties: [{ property: 'name', is: 'equal', value: 'Bolt' }] },
    text: { properties: [{ property: 'Mass', is: 'equal', value: '7' }] },
    named: { where: ['name:has:BOLT', 'category:eq:part', 'state:ne:Released'] },
    numbered: { where: ['number:has'] },
    notNuts: { where: ['name:in:Bolt,Sheet', 'Mass:lt:5'] },
  };
  const made: Record<string, string> = {};
  for (const [name, filter] of Object.entries(filters))
    made[name] = (await workspace.automate(context.created, '1', { name, filter })).id;
  await workspace.create({ name: 'Bolt', properties: { Mass: 7, Material: 'Steel' } });
  await workspace.create({ name: 'Nut' });
  await workspace.create({ category: 'material', name: 'Sheet', properties: { Mass: 2 } });
  await workspace.ended(all, 3);
  const counts = Object.fromEntries(
    await Promise.all(
      Object.entries(made).map(async ([name, id]) => [name, (await workspace.runsOf({ id })).length]),
    ),
  );
  expect(counts).toEqual({
    materials: 1,
    parts: 2,
    released: 0,
    heavy: 1,
    light: 1,
    steel: 1,
    literally: 0,
    both: 1,
    neither: 0,
    unnumbered: 0,
    weighed: 2,
    unweighed: 1,
    bolts: 1,
    text: 0,
    named: 1,
    numbered: 3,
    notNuts: 1,
  });
});

test('a transition fits by its new state, and an update by the properties that changed', async () => {
  const review = await workspace.automate(context.transition, '1', { filter: { states: ['In Review'] } });
  const back = await workspace.automate(context.transition, '1', { filter: { states: ['In Work'] } });
  const everyUpdate = await workspace.automate(context.updated, '1');
  const mass = await workspace.automate(context.updated, '1', { filter: { changed: ['Mass'] } });
  const part = await workspace.create();
  await workspace.ask('PATCH', `/entities/${part.id}`, { name: 'Other' });
  await workspace.ask('PATCH', `/entities/${part.id}`, { properties: { Mass: 1 } });
  await workspace.ask('POST', `/entities/${part.id}/transitions`, { toState: 'In Review' });
  await workspace.ended(everyUpdate, 2);
  await workspace.ended(review, 1);
  expect(await workspace.runsOf(mass)).toHaveLength(1);
  expect(await workspace.runsOf(back)).toEqual([]);
});

test('many events that do not fit are read to their end', async () => {
  const fresh = await makeAutomatedWorkspace(server);
  const one = await fresh.automate(context.created, 'return context.entityNumber', {
    filter: { properties: [{ property: 'number', is: 'equal', value: 'LAST' }] },
  });
  const entities = Array.from({ length: 600 }, () => element());
  await syncCalls(server, fresh).sync([...entities, { ...element(), number: 'LAST' }]);
  const [run] = await fresh.ended(one, 1);
  expect(run?.result).toBe('LAST');
  expect(await fresh.runsOf(one)).toHaveLength(1);
});

test.each([
  ['an import', { contextTypeId: 2, filter: { categories: ['part'] } }, '/filter'],
  [
    'changed properties of a new entity',
    { contextTypeId: 3, filter: { changed: ['Mass'] } },
    '/filter/changed',
  ],
  [
    'a comparison without a value',
    { contextTypeId: 3, filter: { properties: [{ property: 'Mass', is: 'less' }] } },
    '/filter/properties/0/value',
  ],
  [
    'eleven conditions',
    {
      contextTypeId: 3,
      filter: { properties: Array.from({ length: 11 }, () => ({ property: 'a', is: 'set' })) },
    },
    '/filter/properties',
  ],
])('a filter of %s is refused', async (_, values, pointer) => {
  const answer = await workspace.ask('POST', '/automations', { name: 'A test', script: '1', ...values });
  expect(answer.status, answer.text).toBe(422);
  expect(answer.body.errors[0].pointer).toBe(pointer);
});
