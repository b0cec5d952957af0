// What is past its retention goes, and nothing else; and nothing is kept for a listener that is not there.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pruneOld } from '../../../src/retention.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type AutomatedWorkspace, context, makeAutomatedWorkspace } from '../automated-workspace.ts';

let server: TestServer;
let workspace: AutomatedWorkspace;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeAutomatedWorkspace(server);
});
afterAll(() => server.close());

const outbox = () =>
  workspace.transact((tx) =>
    tx.query<{ automation_done: boolean; done: boolean }>(
      'select automation_done and webhook_done as done from outbox where workspace_id = $1',
      [workspace.id],
    ),
  );

test('nothing is written to the outbox where nobody listens', async () => {
  const part = await workspace.create();
  await workspace.ask('PATCH', `/entities/${part.id}`, { name: 'Other' });
  await workspace.ask('POST', `/entities/${part.id}/transitions`, { toState: 'In Review' });
  expect(await outbox()).toEqual([]);
});

test('runs and events that are old go, young ones stay', async () => {
  const automation = await workspace.automate(context.created, '1');
  await workspace.create();
  await workspace.ended(automation, 1);
  await vi.waitUntil(async () => (await outbox()).every((row) => row.done), patience);
  await pruneOld({ db: server.ctx.db, config: server.ctx.config });
  expect(await workspace.runsOf(automation)).toHaveLength(1);
  await workspace.transact(async (tx) => {
    await tx.query(
      `update automation_run set finished_at = now() - interval '31 days' where workspace_id = $1`,
      [workspace.id],
    );
    await tx.query(`update outbox set recorded_at = now() - interval '8 days' where workspace_id = $1`, [
      workspace.id,
    ]);
  });
  await workspace.create();
  await workspace.ended(automation, 2);
  await vi.waitUntil(async () => (await outbox()).every((row) => row.done), patience);
  await pruneOld({ db: server.ctx.db, config: server.ctx.config });
  expect(await workspace.runsOf(automation)).toHaveLength(1);
  expect(await outbox()).toHaveLength(1);
});

test('nothing is taken for old while the clocks of the database and of the process differ by hours', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 3_600_000 });
  try {
    await expect(pruneOld({ db: server.ctx.db, config: server.ctx.config })).rejects.toThrow(
      /clock of PostgreSQL is 7\d{3} seconds ahead/,
    );
  } finally {
    vi.useRealTimers();
  }
});
