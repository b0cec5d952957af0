/** A job of a batch goes on with further chunks only where no job of others may be waiting for it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
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
