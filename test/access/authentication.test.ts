// 401, 403 and 404 (contract §1.3): who is let in, and what the others may learn.

import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { apiKeyRoutes } from '../../src/access/api-keys.routes.ts';
import { makeKey } from '../../src/access/key-text.ts';
import { type Area, areas, areasOfPermission, permissions } from '../../src/areas.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { defineRoute } from '../../src/http/route.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

const needing = <P extends Area | 'operator'>(access: P) =>
  defineRoute({
    method: 'get',
    path: access === 'operator' ? '/api/operator' : `/api/wid/{slug}/${access}`,
    operationId: `need-${access}`,
    tag: 'Test',
    summary: 'Test',
    access,
    transaction: 'none',
    answers: { 200: { description: 'In.', schema: z.object({ ok: z.literal(true) }) } },
    handle: async () => ({ status: 200, body: { ok: true } }),
  });

/** A read of one thing, made in the burst that looks its caller up; of some it fails, as a mistake of ours would. */
const readingOne = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/divided/{by}',
  operationId: 'readOne',
  tag: 'Test',
  summary: 'Test',
  access: 'stock',
  transaction: 'glance',
  readsOne: true,
  params: z.object({ by: z.string() }),
  answers: { 200: { description: 'In.', schema: z.object({ seen: z.string(), by: z.number() }) } },
  handle: async ({ params, actor }, tx) => {
    const [row] = await tx.query<{ seen: string; by: number }>(
      `select current_setting('partbook.workspace_id') || ' ' || $1 as seen, 12 / $2::integer as by`,
      [actor.name, params.by],
    );
    return { status: 200, body: row as { seen: string; by: number } };
  },
});

