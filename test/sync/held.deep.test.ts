/** Batches that stand still because somebody else holds a lock on what they change. */
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, type SentPart, type SyncCalls, syncCalls } from './sync-calls.ts';

/** A step waits for a lock for so long. */
const LOCK_TIMEOUT_MS = 500;

let server: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: { SYNC_CHUNK_ELEMENTS: '100', SYNC_LOCK_SECONDS: '3600' },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});

describe('entities that somebody holds a lock on for long', () => {
  /** One in each of two chunks, so that each thread comes upon one. */
  const held = [element(), element()];
  const renamed = () => [
    ...held.map((one) => ({ ...one, name: 'Another name' })),
    ...Array.from({ length: 400 }, () => element()),
  ];
  const attemptsIn = async (of: DefaultWorkspace, batchId: string) => {
    const chunks = await of.transact((tx) =>
      tx.query<{ attempts: number }>('select attempts from sync_chunk where batch_id = $1', [batchId]),
    );
    return chunks.map(({ attempts }) => attempts);
  };

  it('keep their batches waiting and nobody else’s, for as long as it takes', async () => {
    const [holder, watcher] = [0, 1].map(() => new Client({ connectionString: server.ctx.databaseUrl })) as [
      Client,
      Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
    try {
      const batches = await Promise.all(
        [workspace, await makeDefaultWorkspace(server)].map(async (of) => {
          const theirs = syncCalls(server, of);
          await theirs.sync(held);
          return { of, theirs, batchId: '' };
        }),
      );
      await holder.query('begin');
      await holder.query('select from entity where guid = any ($1) for update', [
        held.map(({ guid }) => guid),
      ]);
      for (const batch of batches) {
        const sent = await batch.theirs.send(
          { entities: renamed() },
          { headers: { Prefer: 'respond-async' } },
        );
        expect(sent.status, sent.text).toBe(202);
        batch.batchId = sent.body.batchId;
      }
      // By another connection: within a transaction the activity is what it was at its first look.
      const waits = `select from pg_stat_activity where application_name = 'partbook sync'
        and datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await watcher.query(waits)).rowCount).toBeGreaterThan(0);
      // As many elements as are not applied where they are accepted, in several chunks.
      const other = syncCalls(server, await makeDefaultWorkspace(server));
      const done = await other.sync(Array.from({ length: 400 }, () => element()));
      expect(done.status).toBe('completed');
      for (const { of, theirs, batchId } of batches) {
        expect((await theirs.get(`/pdm/sync/batches/${batchId}`)).body.status).toBe('processing');
        // What waits has not failed.
        expect(new Set(await attemptsIn(of, batchId))).toEqual(new Set([0]));
      }
      await holder.query('rollback');
      for (const { theirs, batchId } of batches) {
        const ended = await vi.waitUntil(async () => {
          const now = (await theirs.get(`/pdm/sync/batches/${batchId}`)).body;
          return now.finishedAt !== null && now;
        }, patience);
        expect(ended).toMatchObject({ status: 'completed', counts: { created: 400, updated: 2 } });
      }
    } finally {
      await Promise.all([holder.end(), watcher.end()]);
    }
  });

  it('cost their batches nothing of a processor while these wait', async () => {
    const holder = new Client({ connectionString: server.ctx.databaseUrl });
    await holder.connect();
    try {
      const [one] = held as [SentPart];
      // So that no thread has to be started for what waits.
      await calls.sync([one, ...Array.from({ length: 400 }, () => element())]);
      await holder.query('begin');
      await holder.query('select from entity where workspace_id = $1 and guid = $2 for update', [
        workspace.id,
        one.guid,
      ]);
      const charging = vi.spyOn(server.ctx.costs, 'charge');
      onTestFinished(() => charging.mockRestore());
      const entities = [{ ...one, name: 'Another name' }];
      const { body } = await calls.send({ entities }, { headers: { Prefer: 'respond-async' } });
      const charged = () => charging.mock.calls.flatMap(([id, ms]) => (id === workspace.id ? [ms] : []));
      // One charge is of taking the batch in, the other of the step, which has waited for half a second.
      await expect.poll(() => charged().length, patience).toBeGreaterThan(1);
      expect(Math.max(...charged())).toBeLessThan(LOCK_TIMEOUT_MS);
      await holder.query('rollback');
      await vi.waitUntil(
        async () => (await calls.get(`/pdm/sync/batches/${body.batchId}`)).body.finishedAt !== null,
        patience,
      );
    } finally {
      await holder.end();
    }
  });

  it('keep only those of its parts waiting that they are in, and count no time from before', async () => {
    await calls.sync([held[0] as SentPart]);
    const [holder, watcher] = [0, 1].map(() => new Client({ connectionString: server.ctx.databaseUrl })) as [
      Client,
      Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
    try {
      await holder.query('begin');
      await holder.query('select from entity where workspace_id = $1 for update', [workspace.id]);
      const sent = [...held, ...Array.from({ length: 1500 }, () => element())].map((one) => ({
        ...one,
        name: 'Another name',
      }));
      const { body } = await calls.send({ entities: sent }, { headers: { Prefer: 'respond-async' } });
      // As of one for which no worker was there.
      const phasesOf = () =>
        workspace.transact(async (tx) => {
          await tx.query(`update sync_batch set progressed_at = now() - interval '1 day' where id = $1`, [
            body.batchId,
          ]);
          return tx.query<{ phase: string; chunks: number }>(
            `select phase, count(*)::int as chunks from sync_chunk where batch_id = $1 group by 1 order by 2`,
            [body.batchId],
          );
        });
      await vi.waitUntil(async () => {
        const phases = await phasesOf();
        return phases.length === 2 && phases[0]?.chunks === 1 && phases;
      }, patience);
      // Tried again three times and found held.
      const waits = `select from pg_stat_activity where application_name = 'partbook sync'
        and datname = current_database() and wait_event_type = 'Lock'`;
      for (let round = 0; round < 3; round++)
        for (const isWaiting of [true, false])
          await vi.waitUntil(async () => ((await watcher.query(waits)).rowCount ?? 0) > 0 === isWaiting, {
            ...patience,
            interval: 10,
          });
      expect(new Set(await attemptsIn(workspace, body.batchId))).toEqual(new Set([0]));
      await holder.query('rollback');
      await vi.waitUntil(
        async () => (await calls.get(`/pdm/sync/batches/${body.batchId}`)).body.status === 'completed',
        patience,
      );
    } finally {
      await Promise.all([holder.end(), watcher.end()]);
    }
  });

  it('fail it in the end, with the reason', async () => {
    const impatient = await startTestServer({
      worker: true,
      environment: { SYNC_CHUNK_ELEMENTS: '100', SYNC_LOCK_SECONDS: '1' },
    });
    const workspace = await makeDefaultWorkspace(impatient);
    const calls = syncCalls(impatient, workspace);
    await calls.sync(held);
    const holder = new Client({ connectionString: impatient.ctx.databaseUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from entity where workspace_id = $1 for update', [workspace.id]);
      const { body } = await calls.send({ entities: renamed() }, { headers: { Prefer: 'respond-async' } });
      const batch = await vi.waitUntil(async () => {
        const now = (await calls.get(`/pdm/sync/batches/${body.batchId}`)).body;
        return now.status === 'failed' && now;
      }, patience);
      expect(batch.failure).toMatchObject({
        code: 'chunk_failed',
        message: expect.stringContaining('55P03 (somebody else holds a lock on what it changes'),
      });
      await holder.query('rollback');
      const retried = await workspace.ask('POST', `/pdm/sync/batches/${body.batchId}/retry`);
      expect(retried.status, retried.text).toBe(202);
      await vi.waitUntil(
        async () => (await calls.get(`/pdm/sync/batches/${body.batchId}`)).body.status === 'completed',
        patience,
      );
    } finally {
      await holder.end();
      await impatient.close();
    }
  });
});
