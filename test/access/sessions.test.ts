// Sessions: a key is shown once, a cookie from then on; it is the key's, and counts for our own pages alone.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../../src/access/key-text.ts';
import { openSignInCodes } from '../../src/access/sessions/sign-in-codes.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { pruneOld } from '../../src/retention.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

const lines: string[] = [];
let server: TestServer;
let workspace: TestWorkspace;
beforeAll(async () => {
  server = await startTestServer({
    environment: { STREAM_HEARTBEAT_SECONDS: '1', TRUST_PROXY: '1', SESSIONS_PER_KEY_MAX: '3' },
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
  workspace = await server.createWorkspace();
});
afterAll(() => server.close());

/** Each caller comes from an address of its own, so that no test uses up the attempts of another. */
let addresses = 0;
const from = () => ({ 'X-Forwarded-For': `203.0.113.${++addresses}` });
const signIn = (body: unknown, headers: Record<string, string> = from()) =>
  server.request('/api/sessions', { body, headers });
const own = { 'Sec-Fetch-Site': 'same-origin' };
async function cookieOf(key: string): Promise<string> {
  const answer = await signIn({ key });
  expect(answer.status).toBe(201);
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}
const withCookie = (cookie: string, path: string, headers: Record<string, string> = own, method = 'GET') =>
  server.request(`${workspace.path}${path}`, { method, headers: { Cookie: cookie, ...headers } });
const scoped = <Row>(sql: string, params: unknown[] = []) =>
  inTransaction(server.ctx.db, { workspaceId: workspace.id }, (tx) => tx.query<Row>(sql, params));
const keyIdOf = async (key: string) =>
  (await server.request(`${workspace.path}/session`, { key })).body.keyId as string;

test('a key opens a session in its own workspace, and the cookie is that workspace’s alone', async () => {
  const answer = await signIn({ key: workspace.key });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    workspace: { slug: workspace.slug, name: workspace.slug },
    actor: { type: 'apiKey', id: expect.any(String), name: 'admin key' },
    keyId: expect.any(String),
    keyName: 'admin key',
    permission: 'admin',
    areas: ['read', 'stock', 'procurement', 'engineering', 'configuration', 'admin'],
    expiresAt: expect.any(String),
  });
  const cookie = answer.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(
    /^partbook_session=[\w-]{43}; Path=\/api\/wid\/\w+; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  );
  expect(cookie).toContain(`Path=${workspace.path};`);
  const overTls = await signIn({ key: workspace.key }, { ...from(), 'X-Forwarded-Proto': 'https' });
  const secure = overTls.headers.get('set-cookie') ?? '';
  expect(secure).toMatch(/^__Secure-partbook_session=[\w-]{43}; Path=.*; Secure$/);
  const token = (secure.split(';')[0] ?? '').split('=')[1];
  const shown = async (name: string) =>
    (await withCookie(`${name}=${token}`, '/session', { ...own, 'X-Forwarded-Proto': 'https' })).status;
  expect([await shown('__Secure-partbook_session'), await shown('partbook_session')]).toEqual([200, 401]);

  const session = await withCookie(cookie.split(';')[0] ?? '', '/session');
  expect([session.status, session.body]).toEqual([200, answer.body]);
});

test('the token is stored as its hash alone, and the log holds neither key nor token', async () => {
  const cookie = await cookieOf(workspace.key);
  const token = cookie.split('=')[1] ?? '';
  const rows = await scoped<{ text: string }>(
    `select encode(token_hash, 'escape') || encode(token_hash, 'base64') as text from web_session`,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map((row) => row.text).join()).not.toContain(token);
  await expect.poll(() => lines.some((line) => line.includes('signed in'))).toBe(true);
  expect(lines.join('')).not.toContain(token);
  expect(lines.join('')).not.toContain('pbk_');
});