const lines: string[] = [];
let server: TestServer;
let workspace: TestWorkspace;
let foreign: TestWorkspace;
beforeAll(async () => {
  server = await startTestServer({
    routes: [...apiKeyRoutes, ...areas.map(needing), needing('operator'), readingOne],
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
  workspace = await server.createWorkspace();
  foreign = await server.createWorkspace();
});
afterAll(() => server.close());

const call = (what: string, headers: Record<string, string>, slug = workspace.slug) =>
  server.request(`/api/wid/${slug}/${what}`, { headers });
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const lastLine = async () => {
  await expect.poll(() => lines.some((line) => line.includes('"route"'))).toBe(true);
  return JSON.parse(lines.filter((line) => line.includes('"route"')).at(-1) ?? '{}');
};

test('the key comes as Bearer or as X-API-Key', async () => {
  expect((await call('read', bearer(workspace.key))).status).toBe(200);
  expect((await call('read', { Authorization: `bearer  ${workspace.key} ` })).status).toBe(200);
  expect((await call('read', { 'X-API-Key': workspace.key })).status).toBe(200);
  expect((await call('read', { Authorization: 'Basic eDp5', 'X-API-Key': workspace.key })).status).toBe(200);
});

test('keys are good while a newer release changes what authentication tells', async () => {
  expect((await call('read', bearer(workspace.key))).status).toBe(200);
  const admin = new Client({ connectionString: server.ctx.databaseUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query(`select pg_get_functiondef('authenticate_api_keys'::regproc) as text`);
    const text: string = rows[0].text;
    const wider = text
      .replace('areas text[])', 'areas text[], more text)')
      .replace(/k\.areas\b/, `k.areas, 'more'::text`);
    expect(wider).not.toBe(text);
    const grant = 'grant execute on function authenticate_api_keys to partbook_app, partbook_system';
    await admin.query(`begin; drop function authenticate_api_keys; ${wider}; ${grant}; commit`);
  } finally {
    await admin.end();
  }
  expect((await call('read', bearer(workspace.key))).status).toBe(200);
});

test('the level of a key opens its areas, and a refusal names what is missing', async () => {
  for (const level of permissions) {
    const key = await workspace.addKey(level);
    const held = areasOfPermission[level];
    for (const area of areas) {
      const { status, body } = await call(area, bearer(key));
      const refusal = { code: 'area_missing', needed: [area], areas: held };
      expect([level, area, status]).toEqual([level, area, held.includes(area) ? 200 : 403]);
      if (status === 403) expect(body).toMatchObject(refusal);
    }
  }
});

test('missing, malformed, mistyped, unknown, expired and revoked keys are 401, and the log tells them apart', async () => {
  const expired = await workspace.addKey('admin');
  const revoked = await workspace.addKey('admin');
  await inTransaction(server.ctx.db, { workspaceId: workspace.id }, async (tx) => {
    await tx.query(`update api_key set expires_at = now() where prefix = $1`, [expired.slice(0, 10)]);
    await tx.query(`update api_key set revoked_at = now() where prefix = $1`, [revoked.slice(0, 10)]);
  });
  const mistyped = workspace.key.slice(0, -1) + (workspace.key.endsWith('a') ? 'b' : 'a');
  const cases: [string, Record<string, string>][] = [
    ['missing', {}],
    ['missing', { Authorization: 'Bearer' }],
    ['missing', { Authorization: 'Basic eDp5' }],
    ['malformed', bearer('nonsense')],
    ['malformed', bearer('operator-token-of-the-tests')],
    ['malformed', { 'X-API-Key': '\u00ff' }],
    ['mistyped', bearer(mistyped)],
    ['unknown', bearer(makeKey())],
    ['expired', bearer(expired)],
    ['revoked', bearer(revoked)],
  ];
  for (const [why, headers] of cases) {
    lines.length = 0;
    const answer = await call('read', headers);
    expect([why, answer.status, answer.body.code]).toEqual([why, 401, 'unauthorized']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="partbook"');
    expect(await lastLine()).toMatchObject({ refusal: why, status: 401 });
  }
});

test('a foreign workspace and none at all look the same', async () => {
  const refusals = [
    await call('admin', bearer(workspace.key), foreign.slug),
    await call('admin', bearer(workspace.key), 'no-such-workspace'),
    await call('admin', bearer(workspace.key), 'NOT A SLUG'),
    await call('admin', bearer(workspace.key), '%00'),
  ];
  for (const answer of refusals) {
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(answer.body.code).toBe('forbidden');
    const { requestId: _id, instance: _path, ...body } = answer.body;
    const { requestId: _id0, instance: _path0, ...first } = refusals[0]?.body ?? {};
    expect(body).toEqual(first);
  }
});

test('a revocation bites on the next request', async () => {
  const key = await workspace.addKey('admin');
  const { body } = await server.request(`${workspace.path}/api-keys`, { key });
  const id = body.items[0].id;
  expect((await call('read', bearer(key))).status).toBe(200);
  const revoked = await server.request(`${workspace.path}/api-keys/${id}`, {
    key: workspace.key,
    method: 'DELETE',
  });
  expect(revoked.status).toBe(204);
  expect((await call('read', bearer(key))).status).toBe(401);
});

test('what is read together with the look-up of its caller is each caller’s own, and nobody’s who is not let in', async () => {
  const [writer, other, weak] = await Promise.all([
    workspace.addKey('write'),
    workspace.addKey('admin'),
    workspace.addKey('read'),
  ]);
  const read = (key: string, by: number, slug = workspace.slug) => call(`divided/${by}`, bearer(key), slug);
  const seenBy = (id: string, name: string) => `${id} ${name}`;
  // The first call of a key is looked up by itself, the second is read beside the look-up.
  for (const by of [1, 2, 3]) {
    expect((await read(workspace.key, by)).body.by).toBe(12 / by);
    expect((await read(writer, by)).status).toBe(200);
    expect((await read(other, by)).status).toBe(200);
    expect((await read(foreign.key, by, foreign.slug)).body.seen).toContain(foreign.id);
    expect((await read(weak, by)).status).toBe(403);
    expect((await read(foreign.key, by)).status).toBe(403);
  }
  const ownName = (await read(workspace.key, 4)).body.seen;
  expect(ownName).toContain(workspace.id);

  // All of a turn: the one that fails takes nobody along, and is told so itself.
  const all = await Promise.all([
    read(workspace.key, 1),
    read(writer, 2),
    read(weak, 3),
    read(writer, 0),
    read(foreign.key, 4, foreign.slug),
    read(foreign.key, 4),
    read(other, 6),
    read(makeKey(), 1),
  ]);
  expect(all.map(({ status, body }) => (status === 200 ? body.by : status))).toEqual([
    12, 6, 403, 500, 3, 403, 2, 401,
  ]);
  expect(all[0]?.body.seen).toBe(ownName);
  expect(all[4]?.body.seen).toContain(foreign.id);

  // What is known of a key is never older than the request: its name, its permission, and whether it opens anything.
  const prefix = writer.slice(0, 10);
  const change = (set: string) =>
    inTransaction(server.ctx.db, { workspaceId: workspace.id }, (tx) =>
      tx.query(`update api_key set ${set} where prefix = $1`, [prefix]),
    );
  await change(`name = 'renamed'`);
  expect((await read(writer, 1)).body.seen).toBe(seenBy(workspace.id, 'renamed'));
  await change(`permission = 'read'`);
  expect((await read(writer, 1)).status).toBe(403);
  await change(`permission = 'admin'`);
  expect((await read(writer, 1)).body.seen).toBe(seenBy(workspace.id, 'renamed'));
  expect((await read(writer, 1)).status).toBe(200);
  await change('revoked_at = now()');
  expect((await Promise.all([1, 2, 3].map((by) => read(writer, by)))).map(({ status }) => status)).toEqual([
    401, 401, 401,
  ]);
  // Whoever is not let in hears nothing of what else is wrong.
  expect((await read(writer, 0)).status).toBe(401);
});

test('the operator’s token opens the operator’s calls, and no key does', async () => {
  const operator = (headers: Record<string, string>) => server.request('/api/operator', { headers });
  expect((await operator(bearer('operator-token-of-the-tests'))).status).toBe(200);
  for (const headers of [{}, bearer('operator-token-of-the-testx'), bearer(workspace.key), bearer('')]) {
    expect((await operator(headers as Record<string, string>)).status).toBe(401);
  }
});

test('the log names the workspace and never a key', async () => {
  lines.length = 0;
  await call('read', bearer(workspace.key));
  expect(await lastLine()).toMatchObject({
    method: 'GET',
    route: '/api/wid/{slug}/read',
    status: 200,
    workspace: workspace.slug,
    requestId: expect.any(String),
  });
  expect(lines.join('')).not.toContain('pbk_');
});

test('a valid traceparent is passed on, another one dropped', async () => {
  const valid = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  for (const [given, logged] of [
    [valid, valid],
    ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', undefined],
    ['nonsense', undefined],
  ]) {
    lines.length = 0;
    await call('read', { ...bearer(workspace.key), traceparent: given as string });
    expect((await lastLine()).traceparent).toBe(logged);
  }
});
