// Links that wait for a parent that is not there: whoever looks sees them, and takes one back.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PendingLink } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { partsOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, sync, create } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const part = (more: object = {}) => {
  const guid = randomUUID();
  return { guid, number: `N-${guid.slice(0, 8)}`, name: 'A part', categoryKey: 'part', ...more };
};
/** All items, page by page. */
async function listed(query: Record<string, string>, limit = 1000): Promise<PendingLink[]> {
  const items: PendingLink[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const search = new URLSearchParams({
      ...query,
      limit: String(limit),
      ...(cursor === '' ? {} : { cursor }),
    });
    const { status, body, text } = await ask('GET', `/pending-links?${search}`);
    expect(status, text).toBe(200);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    items.push(...body.items);
    cursor = body.nextCursor;
  }
  return items;
}
const endsOf = (links: readonly PendingLink[]) =>
  links.map(({ parentGuid, childGuid }) => `${parentGuid} ${childGuid}`);
const remove = (parentGuid: string, child: string) => ask('DELETE', `/pending-links/${parentGuid}/${child}`);

test('a link that waits is shown with its child and its line, until its parent comes', async () => {
  const parentGuid = randomUUID();
  const line = { findNumber: '10', referenceDesignators: ['R1', 'R2'], unit: 'pcs', note: 'greased' };
  const child = part({ parentGuid, quantity: 2.5, ...line });
  await sync([child]);
  const { id } = (await ask('GET', `/entities/guid:${child.guid}`)).body;
  expect(await listed({ parentGuid })).toEqual([
    {
      parentGuid,
      childEntityId: id,
      childGuid: child.guid,
      childNumber: child.number,
      childName: 'A part',
      childCategory: 'part',
      childRevision: 'A',
      quantity: 2.5,
      ...line,
      substitutes: [],
      lossPercent: 0,
      lossFixed: 0,
      phantom: false,
    },
  ]);
  await create({ E_Guid: parentGuid });
  expect(await listed({ parentGuid })).toEqual([]);
  expect((await ask('GET', `/entities/guid:${parentGuid}/uses`)).body.items).toMatchObject([
    { entityId: id },
  ]);
});

test('page by page, each once: all, those of a parent, those of a child, and the one of both', async () => {
  const own = await makeDefaultWorkspace(server);
  const parents = Array.from({ length: 7 }, () => randomUUID()).sort();
  const children = Array.from({ length: 7 }, () => part());
  const sent = parents.flatMap((parentGuid) => children.map((child) => ({ ...child, parentGuid })));
  const before = workspace;
  workspace = own;
  try {
    await sync(sent);
    const ends = sent.map(({ parentGuid, guid }) => `${parentGuid} ${guid}`);
    for (const limit of [1, 4, 7, 48, 49, 50]) {
      const all = await listed({}, limit);
      expect(endsOf(all).sort()).toEqual(ends.toSorted());
      expect(all.map(({ parentGuid }) => parentGuid)).toEqual(all.map(({ parentGuid }) => parentGuid).sort());
    }
    const [parentGuid, child] = [parents[3] as string, children[3] as { guid: string }];
    for (const limit of [1, 3, 6, 7]) {
      const ofParent = await listed({ parentGuid: `{${parentGuid.toUpperCase()}}` }, limit);
      expect(endsOf(ofParent).sort()).toEqual(ends.filter((one) => one.startsWith(parentGuid)).sort());
      const ofChild = await listed({ child: `guid:${child.guid}` }, limit);
      expect(endsOf(ofChild)).toEqual(parents.map((one) => `${one} ${child.guid}`));
      const [first] = ofChild as [PendingLink];
      expect(endsOf(await listed({ parentGuid, child: first.childEntityId }, limit))).toEqual([
        `${parentGuid} ${child.guid}`,
      ]);
    }
    expect(await listed({ parentGuid: randomUUID() })).toEqual([]);
    expect(await listed({ parentGuid: randomUUID(), child: `guid:${child.guid}` })).toEqual([]);
    // A cursor is of its own list alone.
    const { nextCursor: cursor } = (await ask('GET', '/pending-links?limit=1')).body;
    const strange = await ask('GET', `/pending-links?limit=1&parentGuid=${parentGuid}&cursor=${cursor}`);
    expect([strange.status, strange.body.code]).toEqual([400, 'invalid_cursor']);
  } finally {
    workspace = before;
  }
});

test('one that waits for the lowest of GUIDs is in every list, a page each', async () => {
  const [lowest, other] = ['00000000-0000-0000-0000-000000000001', randomUUID()];
  const child = part();
  await sync([lowest, other].map((parentGuid) => ({ ...child, parentGuid })));
  const both = [`${lowest} ${child.guid}`, `${other} ${child.guid}`];
  expect(endsOf(await listed({ child: `guid:${child.guid}` }, 1))).toEqual(both);
  expect(endsOf(await listed({ parentGuid: lowest }, 1))).toEqual(both.slice(0, 1));
  expect(endsOf(await listed({}, 1))).toEqual(expect.arrayContaining(both));
});

test('what is no GUID and no entity is refused', async () => {
  const { status, body } = await ask('GET', '/pending-links?parentGuid=Gearbox');
  expect([status, body.code]).toEqual([422, 'validation_failed']);
  for (const child of [randomUUID(), `guid:${randomUUID()}`]) {
    const listing = await ask('GET', `/pending-links?child=${child}`);
    expect([listing.status, listing.body.code]).toEqual([404, 'entity_not_found']);
    const removing = await remove(randomUUID(), child);
    expect([removing.status, removing.body.code]).toEqual([404, 'entity_not_found']);
  }
});

