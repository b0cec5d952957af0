import { afterAll, beforeAll, expect, test } from 'vitest';
import { partsOf } from '../entities/parts.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, release } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const part = async (name = 'A part') => (await create({ name })).id;
const use = async (parent: string, child: string, line: object) => {
  const answer = await ask('PUT', `/entities/${parent}/uses/${child}`, line);
  expect(answer.status, answer.text).toBeLessThan(300);
};
const replace = (id: string, body: object) =>
  ask('POST', `/entities/${id}/replace`, { reason: 'Discontinued', ...body });
const usesOf = async (id: string): Promise<[string, number, string[]][]> => {
  const { body } = await ask('GET', `/entities/${id}/uses`);
  return body.items.map((one: { entityId: string; quantity: number; referenceDesignators: string[] }) => [
    one.entityId,
    one.quantity,
    one.referenceDesignators,
  ]);
};

test('a part is replaced in all assemblies, with its lines, and released ones are revised', async () => {
  const [old, by, draft, released, both] = await Promise.all([part(), part(), part(), part(), part()]);
  await use(draft, old, {
    quantity: 2,
    referenceDesignators: ['R1', 'R2'],
    findNumber: '10',
    note: 'Glue it',
  });
  await use(released, old, { quantity: 0.5 });
  await release(released);
  await use(both, old, { quantity: 3, referenceDesignators: ['R3'] });
  await use(both, by, { quantity: 1, referenceDesignators: ['R9'] });

  const plan = await replace(old, { by, dryRun: true });
  expect(plan.status, plan.text).toBe(200);
  expect(plan.body).toMatchObject({ dryRun: true, from: old, by, revised: 1 });
  const planned = new Map(plan.body.parents.map((one: { entityId: string }) => [one.entityId, one]));
  expect(planned.get(draft)).toMatchObject({
    quantity: 2,
    quantityAfter: 2,
    revised: false,
    revision: 'A',
    findNumber: '10',
  });
  expect(planned.get(released)).toMatchObject({ quantity: 0.5, revised: true, revision: 'B', problem: null });
  expect(planned.get(both)).toMatchObject({
    quantity: 3,
    quantityAfter: 4,
    referenceDesignators: ['R3', 'R9'],
  });
  expect(await usesOf(draft)).toEqual([[old, 2, ['R1', 'R2']]]);

  const done = await replace(old, { by });
  expect(done.body).toEqual({ ...plan.body, dryRun: false });
  expect(await usesOf(draft)).toEqual([[by, 2, ['R1', 'R2']]]);
  expect(await usesOf(released)).toEqual([[by, 0.5, []]]);
  expect(await usesOf(both)).toEqual([[by, 4, ['R3', 'R9']]]);
  const first = await ask('GET', `/entities/${released}/revisions/1/uses`);
  expect(first.body.items).toMatchObject([{ entityId: old, quantity: 0.5 }]);
  expect((await ask('GET', `/entities/${released}`)).body).toMatchObject({ revision: 'B', released: false });
  expect((await ask('GET', `/entities/${old}/where-used`)).body.items).toEqual([]);

  const trail = await ask('GET', `/audit?subjectType=entity&subjectKey=${draft}`);
  expect(trail.body.items[0]).toMatchObject({
    before: { child: old, quantity: 2 },
    after: { child: by, quantity: 2, reason: 'Discontinued', line: { note: 'Glue it' } },
  });
  // The reverse takes it back.
  expect((await replace(by, { by: old, parents: [draft, released] })).status).toBe(200);
  expect(await usesOf(draft)).toEqual([[old, 2, ['R1', 'R2']]]);
  expect(await usesOf(released)).toEqual([[old, 0.5, []]]);
});

test('lines with different find numbers stay apart', async () => {
  const [old, by, parent] = await Promise.all([part(), part(), part()]);
  await use(parent, old, { quantity: 2, findNumber: '20', note: 'Left' });
  await use(parent, by, { quantity: 1, findNumber: '10' });
  expect((await replace(old, { by })).status).toBe(200);
  const { body } = await ask('GET', `/entities/${parent}/uses`);
  expect(body.items).toMatchObject([
    {
      entityId: by,
      quantity: 3,
      lines: [
        { findNumber: '10', quantity: 1 },
        { findNumber: '20', quantity: 2, note: 'Left' },
      ],
    },
  ]);
});

