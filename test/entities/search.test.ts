import { afterAll, beforeAll, expect, test } from 'vitest';
import { pruneOld } from '../../src/retention.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const guid = '6f9619ff-8b86-4011-b42d-00c04fc964ff';

/** 12 000 entities: more than any window near by, so that each way of the search has its turn. */
const COUNT = 12_000;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  await workspace.transact((tx) =>
    tx.query(
      `insert into entity (workspace_id, id, version_id, guid, number, name, category, state, revised_by)
       select $1, ('019a0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(),
              case when n = 11500 then $2::uuid end, case when n % 3000 = 0 then 'SAME' else 'PRT-' || n end,
              case when n = 11000 then 'Öse 100%_fein' when n % 4000 = 0 then 'Rare flange ' || n
                   when n > 6000 then 'Late widget ' || n else 'Common bolt ' || n end,
              case when n % 2 = 0 then 'part' else 'assembly' end,
              case when n % 5 = 0 then 'Released' else 'In Work' end, $1
       from generate_series(1, $3::int) as n`,
      [workspace.id, guid, COUNT],
    ),
  );
});
afterAll(() => server.close());

/** All numbers in the order of n, page by page. */
async function searched(query: Record<string, string>): Promise<number[]> {
  const found: number[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 200; pages++) {
    const params = new URLSearchParams({ limit: '1000', ...query, ...(cursor === null ? {} : { cursor }) });
    const answer = await workspace.ask('GET', `/entities?${params}`);
    expect(answer.status, answer.text).toBe(200);
    found.push(...answer.body.items.map((item: { id: string }) => Number(item.id.slice(24))));
    cursor = answer.body.nextCursor;
    if (cursor === null) return found;
  }
  throw new Error('the pages do not end');
}
const where = (fits: (n: number) => boolean) => Array.from({ length: COUNT }, (_, i) => i + 1).filter(fits);

const cases: [Record<string, string>, (n: number) => boolean][] = [
  [{}, () => true],
  [{ category: 'part' }, (n) => n % 2 === 0],
  [{ state: 'Released' }, (n) => n % 5 === 0],
  [{ category: 'assembly', state: 'Released' }, (n) => n % 2 === 1 && n % 5 === 0],
  [{ number: 'SAME', limit: '2' }, (n) => n % 3000 === 0],
  [{ number: 'SAME', category: 'part', state: 'In Work' }, () => false],
  [{ number: 'PRT-77' }, (n) => n === 77],
  [{ number: 'prt-77' }, () => false],
  [{ q: 'number:PRT-77' }, (n) => n === 77],
  [{ q: 'number: PRT-77 ' }, (n) => n === 77],
  [{ q: 'number:PRT-7' }, (n) => n === 7],
  [{ q: 'number:SAME', category: 'assembly', state: 'In Work', limit: '2' }, () => false],
  [{ q: 'number:SAME', number: 'SAME' }, (n) => n % 3000 === 0],
  [{ q: 'number:SAME', number: 'PRT-77' }, () => false],
  [{ q: 'number:' }, () => false],
  [{ guid, q: 'number:PRT-77' }, () => false],
  [{ guid: `{${guid.toUpperCase()}}` }, (n) => n === 11_500],
  [{ guid, category: 'assembly' }, () => false],
  [{ guid, q: 'late' }, (n) => n === 11_500],
  [{ q: 'widget', limit: '300' }, (n) => n > 6000 && n !== 11_000 && n % 4000 !== 0],
  [{ q: 'RARE FLANGE' }, (n) => n % 4000 === 0],
  [{ q: 'rare', limit: '1' }, (n) => n % 4000 === 0],
  [{ q: 'rare', category: 'assembly' }, () => false],
  [{ q: 'rare', state: 'Released' }, (n) => n % 4000 === 0],
  [{ q: '7777' }, (n) => n === 7777],
  [{ q: 'öse' }, (n) => n === 11_000],
  [{ q: '0%_f' }, (n) => n === 11_000],
  [{ q: '%' }, () => false],
  [{ q: 'so' }, () => false],
  [{ q: 'ra' }, (n) => n % 4000 === 0],
  [{ q: 'Ö' }, (n) => n === 11_000],
  [{ q: '%_' }, () => false],
  [{ q: 'nowhere to be found' }, () => false],
  [{ category: 'nonsense' }, () => false],
  [{ state: 'nonsense', q: 'bolt' }, () => false],
];

test.each(cases)('search %j', async (query, fits) => {
  expect(await searched(query)).toEqual(where(fits));
});

test('entities that come while a person pages are found behind, and nothing twice', async () => {
  const first = await workspace.ask('GET', '/entities?limit=2&number=SAME');
  const [added] = await workspace.addEntities(1);
  const rest = await workspace.ask('GET', `/entities?limit=1000&cursor=${first.body.nextCursor}`);
  expect(rest.body.items[0].id.slice(24)).toBe('000000006001');
  await workspace.transact((tx) => tx.query('delete from entity where id = $1', [added]));
});

