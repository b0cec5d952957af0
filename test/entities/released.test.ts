/** Released assemblies keep the revisions of their children, and count where a part is used. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TreeItem, Use } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { partsOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, release } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const must = async (status: number, ...call: Parameters<typeof ask>) => {
  const answer = await ask(...call);
  expect(answer.status, answer.text).toBe(status);
  return answer.body;
};
const link = (parent: string, child: string, quantity = 1) =>
  ask('PUT', `/entities/${parent}/uses/${child}`, { quantity });
const unlink = (parent: string, child: string) => must(204, 'DELETE', `/entities/${parent}/uses/${child}`);
const rename = (id: string, name: string) => must(200, 'PATCH', `/entities/${id}`, { name });
/** `name revision source` of each child. */
const uses = async (path: string, query = '') =>
  (await must(200, 'GET', `/entities/${path}/uses${query}`)).items.map(
    ({ name, revision, revisionSource }: Use) => [name, revision, revisionSource].join(' ').trim(),
  );
const parents = async (id: string, revisions: string) =>
  (await must(200, 'GET', `/entities/${id}/where-used?revisions=${revisions}`)).items.map(
    ({ name, revision, quantity }: Use) => `${name} ${revision} ${quantity}`,
  );

test('a released revision says with which revisions of its children it was released, whatever comes later', async () => {
  const [top, part] = [await create({ name: 'Top' }), await create({ name: 'Part one' })];
  await link(top.id, part.id, 2);
  await release(part.id);
  await release(top.id);
  const before = await uses(`${top.id}/revisions/1`, '?configuration=asReleased');
  expect(before).toEqual(['Part one A asReleased']);
  await rename(part.id, 'Part two');
  await release(part.id);
  await rename(part.id, 'Part three');
  expect(await uses(`${top.id}/revisions/1`, '?configuration=asReleased')).toEqual(before);
  expect(await uses(top.id, '?configuration=asReleased')).toEqual(before);
  expect(await uses(top.id, '?configuration=latestReleased')).toEqual(['Part two B latestReleased']);
  expect(await uses(top.id)).toEqual(['Part three C']);
  await rename(top.id, 'Top two');
  await unlink(top.id, part.id);
  expect(await uses(`${top.id}/revisions/1`, '?configuration=asReleased')).toEqual(before);
  expect(await uses(`${top.id}/revisions/2`, '?configuration=asReleased')).toEqual([]);
  expect(await uses(top.id, '?configuration=asReleased')).toEqual(before);
});

test('a revision of which nothing was recorded says so, and an entity that was never released is refused', async () => {
  const [top, part] = [await create(), await create({ name: 'Old' })];
  await link(top.id, part.id);
  const refused = await must(404, 'GET', `/entities/${top.id}/uses?configuration=asReleased`);
  expect(refused.code).toBe('revision_not_found');
  await release(top.id);
  expect(await uses(`${top.id}/revisions/1`, '?configuration=latestReleased')).toEqual(['Old A current']);
  await rename(top.id, 'draft');
  expect(await uses(`${top.id}/revisions/2`, '?configuration=asReleased')).toEqual(['Old A unknown']);
});

test('released assemblies count where a draft no longer uses the part', async () => {
  const [top, part, machine] = [
    await create({ name: 'Product' }),
    await create({ name: 'Screw' }),
    await create({ name: 'Machine' }),
  ];
  await link(top.id, part.id, 4);
  await link(machine.id, top.id, 3);
  await release(top.id);
  await release(machine.id);
  expect(await parents(part.id, 'released')).toEqual(['Product A 4']);
  expect(await parents(part.id, 'all')).toEqual(['Product A 4']);
  await unlink(top.id, part.id);
  expect(await parents(part.id, 'current')).toEqual([]);
  expect(await parents(part.id, 'released')).toEqual(['Product A 4']);
  // At all levels an assembly has the revision that contains the part: the draft B does not.
  const both = await must(200, 'GET', `/entities/${part.id}/where-used/all?revisions=all`);
  expect(both.items).toMatchObject([
    { name: 'Product', revision: 'A', state: 'Released', extendedQuantity: 4 },
    { name: 'Machine', revision: 'A', extendedQuantity: 12 },
  ]);
  await link(top.id, part.id, 5);
  const now = await must(200, 'GET', `/entities/${part.id}/where-used/all?revisions=all`);
  expect(now.items[0]).toMatchObject({ name: 'Product', revision: 'B', extendedQuantity: 5 });
  expect(await parents(part.id, 'current')).toEqual(['Product B 5']);
  expect(await parents(part.id, 'all')).toEqual(['Product B 5', 'Product A 4']);
  const first = await must(200, 'GET', `/entities/${part.id}/where-used?revisions=all&limit=1`);
  const second = await must(
    200,
    'GET',
    `/entities/${part.id}/where-used?revisions=all&limit=1&cursor=${first.nextCursor}`,
  );
  expect([...first.items, ...second.items].map(({ revision }: Use) => revision)).toEqual(['B', 'A']);
  const above = await must(200, 'GET', `/entities/${part.id}/where-used/all?revisions=released`);
  expect(above.items).toMatchObject([
    { name: 'Product', revision: 'A', extendedQuantity: 4 },
    { name: 'Machine', revision: 'A', extendedQuantity: 12 },
  ]);
  // The second release contains it no longer.
  await unlink(top.id, part.id);
  await release(top.id);
  expect(await parents(part.id, 'all')).toEqual([]);
  expect((await must(200, 'GET', `/entities/${part.id}/where-used/all?revisions=all`)).items).toEqual([]);
});

