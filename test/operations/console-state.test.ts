// What the console says of that which the installation stands on, to whoever is called at night: at once, and as a page.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { openGate } from '../setup/gate.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

const asPage = ({ ctx }: TestServer) => ({
  Authorization: `Bearer ${ctx.operatorToken}`,
  Accept: 'text/html,*/*;q=0.8',
});
const look = (server: TestServer, path = '/admin') => server.request(path, { headers: asPage(server) });

test.skipIf(inject('redisUrl') === null)('a worker that is missing, and a Redis that is silent', async () => {
  const gate = await openGate();
  const worked = await startTestServer({ worker: true });
  const alone = await startTestServer({ redisUrl: gate.through });
  try {
    await expect
      .poll(async () => (await look(worked)).text)
      .toContain('PostgreSQL and the queue respond; 1 worker is connected.');
    await expect.poll(async () => (await look(alone)).text).toContain('No worker is connected.');
    gate.stall();
    const silent = await look(alone);
    expect(silent.status).toBe(200);
    expect(silent.text).toContain('Redis does not answer.');
    expect(silent.text).toContain('starts automatically within 60 seconds');
    expect(silent.text).not.toContain('No worker');
  } finally {
    gate.open();
    await Promise.all([worked.close(), alone.close()]);
    await gate.close();
  }
});

test.skipIf(inject('redisUrl') === null)(
  'who has to mend a Redis that is silent can sign in, and guesses are counted meanwhile',
  async () => {
    const gate = await openGate();
    const server = await startTestServer({
      redisUrl: gate.through,
      environment: { SIGN_IN_ATTEMPTS: '3', RATE_LIMIT_PATIENCE_MS: '10000' },
    });
    const signIn = (token: string) =>
      server.request('/admin/sign-in', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token }).toString(),
      });
    const enter = (key: string) => server.request('/api/sessions', { method: 'POST', body: { key } });
    const made = await server.request('/api/workspaces', {
      method: 'POST',
      key: server.ctx.operatorToken,
      body: { slug: 'silent-redis', name: 'Silent Redis' },
    });
    try {
      expect((await signIn(server.ctx.operatorToken)).status).toBe(303);
      gate.stall();
      expect((await signIn(server.ctx.operatorToken)).status).toBe(303);
      expect((await enter(made.body.apiKey.key)).status).toBe(201);
      for (const _ of [1, 2, 3]) expect((await signIn('a guess that opens nothing')).status).toBe(401);
      expect((await signIn('a guess that opens nothing')).status).toBe(429);
    } finally {
      gate.open();
      await server.close();
      await gate.close();
    }
  },
);

test('a queue that somebody has paused keeps work from everybody, and is named until it is resumed', async () => {
  const server = await startTestServer({ worker: true });
  try {
    const change = async (name: string, doing: 'pause' | 'resume') => {
      const answer = await server.request(`/admin/queues/api/queues/${name}/${doing}`, {
        method: 'PUT',
        key: server.ctx.operatorToken,
        body: {},
      });
      expect(answer.status, answer.text).toBe(200);
    };
    await change('sync', 'pause');
    await change('webhook', 'pause');
    const { text } = await look(server);
    expect(text).toContain('The queues sync and webhook are paused');
    expect(text).not.toContain('and the queue respond');
    await change('webhook', 'resume');
    expect((await look(server)).text).toContain('The queue sync is paused');
    await change('sync', 'resume');
    expect((await look(server)).text).toContain('PostgreSQL and the queue respond');
  } finally {
    await server.close();
  }
});