test('a session may what its key may, and acts in its name', async () => {
  const reader = await cookieOf(await workspace.addKey('read'));
  expect((await withCookie(reader, '/entities')).status).toBe(200);
  expect((await withCookie(reader, '/api-keys')).status).toBe(403);

  const admin = await cookieOf(workspace.key);
  const made = await server.request(`${workspace.path}/api-keys`, {
    headers: { Cookie: admin, ...own },
    body: { name: 'By session', permission: 'read' },
  });
  expect(made.status).toBe(201);
  const audit = await server.request(`${workspace.path}/audit`, { key: workspace.key });
  expect(audit.body.items[0]).toMatchObject({
    subjectKey: made.body.id,
    actor: { id: await keyIdOf(workspace.key), name: 'admin key' },
  });
});

test('revocation ends the session on its next request, and so does the key’s expiry', async () => {
  for (const ending of ['revoked_at', 'expires_at']) {
    const key = await workspace.addKey('read');
    const cookie = await cookieOf(key);
    expect((await withCookie(cookie, '/session')).status).toBe(200);
    await scoped(`update api_key set ${ending} = now() where prefix = $1`, [key.slice(0, 10)]);
    expect([ending, (await withCookie(cookie, '/session')).status]).toEqual([ending, 401]);
    expect([ending, (await signIn({ key })).status]).toEqual([ending, 401]);
  }
});

test('an open stream ends when its key is revoked', async () => {
  const key = await workspace.addKey('write');
  const cookie = await cookieOf(key);
  const batch = await server.request(`${workspace.path}/pdm/sync`, {
    key,
    headers: { Prefer: 'respond-async' },
    body: { entities: [{ guid: crypto.randomUUID(), number: '1', name: '1', categoryKey: 'x' }] },
  });
  expect(batch.status).toBe(202);
  // No worker runs here: the batch waits, and its stream with it.
  const stream = await fetch(
    `${server.baseUrl}${workspace.path}/pdm/sync/batches/${batch.body.batchId}/events`,
    {
      headers: { Cookie: cookie, ...own },
    },
  );
  expect(stream.status).toBe(200);
  await scoped(`update api_key set revoked_at = now() where prefix = $1`, [key.slice(0, 10)]);
  expect(await stream.text()).toContain('event: progress');
});

test('a session slides while it is used, and ends where it is not', async () => {
  const cookie = await cookieOf(await workspace.addKey('read'));
  await scoped(`update web_session set expires_at = now() + interval '1 hour'`);
  const used = await withCookie(cookie, '/session');
  expect(Date.parse(used.body.expiresAt) - Date.now()).toBeGreaterThan(11 * 3_600_000);
  // It is not written again for the next one.
  const [before] = await scoped<{ xmin: string }>(
    'select xmin::text from web_session order by created_at desc limit 1',
  );
  await withCookie(cookie, '/session');
  const [after] = await scoped<{ xmin: string }>(
    'select xmin::text from web_session order by created_at desc limit 1',
  );
  expect(after).toEqual(before);

  await scoped(`update web_session set expires_at = now() - interval '1 second'`);
  expect((await withCookie(cookie, '/session')).status).toBe(401);
  expect(await pruneOld(server.ctx)).toBeGreaterThan(0);
  expect(await scoped('select 1 from web_session')).toEqual([]);
});

test('signing out ends this session and no other', async () => {
  const key = await workspace.addKey('read');
  const [one, other] = [await cookieOf(key), await cookieOf(key)];
  const out = await withCookie(one, '/session', own, 'DELETE');
  expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
  expect((await withCookie(one, '/session')).status).toBe(401);
  expect((await withCookie(other, '/session')).status).toBe(200);
});

test('a key keeps its newest sessions', async () => {
  const key = await workspace.addKey('read');
  const cookies: string[] = [];
  for (let i = 0; i < 4; i++) cookies.push(await cookieOf(key));
  const states = await Promise.all(
    cookies.map(async (cookie) => (await withCookie(cookie, '/session')).status),
  );
  expect(states).toEqual([401, 200, 200, 200]);
});

test('a key in a header counts before the cookie', async () => {
  const cookie = await cookieOf(workspace.key);
  const key = await workspace.addKey('read');
  const seen = await withCookie(cookie, '/session', { ...own, 'X-API-Key': key });
  expect(seen.body).toMatchObject({ keyName: 'read key', permission: 'read', expiresAt: null });
  expect((await withCookie(cookie, '/session', { ...own, 'X-API-Key': makeKey() })).status).toBe(401);
});