test('a release names children that are not released, or is refused by the category', async () => {
  const category = await must(200, 'GET', '/categories/assembly');
  const [top, part] = [await create({ category: 'assembly' }), await create({ name: 'Draft' })];
  await link(top.id, part.id);
  await must(200, 'POST', `/entities/${top.id}/transitions`, { toState: 'In Review' });
  await must(200, 'PUT', '/categories/assembly', { ...category, unreleasedChildren: 'refuse' });
  const released = { toState: 'Released' };
  const refused = await must(409, 'POST', `/entities/${top.id}/transitions`, released);
  expect(refused).toMatchObject({ code: 'unreleased_children', count: 1, children: [{ entityId: part.id }] });
  expect((await must(200, 'GET', `/entities/${top.id}`)).state).toBe('In Review');
  await must(200, 'PUT', '/categories/assembly', category);
  const moved = await must(200, 'POST', `/entities/${top.id}/transitions`, released);
  expect(moved.warnings).toMatchObject([
    { code: 'unreleased_children', count: 1, children: [{ entityId: part.id, name: 'Draft' }] },
  ]);
});

/** `level name revision quantity source` of each occurrence. */
const tree = async (id: string, query = '') =>
  (await must(200, 'GET', `/entities/${id}/tree${query}`)).items.map((one: TreeItem) =>
    [one.level, one.name, one.revision, one.extendedQuantity, one.revisionSource].join(' ').trim(),
  );

test('the tree of a released revision has the revisions of all levels with which they were released', async () => {
  const [top, mid, part] = [
    await create({ name: 'Top' }),
    await create({ name: 'Mid' }),
    await create({ name: 'Part' }),
  ];
  await link(top.id, mid.id, 2);
  await must(201, 'PUT', `/entities/${mid.id}/uses/${part.id}`, { quantity: 3, findNumber: '10' });
  const never = await must(404, 'GET', `/entities/${top.id}/tree?configuration=latestReleased`);
  expect(never.code).toBe('revision_not_found');
  for (const one of [part, mid, top]) await release(one.id);
  await rename(part.id, 'Part two');
  await link(mid.id, part.id, 5);
  await release(part.id);
  await rename(part.id, 'Part three');
  expect(await tree(top.id, '?configuration=asReleased')).toEqual([
    '0 Top A 1 asReleased',
    '1 Mid A 2 asReleased',
    '2 Part A 6 asReleased',
  ]);
  const asReleased = await must(200, 'GET', `/entities/${top.id}/tree?configuration=asReleased&depth=2`);
  expect(asReleased.items[2]).toMatchObject({ parentId: mid.id, findNumber: '10', revisionNumber: 1 });
  expect(asReleased.items.map(({ hasChildren }: TreeItem) => hasChildren)).toEqual([true, true, false]);
  expect(await tree(top.id, '?configuration=latestReleased')).toEqual([
    '0 Top A 1 latestReleased',
    '1 Mid A 2 latestReleased',
    '2 Part two B 6 latestReleased',
  ]);
  expect(await tree(top.id)).toEqual(['0 Top A 1', '1 Mid B 2', '2 Part three C 10']);
  // A draft has no part of it: what it was released with stays.
  await unlink(mid.id, part.id);
  expect((await tree(top.id, '?configuration=asReleased'))[2]).toBe('2 Part A 6 asReleased');
  const uses = await must(200, 'GET', `/entities/${top.id}/uses?configuration=asReleased`);
  expect(uses.items[0]).toMatchObject({ name: 'Mid', revisionNumber: 1, hasChildren: true });
});

test('a comparison as released lists children whose revision differs', async () => {
  const [top, part] = [await create({ name: 'Case' }), await create({ name: 'Lid' })];
  await link(top.id, part.id);
  await release(part.id);
  await release(top.id);
  await rename(part.id, 'Lid two');
  await release(part.id);
  await rename(top.id, 'Case two');
  await release(top.id);
  const compare = async (configuration: string) =>
    (
      await must(
        200,
        'GET',
        `/entities/${top.id}/revisions/compare?from=1&to=2&configuration=${configuration}`,
      )
    ).structure;
  const nothing = { added: [], removed: [], quantity: [], lines: [], revisions: [] };
  expect(await compare('asReleased')).toMatchObject({
    ...nothing,
    revisions: [{ entityId: part.id, name: 'Lid two', from: 'A', to: 'B' }],
  });
  expect(await compare('current')).toMatchObject(nothing);
  await rename(part.id, 'Lid three');
  await unlink(top.id, part.id);
  const removed = async (configuration: string) => {
    const path = `/entities/${top.id}/revisions/compare?from=1&to=3&configuration=${configuration}`;
    return (await must(200, 'GET', path)).structure.removed.map(({ name }: Use) => name);
  };
  expect(await removed('current')).toEqual(['Lid three']);
  expect(await removed('latestReleased')).toEqual(['Lid two']);
  expect(await removed('asReleased')).toEqual(['Lid']);
});

test('released revisions that contain each other end neither a tree nor where-used in a fault', async () => {
  const [one, other, part] = [
    await create({ name: 'One' }),
    await create({ name: 'Other' }),
    await create({ name: 'Pin' }),
  ];
  await link(one.id, other.id, 2);
  await release(one.id);
  await unlink(one.id, other.id);
  await link(other.id, one.id, 3);
  await link(other.id, part.id, 5);
  await release(other.id);
  const refused = await must(409, 'GET', `/entities/${one.id}/tree?configuration=latestReleased`);
  expect(refused).toMatchObject({ code: 'cycle' });
  const above = await must(200, 'GET', `/entities/${part.id}/where-used/all?revisions=released`);
  expect(above.items).toMatchObject([
    { name: 'Other', level: 1, extendedQuantity: 5 },
    { name: 'One', level: 2, extendedQuantity: 10 },
  ]);
});
