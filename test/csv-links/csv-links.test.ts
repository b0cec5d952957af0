// Links that a spreadsheet reads a list by: what they show, to whom, for how long, and that their secret is nowhere to be found.
import { get, type IncomingMessage } from 'node:http';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../../src/access/key-text.ts';
import { startWeb } from '../../src/api.ts';
import { withinBytes } from '../../src/csv-links/table-lines.ts';
import { installTracing, type OpenSpan, type SpanStart } from '../../src/telemetry/tracing.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

const HEARTBEAT_MS = 1000;
const LINKS_MAX = 12;
/** More than fits between the service and a reader that reads nothing, and less than the bound. */
const LONG_ROWS = 10_000;
const LONG_TEXT = 'l'.repeat(2000);

const lines: string[] = [];
let server: TestServer;
let workspace: DefaultWorkspace;
let other: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer({
    environment: {
      STREAM_HEARTBEAT_SECONDS: String(HEARTBEAT_MS / 1000),
      CSV_LINKS_MAX: String(LINKS_MAX),
      REVOKED_CSV_LINKS_MAX: '3',
      CSV_LINK_BYTES_MAX: String(24 * 1024 * 1024),
      CSV_LINK_DOWNLOADS: '1',
    },
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  });
  workspace = await makeDefaultWorkspace(server);
  other = await makeDefaultWorkspace(server);
  await workspace.ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
  await workspace.ask('POST', '/property-definitions', { key: 'Note', name: 'Note', type: 'text' });
});
afterAll(() => server.close());

const secrets: string[] = [];
async function make(table: object, more: object = {}, of = workspace): Promise<Record<string, string>> {
  const made = await of.ask('POST', '/csv-links', { name: 'For the buyers', table, ...more });
  expect(made.status, made.text).toBe(201);
  secrets.push(secretOf(made.body.url));
  return made.body;
}
const secretOf = (url: string) => /pbl_[0-9A-Za-z]+/.exec(url)?.[0] ?? '';
const pathOf = (url: string | undefined) => new URL(url as string).pathname;
/** As a spreadsheet does: an address and nothing else. */
const fetchLink = ({ url }: Record<string, string>, method = 'GET'): Promise<TestAnswer> =>
  server.request(pathOf(url), { method });
const revoke = async ({ id }: Record<string, string>) =>
  expect((await workspace.ask('DELETE', `/csv-links/${id}`)).status).toBe(204);
const rowsOf = ({ text }: TestAnswer) => text.trimEnd().split('\r\n');

