// Conditions on properties against the same rules in a few lines, on random entities: with and without an index, whatever the order.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../src/db/transaction.ts';
import { whereEntities } from '../../../src/entities/lists/where-entities.ts';
import { fillValueIndexes } from '../../../src/entities/values/fill-value-indexes.ts';
import { runCli } from '../../clients/run-cli.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { runs } from '../../setup/tier.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';

type Value = string | number | boolean;
interface Item {
  id: string;
  properties: Record<string, Value>;
}

let server: TestServer;
let workspace: DefaultWorkspace;
let entities: Item[];

const types = {
  Mass: 'numeric',
  'Length:eq:mm': 'numeric',
  Material: 'text',
  Colour: 'choice',
  Approved: 'boolean',
  Due: 'date',
} as const;
type Key = keyof typeof types;
const keys = Object.keys(types) as Key[];
const choices = ['Red', 'Green', 'Blue, dark', 'back\\slash'];
const texts = [
  'EN AW-6082',
  'EN AW-6082 T6',
  'S235',
  's235',
  'Straße',
  'été',
  '"quoted"',
  "o'ring",
  '$.x',
  'a:eq:b',
  '🔩 bolt',
  '',
];
const numbers = [0, 0.1, 0.3, 1, -1, 1e-7, 1e21, 12345678.9, 412, -0.5];
const days = ['2024-02-29', '2026-01-01', '2026-11-27', '1999-12-31'];
const COUNT = runs(700, 300);
const { below, one } = drawing(7);

beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  for (const key of keys) {
    const type = types[key];
    const more = type === 'choice' ? { choices } : {};
    const made = await workspace.ask('POST', '/property-definitions', { key, name: key, type, ...more });
    expect(made.status, made.text).toBe(201);
  }
  entities = await insert(Array.from({ length: COUNT }, () => randomProperties()));
});
afterAll(() => server.close());

test('lists agree with a naive evaluation, before, while and after the properties are indexed', async () => {
  await agree(runs(25, 5));
  for (const key of keys.filter((key) => key !== 'Approved')) await makeFilterable(key, true);
  // Written while the index is not filled yet, by the triggers of entity.
  entities.push(...(await insert(Array.from({ length: 60 }, () => randomProperties()))));
  await change(runs(40, 15));
  await agree(runs(15, 5));
  await fillValueIndexes(server.ctx);
  const listed = await workspace.ask('GET', '/property-definitions?limit=100');
  expect(listed.body.items.map((one: { key: string; index: string }) => [one.key, one.index]).sort()).toEqual(
    keys.map((key) => [key, key === 'Approved' ? 'none' : 'ready']).sort(),
  );
  await agree(runs(40, 8));
  entities.push(...(await insert(Array.from({ length: 60 }, () => randomProperties()))));
  await change(runs(60, 20));
  await agree(runs(40, 8));
  // Entities that were created many at a time are not indexed yet, and are found.
  await agreeWithSmallBounds(runs(40, 8));
  await fillValueIndexes(server.ctx);
  await indexesAreExact();
  await agreeWithSmallBounds(runs(80, 12));
});

test('a page says that entities wait for the index, where more wait than are looked at one by one', async () => {
  const wait = (count: number) =>
    workspace.transact((tx) =>
      tx.query(
        `insert into value_pending (workspace_id, id, ids)
         select $1, uuidv7(), array_agg(uuidv7()) from generate_series(1, $2::int)`,
        [workspace.id, count],
      ),
    );
  const list = async (query: string) => (await workspace.ask('GET', `/entities?limit=5&${query}`)).body;
  await fillValueIndexes(server.ctx);
  expect(await list('where=Mass:gt:0')).not.toHaveProperty('indexFilling');
  await wait(2001);
  expect(await list('where=Mass:gt:0')).toHaveProperty('indexFilling', true);
  expect(await list('sort=properties.Mass')).toHaveProperty('indexFilling', true);
  expect(await list('sort=number')).not.toHaveProperty('indexFilling');
  // The command line says so too, before an edit of what the condition finds as well.
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    PARTBOOK_URL: server.baseUrl,
    PARTBOOK_WORKSPACE: workspace.slug,
    PARTBOOK_API_KEY: workspace.key,
  };
  const isFilling = /some entities may be missing here for a few minutes/;
  for (const command of ['entities', 'bulk-edit'])
    expect((await runCli([command, '--where', 'Mass:gt:0'], { env })).said).toMatch(isFilling);
  expect((await runCli(['entities', '--sort', 'number'], { env })).said).not.toMatch(isFilling);
  await fillValueIndexes(server.ctx);
  expect(await list('where=Mass:gt:0')).not.toHaveProperty('indexFilling');
});

