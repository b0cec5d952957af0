// Words in any order, whatever their case and accents: against the same rule in a few lines, on random texts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;

interface Item {
  id: string;
  number: string | null;
  name: string;
}

const { below, one } = drawing(11);
const WORDS = [
  'Delta',
  'robot',
  'Module',
  'café',
  'CAFE\u0301',
  'Straße',
  'STRASSE',
  'Ørsted',
  'Łódź',
  'Öse',
  'naïve',
  'M8x30',
  'm',
  'é',
  '10µF',
  '½"',
  'ﬁtting',
  '１２Ａ',
  '100%',
  'a_b',
  'back\\slash',
  "O'Ring",
  '--',
  '나사',
  'Болт',
  'ねじ',
  'DIN-912',
];
const BLANKS = [' ', ' ', ' ', '  ', '\t', '\n', '\u00a0', '\u3000', '\u2003'];
const COUNT = 1500;

beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  const numbers = Array.from({ length: COUNT }, (_, n) =>
    n % 9 === 0 ? null : `${one(['PRT', 'É', 'ab', 'M8'])}-${below(900)}`,
  );
  const names = numbers.map(() => text(1 + below(5)));
  await workspace.transact((tx) =>
    tx.query(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       select $1, uuidv7(), gen_random_uuid(), number, name, 'part', 'In Work', $1
       from unnest($2::text[], $3::text[]) as given (number, name)`,
      [workspace.id, numbers, names],
    ),
  );
  // Some have a row of their own beside their line in a block.
  await workspace.transact((tx) =>
    tx.query(
      `update entity set name = name || ' umbenannt' where workspace_id = $1 and right(id::text, 1) = '7'`,
      [workspace.id],
    ),
  );
});
afterAll(() => server.close());

function text(words: number): string {
  return Array.from({ length: words }, () => one(WORDS)).reduce((all, word) => all + one(BLANKS) + word);
}

/** The rule, as the API reference says it. */
function fold(given: string): string {
  return given
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l');
}
function fits({ number, name }: Item, q: string): boolean {
  const words = ` ${fold(`${number ?? ''} ${name}`)}`.replaceAll(/\s/g, ' ');
  return fold(q)
    .split(/\s+/)
    .filter((word) => word !== '')
    .every((word) => words.includes(word.length > 2 ? word : ` ${word}`));
}

const recast = [
  (word: string) => word,
  (word: string) => word.toLowerCase(),
  (word: string) => word.toUpperCase(),
  (word: string) => word.normalize('NFD'),
  (word: string) => word.normalize('NFC'),
];
/** Parts of words of an entity, in any order and form; now and then a word that it has not. */
function queryFor({ number, name }: Item): string {
  const words = `${number ?? ''} ${name}`.split(/\s+/).filter((word) => word !== '');
  const parts = Array.from({ length: 1 + below(4) }, () => {
    const word = below(12) === 0 ? one(WORDS) : one(words);
    const from = below(2) === 0 ? 0 : below(word.length);
    return one(recast)(word.slice(from, from + 1 + below(word.length)));
  });
  return parts.join(one(BLANKS));
}

async function found(query: Record<string, string>): Promise<Item[]> {
  const {
    status,
    body,
    text: answer,
  } = await workspace.ask('GET', `/entities?${new URLSearchParams(query)}`);
  expect(status, answer).toBe(200);
  return body.items;
}

test('each list agrees with the rule', async () => {
  const all = await workspace.transact((tx) =>
    tx.query<Item>('select id, number, name from entity where workspace_id = $1', [workspace.id]),
  );
  const faults: string[] = [];
  const rounds = runs(300, 60);
  let withHits = 0;
  for (let round = 0; round < rounds; round++) {
    const q = queryFor(one(all));
    if (fold(q).trim() === '') continue;
    const wanted = all.flatMap((item) => (fits(item, q) ? [item.id] : [])).toSorted();
    if (wanted.length > 0) withHits++;
    for (const sort of ['created', 'name']) {
      const ids = (await found({ q, sort, limit: '1000' })).map(({ id }) => id).toSorted();
      // A page is 1000 at most.
      if (wanted.length <= 1000 && ids.join() !== wanted.join())
        faults.push(`${sort} ${JSON.stringify(q)}: ${ids.length} of ${wanted.length}`);
    }
    const best = await found({ q, sort: 'best', limit: '20' });
    if (!best.every((item) => fits(item, q)) || best.length < Math.min(20, wanted.length))
      faults.push(`best ${JSON.stringify(q)}: ${best.length} of ${wanted.length}`);
    const { body } = await workspace.ask('GET', `/entities/facets?q=${encodeURIComponent(q)}`);
    const counted = body.items.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    if (counted !== wanted.length) faults.push(`facets ${JSON.stringify(q)}: ${counted} of ${wanted.length}`);
  }
  expect(faults).toEqual([]);
  expect(withHits).toBeGreaterThan(rounds / 3);
});

describe('examples', () => {
  let ids: string[];
  beforeAll(async () => {
    const makes = [
      ['DR-1', 'Delta robot module 1'],
      ['DR-2', 'Caf\u00e9 table'],
      ['DR-3', 'Cafe\u0301 chair'],
      ['4711', 'Cap screw'],
      [null, 'Bracket for 4711'],
    ];
    ids = [];
    for (const [number, name] of makes) {
      const {
        status,
        body,
        text: answer,
      } = await workspace.ask('POST', '/entities', { category: 'material', number, name });
      expect(status, answer).toBe(201);
      ids.push(body.id);
    }
  });
  test.each([
    ['delta mod', [0]],
    ['mod delta 1', [0]],
    ['1 MODULE dr-', [0]],
    ['café', [1, 2]],
    ['cafe\u0301', [1, 2]],
    ['chair cafe', [2]],
    ['delta table', []],
    ['number:DR-1', [0]],
    ['4711', [3, 4]],
  ])('%s', async (q, places) => {
    const items = await found({ q, category: 'material' });
    expect(items.map(({ id }) => ids.indexOf(id)).toSorted()).toEqual(places);
  });
  test('an entity whose number has the text comes before those with it in their names', async () => {
    const items = await found({ q: '4711', category: 'material', sort: 'best' });
    expect(items.map(({ id }) => ids.indexOf(id))).toEqual([3, 4]);
  });
});

test('a text has at least one word and at most sixteen', async () => {
  const status = async (q: string) =>
    (await workspace.ask('GET', `/entities?q=${encodeURIComponent(q)}`)).status;
  const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(' ');
  expect(await status(words(16))).toBe(200);
  expect(await status(words(17))).toBe(422);
  expect(await status('  ')).toBe(422);
  expect(await status('\u0301')).toBe(422);
});

/** The same each time. */
function drawing(seed: number) {
  let state = seed;
  const under = (end: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * end);
  };
  return { below: under, one: <One>(of: readonly One[]) => of[under(of.length)] as One };
}