test('a link shows entities as they are filtered, sorted and cut to columns, and no cell is a formula', async () => {
  const entity = async (number: string, name: string, category: string, mass: number) => {
    const properties = { Mass: mass };
    const made = await workspace.ask('POST', '/entities', { category, name, number, properties });
    expect(made.status, made.text).toBe(201);
  };
  await entity('B-2', '=HYPERLINK("http://example.com")', 'material', -0.5);
  await entity('B-1', 'Plate, "thin"', 'material', 2);
  await entity('Z-1', 'Of no interest', 'assembly', 1);
  const table = {
    of: 'entities',
    category: ['material'],
    sort: 'number',
    columns: ['number', 'properties.Mass', 'name'],
  };
  const link = await make(table);
  expect(link).toMatchObject({
    name: 'For the buyers',
    table,
    createdBy: { name: expect.any(String) },
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  });
  expect(link.url).toMatch(new RegExp(`^http://[^/]+/api/wid/${workspace.slug}/csv/pbl_\\w{46}\\.csv$`));
  const answer = await fetchLink(link);
  expect(answer.status, answer.text).toBe(200);
  expect(rowsOf(answer)).toEqual([
    'number,properties.Mass,name',
    'B-1,2,"Plate, ""thin"""',
    `B-2,-0.5,"'=HYPERLINK(""http://example.com"")"`,
  ]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="entities-${workspace.slug}.csv"`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  // Counted like the calls of a key.
  expect(answer.headers.get('ratelimit')).toMatch(/"key".*"workspace"/);
  // Without the ending, and as a look before.
  expect((await server.request(pathOf(link.url).replace(/\.csv$/, ''))).text).toBe(answer.text);
  const head = await fetchLink(link, 'HEAD');
  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
    200,
    '',
    'text/csv; charset=utf-8',
  ]);
  // What is changed later is in the next fetch; a column whose definition has gone stays, and is empty.
  await workspace.ask('POST', '/property-definitions', { key: 'Gone', name: 'Gone', type: 'text' });
  const wide = await make({ of: 'entities', number: 'B-1', columns: ['properties.Gone', 'number'] });
  expect((await workspace.ask('DELETE', '/property-definitions/Gone')).status).toBe(204);
  expect(rowsOf(await fetchLink(wide))).toEqual(['properties.Gone,number', ',B-1']);
  const shown = (await workspace.ask('GET', `/csv-links/${link.id}`)).body;
  expect(shown.lastUsedAt).toMatch(/Z$/);
  await revoke(link);
  await revoke(wide);
});

test('a link shows positions, the ledger or lots, as the downloads of the lists do', async () => {
  const [item] = await workspace.addEntities(1, { category: 'part' });
  const shelf = await workspace.ask('POST', '/entities', {
    category: 'location',
    name: 'Shelf',
    number: 'S-1',
  });
  const [bin] = await workspace.addEntities(1, { category: 'location' });
  for (const [locationEntityId, quantity] of [
    [shelf.body.id, 5],
    [bin, 1],
    [bin, -1],
  ]) {
    const moved = await workspace.ask('POST', '/stock/adjustments', {
      itemEntityId: item,
      locationEntityId,
      quantity,
      note: '@SUM(1)',
    });
    expect(moved.status, moved.text).toBe(201);
  }
  const whole = await make({ of: 'positions' });
  expect((await fetchLink(whole)).text).toBe((await workspace.ask('GET', '/stock/positions/export')).text);
  const short = await make({ of: 'positions', short: true, columns: ['available', 'itemNumber'] });
  expect(rowsOf(await fetchLink(short))).toEqual(['available,itemNumber', '0,N-1']);
  const moved = await make({
    of: 'ledger',
    order: 'asc',
    from: '2020-01-01T00:00:00Z',
    movementType: 'Adjustment',
    columns: ['quantity', 'onHandAfter', 'note'],
  });
  expect(rowsOf(await fetchLink(moved))).toEqual([
    'quantity,onHandAfter,note',
    `5,5,'@SUM(1)`,
    `1,1,'@SUM(1)`,
    `-1,0,'@SUM(1)`,
  ]);
  await workspace.ask('PUT', `/stock/tracking/${item}`, { tracking: 'lot' });
  const counted = { item, location: shelf.body.id, countedQty: 5, lot: 'L-1', newLot: {} };
  const rest = { item, location: shelf.body.id, countedQty: 0 };
  const count = await workspace.ask('POST', '/stock/counts', { lines: [counted, rest] });
  expect(count.status, count.text).toBe(201);
  const lots = await make({ of: 'lots', inStock: true, columns: ['onHand', 'number', 'itemNumber'] });
  expect(rowsOf(await fetchLink(lots))).toEqual(['onHand,number,itemNumber', '5,L-1,N-1']);
  const both = { of: 'lots', status: 'rejected', expiresBefore: '2030-01-01' };
  const refused = await workspace.ask('POST', '/csv-links', { name: 'Both', table: both });
  expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, '/table/status']);
  for (const link of [whole, short, moved, lots]) await revoke(link);
});

test('what is no link, is of another workspace, has expired or is revoked looks the same, and the log tells them apart', async () => {
  const link = await make({ of: 'positions' });
  const expired = await make({ of: 'positions' }, { expiresAt: '2099-01-01T00:00:00Z' });
  await workspace.transact((tx) =>
    tx.query(`update csv_link set expires_at = now() where id = $1`, [expired.id]),
  );
  const revoked = await make({ of: 'positions' });
  await revoke(revoked);
  const secret = secretOf(link.url as string);
  const at = (text: string, slug = workspace.slug) => `/api/wid/${slug}/csv/${text}`;
  const mistyped = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
  for (const [why, path] of [
    ['unknown', at(makeKey('pbl'))],
    ['unknown', at(secret, other.slug)],
    ['unknown', at(secret, 'no-such-workspace')],
    ['mistyped', at(mistyped)],
    ['malformed', at('nonsense')],
    // An API key is no link, and a link no API key.
    ['malformed', at(workspace.key)],
    ['expired', pathOf(expired.url)],
    ['revoked', pathOf(revoked.url)],
  ] as const) {
    const before = lines.length;
    const answer = await server.request(path);
    expect([why, answer.status, answer.body?.code]).toEqual([why, 404, 'csv_link_not_found']);
    expect(answer.text).not.toMatch(/pbl_\w/);
    await expect
      .poll(() => lines.slice(before).find((line) => line.includes('"refusal"')))
      .toContain(`"refusal":"${why}"`);
  }
  expect((await server.request(`/api/wid/${workspace.slug}/entities`, { key: secret })).status).toBe(401);
  expect((await fetchLink(link)).status).toBe(200);
  await revoke(link);
  await revoke(expired);
});

