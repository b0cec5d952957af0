import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { versionOf } from '../setup/version-of.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());
const ask: DefaultWorkspace['ask'] = (...given) => workspace.ask(...given);

const guidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const element = (n: number, more: object = {}) => ({
  guid: guidOf(n),
  number: `N-${n}`,
  name: `Part ${n}`,
  categoryKey: 'part',
  ...more,
});
const sync = async (entities: object[]) => {
  const answer = await ask('POST', '/pdm/sync', { entities });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

test('an entity is read by its id and by its GUID in any spelling, with a tag', async () => {
  const { results } = await sync([element(1)]);
  const read = await ask('GET', `/entities/${results[0].entityId}`);
  expect(read.status, read.text).toBe(200);
  expect(read.body).toEqual({
    id: results[0].entityId,
    versionId: results[0].versionId,
    E_Guid: guidOf(1),
    number: 'N-1',
    name: 'Part 1',
    category: 'part',
    state: 'In Work',
    released: false,
    revision: 'A',
    revisionNumber: 1,
    parentLocation: null,
    picture: null,
    unit: null,
    mergedInto: null,
    properties: {},
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
    archivedAt: null,
  });
  expect(versionOf(read)).toBe('1');
  for (const ref of [
    `guid:${guidOf(1)}`,
    `guid:{${guidOf(1).toUpperCase()}}`,
    results[0].entityId.toUpperCase(),
  ]) {
    expect((await ask('GET', `/entities/${encodeURIComponent(ref)}`)).body.id).toBe(results[0].entityId);
  }
  expect((await ask('GET', `/entities/guid:${guidOf(999)}`)).body.code).toBe('entity_not_found');
  expect((await ask('GET', '/entities/nonsense')).status).toBe(422);
});

test('uses and where-used show both ends of the links, page by page', async () => {
  const { results } = await sync([
    element(10),
    ...[11, 12, 13, 14, 15].map((n) => element(n, { parentGuid: guidOf(10), quantity: n / 2 })),
  ]);
  const all = await ask('GET', `/entities/guid:${guidOf(10)}/uses`);
  expect(all.body.items).toHaveLength(5);
  expect(all.body.items[0]).toEqual({
    entityId: results[1].entityId,
    number: 'N-11',
    name: 'Part 11',
    category: 'part',
    state: 'In Work',
    revision: 'A',
    quantity: 5.5,
    findNumber: null,
    referenceDesignators: [],
    unit: null,
    note: null,
    substitutes: [],
    lossPercent: 0,
    lossFixed: 0,
    phantom: false,
    hasChildren: false,
    archived: false,
    picture: null,
    hasParents: true,
  });
  const paged = [];
  let cursor = '';
  do {
    const page = await ask('GET', `/entities/guid:${guidOf(10)}/uses?limit=2${cursor}`);
    paged.push(...page.body.items);
    cursor = page.body.nextCursor === null ? '' : `&cursor=${page.body.nextCursor}`;
  } while (cursor !== '');
  expect(paged).toEqual(all.body.items);
  const used = await ask('GET', `/entities/guid:${guidOf(12)}/where-used`);
  expect(used.body.items).toEqual([
    expect.objectContaining({
      entityId: results[0].entityId,
      quantity: 6,
      hasChildren: true,
      archived: false,
      picture: null,
      hasParents: false,
    }),
  ]);
  expect((await ask('GET', `/entities/guid:${guidOf(12)}/uses`)).body).toEqual({
    items: [],
    nextCursor: null,
  });
  expect((await ask('GET', `/entities/guid:${guidOf(999)}/uses`)).status).toBe(404);
});
