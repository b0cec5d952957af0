// What is past its retention goes, and nothing else; and nothing is kept for a listener that is not there.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectDb } from '../../../src/db/connect.ts';
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

test('what somebody holds a lock on stays for now, and keeps nothing else from going', async () => {
  const created = await workspace.automate(context.created, '1');
  await workspace.create();
  await workspace.create();
  await workspace.ended(created, 2);
  const sent = await workspace.ask('POST', '/pdm/sync', {
    entities: [{ guid: randomUUID(), number: 'N', name: 'A part', categoryKey: 'part' }],
  });
  expect(sent.body.status, sent.text).toBe('completed');
  await vi.waitUntil(async () => (await outbox()).every((row) => row.done), patience);
  const old = {
    automation_run: 'finished_at',
    outbox: 'recorded_at',
    event_chain: 'updated_at',
    sync_batch: 'finished_at',
  };
  await workspace.transact(async (tx) => {
    for (const [root, at] of [randomUUID(), randomUUID()].map((id, n) => [id, n] as const))
      await tx.query(
        `insert into event_chain (workspace_id, root_id, runs, updated_at) values ($1, $2, $3, now())`,
        [workspace.id, root, at + 1],
      );
    for (const [table, at] of Object.entries(old))
      await tx.query(`update ${table} set ${at} = now() - interval '100 days' where workspace_id = $1`, [
        workspace.id,
      ]);
  });
  const left = async (table: string) =>
    (
      await workspace.transact((tx) =>
        tx.query(`select from ${table} where workspace_id = $1`, [workspace.id]),
      )
    ).length;
  const impatient = await connectDb({
    url: server.ctx.databaseUrl,
    poolMax: 2,
    applicationName: 'a test',
    log: server.ctx.log,
    lockTimeoutMs: 50,
  });
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  try {
    const pruned = () => pruneOld({ db: impatient, config: server.ctx.config });
    await holder.query('begin');
    for (const table of ['automation_run', 'outbox', 'event_chain'])
      await holder.query(`select from ${table} where workspace_id = $1 limit 1 for update`, [workspace.id]);
    await pruned();
    for (const table of ['automation_run', 'outbox', 'event_chain'])
      expect([table, await left(table)]).toEqual([table, 1]);
    await holder.query('rollback');
    // A chunk is of its batch, and nothing that retention could pass over.
    await workspace.transact((tx) =>
      tx.query(`update sync_batch set payload_kept = true where workspace_id = $1`, [workspace.id]),
    );
    await holder.query('begin');
    await holder.query('select from sync_chunk where workspace_id = $1 for update', [workspace.id]);
    await expect(pruned()).rejects.toMatchObject({ errors: [{ code: '55P03' }] });
    for (const table of ['automation_run', 'outbox', 'event_chain'])
      expect([table, await left(table)]).toEqual([table, 0]);
    await holder.query('rollback');
    await pruned();
    expect(
      await workspace.transact((tx) =>
        tx.query(`select from sync_batch where workspace_id = $1 and payload_kept`, [workspace.id]),
      ),
    ).toEqual([]);
  } finally {
    await holder.end();
    await impatient.close();
  }
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