test('only administrators make, see and revoke links; each change stands in the audit trail, without the secret', async () => {
  const link = await make({ of: 'entities', q: 'bolt' });
  const { url: _, ...shown } = link;
  expect((await workspace.ask('GET', `/csv-links/${link.id}`)).body).toEqual(shown);
  expect((await workspace.ask('GET', '/csv-links')).body.items[0]).toEqual(shown);
  for (const permission of ['read', 'write']) {
    const { key } = (await workspace.ask('POST', '/api-keys', { name: permission, permission })).body;
    const as = (method: string, path: string, body?: unknown) =>
      server.request(`/api/wid/${workspace.slug}${path}`, { key, method, body });
    for (const answer of [
      await as('GET', '/csv-links'),
      await as('GET', `/csv-links/${link.id}`),
      await as('POST', '/csv-links', { name: 'x', table: { of: 'positions' } }),
      await as('DELETE', `/csv-links/${link.id}`),
    ])
      expect([permission, answer.status]).toEqual([permission, 403]);
    // What a link shows is told to nobody else.
    const trail = (await as('GET', `/audit?subjectType=csvLink&subjectKey=${link.id}`)).body.items;
    expect(trail).toMatchObject([{ action: 'create', before: null, after: null, redacted: true }]);
  }
  const foreign = await other.ask('GET', `/csv-links/${link.id}`);
  expect([foreign.status, foreign.body.code]).toEqual([404, 'csv_link_not_found']);
  expect((await other.ask('DELETE', `/csv-links/${link.id}`)).status).toBe(404);
  expect(
    (await workspace.ask('DELETE', `/csv-links/${link.id}`, undefined, { 'If-Match': '"old"' })).status,
  ).toBe(412);
  await revoke(link);
  await revoke(link);
  const trail = (await workspace.ask('GET', `/audit?subjectType=csvLink&subjectKey=${link.id}`)).body.items;
  expect(trail.map((one: { action: string }) => one.action)).toEqual(['revoke', 'create']);
  expect(trail[1].after).toEqual(shown);
  expect(trail[0].after.revokedAt).toMatch(/Z$/);
});

test.each([
  [{ name: ' ' }, '/name'],
  [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
  [{ table: { of: 'orders' } }, '/table/of'],
  [{ table: { of: 'entities', categroy: ['part'] } }, '/table/categroy'],
  [{ table: { of: 'entities', columns: ['nmuber'] } }, '/table/columns/0'],
  [{ table: { of: 'positions', columns: ['onHand', 'onHand'] } }, '/table/columns'],
  [{ table: { of: 'ledger', from: 'yesterday' } }, '/table/from'],
])('%j is refused with a pointer', async (wrong, pointer) => {
  const answer = await workspace.ask('POST', '/csv-links', {
    name: 'x',
    table: { of: 'positions' },
    ...wrong,
  });
  expect([answer.status, answer.body.errors?.[0]?.pointer], answer.text).toEqual([422, pointer]);
});

test('a column for a property that is not defined is refused', async () => {
  const answer = await workspace.ask('POST', '/csv-links', {
    name: 'x',
    table: { of: 'entities', columns: ['properties.Mas'] },
  });
  expect([answer.status, answer.body.code]).toEqual([422, 'unknown_property']);
});

test('a workspace has a bound on its links; revoked ones do not count, and the oldest of them go', async () => {
  const ask = () => other.ask('POST', '/csv-links', { name: 'x', table: { of: 'positions' } });
  const made = await Promise.all(Array.from({ length: LINKS_MAX + 3 }, ask));
  const created = made.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
  expect(created).toHaveLength(LINKS_MAX);
  const refused = made.find(({ status }) => status !== 201);
  expect([refused?.status, refused?.body.code, refused?.body.limit]).toEqual([
    409,
    'configuration_full',
    LINKS_MAX,
  ]);
  for (const id of created.slice(0, 4)) {
    expect((await other.ask('DELETE', `/csv-links/${id}`)).status).toBe(204);
    expect((await ask()).status).toBe(201);
  }
  expect((await other.ask('GET', `/csv-links/${created[0]}`)).status).toBe(404);
  expect((await other.ask('GET', `/csv-links/${created[1]}`)).body.revokedAt).toMatch(/Z$/);
});

test('a download ends when its link is revoked, and a link has few at once', async () => {
  await workspace.addEntities(LONG_ROWS, { category: 'assembly', properties: { Note: LONG_TEXT } });
  const link = await make({ of: 'entities', category: ['assembly'] });
  const begunAt = Date.now();
  const reading = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.baseUrl}${pathOf(link.url)}`, resolve).once('error', reject);
  });
  expect(reading.statusCode).toBe(200);
  const second = await fetchLink(link);
  expect([second.status, second.body?.code, second.headers.get('retry-after')]).toEqual([
    429,
    'too_many_streams',
    '5',
  ]);
  await revoke(link);
  // As often as that the service looks.
  await expect.poll(() => Date.now() - begunAt).toBeGreaterThan(HEARTBEAT_MS);
  // The machine's own buffers may hold most of the table, so the end decides, not the number of bytes.
  const end = await new Promise<string>((resolve) => {
    reading.resume();
    reading.once('end', () => resolve('whole'));
    reading.once('error', () => resolve('cut'));
  });
  expect(end).toBe('cut');
  expect((await fetchLink(link)).status).toBe(404);
});

test('a download that takes longer than a link has is cut off, however slowly its reader reads', async () => {
  const { ctx } = server;
  const impatient = await startWeb({
    ...ctx,
    config: { ...ctx.config, CSV_LINK_SECONDS: 1, ANSWER_STALL_SECONDS: 3600 },
  });
  try {
    const link = await make({ of: 'entities', category: ['assembly'] });
    let begun = false;
    const end = new Promise<string>((resolve) => {
      const asked = get(`http://127.0.0.1:${impatient.port}${pathOf(link.url)}`, (reading) => {
        begun = true;
        reading.once('end', () => resolve('whole'));
        reading.once('error', () => resolve('cut'));
        // Nothing is read before the service has let it go.
        void expect
          .poll(() => ctx.linkDownloads.held)
          .toBe(0)
          .then(() => reading.resume(), resolve);
      });
      // On a slow machine it may not even have begun.
      asked.once('error', () => resolve(begun ? 'cut' : 'not begun'));
    });
    expect(['cut', 'not begun']).toContain(await end);
    await expect.poll(() => ctx.linkDownloads.held).toBe(0);
    await revoke(link);
  } finally {
    await impatient.close();
  }
});