test('an entity with another name is found by it alone, whatever it was made together with', async () => {
  const id = '019a0000-0000-7000-8000-000000011111';
  const { status } = await workspace.ask('PATCH', `/entities/${id}`, { name: 'Zyklop renamed' });
  expect(status).toBe(200);
  expect(await searched({ q: 'widget 11111' })).toEqual([]);
  expect(await searched({ q: 'zyklop' })).toEqual([11_111]);
  expect(await searched({ q: 'klop re' })).toEqual([11_111]);
  expect(await searched({ q: 'zy' })).toEqual([11_111]);
  expect(await searched({ q: 'widget 11112' })).toEqual([11_112]);
  await workspace.ask('PATCH', `/entities/${id}`, { name: 'Late widget 11111' });
  expect(await searched({ q: 'widget 1111' })).toEqual(where((n) => n >= 11_110 && n < 11_120));
});

test('lines of entities that were renamed leave the blocks, and what is found stays', async () => {
  const renaming = await makeDefaultWorkspace(server);
  await renaming.transact((tx) =>
    tx.query(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       select $1, ('019b0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(), 'TXT-' || n,
              'Old sprocket ' || n, 'part', 'In Work', $1
       from generate_series(1, 1200) as n`,
      [renaming.id],
    ),
  );
  const found = async (q: string) => {
    const { status, body, text } = await renaming.ask('GET', `/entities?limit=1000&q=${q}`);
    expect(status, text).toBe(200);
    return body.items.map((item: { id: string }) => Number(item.id.slice(24)));
  };
  // Lines that count for nothing, and entities that are marked.
  const left = () =>
    renaming.transact(async (tx) => {
      const [row] = await tx.query<{ stale: number; newer: number }>(
        `select (select count(*)::int from entity_text t cross join lateral unnest(t.ids) as f (id)
                 join entity_text own on own.workspace_id = $1 and own.id = f.id and own.id <> t.id
                 where t.workspace_id = $1) as stale,
                (select count(*)::int from entity_text where workspace_id = $1 and is_newer) as newer`,
        [renaming.id],
      );
      return [row?.stale, row?.newer];
    });
  const rename = (fits: string) =>
    renaming.transact((tx) =>
      tx.query(
        `update entity set name = 'New sprocket ' || right(id::text, 12)::int
         where workspace_id = $1 and name like 'Old %' and ${fits}`,
        [renaming.id],
      ),
    );
  await rename('right(id::text, 12)::int <= 3');
  await pruneOld(server.ctx);
  // So few are not worth a look at all blocks.
  expect(await left()).toEqual([3, 3]);
  // Blocks of which all lines go, and such of which one stays.
  await rename('right(id::text, 12)::int % 100 <> 0');
  await pruneOld(server.ctx);
  expect(await left()).toEqual([0, 0]);
  const all = Array.from({ length: 1200 }, (_, i) => i + 1);
  expect(await found('old')).toEqual(all.filter((n) => n % 100 === 0));
  expect(await found('new')).toEqual(all.filter((n) => n % 100 !== 0).slice(0, 1000));
  expect(await found('sprocket%20700')).toEqual([700]);
  await rename('true');
  expect(await found('old')).toEqual([]);
  expect(await found('sprocket%20700')).toEqual([700]);
});

test.each([
  ['guid=abc', '/guid'],
  ['q=', '/q'],
  ['limit=0', '/limit'],
  ['categroy=part', '/categroy'],
])('%s is refused with a pointer', async (query, pointer) => {
  const answer = await workspace.ask('GET', `/entities?${query}`);
  expect(answer.status).toBe(422);
  expect(answer.body.errors[0]).toMatchObject({ in: 'query', pointer });
});

test('all that fit are downloaded as a table, with a column for each property, and no cell is a formula', async () => {
  await workspace.ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
  await workspace.ask('POST', '/property-definitions', { key: 'number', name: 'Other number', type: 'text' });
  const made = await workspace.ask('POST', '/entities', {
    category: 'material',
    name: '=HYPERLINK("http://example.com")',
    number: '+1, or "so"',
    properties: { Mass: -0.5, number: '@SUM(A1)' },
  });
  const { id, state, createdAt, updatedAt } = made.body;
  const table = await workspace.ask('GET', '/entities/export?category=material');
  expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(table.headers.get('content-disposition')).toBe(
    `attachment; filename="entities-${workspace.slug}.csv"`,
  );
  expect(table.text.split('\r\n')).toEqual([
    'id,E_Guid,number,name,category,state,released,revision,createdAt,updatedAt,archivedAt,unit,properties.Mass,properties.number',
    `${id},,"'+1, or ""so""","'=HYPERLINK(""http://example.com"")",material,${state},false,A,${createdAt},${updatedAt},,,-0.5,'@SUM(A1)`,
    '',
  ]);
  const numbers = async (query: string) => {
    const { text, status } = await workspace.ask('GET', `/entities/export${query}`);
    expect(status, text).toBe(200);
    const lines = text.trimEnd().split('\r\n').slice(1);
    return lines.map((line) => Number(line.slice(24, 36)));
  };
  expect(await numbers('?category=part&category=assembly')).toEqual(where(() => true));
  expect(await numbers('?q=widget&state=Released')).toEqual(
    where((n) => n > 6000 && n !== 11_000 && n % 4000 !== 0 && n % 5 === 0),
  );
  expect(await numbers('?number=nobody')).toEqual([]);
  expect(await numbers('?q=number%3APRT-77')).toEqual([77]);
  const refused = await workspace.ask('GET', '/entities/export', undefined, { Accept: 'application/json' });
  expect([refused.status, refused.body.code]).toEqual([406, 'not_acceptable']);
  expect((await workspace.ask('GET', '/entities/export?limit=5')).status).toBe(422);
});
