import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Assemblies } from '../../src/entities/structure/structure.schema.ts';
import type { Assembly } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { guidOf, partsOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { create } = partsOf(() => workspace);
const [LINKS_MAX, LEVELS_MAX] = [25_000, 30];
beforeAll(async () => {
  server = await startTestServer({
    environment: {
      TREE_ITEMS_MAX: String(LINKS_MAX),
      TREE_DEPTH_MAX: String(LEVELS_MAX),
      // Longer than a test waits: a statement that ends sooner was ended.
      LOCK_TIMEOUT_MS: '600000',
    },
  });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

type Link = readonly [parent: string, child: string, quantity: string];
const link = (links: readonly Link[]) =>
  workspace.transact((tx) =>
    tx.query(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity)
       select $1, p, c, q from unnest($2::uuid[], $3::uuid[], $4::numeric[]) as i (p, c, q)`,
      [workspace.id, links.map(([p]) => p), links.map(([, c]) => c), links.map(([, , q]) => q)],
    ),
  );
const whereUsed = async (ref: string, query = '') => {
  const answer = await workspace.ask('GET', `/entities/${ref}/where-used/all${query}`);
  if (answer.status === 200) expect(Assemblies.safeParse(answer.body).error).toBeUndefined();
  return answer;
};
const itemsOf = async (ref: string, query = ''): Promise<Assembly[]> => {
  const { status, body, text } = await whereUsed(ref, query);
  expect(status, text).toBe(200);
  return body.items;
};
const brief = (items: readonly Assembly[]) =>
  items.map((one) => [one.entityId, one.level, one.extendedQuantity, one.hasParents]);
const named = async <const Name extends string>(...names: Name[]) => {
  const ids = await workspace.addEntities(names.length);
  return Object.fromEntries(names.map((name, at) => [name, ids[at]])) as Record<Name, string>;
};

test('each assembly once, the nearest first, with what one of it takes along all ways', async () => {
  const { screw, plate, arm, robot, cell } = await named('screw', 'plate', 'arm', 'robot', 'cell');
  await link([
    [plate, screw, '4'],
    [arm, screw, '0.5'],
    [arm, plate, '2.25'],
    [robot, arm, '3'],
    [robot, plate, '1'],
    [cell, robot, '0.1'],
    // The cell is three levels above by one way and one level by the other.
    [cell, screw, '7'],
  ]);
  expect(brief(await itemsOf(screw))).toEqual([
    [plate, 1, 4, true],
    [arm, 1, 9.5, true],
    [cell, 1, 7 + 3.25, false],
    [robot, 2, 32.5, true],
  ]);
  expect(brief(await itemsOf(screw, '?top=true'))).toEqual([[cell, 1, 10.25, false]]);
  expect(brief(await itemsOf(plate))).toEqual([
    [arm, 1, 2.25, true],
    [robot, 1, 7.75, true],
    [cell, 2, 0.775, false],
  ]);
  expect((await itemsOf(robot))[0]).toEqual({
    level: 1,
    entityId: cell,
    number: 'N-5',
    name: 'An entity',
    category: 'part',
    state: 'In Work',
    revision: 'A',
    extendedQuantity: 0.1,
    archived: false,
    picture: null,
    hasParents: false,
  });
});

test('an entity that nothing uses has none; an id or a GUID names it; one that is not there is said', async () => {
  const child = await create({ name: 'Child', E_Guid: guidOf(900) });
  const parent = await create({ name: 'Parent', E_Guid: guidOf(901) });
  await link([[parent.id, child.id, '2']]);
  expect(await itemsOf(parent.id)).toEqual([]);
  expect((await whereUsed(parent.id)).text).toBe('{"items":[]}');
  for (const ref of [
    child.id,
    child.id.toUpperCase(),
    `guid:${guidOf(900)}`,
    `guid:{${guidOf(900).toUpperCase()}}`,
  ])
    expect(brief(await itemsOf(ref))).toEqual([[parent.id, 1, 2, false]]);
  const answer = await whereUsed('0199d0f0-0000-7000-8000-000000000001');
  expect([answer.status, answer.body.code]).toEqual([404, 'entity_not_found']);
  expect((await workspace.ask('HEAD', `/entities/${child.id}/where-used/all`)).status).toBe(200);
});

test.each(['?top=yes', '?linksMax=0', '?linksMax=1.5', '?linksMax=10000001', '?depth=1'])(
  'what cannot be asked is refused: %s',
  async (query) => {
    const { part } = await named('part');
    expect((await whereUsed(part, query)).status).toBe(422);
  },
);

test('quantities are exact decimals to 40 digits, and refused beyond 24 before the point', async () => {
  const ids = await workspace.addEntities(21);
  await link(ids.slice(1).map((id, at): Link => [id, ids[at] as string, at % 2 === 0 ? '0.5' : '0.1']));
  // 0.5 to the tenth times 0.1 to the tenth, every digit of it.
  expect((await whereUsed(ids[0] as string, '?top=true')).text).toContain(
    '"extendedQuantity":0.00000000000009765625}',
  );
  const { a, b, c, d } = await named('a', 'b', 'c', 'd');
  await link([
    [b, a, '999999999.999999'],
    [c, b, '999999999.999999'],
  ]);
  expect((await whereUsed(a, '?top=true')).text).toContain(
    '"extendedQuantity":999999999999998000.000000000001}',
  );
  await link([[d, c, '999999999.999999']]);
  const over = await whereUsed(a);
  expect([over.status, over.body.code]).toEqual([422, 'quantity_out_of_range']);
  expect(brief(await itemsOf(b))).toHaveLength(2);
});

/** Every way up by itself: nothing of how the service adds up. Whole millionths to the power of the way's length. */
function model(links: readonly Link[], of: string): Map<string, { level: number; total: bigint }> {
  const above = new Map<string, { level: number; total: bigint }>();
  const longest = 7;
  const walk = (at: string, length: number, product: bigint) => {
    for (const [parent, child, quantity] of links) {
      if (child !== at) continue;
      const times = product * BigInt(Math.round(Number(quantity) * 1e6));
      const known = above.get(parent) ?? { level: length + 1, total: 0n };
      const total = known.total + times * 1_000_000n ** BigInt(longest - length - 1);
      above.set(parent, { level: Math.min(known.level, length + 1), total });
      walk(parent, length + 1, times);
    }
  };
  walk(of, 0, 1n);
  return above;
}

/** Of a JSON text, every digit: millionths to the seventh power. */
function digitsOf(text: string): Map<string, bigint> {
  const found = text.matchAll(/"entityId":"([^"]+)".*?"extendedQuantity":(\d+)(?:\.(\d+))?/g);
  return new Map(
    Array.from(found, ([, id = '', whole = '', fraction = '']) => [
      id,
      BigInt(whole + fraction.padEnd(42, '0')),
    ]),
  );
}

test('any structure: the same assemblies, levels and quantities as every way up by itself', async () => {
  const quantities = ['1', '2', '0.5', '0.000001', '3.25', '12.75', '0.1'] as const;
  const pairs = Array.from({ length: 8 }, (_, child) =>
    Array.from({ length: 7 - child }, (_, n) => [child + 1 + n, child] as const),
  ).flat();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.constantFrom(...quantities), { freq: 2 }), {
        minLength: pairs.length,
        maxLength: pairs.length,
      }),
      fc.integer({ min: 0, max: 7 }),
      async (chosen, place) => {
        const ids = await workspace.addEntities(8);
        const links = pairs.flatMap(([parent, child], at): Link[] => {
          const quantity = chosen[at];
          return quantity == null ? [] : [[ids[parent] as string, ids[child] as string, quantity]];
        });
        await link(links);
        const of = ids[place] as string;
        const expected = model(links, of);
        const { text, body } = await whereUsed(of);
        const items: Assembly[] = body.items;
        expect(new Map(items.map(({ entityId, level }) => [entityId, level]))).toEqual(
          new Map(Array.from(expected, ([id, { level }]) => [id, level])),
        );
        expect(items.map(({ level }) => level)).toEqual(items.map(({ level }) => level).toSorted());
        expect(digitsOf(text)).toEqual(new Map(Array.from(expected, ([id, { total }]) => [id, total])));
        for (const { entityId, hasParents } of items)
          expect(hasParents).toBe(links.some(([, child]) => child === entityId));
        expect((await itemsOf(of, '?top=true')).map(({ entityId }) => entityId)).toEqual(
          items.filter(({ hasParents }) => !hasParents).map(({ entityId }) => entityId),
        );
      },
    ),
    { numRuns: runs(60, 15) },
  );
});

test('as many links as may be are gone through, over levels of more than is asked at once; one more is refused', async () => {
  const { part, top, over } = await named('part', 'top', 'over');
  const middle = await workspace.addEntities((LINKS_MAX - 2) / 2);
  await link(middle.map((id): Link => [id, part, '2']));
  await link(middle.map((id): Link => [top, id, '0.25']));
  await link([[top, part, '1']]);
  const items = await itemsOf(part);
  expect(items).toHaveLength(middle.length + 1);
  expect(items.at(-1)?.entityId).toBe(middle.at(-1));
  expect(brief(await itemsOf(part, '?top=true'))).toEqual([[top, 1, 1 + middle.length / 2, false]]);
  await link([[over, part, '1']]);
  expect(await itemsOf(part, '?top=true')).toHaveLength(2);
  const { last } = await named('last');
  await link([[last, part, '1']]);
  const refused = await whereUsed(part);
  expect([refused.status, refused.body.code, refused.body.limit]).toEqual([422, 'tree_too_large', LINKS_MAX]);
  expect(refused.body.detail).toContain('/where-used');
});

test('linksMax: so many links are gone through and no more, and what the service allows stays', async () => {
  const { part, low, high } = await named('part', 'low', 'high');
  await link([
    [low, part, '1'],
    [high, low, '1'],
    [high, part, '1'],
  ]);
  expect(await itemsOf(part, '?linksMax=3')).toHaveLength(2);
  const refused = await whereUsed(part, '?linksMax=2');
  expect([refused.status, refused.body.code, refused.body.limit]).toEqual([422, 'tree_too_large', 2]);
  // What is not shown is gone through all the same.
  expect((await whereUsed(part, '?linksMax=2&top=true')).status).toBe(422);
  const many = await workspace.addEntities(LINKS_MAX + 1);
  await link(many.map((id): Link => [id, high, '1']));
  expect((await whereUsed(high, '?linksMax=10000000')).body.limit).toBe(LINKS_MAX);
});

test('as many levels as may be are shown; one more is refused', async () => {
  const ids = await workspace.addEntities(LEVELS_MAX + 2);
  await link(ids.slice(1).map((id, at): Link => [id, ids[at] as string, '1']));
  const items = await itemsOf(ids[1] as string);
  expect(items.map(({ level }) => level)).toEqual(Array.from({ length: LEVELS_MAX }, (_, at) => at + 1));
  const refused = await whereUsed(ids[0] as string);
  expect([refused.status, refused.body.code, refused.body.depthLimit]).toEqual([
    422,
    'tree_too_large',
    LEVELS_MAX,
  ]);
});

/** Runs while the links of the whole database are locked; `waiting` is how many statements wait for them. */
async function whileLinksAreLocked(
  work: (owner: Client, waiting: () => Promise<number | undefined>) => Promise<void>,
): Promise<void> {
  const [owner, watcher] = [0, 1].map(() => new Client({ connectionString: server.ctx.databaseUrl })) as [
    Client,
    Client,
  ];
  await Promise.all([owner.connect(), watcher.connect()]);
  try {
    await owner.query('begin');
    await owner.query('lock table entity_link in access exclusive mode');
    await work(owner, async () => {
      const { rows } = await watcher.query<{ n: number }>(
        `select count(*)::int as n from pg_locks where relation = 'entity_link'::regclass and not granted`,
      );
      return rows[0]?.n;
    });
  } finally {
    await Promise.all([owner.end(), watcher.end()]);
  }
}

test('all links are those of one moment, whatever is committed while they are read', async () => {
  const { part, before, after } = await named('part', 'before', 'after');
  await link([[before, part, '1']]);
  await whileLinksAreLocked(async (owner, waiting) => {
    const answer = whereUsed(part);
    await vi.waitUntil(async () => (await waiting()) === 1, patience);
    await owner.query('delete from entity_link where workspace_id = $1 and child_id = $2', [
      workspace.id,
      part,
    ]);
    await owner.query(
      'insert into entity_link (workspace_id, parent_id, child_id, quantity) values ($1, $2, $3, 1)',
      [workspace.id, after, part],
    );
    await owner.query('commit');
    expect(brief((await answer).body.items)).toEqual([[before, 1, 1, false]]);
  });
  expect(brief(await itemsOf(part))).toEqual([[after, 1, 1, false]]);
});

test('what is read for a caller who has gone ends in the database too', async () => {
  const { part } = await named('part');
  await whileLinksAreLocked(async (owner, waiting) => {
    const abort = new AbortController();
    const response = fetch(`${server.baseUrl}/api/wid/${workspace.slug}/entities/${part}/where-used/all`, {
      headers: { Authorization: `Bearer ${workspace.key}` },
      signal: abort.signal,
    });
    await vi.waitUntil(async () => (await waiting()) === 1, patience);
    abort.abort();
    await expect(response).rejects.toThrow();
    await vi.waitUntil(async () => (await waiting()) === 0, patience);
    await owner.query('rollback');
  });
});
