// A part that was made by hand is given the GUID by which a design-data system knows it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStructureEdits } from '../../src/entities/links/lock-structure.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, guidOf, partsOf, refOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, sync, release } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const give = (id: string, E_Guid: string | null, more: object = {}) =>
  ask('PATCH', `/entities/${id}`, { E_Guid, ...more });
const childrenOf = async (ref: string): Promise<string[]> =>
  (await ask('GET', `/entities/${ref}/uses`)).body.items.map((use: { number: string }) => use.number);

test('it is taken in any form, a sync finds the part by it, and the change has its entry and its tag', async () => {
  const made = await create({ number: 'HAND', name: 'By hand' });
  const before = await ask('GET', `/entities/${made.id}`);
  const given = await give(made.id, `{${guidOf(1).toUpperCase()}}`);
  expect(given.status, given.text).toBe(200);
  expect(given.body).toMatchObject({ E_Guid: guidOf(1), number: 'HAND', revision: 'A' });
  expect(given.headers.get('etag')).not.toBe(before.headers.get('etag'));
  expect((await ask('GET', `/entities/${refOf(1)}`)).body).toEqual(given.body);
  const envelope = await sync([element(1, { name: 'From CAD' })]);
  expect(envelope.results).toMatchObject([{ result: 'updated', entityId: made.id }]);
  expect((await ask('GET', `/entities/${made.id}`)).body).toMatchObject({ name: 'From CAD', number: 'HAND' });
  const [entry] = (await ask('GET', '/audit?limit=1')).body.items;
  expect(entry).toMatchObject({
    action: 'update',
    subjectType: 'entity',
    subjectKey: made.id,
    before: { E_Guid: null },
    after: { E_Guid: guidOf(1) },
  });
});

test('one that it has stays: the same again changes nothing, another or none is refused', async () => {
  const made = await create({ E_Guid: guidOf(10) });
  const read = await ask('GET', `/entities/${made.id}`);
  const same = await give(made.id, `{${guidOf(10)}}`);
  expect([same.status, same.headers.get('etag')]).toEqual([200, read.headers.get('etag')]);
  for (const other of [guidOf(11), null]) {
    const answer = await give(made.id, other, { name: 'Not this' });
    expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([
      422,
      'read_only_field',
      '/E_Guid',
    ]);
  }
  expect((await ask('GET', `/entities/${made.id}`)).body).toEqual(read.body);
  const bare = await create();
  expect((await give(bare.id, null)).body.E_Guid).toBe(null);
});

test('one that another has is taken by nobody else', async () => {
  const made = await create();
  await create({ E_Guid: guidOf(20) });
  const answer = await give(made.id, guidOf(20), { name: 'Not this' });
  expect([answer.status, answer.body.code]).toEqual([409, 'guid_taken']);
  expect((await ask('GET', `/entities/${made.id}`)).body).toMatchObject({ E_Guid: null, name: 'A part' });
});

test('of many parts that are given one GUID at once, one gets it', async () => {
  const parts = await Promise.all([1, 2, 3, 4, 5].map(() => create()));
  const answers = await Promise.all(parts.map(({ id }) => give(id, guidOf(30))));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409, 409, 409]);
});

test('of many GUIDs for one part, one is taken and the others are refused', async () => {
  const made = await create();
  const answers = await Promise.all([41, 42, 43, 44].map((n) => give(made.id, guidOf(n))));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 422, 422, 422]);
  const taken = answers.find((answer) => answer.status === 200)?.body.E_Guid;
  expect((await ask('GET', `/entities/${made.id}`)).body.E_Guid).toBe(taken);
});

test('links that waited for it are made, and batches under way are told', async () => {
  const made = await create({ number: 'PARENT' });
  const waiting = await ask('POST', '/pdm/sync', {
    entities: [51, 52].map((n) => element(n, { parentGuid: guidOf(50), quantity: n })),
  });
  expect(waiting.body.counts.warnings).toBe(2);
  const edits = await workspace.transact(readStructureEdits);
  expect((await give(made.id, guidOf(50))).status).toBe(200);
  expect((await childrenOf(made.id)).toSorted()).toEqual(['N-51', 'N-52']);
  expect(await workspace.transact(readStructureEdits)).not.toBe(edits);
});

test('a released part gets a revision with it, and the released one stays as it was', async () => {
  const made = await create({ number: 'REL' });
  await release(made.id);
  await ask('POST', '/pdm/sync', { entities: [element(61, { parentGuid: guidOf(60) })] });
  const given = await give(made.id, guidOf(60));
  expect(given.body).toMatchObject({ revision: 'B', state: 'In Work', E_Guid: guidOf(60) });
  const { body } = await ask('GET', `/entities/${made.id}/revisions`);
  expect(body.items.map((item: { E_Guid: string | null }) => item.E_Guid)).toEqual([guidOf(60), null]);
  expect((await ask('GET', `/entities/${made.id}/revisions/1/uses`)).body.items).toEqual([]);
  const compared = await ask('GET', `/entities/${made.id}/revisions/compare?from=1&to=2`);
  expect(compared.body.fields).toContainEqual({ field: 'E_Guid', from: null, to: guidOf(60) });
  expect(compared.body.structure.added).toMatchObject([{ number: 'N-61' }]);
});

test('one that would close a cycle with what waits for it is refused', async () => {
  const top = await create({ number: 'TOP', E_Guid: guidOf(71) });
  const below = await create({ number: 'BELOW' });
  // TOP waits for a parent of the GUID 70, and BELOW is used by TOP already.
  await ask('POST', '/pdm/sync', { entities: [element(71, { parentGuid: guidOf(70) })] });
  expect((await ask('PUT', `/entities/${top.id}/uses/${below.id}`, { quantity: 1 })).status).toBe(201);
  const answer = await give(below.id, guidOf(70));
  expect([answer.status, answer.body.code]).toEqual([409, 'cycle']);
  expect(answer.body.detail).toContain('would close a cycle: BELOW → TOP → BELOW.');
  expect((await ask('GET', `/entities/${below.id}`)).body.E_Guid).toBe(null);
  expect(await childrenOf(below.id)).toEqual([]);
  // Another part may have it.
  const other = await create({ number: 'OTHER' });
  expect((await give(other.id, guidOf(70))).status).toBe(200);
  expect(await childrenOf(other.id)).toEqual(['N-71'].map(() => 'TOP'));
});
