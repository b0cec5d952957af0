// Health: alive, ready, and what is missing otherwise (servers that are away: test/http/unavailable.test.ts).
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openLog } from '../../src/log.ts';
import { openGate } from '../setup/gate.ts';
import { serviceUrl } from '../setup/global.ts';
import { patience } from '../setup/patience.ts';
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
  const lines: string[] = [];
  const log = openLog({ LOG_LEVEL: 'warn' }, 'web', {
    destination: { write: (line) => void lines.push(line) },
  });
  const behind = await startTestServer({ log });
  const client = new Client({ connectionString: behind.ctx.config.DATABASE_URL });
  await client.connect();
  await client.query('delete from schema_migration where name = (select max(name) from schema_migration)');
  await client.end();
  const ready = await behind.request('/health/ready');
  expect([ready.status, ready.body.checks.migrations]).toMatchObject([
    503,
    { status: 'failed', message: 'are pending' },
  ]);
  // Balancers ask every second; the log is told once.
  await Promise.all(Array.from({ length: 5 }, () => behind.request('/health/ready')));
  expect(lines.filter((line) => line.includes('"not ready"'))).toHaveLength(1);
  await behind.close();
});

test.skipIf(inject('pooler') !== null)(
  'of a role for which PostgreSQL has no connection left nothing is known, and nothing wrong is said',
  async () => {
    const full = await startTestServer({ databaseUrl: serviceUrl });
    const owner = new Client({ connectionString: inject('postgresUrl') });
    await owner.connect();
    const database = new URL(full.ctx.databaseUrl).pathname.slice(1);
    const allow = (connections: number) =>
      owner.query(`alter database ${owner.escapeIdentifier(database)} connection limit ${connections}`);
    try {
      await allow(1);
      // Whichever of the two has the connection: the other gets none.
      const found = await vi.waitUntil(async () => {
        await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
          database,
        ]);
        const { checks } = (await full.request('/health/ready')).body;
        return checks.database.status === 'ok' && checks.role.status === 'failed' ? checks : undefined;
      }, patience);
      expect(found.role.message).toBe('not known');
      await allow(-1);
      await expect.poll(async () => (await full.request('/health/ready')).status).toBe(200);
    } finally {
      await owner.end();
      await full.close();
    }
  },
);

test('a database that is slow is there for as long as its answer is waited for, and is asked once, whoever asks', async () => {
  const gate = await openGate();
  const slow = await startTestServer({ databaseUrl: gate.through });
  const ready = () => slow.request('/health/ready');
  try {
    expect((await ready()).status).toBe(200);
    gate.stall();
    const answers = await Promise.all(Array.from({ length: 30 }, ready));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // One for the database and one for the role, of a pool of eight.
    expect(slow.ctx.db.connections().waiting + slow.ctx.db.shares.waiting).toBe(0);
    expect(slow.ctx.db.shares.held).toBeLessThanOrEqual(2);
    gate.open();
    await expect.poll(async () => (await ready()).status).toBe(200);
  } finally {
    gate.open();
    await slow.close();
    await gate.close();
  }
});