test('one is taken back: it is not made when the parent comes, the others are, and the trail says who it was', async () => {
  const parentGuid = randomUUID();
  const [child, other] = [part({ parentGuid, quantity: 3 }), part({ parentGuid })];
  await sync([child, other]);
  const [{ childEntityId: id }] = (await listed({ child: `guid:${child.guid}` })) as [PendingLink];
  const tag = (await ask('GET', `/entities/${id}`)).headers.get('etag');

  expect((await remove(`%7B${parentGuid.toUpperCase()}%7D`, `guid:${child.guid}`)).status).toBe(204);
  expect(endsOf(await listed({ parentGuid }))).toEqual([`${parentGuid} ${other.guid}`]);
  const again = await remove(parentGuid, id);
  expect([again.status, again.body.code]).toEqual([404, 'pending_link_not_found']);
  expect((await ask('GET', `/entities/${id}`)).headers.get('etag')).toBe(tag);

  const trail = await ask('GET', `/audit?subjectType=pendingLink&subjectKey=${parentGuid}/${id}`);
  expect(trail.body.items).toMatchObject([
    {
      action: 'delete',
      actor: { type: 'apiKey' },
      before: { parentGuid, childEntityId: id, childGuid: child.guid, quantity: 3 },
      after: null,
    },
  ]);
  await create({ E_Guid: parentGuid });
  const uses = (await ask('GET', `/entities/guid:${parentGuid}/uses`)).body.items;
  expect(uses.map(({ number }: { number: string }) => number)).toEqual([other.number]);
});

test('of many who take one back at once one does', async () => {
  const parentGuid = randomUUID();
  const child = part({ parentGuid });
  await sync([child]);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => remove(parentGuid, `guid:${child.guid}`)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
});

test('a key that may read sees them and takes none back', async () => {
  const parentGuid = randomUUID();
  const child = part({ parentGuid });
  await sync([child]);
  const made = await ask('POST', '/api-keys', { name: 'Reads', permission: 'read' });
  const call = (method: string, path: string) =>
    server.request(`/api/wid/${workspace.slug}${path}`, { method, key: made.body.key });
  expect((await call('GET', `/pending-links?parentGuid=${parentGuid}`)).body.items).toHaveLength(1);
  const refused = await call('DELETE', `/pending-links/${parentGuid}/guid:${child.guid}`);
  expect([refused.status, refused.body.code]).toEqual([403, 'area_missing']);
  expect(await listed({ parentGuid })).toHaveLength(1);
});

test('the circle that an earlier batch left behind is seen, taken back, and the structure goes in', async () => {
  const [frame, motor] = [part({ number: 'FRAME' }), part({ number: 'MOTOR' })];
  // Upside down, and the parent refused: the motor waits for the frame.
  const answer = await ask('POST', '/pdm/sync', {
    entities: [
      { ...motor, parentGuid: frame.guid },
      { ...frame, categoryKey: 'no-such' },
    ],
  });
  expect(answer.body.results).toMatchObject([
    { result: 'created', warnings: [{ code: 'parent_pending' }] },
    { result: 'error', code: 'category_not_found' },
  ]);
  const meant = { entities: [motor, { ...frame, parentGuid: motor.guid }] };
  const refused = (await ask('POST', '/pdm/sync', meant)).body.results[1];
  expect(refused).toMatchObject({ result: 'error', code: 'cycle' });
  expect(refused.message).toContain('FRAME');
  expect(refused.message).toContain('MOTOR');
  expect((await ask('GET', `/entities/guid:${motor.guid}/uses`)).body.items).toEqual([]);

  const [link] = (await listed({ parentGuid: frame.guid })) as [PendingLink];
  expect(link).toMatchObject({ childGuid: motor.guid, childNumber: 'MOTOR', quantity: 1 });
  expect((await remove(link.parentGuid, link.childEntityId)).status).toBe(204);
  expect((await ask('POST', '/pdm/sync', meant)).body.counts).toMatchObject({ created: 1, error: 0 });
  const uses = (await ask('GET', `/entities/guid:${motor.guid}/uses`)).body.items;
  expect(uses).toMatchObject([{ number: 'FRAME', quantity: 1 }]);
  expect(await listed({ parentGuid: frame.guid })).toEqual([]);
});

test('several links are removed with one call, each with its entry in the audit trail', async () => {
  const [parentGuid, otherGuid] = [randomUUID(), randomUUID()];
  const children = Array.from({ length: 3 }, () => part({ parentGuid }));
  await sync([...children, part({ parentGuid: otherGuid })]);
  expect(await ask('DELETE', '/pending-links')).toMatchObject({ status: 422 });
  const removed = await ask('DELETE', `/pending-links?parentGuid=${parentGuid}`);
  expect([removed.status, removed.body]).toEqual([200, { removed: 3, more: false }]);
  expect(await listed({ parentGuid })).toEqual([]);
  expect(await listed({ parentGuid: otherGuid })).toHaveLength(1);
  const audit = await ask('GET', '/audit?subjectType=pendingLink&limit=3');
  expect(audit.body.items.map((one: { subjectKey: string }) => one.subjectKey.slice(0, 36))).toEqual(
    Array(3).fill(parentGuid),
  );
  const child = children[0] as { guid: string };
  await sync([part({ guid: parentGuid })]);
  expect((await ask('GET', `/entities/guid:${parentGuid}/uses`)).body.items).toEqual([]);
  await sync([{ ...child, parentGuid: otherGuid }]);
  const ofChild = await ask('DELETE', `/pending-links?child=guid:${child.guid}`);
  expect(ofChild.body).toEqual({ removed: 1, more: false });
  const all = await ask('DELETE', '/pending-links?all=true');
  expect(all.body).toEqual({ removed: expect.any(Number), more: false });
  expect(await listed({})).toEqual([]);
});
