// Entities in the order that a person chose, and the best first while typing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectTreeEntities } from '../../src/entities/structure/tree.sql.ts';
import { selectUses, selectWhereUsed } from '../../src/entities/structure/uses.sql.ts';
import { directionOf } from '../../src/http/list.ts';
import { selectLinesOfItems, selectRequirementsAtWork } from '../../src/procurement/demand/demand.sql.ts';
import { selectLinePage } from '../../src/procurement/records/line-pages.sql.ts';
import { selectRequirementPage } from '../../src/procurement/records/requirements.sql.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let few: DefaultWorkspace;
let many: DefaultWorkspace;
/** More than are sorted, and more than a window of a walk. */
const MANY = 21_000;
beforeAll(async () => {
  server = await startTestServer();
  few = await makeDefaultWorkspace(server);
  many = await makeDefaultWorkspace(server);
  await fill(few, 600);
  await fill(many, MANY);
});
afterAll(() => server.close());

async function fill(workspace: DefaultWorkspace, count: number): Promise<void> {
  await workspace.transact((tx) =>
    tx.query(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by, updated_at)
         select $1, ('019a0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(),
                case when n % 100 = 7 then null when n % 100 = 8 then 'TWIN' else 'PRT-' || lpad((n * 7919 % 100003)::text, 6, '0') end,
                case when n = 321 then 'Axle of PRT-000500' else (array['Bolt', 'Axle', 'Washer'])[n % 3 + 1] || ' ' || n end,
                (array['part', 'assembly', 'location', 'material'])[n % 4 + 1],
                case when n % 4 = 2 then 'Active' when n % 5 = 0 then 'Released' else 'In Work' end, $1,
                timestamptz '2026-01-01' + n * 37 % 1000 * interval '1 minute'
         from generate_series(1, $2::int) as n`,
      [workspace.id, count],
    ),
  );
}

type Item = {
  id: string;
  number: string | null;
  name: string;
  category: string;
  state: string;
  updatedAt: string;
};

async function listed(workspace: DefaultWorkspace, query: string, limit = 97): Promise<Item[]> {
  const found: Item[] = [];
  let cursor = '';
  for (let pages = 0; pages < 500; pages++) {
    const answer = await workspace.ask('GET', `/entities?limit=${limit}&${query}${cursor}`);
    expect(answer.status, answer.text).toBe(200);
    found.push(...answer.body.items);
    if (answer.body.nextCursor === null) return found;
    cursor = `&cursor=${answer.body.nextCursor}`;
  }
  throw new Error('the pages do not end');
}

const keyOf: Record<string, (item: Item) => string | null> = {
  created: (item) => item.id,
  number: (item) => item.number,
  name: (item) => item.name,
  updatedAt: (item) => item.updatedAt,
};
/** By the key, those without one last, then by the id. */
function inOrder(items: Item[], sort: string, order: string): Item[] {
  const sign = order === 'desc' ? -1 : 1;
  const key = keyOf[sort] ?? (() => null);
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return items.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left === null || right === null) {
      if (left === right) return sign * compare(a.id, b.id);
      return left === null ? 1 : -1;
    }
    return sign * (compare(left, right) || compare(a.id, b.id));
  });
}

const filters: [string, (item: Item) => boolean][] = [
  ['', () => true],
  ['category=part&category=assembly', (item) => ['part', 'assembly'].includes(item.category)],
  ['state=Released', (item) => item.state === 'Released'],
  [
    'category=part&state=Released&state=Obsolete',
    (item) => item.category === 'part' && item.state === 'Released',
  ],
  ['role=location', (item) => item.category === 'location'],
  ['role=item&state=Released', (item) => item.category !== 'location' && item.state === 'Released'],
  ['role=location&category=part', () => false],
  ['q=axle', (item) => /axle/i.test(item.name)],
  // A text without a trigram finds what begins with it.
  ['q=ax', (item) => /(^| )ax/i.test(item.name)],
  ['q=axle&category=part', (item) => /axle/i.test(item.name) && item.category === 'part'],
  ['number=TWIN', (item) => item.number === 'TWIN'],
];

for (const sort of ['created', 'number', 'name', 'updatedAt']) {
  for (const order of ['asc', 'desc']) {
    test.each(filters)(`few, by ${sort} ${order}: %s`, async (filter, fits) => {
      const all = await listed(few, '', 1000);
      expect(all).toHaveLength(600);
      const found = await listed(few, `sort=${sort}&order=${order}&${filter}`);
      expect(found.map((item) => item.id)).toEqual(
        inOrder(all.filter(fits), sort, order).map((item) => item.id),
      );
    });
  }
}

test.each([
  ['created', 'desc', ''],
  ['number', 'asc', ''],
  ['number', 'desc', ''],
  ['number', 'desc', 'q=washer'],
  ['number', 'asc', 'state=Released'],
])('many, by %s %s %s: walked, a page like any other', async (sort, order, filter) => {
  const fits = (item: Item) =>
    (!filter.startsWith('q') || /washer/i.test(item.name)) &&
    (!filter.startsWith('s') || item.state === 'Released');
  const all = (await listed(many, '', 1000)).filter(fits);
  const found = await listed(many, `sort=${sort}&order=${order}&${filter}`, 1000);
  expect(found.length).toBe(all.length);
  expect(found.map((item) => item.id)).toEqual(inOrder(all, sort, order).map((item) => item.id));
});

test('more names than are sorted are refused, with the number; fewer of them are sorted', async () => {
  for (const sort of ['name', 'updatedAt']) {
    const refused = await many.ask('GET', `/entities?sort=${sort}`);
    expect([refused.status, refused.body.code, refused.body.max]).toEqual([422, 'too_many_to_sort', 20_000]);
    expect((await many.ask('GET', `/entities?sort=${sort}&category=part`)).status).toBe(200);
    const common = await many.ask('GET', `/entities?sort=${sort}&q=PRT`);
    expect([common.status, common.body.code], common.text).toEqual([422, 'too_many_to_sort']);
    expect(common.body.detail).toContain('More than 5000 have the text, among more than 20000 entities.');
    const marks = await many.ask('GET', `/entities?sort=${sort}&q=--`);
    expect([marks.status, marks.body.detail]).toEqual([
      422,
      expect.stringContaining('A text without two letters or figures in a row is looked for among'),
    ]);
  }
});

test('a text that nearly all have, and one that no index knows, are sorted where the workspace is not large', async () => {
  const some = await makeDefaultWorkspace(server);
  await fill(some, 5400);
  const all = await listed(some, '', 1000);
  const wanted = inOrder(
    all.filter(({ number }) => number?.startsWith('PRT')),
    'name',
    'asc',
  );
  expect(wanted.length).toBeGreaterThan(5000);
  const found = await listed(some, 'sort=name&q=PRT', 1000);
  expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  expect(await listed(some, 'sort=name&q=--')).toEqual([]);
});

test('while typing: the number itself, then what begins with it, then names and words, then the rest', async () => {
  const one = await listed(few, 'number=PRT-007919');
  expect(one).toHaveLength(1);
  const first = async (q: string, more = '') =>
    (await few.ask('GET', `/entities?sort=best&limit=5&q=${q}${more}`)).body.items as Item[];
  expect((await first('prt-007919'))[0]?.id).toBe(one[0]?.id);
  const prefixed = await first('prt-0079');
  expect(prefixed.length).toBeGreaterThan(0);
  expect(prefixed.every((item) => item.number?.startsWith('PRT-0079'))).toBe(true);
  expect((await first('axle of'))[0]?.name).toBe('Axle of PRT-000500');
  expect((await first('PRT-000500'))[0]?.name).toBe('Axle of PRT-000500');
  expect((await first('w')).every((item) => /^w/i.test(item.name))).toBe(true);
  expect((await first('axle', '&role=location')).every((item) => item.category === 'location')).toBe(true);
  expect((await first('number:PRT-007919')).map((item) => item.id)).toEqual([one[0]?.id]);
  expect(await first('number:PRT-00791')).toEqual([]);
  expect(await first('nowhere')).toEqual([]);
  expect(await first('%25')).toEqual([]);
  // Among many that were made before it, too.
  expect((await many.ask('GET', '/entities?sort=best&limit=5&q=PRT-0999')).body.items[0].number).toMatch(
    /^PRT-0999/,
  );
  const refused = await few.ask('GET', '/entities?sort=best');
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/q']);
});

test('while typing what some have: all of them where they are few, and the best of many in their order', async () => {
  const best = async (workspace: DefaultWorkspace, q: string, limit: number) =>
    (await workspace.ask('GET', `/entities?sort=best&limit=${limit}&q=${q}`)).body.items as Item[];
  // Fewer than are enough, in the blocks that are looked at first and in all.
  const fitting = (await listed(few, '', 1000)).filter((item) => /axle 1/i.test(item.name));
  expect(fitting.length).toBeGreaterThan(12);
  expect((await best(few, 'axle 1', 200)).map((item) => item.id).toSorted()).toEqual(
    fitting.map((item) => item.id).toSorted(),
  );
  // One of 57: too few in these blocks, enough in some more. And so few of all that only the index has them.
  for (const [q, digits] of [
    ['washer 12', /washer 12/i],
    ['washer 120', /washer 120/i],
  ] as const) {
    const found = await best(many, q, 20);
    expect(found).toHaveLength(20);
    for (const item of found) expect(item.name).toMatch(digits);
    // The shorter number first; none is longer than any.
    const numbers = found.map(({ number }) => number ?? '~'.repeat(100));
    const inTheirOrder = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);
    expect(numbers).toEqual(numbers.toSorted(inTheirOrder));
  }
});

test('a cursor belongs to its order', async () => {
  const { body } = await few.ask('GET', '/entities?sort=name&limit=1');
  expect((await few.ask('GET', `/entities?sort=name&order=desc&cursor=${body.nextCursor}`)).body.code).toBe(
    'invalid_cursor',
  );
});

test('facets count what the search would find, and say where counting ended', async () => {
  const all = await listed(few, '', 1000);
  const counted = async (query: string) => {
    const answer = await few.ask('GET', `/entities/facets?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.items as { category: string; state: string; count: number; isAtLeast: boolean }[];
  };
  for (const [query, fits] of filters.filter(([filter]) => !filter.startsWith('number'))) {
    const expected = Map.groupBy(all.filter(fits), (item) => `${item.category} ${item.state}`);
    const items = await counted(query);
    expect([
      query,
      Object.fromEntries(items.map((item) => [`${item.category} ${item.state}`, item.count])),
    ]).toEqual([query, Object.fromEntries([...expected].map(([pair, of]) => [pair, of.length]))]);
    expect(items.some((item) => item.isAtLeast)).toBe(false);
  }
  expect(await counted('q=number:PRT-007919')).toMatchObject([{ count: 1, isAtLeast: false }]);
  expect(await counted('q=number:PRT-00791')).toEqual([]);
  const found = await many.ask('GET', '/entities/facets?q=washer');
  expect(found.body.items.every((item: { isAtLeast: boolean }) => item.isAtLeast)).toBe(true);
  // A text that the index knows nothing of is looked for, and no further than to a bound.
  for (const workspace of [few, many]) {
    await workspace.transact((tx) =>
      tx.query(`update entity set name = '- ' || name where workspace_id = $1`, [workspace.id]),
    );
  }
  const within = (items: { count: number }[]) => items.reduce((sum, { count }) => sum + count, 0);
  expect(within(await counted('q=-'))).toBe(all.length);
  const looked = (await many.ask('GET', '/entities/facets?q=-')).body.items;
  expect(looked.every((item: { isAtLeast: boolean }) => item.isAtLeast)).toBe(true);
  expect(within(looked)).toBe(10_000);
});

