/** What a job of a batch does in its turn, and that there is one after it. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, syncCalls } from './sync-calls.ts';
import { openSyncSteps, refIn } from './sync-steps.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { SYNC_CHUNK_ELEMENTS: '1' } });
});
afterAll(() => server.close());

it.each([
  ['all its chunks while there is room for another job', { turnMs: 60_000, jobsMax: 2 }, 4],
  ['one chunk while there is none', { turnMs: 60_000, jobsMax: 1 }, 1],
  ['one chunk where its time is over', { turnMs: 0, jobsMax: 2 }, 1],
])('a job takes %s', async (_, turn, chunks) => {
  const steps = await openSyncSteps(server, turn);
  const workspace = await makeDefaultWorkspace(server);
  const entities = Array.from({ length: 4 }, () => element());
  const headers = { Prefer: 'respond-async' };
  const sent = await syncCalls(server, workspace).send({ entities }, { headers });
  const ref = refIn(workspace, sent.body.batchId);
  await steps.step(ref);
  const [planned] = await inTransaction(server.ctx.db, ref, (tx) =>
    tx.query<{ count: number }>(
      `select count(*)::integer from sync_chunk where workspace_id = $1 and batch_id = $2 and phase <> 'plan'`,
      [ref.workspaceId, ref.batchId],
    ),
  );
  expect(planned?.count).toBe(chunks);
  await steps.toPhase(ref, 'done');
  await steps.close();
});

it('the pass over the structure waits for whoever notes that the batch moves, and is made once', async () => {
  const [steps, others] = await Promise.all([openSyncSteps(server), openSyncSteps(server)]);
  const workspace = await makeDefaultWorkspace(server);
  const submit = async (entities: unknown[]) => {
    const headers = { Prefer: 'respond-async' };
    const sent = await syncCalls(server, workspace).send({ entities }, { headers });
    return refIn(workspace, sent.body.batchId);
  };
  const [parent, child] = [element(), element()];
  await steps.toPhase(await submit([parent, child]), 'done');
  const ref = await submit([{ ...child, parentGuid: parent.guid }, element()]);
  await steps.toPhase(ref, 'structure');
  const noting = new Client({ connectionString: server.ctx.databaseUrl });
  const watcher = new Client({ connectionString: server.ctx.databaseUrl });
  await Promise.all([noting.connect(), watcher.connect()]);
  try {
    await noting.query('begin');
    await noting.query('update sync_batch set progressed_at = now() where id = $1', [ref.batchId]);
    const job = steps.step(ref);
    await vi.waitFor(async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(rowCount).toBe(1);
    }, patience);
    // Another finds that it is being made, and neither waits nor makes it again.
    expect(await others.step(ref)).toBe(0);
    await noting.query('commit');
    expect(await job).toBe(server.ctx.config.SYNC_JOBS_PER_BATCH);
  } finally {
    await Promise.all([noting.end(), watcher.end()]);
  }
  await steps.toPhase(ref, 'done');
  await Promise.all([steps.close(), others.close()]);
});
