// Health: alive, ready, and what is missing otherwise (servers that are away: test/http/unavailable.test.ts).
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('alive and ready answer without a key', async () => {
  expect((await server.request('/health/live')).body).toEqual({ status: 'ok', checks: {} });
  const ready = await server.request('/health/ready');
  expect([ready.status, Object.keys(ready.body.checks)]).toEqual([
    200,
    ['database', 'role', 'migrations', 'queue'],
  ]);
});

test('not ready while migrations are pending', async () => {
  const behind = await startTestServer();
  const client = new Client({ connectionString: behind.ctx.config.DATABASE_URL });
  await client.connect();
  await client.query('delete from schema_migration where name = (select max(name) from schema_migration)');
  await client.end();
  const ready = await behind.request('/health/ready');
  expect([ready.status, ready.body.checks.migrations]).toMatchObject([
    503,
    { status: 'failed', message: 'are pending' },
  ]);
  await behind.close();
});
