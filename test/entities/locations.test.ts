import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, guidOf, partsOf, refOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, sync } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

/** Creates a location and returns its id. */
async function place(name: string, parentLocation: string | null = null): Promise<string> {
  const made = await ask('POST', '/entities', { category: 'location', name, parentLocation });
  expect(made.status, made.text).toBe(201);
  expect(made.body.parentLocation).toBe(parentLocation);
  return made.body.id;
}

const move = (id: string, parentLocation: string | null) =>
  ask('PATCH', `/entities/${id}`, { parentLocation });

async function listed(query: string): Promise<TestAnswer['body'][]> {
  const { status, body, text } = await ask('GET', `/locations?${query}`);
  expect(status, text).toBe(200);
  return body.items;
}

test('a location lies in another one: the tree is read from the top, level by level, and whole', async () => {
  const warehouse = await place('Warehouse');
  const shelf = await place('Shelf', warehouse);
  const bin = await place('Bin', shelf);
  const other = await place('Other shelf', warehouse);

  expect((await listed('top=true')).map(({ id }) => id)).toEqual([warehouse]);
  expect((await listed(`parent=${warehouse}`)).map(({ id, hasChildren }) => [id, hasChildren])).toEqual([
    [shelf, true],
    [other, false],
  ]);
  expect((await listed(`below=${shelf}`)).map(({ name }) => name)).toEqual(['Shelf', 'Bin']);
  expect((await listed(`id=${bin}`))[0]).toMatchObject({
    path: ['Warehouse', 'Shelf'],
    parentLocation: shelf,
    hasChildren: false,
  });

  const first = await ask('GET', `/locations?below=${warehouse}&limit=3`);
  const second = await ask('GET', `/locations?below=${warehouse}&limit=3&cursor=${first.body.nextCursor}`);
  expect([...first.body.items, ...second.body.items].map(({ name }: { name: string }) => name)).toEqual([
    'Warehouse',
    'Shelf',
    'Bin',
    'Other shelf',
  ]);
  expect(second.body.nextCursor).toBeNull();
  expect((await ask('GET', `/locations?top=true&below=${shelf}`)).status).toBe(422);
});

test('a location moves into another one, with an entry in the audit trail and no new revision', async () => {
  const [one, two] = [await place('One'), await place('Two')];
  const box = await place('Box', one);
  const moved = await move(box, two);
  expect([moved.status, moved.body.parentLocation, moved.body.revisionNumber]).toEqual([200, two, 1]);
  const audit = await ask('GET', `/audit?subjectType=entity&subjectKey=${box}`);
  expect(audit.body.items[0]).toMatchObject({
    before: { parentLocation: one },
    after: { parentLocation: two },
  });
  const same = await ask('PATCH', `/entities/${box}`, moved.body);
  expect(same.headers.get('etag')).toBe(moved.headers.get('etag'));
  expect((await move(box, null)).body.parentLocation).toBeNull();
});

test('a location cannot lie in itself, in a part, or in more than 20 levels, and a part lies in no location', async () => {
  const top = await place('Top');
  const middle = await place('Middle', top);
  for (const [id, parent] of [
    [top, middle],
    [top, top],
  ] as const) {
    const refused = await move(id, parent);
    expect([refused.status, refused.body.code], refused.text).toEqual([409, 'cycle']);
  }
  const part = (await ask('POST', '/entities', { category: 'part', name: 'Bolt' })).body.id;
  for (const refused of [await move(part, top), await move(top, part)])
    expect([refused.status, refused.body.code]).toEqual([422, 'not_a_location']);
  expect((await move(top, part.replace(/.{6}$/, 'ffffff'))).status).toBe(404);

  let deepest = top;
  for (let level = 1; level < 20; level++) deepest = await place(`Level ${level}`, deepest);
  const deeper = await ask('POST', '/entities', {
    category: 'location',
    name: 'Too deep',
    parentLocation: deepest,
  });
  expect([deeper.status, deeper.body.code]).toEqual([422, 'tree_too_large']);
  const above = await place('Above');
  expect((await move(top, above)).body.code).toBe('tree_too_large');
});

test('of two callers who put two locations into each other, one is refused', async () => {
  const pairs = await Promise.all(
    [1, 2, 3, 4].map(async (n) => [await place(`A${n}`), await place(`B${n}`)]),
  );
  for (const [a, b] of pairs as [string, string][]) {
    const answers = await Promise.all([move(a, b), move(b, a)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  }
});

test('a sync ignores the parent of a location, with a warning', async () => {
  const warehouse = element(1, { categoryKey: 'location' });
  const shelf = element(2, { categoryKey: 'location', parentGuid: guidOf(1) });
  for (let time = 0; time < 2; time++) {
    const { results } = await sync([warehouse, shelf]);
    expect(results[1]).toMatchObject({ warnings: [{ code: 'location_link' }] });
  }
  expect((await ask('GET', `/entities/${refOf(1)}/uses`)).body.items).toEqual([]);
});

test('the location role cannot be taken from a category while its locations lie in others', async () => {
  const { body: category } = await ask('GET', '/categories/location');
  const refused = await ask('PUT', '/categories/location', { ...category, role: 'none' });
  expect([refused.status, refused.body.code], refused.text).toEqual([409, 'in_use']);
});
