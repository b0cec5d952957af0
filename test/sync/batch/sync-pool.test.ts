/** The thread for long steps: it is started for what others would wait for, and what it holds is given back when that is done. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { CostAccounts } from '../../../src/fairness/cost-accounts.ts';
import { openSyncPool } from '../../../src/sync/batch/sync-pool.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/database.ts';

let database: TestDatabase;
let pool: ReturnType<typeof openSyncPool>;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openSyncPool(readConfig({ OPERATOR_TOKEN: 'token-of-the-pool' }), database.url, new CostAccounts());
});

afterAll(async () => {
  await pool?.close();
  await database?.drop();
});

/** Of a workspace that nobody has made: a thread connects, and finds nothing to do. */
const step = (large: boolean) =>
  expect(pool.run('structure', { workspaceId: randomUUID(), batchId: randomUUID(), large })).rejects.toThrow(
    'the workspace is gone',
  );

it('ends the thread for long steps when it has nothing to do, starts another for the next step, and keeps the threads that all share', async () => {
  for (let round = 0; round < 2; round++) {
    await step(true);
    await expect.poll(pool.threads).toEqual({ shared: 0, long: 0 });
  }
  await Promise.all([step(false), step(true)]);
  await expect.poll(pool.threads).toEqual({ shared: 1, long: 0 });
});

it('a thread outlives every step whose transaction is not let in', async () => {
  const own = openSyncPool(
    readConfig({ OPERATOR_TOKEN: 'token-of-the-pool', SYNC_THREADS: '1' }),
    database.url,
    new CostAccounts(),
  );
  try {
    for (const name of ['plan', 'structure', 'write', 'link', 'whole'] as const) {
      const ref = { workspaceId: randomUUID(), batchId: randomUUID(), large: false };
      // The same thread again and again: one that ended would have its next step fail, or the process end.
      for (let time = 0; time < 3; time++)
        await expect(own.run(name, ref), name).rejects.toThrow('the workspace is gone');
      expect(own.threads(), name).toEqual({ shared: 1, long: 0 });
    }
  } finally {
    await own.close();
  }
});