test('a cookie counts for pages of the same origin alone', async () => {
  const key = await workspace.addKey('read');
  const host = new URL(server.baseUrl).host;
  const cases: [string, Record<string, string>, number][] = [
    ['GET', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['GET', { 'Sec-Fetch-Site': 'none' }, 200],
    ['GET', { 'Sec-Fetch-Site': 'same-site' }, 401],
    ['GET', { 'Sec-Fetch-Site': 'cross-site' }, 401],
    ['GET', {}, 200],
    ['GET', { Origin: 'http://elsewhere.example' }, 401],
    ['DELETE', { 'Sec-Fetch-Site': 'none' }, 401],
    ['DELETE', { 'Sec-Fetch-Site': 'cross-site', Origin: `http://${host}` }, 401],
    ['DELETE', {}, 401],
    ['DELETE', { Origin: 'null' }, 401],
    ['DELETE', { Origin: `http://${host}.evil.example` }, 401],
    ['DELETE', { Origin: `http://${host}` }, 204],
    ['DELETE', { 'Sec-Fetch-Site': 'same-origin' }, 204],
  ];
  for (const [method, headers, status] of cases) {
    const cookie = await cookieOf(key);
    const answer = await withCookie(cookie, '/session', headers, method);
    expect([method, headers, answer.status]).toEqual([method, headers, status]);
  }
});

test('another site cannot sign somebody in', async () => {
  for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'http://elsewhere.example' }]) {
    const answer = await signIn(
      { key: workspace.key },
      { ...from(), ...(headers as Record<string, string>) },
    );
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
  }
});

test('whoever has shown nothing yet may send no more than a key needs', async () => {
  const long = await signIn({ key: 'k'.repeat(5000) });
  expect([long.status, long.body.code]).toEqual([413, 'payload_too_large']);
});

test('attempts are limited by address, and a success neither counts nor forgets those before it', async () => {
  const here = from();
  for (let i = 0; i < 9; i++) expect((await signIn({ key: makeKey() }, here)).status).toBe(401);
  expect((await signIn({ key: workspace.key }, here)).status).toBe(201);
  expect((await signIn({ key: 'nonsense' }, here)).status).toBe(401);
  const refused = await signIn({ key: makeKey() }, here);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await signIn({ code: 'nonsense' }, here)).status).toBe(429);
  // Others behind the same proxy have done nothing.
  expect((await signIn({ key: workspace.key }, here)).status).toBe(201);
});

test('a kept answer is shown to the sign-in that made it, and nothing is done twice', async () => {
  const [one, other] = [await cookieOf(workspace.key), await cookieOf(workspace.key)];
  const make = (cookie: string) =>
    server.request(`${workspace.path}/api-keys`, {
      headers: { Cookie: cookie, ...own, 'Idempotency-Key': 'once-a-dialog' },
      body: { name: 'Once', permission: 'read' },
    });
  const first = await make(one);
  const again = await make(one);
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  const sealed = await make(other);
  expect([sealed.status, sealed.body.code]).toEqual([409, 'idempotency_answer_sealed']);
  const keys = await server.request(`${workspace.path}/api-keys`, { key: workspace.key });
  expect(keys.body.items.filter((item: { name: string }) => item.name === 'Once')).toHaveLength(1);
});

test('the printed code opens a session once, and from this machine only', async () => {
  const code = server.ctx.signInCodes.make(workspace.key, 15);
  // Through a proxy: it speaks for somebody else, and the code is not spent.
  expect((await signIn({ code })).status).toBe(401);
  const opened = await signIn({ code }, {});
  expect([opened.status, opened.body.workspace]).toEqual([
    201,
    { slug: workspace.slug, name: workspace.slug },
  ]);
  const spent = await signIn({ code }, {});
  expect([spent.status, spent.body.detail]).toEqual([401, expect.stringContaining('already used')]);
});

test('a code grows old', () => {
  let now = 0;
  const codes = openSignInCodes(() => now);
  const [early, late] = [codes.make('key', 15), codes.make('key', 15)];
  now = 15 * 60_000 - 1;
  expect(codes.spend(early)).toBe('key');
  now += 1;
  expect(codes.spend(late)).toBeNull();
});
