import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { guidOf, partsOf, refOf } from './parts.ts';

let server: TestServer;
let ours: DefaultWorkspace;
let theirs: DefaultWorkspace;
let theirId: string;
let ourId: string;
const { ask, create } = partsOf(() => ours);
const them = partsOf(() => theirs);
beforeAll(async () => {
  server = await startTestServer();
  ours = await makeDefaultWorkspace(server);
  theirs = await makeDefaultWorkspace(server);
  const child = await them.create({ name: 'Their secret child' });
  theirId = (await them.create({ name: 'Their secret part', number: 'SECRET', E_Guid: guidOf(1) })).id;
  await theirs.ask('PUT', `/entities/${theirId}/uses/${child.id}`, {
    quantity: 1,
    referenceDesignators: ['R17'],
  });
  ourId = (await create({ name: 'Our part' })).id;
});
afterAll(() => server.close());

const calls: [string, string, object?][] = [
  ['GET', ''],
  ['PATCH', '', { name: 'Mine' }],
  ['GET', '/uses'],
  ['GET', '/where-used'],
  ['GET', '/where-used/all'],
  ['GET', '/tree'],
  ['GET', '/revisions'],
  ['GET', '/revisions/1'],
  ['GET', '/revisions/1/uses'],
  ['GET', '/revisions/compare?from=1&to=1'],
  ['GET', '/transitions'],
  ['POST', '/transitions', { toState: 'In Review' }],
];

test.each(calls)(
  'with our key their ids and GUIDs do not exist: %s /entities/{id}%s',
  async (method, path, body) => {
    for (const ref of [theirId, refOf(1)]) {
      const answer = await ask(method, `/entities/${ref}${path}`, body);
      expect([answer.status, answer.body.code]).toEqual([404, 'entity_not_found']);
    }
  },
);

test.each(calls)('and their workspace is closed to it: %s /entities/{id}%s', async (method, path, body) => {
  const answer = await server.request(`/api/wid/${theirs.slug}/entities/${theirId}${path}`, {
    method,
    key: ours.key,
    body,
  });
  expect(answer.status).toBe(403);
});

test('their entities are no ends of our links', async () => {
  for (const [parent, child] of [
    [ourId, theirId],
    [theirId, ourId],
  ]) {
    for (const method of ['PUT', 'DELETE']) {
      const answer = await ask(
        method,
        `/entities/${parent}/uses/${child}`,
        method === 'PUT' ? { quantity: 1 } : undefined,
      );
      expect([answer.status, answer.body.code]).toEqual([404, 'entity_not_found']);
    }
  }
});

test.each([
  '',
  '?q=secret',
  '?q=se',
  '?number=SECRET',
  `?guid=${guidOf(1)}`,
  '?category=part',
  '?state=In%20Work',
])('no search of ours finds theirs: %s', async (query) => {
  expect((await ask('GET', `/entities${query}`)).text).not.toContain('secret');
});

test('no designator of ours finds theirs', async () => {
  expect((await them.ask('GET', '/uses?referenceDesignator=R17')).body.items).toHaveLength(1);
  expect((await ask('GET', '/uses?referenceDesignator=R17')).body.items).toEqual([]);
  const inTheirs = await ask('GET', `/uses?referenceDesignator=R17&parent=${theirId}`);
  expect([inTheirs.status, inTheirs.body.code]).toEqual([404, 'entity_not_found']);
});

test('the search function answers for its transaction’s workspace alone', async () => {
  const found = await ours.transact((tx) => tx.query(`select id from search_lines('part', 100)`));
  expect(found).toEqual([{ id: ourId }]);
});

test('their GUID is free with us', async () => {
  expect((await create({ E_Guid: guidOf(1) })).E_Guid).toBe(guidOf(1));
  expect((await theirs.ask('GET', `/entities/${refOf(1)}`)).body.id).toBe(theirId);
});

test('no pending link of ours is theirs', async () => {
  const [parentGuid, guid] = [guidOf(90), guidOf(91)];
  const waiting = { guid, number: 'SECRET-91', name: 'Their secret', categoryKey: 'part', parentGuid };
  await them.sync([waiting]);
  expect((await them.ask('GET', '/pending-links')).body.items).toHaveLength(1);
  for (const query of ['', `?parentGuid=${parentGuid}`])
    expect((await ask('GET', `/pending-links${query}`)).body.items).toEqual([]);
  const ofTheirs = await ask('GET', `/pending-links?child=guid:${guid}`);
  expect([ofTheirs.status, ofTheirs.body.code]).toEqual([404, 'entity_not_found']);
  const removed = await ask('DELETE', `/pending-links/${parentGuid}/guid:${guid}`);
  expect([removed.status, removed.body.code]).toEqual([404, 'entity_not_found']);
  // A child of the same GUID is another entity, and waits for nothing.
  await create({ E_Guid: guid });
  const own = await ask('DELETE', `/pending-links/${parentGuid}/guid:${guid}`);
  expect([own.status, own.body.code]).toEqual([404, 'pending_link_not_found']);
  expect((await them.ask('GET', '/pending-links')).body.items).toHaveLength(1);
});

test.each([
  'entity',
  'entity_text',
  'entity_link',
  'link_designator',
  'pending_link',
  'entity_revision',
  'entity_transition',
  'structure_edit',
])('no row of theirs in %s is seen without a WHERE', async (table) => {
  const rows = await ours.transact((tx) =>
    tx.query<{ workspace_id: string }>(`select distinct workspace_id from ${table}`),
  );
  expect(rows.every((row) => row.workspace_id === ours.id)).toBe(true);
});
