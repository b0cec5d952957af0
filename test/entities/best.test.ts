// The best of what has a text, while it is being typed, against all entities of the workspace gone through in memory.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let layered: DefaultWorkspace;

beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  await workspace.transact((tx) =>
    tx.query(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       select $1, uuidv7(), gen_random_uuid(),
              case n % 11 when 0 then null when 1 then 'Ab%' || n when 2 then 'x_' || n % 700 when 3 then 'ÄÖ-' || n
                when 4 then 'q\\' || n else 'PRT-' || lpad((n * 7919 % 100003)::text, 6, '0') end,
              (array['Bolt', 'Axle', 'Schraube ü', '100% "wool"', 'O''Ring', 'a_b', 'Washer  M7',
                'line' || chr(10) || 'break M7 x', 'back\\slash'])[n * 31 % 9 + 1] || ' ' || n * 13 % 977
                || case when n % 499 = 0 then ' ' || repeat('long', 50) else '' end,
              (array['part', 'assembly', 'location', 'material'])[n % 4 + 1],
              case when n % 4 = 2 then 'Active' when n % 5 = 0 then 'Released' else 'In Work' end, $1
       from generate_series(1, 3000) as n`,
      [workspace.id],
    ),
  );
  await workspace.transact((tx) =>
    tx.query(
      `update entity set name = 'Renamed kite ' || right(id::text, 3), number = 'NEW-' || right(id::text, 5)
       where workspace_id = $1 and id in (select id from entity where workspace_id = $1 order by md5(id::text) limit 40)`,
      [workspace.id],
    ),
  );
  // What was made first is of another kind than the many that came after it and have the same word.
  layered = await makeDefaultWorkspace(server);
  for (const [category, state, count] of [
    ['location', 'Active', 30],
    // More than are gone through for what they are.
    ['assembly', 'In Work', 1500],
    ['part', 'Released', 12_000],
  ] as const)
    await layered.transact((tx) =>
      tx.query(
        `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
         select $1, uuidv7(), gen_random_uuid(), $2 || n, 'A bracket', $2, $3, $1 from generate_series(1, $4::int) as n`,
        [layered.id, category, state, count],
      ),
    );
});
afterAll(() => server.close());

interface Item {
  id: string;
  number: string | null;
  name: string;
  category: string;
  state: string;
}

test.each([
  ['category=location', 'location'],
  ['role=location', 'location'],
  ['state=Active', 'location'],
  ['category=location&state=Active', 'location'],
  ['category=assembly', 'assembly'],
  ['state=In%20Work', 'assembly'],
  ['category=part', 'part'],
])('what a filter leaves is found, however many newer ones have the text: %s', async (filter, category) => {
  const { body } = await layered.ask('GET', `/entities?sort=best&limit=20&q=bracket&${filter}`);
  expect(body.items).toHaveLength(20);
  for (const item of body.items as Item[]) expect(item.category).toBe(category);
});

test('a mark by itself is found at the beginning of a word', async () => {
  const { body } = await workspace.ask('GET', `/entities?sort=best&limit=20&q=${encodeURIComponent('"')}`);
  expect(body.items).toHaveLength(20);
  for (const item of body.items as Item[]) expect(item.name).toContain(' "wool"');
});

test('what is found fits, comes once and in the order of its rank, and is as many as are asked for', async () => {
  const all = await workspace.transact((tx) =>
    tx.query<Item>('select id, number, name, category, state from entity where workspace_id = $1', [
      workspace.id,
    ]),
  );
  const faults: string[] = [];
  const ask = async (q: string, filter: string, limit: number) => {
    const asked = `/entities?sort=best&limit=${limit}&q=${encodeURIComponent(q)}${filter}`;
    const { status, text, body } = await workspace.ask('GET', asked);
    expect(status, text).toBe(200);
    const items = body.items as Item[];
    const fitting = all.filter((one) => hasText(one, q) && passes(one, filter));
    const ids = new Set(fitting.map(({ id }) => id));
    const ranks = items.map((item) => rankOf(item, q));
    const found = `${items.length} of ${fitting.length} by ${asked}`;
    if (new Set(items.map(({ id }) => id)).size !== items.length) faults.push(`one comes twice: ${found}`);
    if (!items.every(({ id }) => ids.has(id))) faults.push(`one does not fit: ${found}`);
    if (ranks.join() !== ranks.toSorted((a, b) => a - b).join()) faults.push(`not in order: ${found}`);
    if (items.length < Math.min(limit, fitting.length)) faults.push(`too few: ${found}`);
    // Of those that are chosen from all, the best.
    const best = fitting.map((one) => rankOf(one, q)).toSorted((a, b) => a - b);
    if (fitting.length <= 100 && ranks.join() !== best.slice(0, limit).join())
      faults.push(`not the best: ${found}`);
  };
  const filters = [
    '',
    '',
    '&category=part',
    '&state=Released',
    '&category=part&category=assembly&state=In%20Work',
    '&role=location',
  ];
  const { below, one } = drawing(7);
  for (let round = 0; round < runs(250, 30); round++) {
    const { number, name } = one(all);
    const line = `${number ?? ''} ${name}`;
    const at = below(line.length);
    const q = one([
      line.slice(at, at + 1 + below(9)),
      (number ?? 'x').slice(0, 1 + below(8)),
      name.slice(0, 1 + below(12)),
      ...[
        'kite',
        'M7 x',
        '%',
        '_',
        '\\',
        "'",
        "o'r",
        '100%',
        'break',
        'k\nb',
        'new-',
        'long'.repeat(20),
        'SCHRAUBE Ü',
        ' m7',
      ],
    ]);
    if (q.trim() !== '')
      await ask(one([q, q.toLowerCase(), q.toUpperCase()]), one(filters), one([5, 20, 200]));
  }
  expect(faults).toEqual([]);
});

function hasText({ number, name }: Item, q: string): boolean {
  return hasWords(`${number ?? ''} ${name}`, q);
}

/** Case and marks as search-words.test.ts has them, as far as they occur here. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();

function hasWords(text: string, q: string): boolean {
  const line = ` ${fold(text).replaceAll(/\s/g, ' ')}`;
  return fold(q)
    .split(/\s+/)
    .filter((word) => word !== '')
    .every((word) => line.includes(word.length > 2 ? word : ` ${word}`));
}

function passes({ category, state }: Item, filter: string): boolean {
  const asked = new URLSearchParams(filter);
  const categories = asked.has('role') ? ['location'] : asked.getAll('category');
  return (
    (categories.length === 0 || categories.includes(category)) && [null, state].includes(asked.get('state'))
  );
}

/** The number itself, its beginning, all words in it, the beginning of the name, of a word of it, the rest. */
function rankOf({ number, name }: Item, q: string): number {
  const blank = (given: string) => fold(given).replaceAll(/\s/g, ' ');
  const [text, called] = [blank(q.trim()), blank(name)];
  const numbered = number === null ? undefined : blank(number);
  if (numbered === text) return 0;
  if (numbered?.startsWith(text) === true) return 1;
  if (numbered !== undefined && hasWords(numbered, q)) return 2;
  if (called.startsWith(text)) return 3;
  return called.includes(` ${text}`) ? 4 : 5;
}

/** The same each time. */
function drawing(seed: number) {
  let state = seed;
  const below = (end: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * end);
  };
  return { below, one: <One>(of: readonly One[]) => of[below(of.length)] as One };
}
