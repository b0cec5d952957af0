/** Transactions whose connection dies under them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDb, type Db } from '../../src/db/connect.ts';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createTestContext } from '../setup/server.ts';

const POOL_MAX = 2;
let db: Db;
let close: () => Promise<void>;

beforeAll(async () => {
  const context = await createTestContext();
  db = await connectDb({
    url: context.ctx.databaseUrl,
    poolMax: POOL_MAX,
    applicationName: 'test',
    log: { warn: () => {} },
  });
  close = async () => {
    await db.close();
    await context.close();
  };
});
afterAll(() => close());

it('give their place in the pool back, however often that happens', async () => {
  const workspaceId = newId();
  for (let kill = 0; kill < 3 * POOL_MAX; kill++) {
    const killed = inTransaction(db, { workspaceId }, (tx) =>
      tx.query('select pg_terminate_backend(pg_backend_pid())'),
    );
    await expect(killed).rejects.toThrow();
  }
  const rows = await inTransaction(db, { workspaceId }, (tx) => tx.query('select 1 as one'));
  expect(rows).toEqual([{ one: 1 }]);
});