test('no list asks of all links, or of all entities, what it wants to know of its rows', async () => {
  const ids = Array.from(
    { length: 1000 },
    (_, n) => `019a0000-0000-7000-8000-${String(n + 1).padStart(12, '0')}`,
  );
  const [parent] = ids as [string];
  const asked: [string, unknown[]][] = [
    [selectTreeEntities, [many.id, ids]],
    [selectUses, [many.id, parent, null, 1000]],
    [selectWhereUsed, [many.id, parent, null, 1000, 'false']],
    [selectLinesOfItems(true), [many.id, [parent], 500]],
    [selectRequirementsAtWork('item_id'), [many.id, [parent], 500]],
    [
      selectRequirementPage({ owner: 'item', state: true, among: 'window', text: false }, directionOf('asc')),
      [many.id, null, 1000, null, parent, null, 'Open', null, null, 5000],
    ],
    [
      selectLinePage({ owner: 'item', state: true, window: true }, directionOf('asc')),
      [
        ...[
          many.id,
          null,
          1000,
          ['purchaseOrder'],
          parent,
          null,
          'Ordered',
          ['purchaseOrderLine'],
          null,
          null,
          null,
          null,
        ],
        5000,
      ],
    ],
  ];
  for (const [sql, params] of asked) {
    const plan = await many.transact((tx) => tx.query<Record<string, string>>(`explain ${sql}`, params));
    const lines = plan.map((row) => Object.values(row)[0] as string);
    expect(lines.filter((line) => /hashed SubPlan|Semi Join/.test(line))).toEqual([]);
  }
});