test('a PostgreSQL without room on its disk is named, to its callers as well, and for a while after', async () => {
  const server = await startTestServer();
  const owner = new Client({ connectionString: server.ctx.config.DATABASE_URL as string });
  await owner.connect();
  try {
    const { path, key, slug } = await server.createWorkspace();
    expect((await look(server)).text).not.toContain('its disk was full');
    // As it says it where a file cannot grow; a disk that is full fills by chance.
    await owner.query(`
      create function no_room() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
    for (const table of ['operator_pause', 'sync_payload'])
      await owner.query(`create trigger no_room before insert on ${table} execute function no_room()`);
    const inThread = await server.request(`${path}/pdm/sync`, {
      method: 'POST',
      key,
      headers: { Prefer: 'respond-async' },
      body: { entities: [{ guid: randomUUID(), number: 'R', name: 'R', categoryKey: 'part' }] },
    });
    expect([inThread.status, inThread.body.code]).toEqual([503, 'unavailable']);
    expect(inThread.body.detail).toMatch(/^The database of the service has no room to write\./);
    expect(inThread.headers.get('retry-after')).toBe('5');
    const told = /PostgreSQL refused to write at \d\d:\d\d:\d\d UTC because its disk was full/;
    const page = await look(server);
    expect([page.status, page.text]).toEqual([200, expect.stringMatching(told)]);
    expect(page.text).not.toContain('PostgreSQL and the queue respond');
    server.ctx.readiness.roomMissedAt = null;
    const paused = await server.request(`/admin/workspaces/${slug}/pause`, {
      method: 'POST',
      headers: { ...asPage(server), 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ work: 'batch', reason: 'a test' }).toString(),
    });
    expect([paused.status, paused.text]).toEqual([503, expect.stringMatching(told)]);
    server.ctx.readiness.roomMissedAt = new Date(Date.now() - 5 * 60_000);
    expect((await look(server)).text).not.toContain('its disk was full');
  } finally {
    await owner.end();
    await server.close();
  }
});

test('a PostgreSQL that is away is told as a page, and to a program as a problem', async () => {
  const gate = await openGate();
  const server = await startTestServer({
    databaseUrl: gate.through,
    environment: { DATABASE_ANSWER_SECONDS: '1' },
  });
  try {
    expect((await look(server)).status).toBe(200);
    const entered = await server.request('/admin/sign-in', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: server.ctx.operatorToken }).toString(),
    });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] as string;
    gate.stall();
    const shown = await look(server);
    expect(shown.status).toBe(503);
    expect(shown.headers.get('content-type')).toContain('text/html');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(shown.text).toContain('PostgreSQL does not answer');
    expect(shown.text).toContain('href="/admin">Try again</a>');
    const queues = await server.request('/admin/queues', {
      headers: { Accept: 'text/html,*/*;q=0.8', Cookie: cookie },
    });
    expect([queues.status, queues.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(queues.text).toContain('PostgreSQL does not answer');
    expect(queues.text).toContain('href="/admin/queues">Try again</a>');
    const program = await server.request('/admin', {
      headers: { ...asPage(server), Accept: 'application/json' },
    });
    expect([program.status, program.body.code]).toEqual([503, 'unavailable']);
    gate.open();
    await expect.poll(async () => (await look(server)).status).toBe(200);
  } finally {
    gate.open();
    await server.close();
    await gate.close();
  }
});

test('what is refused is a page that leads on', async () => {
  const server = await startTestServer();
  const { slug } = await server.createWorkspace();
  const missing = await look(server, '/admin/nothing<b>');
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(missing.text).toContain('There is nothing at this path.');
  expect(missing.text).not.toContain('<b>');
  const unsaid = await server.request(`/admin/workspaces/${slug}/pause`, {
    method: 'POST',
    headers: { ...asPage(server), 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'work=batch',
  });
  expect([unsaid.status, unsaid.text.includes('Enter a reason: your colleagues')]).toEqual([422, true]);
  expect(unsaid.text).not.toContain('Try again');
  // PostgreSQL takes no NUL in a text.
  expect((await look(server, '/admin/search?q=no%00thing')).status).toBe(200);
  expect((await look(server, `/admin/workspaces/${slug}%00%00`)).status).not.toBe(500);
  const said = await server.request(`/admin/workspaces/${slug}/pause`, {
    method: 'POST',
    headers: { ...asPage(server), 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'work=batch&reason=a%00+test',
  });
  expect(said.status).toBe(303);
  expect((await look(server, `/admin/workspaces/${slug}`)).text).toContain('a test');
  await server.close();
});