test('a property that is no longer filterable loses its index, and gets another one when it is again', async () => {
  await makeFilterable('Mass', false);
  await agree(runs(10, 3));
  await makeFilterable('Mass', true);
  await change(runs(20, 10));
  await fillValueIndexes(server.ctx);
  await indexesAreExact();
  await agree(runs(20, 5));
});

/** Asks for random conditions in random orders, page by page. */
async function agree(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const conditions = Array.from({ length: 1 + below(3) }, () => randomCondition());
    const sort = one(['created', `properties.${one(keys)}`, 'number']);
    const order = one(['asc', 'desc']);
    const query = new URLSearchParams({ sort, order, limit: String(one([30, 100, 1000])) });
    for (const { text } of conditions) query.append('where', text);
    const found = await listAll(query);
    const expected = entities.filter(({ properties }) => conditions.every(({ holds }) => holds(properties)));
    expect(found.map(({ id }) => id).sort(), query.toString()).toEqual(expected.map(({ id }) => id).sort());
    const key = sort.startsWith('properties.') ? (sort.slice(11) as Key) : null;
    if (key !== null) {
      const values = found.map(({ properties }) => properties[key] ?? null);
      expect(values, query.toString()).toEqual(values.toSorted((a, b) => inOrder(a, b, order === 'desc')));
    }
  }
}

/** Bounds so small that every way to a page is taken: windows end in the middle, ranges are compared, candidates are too many. */
async function agreeWithSmallBounds(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const conditions = Array.from({ length: 1 + below(3) }, () => randomCondition());
    const sort = one([
      'created' as const,
      'number' as const,
      ...keys.filter((key) => key !== 'Approved').map((key) => `properties.${key}` as const),
    ]);
    const query = {
      where: conditions.map(({ text }) => text),
      sort,
      order: one(['asc', 'desc'] as const),
      limit: one([7, 40]),
      archived: 'false' as const,
    };
    const bounds = {
      near: one([1, 9]),
      window: 25,
      further: one([0, 60]),
      few: one([0, 15]),
      candidates: one([20, 200]),
      compared: 30,
    };
    const found: Item[] = [];
    let after: [string, string | null] | null = null;
    do {
      const page = await inTransaction(server.ctx.db, { workspaceId: workspace.id }, (tx) =>
        whereEntities(tx, query, after, bounds),
      );
      found.push(
        ...page.entities.map(({ id, properties }) => ({ id, properties: JSON.parse(String(properties)) })),
      );
      after = page.after;
    } while (after !== null);
    const asked = JSON.stringify({ query, bounds });
    const expected = entities.filter(({ properties }) => conditions.every(({ holds }) => holds(properties)));
    expect(found.map(({ id }) => id).sort(), asked).toEqual(expected.map(({ id }) => id).sort());
    if (sort.startsWith('properties.')) {
      const values = found.map(({ properties }) => properties[sort.slice(11)] ?? null);
      expect(values, asked).toEqual(values.toSorted((a, b) => inOrder(a, b, query.order === 'desc')));
    }
  }
}

async function listAll(query: URLSearchParams): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor: string | null = null; ; ) {
    if (cursor !== null) query.set('cursor', cursor);
    const page = await workspace.ask('GET', `/entities?${query}`);
    expect(page.status, `${query} ${page.text}`).toBe(200);
    found.push(...page.body.items);
    cursor = page.body.nextCursor;
    if (cursor === null) return found;
  }
}

interface Naive {
  text: string;
  holds(properties: Record<string, Value>): boolean;
}

function randomCondition(): Naive {
  const key = one(keys);
  const type = types[key];
  const own = (properties: Record<string, Value>) =>
    Object.hasOwn(properties, key) ? (properties[key] as Value) : null;
  const isSet = (value: Value | null) => value !== null && value !== '';
  const kind = below(10);
  if (kind === 0) return { text: `${key}:has`, holds: (properties) => isSet(own(properties)) };
  if (kind === 1) return { text: `${key}:none`, holds: (properties) => !isSet(own(properties)) };
  if (type === 'text' && kind < 4) {
    const words = one(['en 6082', '235', 'STRASSE', 'Ete', 'quoted']);
    const all = fold(words).split(' ');
    return {
      text: `${key}:has:${words}`,
      holds: (properties) => all.every((word) => hasWord(fold(String(own(properties) ?? '')), word)),
    };
  }
  const value = randomValue(key);
  if (type !== 'boolean' && kind < 6) {
    const some = [value, randomValue(key)];
    return {
      text: `${key}:in:${some.map((each) => String(each).replaceAll(/[\\,]/g, '\\$&')).join(',')}`,
      holds: (properties) =>
        some.some((each) => (type === 'text' ? String(each).trim() : each) === own(properties)),
    };
  }
  if (kind === 6) return { text: `${key}:ne:${value}`, holds: (properties) => own(properties) !== value };
  if (kind === 7 || type === 'boolean' || type === 'choice')
    return { text: `${key}:eq:${value}`, holds: (properties) => own(properties) === value };
  const operator = one(['lt', 'le', 'gt', 'ge'] as const);
  return {
    text: `${key}:${operator}:${value}`,
    holds: (properties) => {
      const actual = own(properties);
      if (actual === null) return false;
      const sign = compare(actual, value);
      return { lt: sign < 0, le: sign <= 0, gt: sign > 0, ge: sign >= 0 }[operator];
    },
  };
}