test('numbers are looked up many at once, in the order asked, twins and all', async () => {
  const answer = await few.ask('POST', '/entities/lookup', {
    numbers: ['PRT-007919', 'none', 'TWIN', 'PRT-007919'],
  });
  expect(answer.status, answer.text).toBe(200);
  expect(
    answer.body.items.map((item: { number: string; entities: unknown[] }) => [
      item.number,
      item.entities.length,
    ]),
  ).toEqual([
    ['PRT-007919', 1],
    ['none', 0],
    ['TWIN', 6],
    ['PRT-007919', 1],
  ]);
  expect(answer.body.items[0].entities[0]).toEqual(answer.body.items[3].entities[0]);
  const numbers = Array.from({ length: 1001 }, (_, n) => `N-${n}`);
  expect((await few.ask('POST', '/entities/lookup', { numbers: numbers.slice(1) })).status).toBe(200);
  expect((await few.ask('POST', '/entities/lookup', { numbers })).status).toBe(422);
});

test('while typing what many have: who is called otherwise since is found by that, and no more by what it was', async () => {
  const best = async (q: string, more = '') =>
    (await many.ask('GET', `/entities?sort=best&limit=20&q=${q}${more}`)).body.items as Item[];
  const [first] = await best('washer');
  expect(first?.name).toMatch(/Washer/);
  const renamed = await many.ask('PATCH', `/entities/${first?.id}`, { name: 'Gasket of a kind' });
  expect(renamed.status, renamed.text).toBe(200);
  const now = await best('washer');
  expect(now).toHaveLength(20);
  expect(now.map((item) => item.id)).not.toContain(first?.id);
  expect((await best('gasket')).map((item) => item.id)).toEqual([first?.id]);
  // Filters that the blocks know nothing of, of what is common among all and rare among these.
  const materials = await best('washer', '&category=material&state=Released');
  expect(materials).toHaveLength(20);
  for (const item of materials)
    expect([item.category, item.state, item.name]).toEqual([
      'material',
      'Released',
      expect.stringMatching(/Washer/),
    ]);
});
