// The queue dashboard opens to the operator alone.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openGate } from '../setup/gate.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

const TOKEN = 'operator-token-of-the-tests';
const PATH = '/admin/queues';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const signIn = (token: string) =>
  server.request(`${PATH}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

test('a Bearer token opens it, with the real queues', async () => {
  await server.ctx.queues.byName.sync.add('probe', {}, { delay: 60_000 });
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const page = await server.request(PATH, { headers: { ...headers, ...html } });
  expect(page.status).toBe(200);
  expect(page.text).toContain('Partbook queues');
  expect(page.text).toMatch(/<link href="static\/css\//);
  expect(page.text).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
  const api = await server.request(`${PATH}/api/queues`, { headers });
  expect(api.body.queues.find((queue: { name: string }) => queue.name === 'sync')).toMatchObject({
    counts: { delayed: 1 },
  });
  const asset = /static\/js\/main[^"]+/.exec(page.text)?.[0];
  expect((await server.request(`${PATH}/${asset}`, { headers })).status).toBe(200);
});

test('nobody else: not without a token, not with a wrong one, not with a workspace’s admin key', async () => {
  const { key } = await server.createWorkspace();
  for (const headers of [
    {},
    { Authorization: 'Bearer wrong' },
    { Authorization: `Bearer ${key}` },
    { 'X-API-Key': key },
  ]) {
    for (const path of [PATH, `${PATH}/api/queues`, `${PATH}/static/js/x.js`]) {
      const answer = await server.request(path, { headers: headers as Record<string, string> });
      expect([path, answer.status, answer.body?.code]).toEqual([path, 401, 'unauthorized']);
    }
  }
  const pause = await server.request(`${PATH}/api/queues/sync/pause`, { method: 'PUT', key });
  expect(pause.status).toBe(401);
});

test('a browser signs in on a page, and out again', async () => {
  const page = await server.request(PATH, { headers: html });
  expect([page.status, page.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<form method="post" action="/admin/queues/sign-in">');
  // What dresses it is there before anybody is signed in.
  const files = [...page.text.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, href]) => href as string);
  expect(files).toEqual(['/admin/console.css', '/admin/icon.svg']);
  for (const file of files) expect((await server.request(file)).status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");

  const entered = await signIn(TOKEN);
  expect([entered.status, entered.headers.get('location')]).toEqual([303, PATH]);
  const cookie = entered.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Strict/);
  expect(cookie).toMatch(/Path=\/admin(;|$)/);
  expect(cookie).not.toContain(TOKEN);
  const session = cookie.split(';')[0] as string;
  const open = (value: string, more: Record<string, string> = {}, method = 'GET') =>
    server.request(`${PATH}/api/queues`, { headers: { Cookie: value, ...more }, method });
  expect((await open(session)).status).toBe(200);
  expect((await open(`other=1; ${session}`)).status).toBe(200);
  expect((await open(session.replace(/=./, (text) => (text === '=9' ? '=8' : '=9')))).status).toBe(401);
  expect((await open(session.slice(0, -2))).status).toBe(401);
  expect((await open('partbook_operator=')).status).toBe(401);
  expect((await open(session, { 'Sec-Fetch-Site': 'same-site' }, 'PUT')).status).toBe(403);
  // Without TLS browsers say no more than the origin; a page of another port of this host is of the same site.
  expect((await open(session, { Origin: 'http://127.0.0.1:1' }, 'PUT')).status).toBe(403);
  expect((await open(session, { Origin: new URL(server.baseUrl).origin }, 'PUT')).status).not.toBe(403);

  const out = await server.request(`${PATH}/sign-out`, { headers: { Cookie: session } });
  expect(out.headers.get('set-cookie')).toMatch(/partbook_operator=;.*Expires=Thu, 01 Jan 1970/);
  // Whoever kept the cookie has nothing any more; another session is another.
  expect((await open(session)).status).toBe(401);
  const sessionOf = (answer: typeof entered) =>
    (answer.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const [one, two] = [sessionOf(await signIn(TOKEN)), sessionOf(await signIn(TOKEN))];
  await server.request(`${PATH}/sign-out`, { headers: { Cookie: one } });
  expect([(await open(one)).status, (await open(two)).status]).toEqual([401, 200]);
});

test('a form that cannot be read says why', async () => {
  const form = 'application/x-www-form-urlencoded';
  const large = `token=${'x'.repeat(6000)}`;
  for (const [headers, body, status, code] of [
    [{ 'Content-Type': form }, large, 413, 'payload_too_large'],
    [{ 'Content-Type': form, 'Content-Encoding': 'gzip' }, gzipSync(large), 413, 'payload_too_large'],
    [{ 'Content-Type': `${form}; charset=klingon` }, 'token=x', 415, 'unsupported_media_type'],
    [{ 'Content-Type': 'text/plain' }, 'token=x', 415, 'unsupported_media_type'],
    [{ 'Content-Type': form, 'Content-Encoding': 'lzma' }, 'token=x', 415, 'unsupported_media_type'],
    [{ 'Content-Type': form, 'Content-Encoding': 'gzip' }, 'token=x', 400, 'invalid_encoding'],
  ] as const) {
    const answer = await server.request(`${PATH}/sign-in`, { method: 'POST', body, headers });
    expect([headers, answer.status, answer.body?.code]).toEqual([headers, status, code]);
  }
  const packed = await server.request(`${PATH}/sign-in`, {
    method: 'POST',
    body: gzipSync(`token=${TOKEN}`),
    headers: { 'Content-Type': form, 'Content-Encoding': 'gzip' },
  });
  expect(packed.status).toBe(303);
});

test('a body that the dashboard cannot read is the caller’s fault', async () => {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  for (const [more, body, status] of [
    [{}, '{', 400],
    [{}, JSON.stringify({ x: 'x'.repeat(200_000) }), 413],
    [{ 'Content-Encoding': 'lzma' }, '{}', 415],
  ] as const) {
    const answer = await server.request(`${PATH}/api/queues/sync/pause`, {
      method: 'PUT',
      body,
      headers: { ...headers, ...more },
    });
    expect([body.slice(0, 9), answer.status]).toEqual([body.slice(0, 9), status]);
  }
});

test('guessing the token is slowed down', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) statuses.push((await signIn(`guess ${i}`)).status);
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
  expect(statuses.slice(-1)).toEqual([429]);
  expect((await signIn(TOKEN)).status).toBe(303);
});

test.skipIf(inject('redisUrl') === null)(
  'a Redis that hangs is told as such, and its answer ends',
  async () => {
    const gate = await openGate();
    const apart = await startTestServer({ redisUrl: gate.through });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const look = () => apart.request(`${PATH}/api/queues`, { headers });
    try {
      expect((await look()).status).toBe(200);
      gate.stall();
      const silent = await look();
      expect([silent.status, silent.body]).toEqual([
        503,
        {
          error: 'Temporarily unavailable',
          message: 'The queue server does not answer; what stands in its queues cannot be read.',
        },
      ]);
      // The page itself needs no Redis.
      expect((await apart.request(PATH, { headers: { ...headers, ...html } })).status).toBe(200);
      gate.open();
      await expect.poll(async () => (await look()).status).toBe(200);
    } finally {
      gate.open();
      await apart.close();
      await gate.close();
    }
  },
);