/** A word of one or two characters must begin a word. */
function hasWord(text: string, word: string): boolean {
  return word.length > 2 ? text.includes(word) : ` ${text}`.includes(` ${word}`);
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

function compare(a: Value, b: Value): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  return Number(a) - Number(b);
}

function inOrder(a: Value | null, b: Value | null, isFalling: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return isFalling ? compare(b, a) : compare(a, b);
}

function randomValue(key: Key): Value {
  switch (types[key]) {
    case 'numeric':
      return one(numbers);
    case 'text':
      return one(texts.filter((text) => text !== ''));
    case 'choice':
      return one(choices);
    case 'boolean':
      return below(2) === 0;
    case 'date':
      return one(days);
  }
}

function randomProperties(): Record<string, Value> {
  const some = keys.filter(() => below(4) > 0);
  return Object.fromEntries(
    some.map((key) => [key, key === 'Material' && below(9) === 0 ? '' : randomValue(key)]),
  );
}

/** In chunks, as a sync inserts them. */
async function insert(all: Record<string, Value>[]): Promise<Item[]> {
  const inserted: Item[] = [];
  for (let at = 0; at < all.length; at += 100) {
    const some = all.slice(at, at + 100);
    const rows = await workspace.transact((tx) =>
      tx.query<Item>(
        `insert into entity (workspace_id, id, version_id, number, name, category, state, properties, revised_by)
         select $1, uuidv7(), gen_random_uuid(), case when random() < 0.7 then 'N-' || (random() * 300)::int end, 'Thing', 'part',
                'In Work', given, $1
         from jsonb_array_elements($2::jsonb) as given returning id, properties`,
        [workspace.id, JSON.stringify(some)],
      ),
    );
    inserted.push(...rows);
  }
  return inserted;
}

/** By the API, one at a time: values are set, changed and removed. */
async function change(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const entity = one(entities);
    const key = one(keys);
    const value = below(3) === 0 ? null : randomValue(key);
    const answer = await workspace.ask('PATCH', `/entities/${entity.id}`, { properties: { [key]: value } });
    expect(answer.status, answer.text).toBe(200);
    entity.properties = answer.body.properties;
  }
}

async function makeFilterable(key: Key, filterable: boolean): Promise<void> {
  const path = `/property-definitions/${encodeURIComponent(key)}`;
  const { index: _, ...present } = (await workspace.ask('GET', path)).body;
  const answer = await workspace.ask('PUT', path, { ...present, filterable });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.index).toBe(filterable ? 'filling' : 'none');
}

/** The indexes have the values that the entities have, and no others. */
async function indexesAreExact(): Promise<void> {
  const differences = await workspace.transact((tx) =>
    tx.query(
      `with stored as (
         select i.key, n.value::text as value, n.entity_id from property_number n
         join value_index i on i.workspace_id = $1 and i.number = n.value_index and not i.is_dropped
         where n.workspace_id = $1
         union all
         select i.key, w.value, w.entity_id from property_text w
         join value_index i on i.workspace_id = $1 and i.number = w.value_index and not i.is_dropped
         where w.workspace_id = $1
       ), present as (
         select i.key, coalesce(indexed_number(e.properties -> i.key)::text, indexed_word(e.properties -> i.key)) as value, e.id
         from value_index i join entity e on e.workspace_id = $1 and e.properties ? i.key
         where i.workspace_id = $1 and not i.is_dropped
       )
       (select * from stored except select * from present) union all (select * from present except select * from stored)`,
      [workspace.id],
    ),
  );
  expect(differences).toEqual([]);
}

function drawing(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, one: <T>(list: readonly T[]): T => list[below(list.length)] as T };
}