test('a table beyond the bound is cut off, and refused where that is seen before it begins', async () => {
  await workspace.addEntities(LONG_ROWS / 2, { category: 'assembly', properties: { Note: LONG_TEXT } });
  const link = await make({ of: 'entities', category: ['assembly'], columns: ['number', 'properties.Note'] });
  await expect(fetchLink(link)).rejects.toThrow();
  await revoke(link);
  async function* pieces() {
    yield 'eins';
    yield 'zwei';
  }
  const read = async (bytesMax: number) => {
    let text = '';
    for await (const piece of withinBytes(pieces(), bytesMax)) text += piece;
    return text;
  };
  expect(await read(8)).toBe('einszwei');
  await expect(read(7)).rejects.toMatchObject({ code: 'table_too_large' });
});

test('the secret stands in no log, no trace, no answer to another call and no table', async () => {
  const spans: unknown[] = [];
  const open = (start: SpanStart): OpenSpan => {
    const span = { start, ends: [] as unknown[] };
    spans.push(span);
    return {
      traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
      around: (work) => work(),
      end: (outcome) => void span.ends.push(outcome),
    };
  };
  const link = await make({ of: 'positions' });
  const path = pathOf(link.url);
  installTracing({ open, current: () => null, adopt: () => {} });
  try {
    const answers = [
      await server.request(path),
      await server.request(path, { method: 'POST', body: {} }),
      await server.request(`${path}/more`),
      await server.request(`${path}?limit=1`),
      await server.request(path, { headers: { Accept: 'application/json' } }),
      await server.request(path.replace('/csv/', '/csv-links/'), { key: workspace.key }),
      await server.request(`/api/wid/${workspace.slug}/entities`, { key: secretOf(link.url as string) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 405, 404, 422, 406, 422, 401]);
    for (const answer of answers) expect(answer.text).not.toMatch(/pbl_\w/);
    await expect.poll(() => JSON.stringify(spans)).toContain('/api/wid/{slug}/csv/{token}');
    await expect.poll(() => lines.filter((line) => line.includes('"status":406'))).toHaveLength(1);
  } finally {
    installTracing(null);
  }
  await revoke(link);
  const owner = new Client({ connectionString: server.ctx.databaseUrl });
  await owner.connect();
  const tables = await owner.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  let stored = '';
  for (const { relname } of tables.rows)
    stored += (
      await owner.query(
        `select coalesce(string_agg(t::text, ''), '') as text from "${relname}" t where t::text like '%pbl_%'`,
      )
    ).rows[0].text;
  await owner.end();
  // The beginning is kept, to tell links apart.
  expect(stored).toContain(link.prefix);
  const said = lines.join('') + JSON.stringify(spans) + stored;
  expect(secrets.length).toBeGreaterThan(10);
  for (const secret of secrets) expect(said.includes(secret.slice(12))).toBe(false);
});
