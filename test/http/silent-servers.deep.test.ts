// A server behind us that hangs, or that takes no writes any more, says nothing or no: calls are answered all the same.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Gate, openGate } from '../setup/gate.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let postgres: Gate;
let redis: Gate;
let server: TestServer;
let workspace: { path: string; key: string };
beforeAll(async () => {
  postgres = await openGate();
  redis = await openGate();
  server = await startTestServer({
    databaseUrl: postgres.through,
    redisUrl: redis.through,
    environment: { DATABASE_ANSWER_SECONDS: '1', CONNECTION_PATIENCE_MS: '1000' },
  });
  const made = await server.request('/api/workspaces', {
    key: server.ctx.operatorToken,
    body: { slug: `s${randomUUID().slice(0, 8)}`, name: 'Silence' },
  });
  expect(made.status, made.text).toBe(201);
  workspace = { path: `/api/wid/${made.body.workspace.slug}`, key: made.body.apiKey.key };
});
afterAll(async () => {
  postgres.open();
  redis.open();
  await server.close();
  await postgres.close();
  await redis.close();
});

const call = (path: string, body?: unknown) =>
  server.request(`${workspace.path}${path}`, { key: workspace.key, ...(body === undefined ? {} : { body }) });
const part = () => ({ category: 'part', name: 'Wheel' });
const batch = () => ({
  entities: [{ guid: randomUUID(), number: 'W-1', name: 'Wheel', categoryKey: 'part' }],
});
const unavailable = (answer: { status: number; body: { code: string }; headers: Headers }) =>
  expect([answer.status, answer.body.code, Number(answer.headers.get('retry-after')) > 0]).toEqual([
    503,
    'unavailable',
    true,
  ]);

test('PostgreSQL hangs: every call that waits is answered with 503 and Retry-After, and all is well after', async () => {
  expect((await call('/entities', part())).status).toBe(201);
  postgres.stall();
  const answers = await Promise.all([
    call('/entities'),
    call('/entities', part()),
    call('/pdm/sync', batch()),
    ...Array.from({ length: 20 }, () => call('/api-keys')),
  ]);
  for (const answer of answers) unavailable(answer);
  expect((await server.request('/health/ready')).status).toBe(503);
  postgres.open();
  await expect.poll(async () => (await call('/entities', part())).status).toBe(201);
  await expect
    .poll(async () => (await server.request('/health/ready')).body.checks)
    .toMatchObject({ database: { status: 'ok' } });
});

test('Redis hangs: a batch is accepted all the same', async () => {
  redis.stall();
  const answer = await server.request(`${workspace.path}/pdm/sync`, {
    key: workspace.key,
    body: batch(),
    headers: { Prefer: 'respond-async' },
  });
  expect([answer.status, answer.body.status], answer.text).toEqual([202, 'queued']);
  const ready = await server.request('/health/ready');
  expect([ready.status, ready.body.checks.queue.status]).toEqual([200, 'failed']);
  redis.open();
});

// PgBouncer gives new connections the setting that its clients began with: there it cannot be played by one.
test.skipIf(inject('pooler') !== null)(
  'a server that takes no writes any more is away, and is found again when it does',
  async () => {
    const [database] = await server.ctx.db.query<{ name: string }>(
      'select quote_ident(current_database()) as name',
    );
    const owner = new pg.Client({ connectionString: inject('postgresUrl') });
    await owner.connect();
    await owner.query(`alter database ${database?.name} set default_transaction_read_only = on`);
    // What is connected keeps the setting that it began with: a fail-over cuts it.
    postgres.shut();
    postgres.open();
    await expect.poll(async () => (await call('/entities', part())).status).toBe(503);
    unavailable(await call('/entities', part()));
    unavailable(await call('/pdm/sync', batch()));
    const ready = await server.request('/health/ready');
    expect([ready.status, ready.body.checks.database.status]).toEqual([503, 'failed']);
    await owner.query(`alter database ${database?.name} reset default_transaction_read_only`);
    await owner.end();
    // No connection that was told no is kept: the next ones begin with the new setting.
    await expect.poll(async () => (await call('/entities', part())).status).toBe(201);
    await expect.poll(async () => (await server.request('/health/ready')).status).toBe(200);
  },
);
