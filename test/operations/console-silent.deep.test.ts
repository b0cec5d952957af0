// PostgreSQL hangs, and whoever is called for it opens the console: each page says so, and what is still known, long before the connection is given up.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openLog } from '../../src/log.ts';
import { type Gate, openGate } from '../setup/gate.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let gate: Gate;
const lines: string[] = [];
let server: TestServer;
beforeAll(async () => {
  gate = await openGate();
  // A connection is given up after five minutes here: no page waits for that.
  const log = openLog({ LOG_LEVEL: 'info' }, 'web', {
    destination: { write: (line) => void lines.push(line) },
  });
  server = await startTestServer({ databaseUrl: gate.through, log });
});
afterAll(async () => {
  gate.open();
  await server.close();
  await gate.close();
});

const asPage = { Accept: 'text/html,*/*;q=0.8' };
const form = { ...asPage, 'Content-Type': 'application/x-www-form-urlencoded' };
const signIn = () =>
  server.request('/admin/sign-in', {
    method: 'POST',
    headers: form,
    body: new URLSearchParams({ token: server.ctx.operatorToken }).toString(),
  });

test('every page of the console says that PostgreSQL is silent, and what the queue knows', async () => {
  const workspace = await server.createWorkspace();
  const cookie = (await signIn()).headers.get('set-cookie')?.split(';')[0] as string;
  const bearer = { ...asPage, Authorization: `Bearer ${server.ctx.operatorToken}` };
  expect((await server.request('/admin', { headers: { ...asPage, Cookie: cookie } })).status).toBe(200);
  gate.stall();
  const pages = [
    '/admin',
    '/admin/failures',
    '/admin/actions',
    '/admin/search?q=something',
    `/admin/workspaces/${workspace.slug}`,
    `/admin/batches/${workspace.id}/${randomUUID()}`,
  ];
  const answers = await Promise.all([
    ...pages.map((path) => server.request(path, { headers: bearer })),
    server.request('/admin', { headers: { ...asPage, Cookie: cookie } }),
    server.request('/admin/queues', { headers: { ...asPage, Cookie: cookie } }),
    signIn(),
  ]);
  for (const { status, text, headers } of answers) {
    expect(status, text).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(text).toMatch(/PostgreSQL does not answer(, or takes no writes)?\. It last responded at /);
    if (inject('redisUrl') !== null) expect(text).toMatch(/<div>sync<\/div>.*<div>0<\/div>/);
  }
  const paused = await server.request(`/admin/workspaces/${workspace.slug}/pause`, {
    method: 'POST',
    headers: { ...form, Authorization: bearer.Authorization },
    body: new URLSearchParams({ work: 'batch', reason: 'a test' }).toString(),
  });
  expect([paused.status, paused.text]).toEqual([503, expect.stringContaining('is not known yet')]);
  // Programs get the problem.
  const told = await server.request('/admin', { key: server.ctx.operatorToken });
  expect([told.status, told.body?.code]).toEqual([503, 'unavailable']);
  gate.open();
  await expect.poll(async () => (await server.request('/admin', { headers: bearer })).status).toBe(200);
});

test('an answer that PostgreSQL gives while a page says that it gives none is sent once', async () => {
  const { readiness } = server.ctx;
  const bearer = { ...asPage, Authorization: `Bearer ${server.ctx.operatorToken}` };
  const { slug } = await server.createWorkspace();
  const look = readiness.look.bind(readiness);
  const asked = [
    () => server.request('/admin/failures', { headers: bearer }),
    () =>
      server.request(`/admin/workspaces/${slug}/pause`, {
        method: 'POST',
        headers: { ...form, Authorization: bearer.Authorization },
        body: new URLSearchParams({ work: 'batch', reason: 'a test' }).toString(),
      }),
  ];
  for (const ask of asked) {
    gate.stall();
    const answer = ask();
    readiness.look = async () => {
      const found = await look();
      gate.open();
      // The page was read, and is there by now.
      await answer;
      return found;
    };
    expect((await answer).status).not.toBe(500);
  }
  readiness.look = look;
});

test('what came of an action that was answered with a doubt is in the log under its request, and among the actions', async () => {
  const { slug } = await server.createWorkspace();
  const authorization = `Bearer ${server.ctx.operatorToken}`;
  const actions = async () =>
    (await server.request('/admin/actions', { headers: { ...asPage, Authorization: authorization } })).text;
  const pause = (id: string) =>
    server.request(`/admin/workspaces/${slug}/pause`, {
      method: 'POST',
      headers: { ...form, Authorization: authorization, 'X-Request-Id': id },
      body: new URLSearchParams({ work: 'batch', reason: `because of ${id}` }).toString(),
    });
  const lateLine = (id: string) =>
    vi.waitUntil(
      () =>
        lines.map((line) => JSON.parse(line)).find((one) => one.requestId === id && one.operator === true),
      patience,
    );
  for (const [id, end, msg] of [
    ['late-and-done', () => gate.open(), 'an action of the operator was done after its answer'],
    ['late-and-lost', () => gate.shut(), 'an action of the operator failed after its answer'],
  ] as const) {
    gate.stall();
    expect((await pause(id)).text).toContain('look under Actions, or in the log under this request');
    end();
    const line = await lateLine(id);
    gate.open();
    expect(line).toMatchObject({ msg, path: `/admin/workspaces/${slug}/pause` });
    if (id === 'late-and-lost') expect(line.err.stack).toBeTruthy();
  }
  const told = await actions();
  expect(told).toContain('because of late-and-done');
  expect(told).not.toContain('because of late-and-lost');
});