test('a part that was a substitute is no substitute for itself afterwards; others stay', async () => {
  const [old, parent, other] = await Promise.all([part(), part(), part()]);
  const guid = '3b1f0c52-7a44-4e0e-9d7e-0f2f5a1c9b01';
  const third = '3b1f0c52-7a44-4e0e-9d7e-0f2f5a1c9b02';
  const sent = { guid, number: 'SUB-1', name: 'Instead', categoryKey: 'part' };
  expect((await ask('POST', '/pdm/sync', { entities: [sent] })).status).toBeLessThan(300);
  await use(parent, old, { quantity: 1, substitutes: [{ guid }, { guid: third, ratio: 2 }] });
  await use(other, old, { quantity: 1, substitutes: [{ guid }] });
  expect((await replace(old, { by: `guid:${guid}` })).status).toBe(200);
  const substitutes = async (id: string) =>
    (await ask('GET', `/entities/${id}/uses`)).body.items[0].substitutes;
  expect(await substitutes(parent)).toMatchObject([{ guid: third, ratio: 2 }]);
  expect(await substitutes(other)).toEqual([]);
});

test('only the chosen assemblies change, and one that does not use the part is refused', async () => {
  const [old, by, one, other] = await Promise.all([part(), part(), part(), part()]);
  await use(one, old, { quantity: 1 });
  await use(other, old, { quantity: 1 });
  expect((await replace(old, { by, parents: [one] })).body.parents).toMatchObject([{ entityId: one }]);
  expect(await usesOf(other)).toEqual([[old, 1, []]]);
  const refused = await replace(old, { by, parents: [other, one] });
  expect([refused.status, refused.body.code]).toEqual([404, 'use_not_found']);
  expect(await usesOf(other)).toEqual([[old, 1, []]]);
});

test('an assembly that is part of the other part is named, and nothing is replaced', async () => {
  const [old, by, inner, fine] = await Promise.all([part(), part('Upper'), part('Inner'), part()]);
  await use(inner, old, { quantity: 1 });
  await use(by, inner, { quantity: 1 });
  await use(fine, old, { quantity: 1 });
  const plan = await replace(old, { by, dryRun: true });
  const problems = plan.body.parents.map((one: { entityId: string; problem: string | null }) => [
    one.entityId,
    one.problem !== null,
  ]);
  expect(new Map(problems)).toEqual(
    new Map([
      [inner, true],
      [fine, false],
    ]),
  );
  const refused = await replace(old, { by });
  expect([refused.status, refused.body.code], refused.text).toEqual([409, 'cycle']);
  expect(refused.body.parents).toMatchObject([{ entityId: inner }]);
  expect(await usesOf(fine)).toEqual([[old, 1, []]]);
  expect((await replace(old, { by, parents: [fine] })).status).toBe(200);
});

test('archived assemblies are left as they are, and an archived part is not used instead', async () => {
  const [old, by, archived] = await Promise.all([part(), part(), part()]);
  await use(archived, old, { quantity: 1 });
  await ask('POST', `/entities/${archived}/archive`);
  expect((await replace(old, { by })).body.parents).toEqual([]);
  await ask('POST', `/entities/${by}/archive`);
  const refused = await replace(old, { by });
  expect([refused.status, refused.body.code]).toEqual([409, 'entity_archived']);
});

test.each([
  ['the part itself', (id: string) => ({ by: id }), 422, 'validation_failed'],
  ['no reason', (id: string) => ({ by: id, reason: ' ' }), 422, 'validation_failed'],
  ['an unknown part', () => ({ by: '0199d0f0-0000-7000-8000-00000000dead' }), 404, 'entity_not_found'],
])('%s is refused', async (_, body, status, code) => {
  const id = await part();
  const refused = await replace(id, body(id));
  expect([refused.status, refused.body.code], refused.text).toEqual([status, code]);
});

test('a replacement and edits of the same assemblies at one moment lose nothing', async () => {
  const [old, by, other] = await Promise.all([part(), part(), part()]);
  const parents = await Promise.all(Array.from({ length: 8 }, () => part()));
  for (const parent of parents) await use(parent, old, { quantity: 1 });
  const answers = await Promise.all([
    replace(old, { by }),
    ...parents.map((parent) => ask('PUT', `/entities/${parent}/uses/${other}`, { quantity: 5 })),
    replace(other, { by: old, parents: [parents[0]] }),
  ]);
  expect(answers.slice(0, 9).every(({ status }) => status < 300)).toBe(true);
  for (const parent of parents.slice(1))
    expect(new Map((await usesOf(parent)).map(([id, quantity]) => [id, quantity]))).toEqual(
      new Map([
        [by, 1],
        [other, 5],
      ]),
    );
});
