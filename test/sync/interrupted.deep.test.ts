/**
 * What was acknowledged survives: a killed worker, an emptied queue, a poison chunk. Killed at random
 * moments; the soak script does the same for longer.
 */

import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, inject, it, vi } from 'vitest';
import type { SyncBatch, SyncResult } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { startWorkerProcess, type WorkerProcess } from '../setup/worker-process.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, type SentPart, type SyncCalls, syncCalls } from './sync-calls.ts';

interface Service {
  server: TestServer;
  workspace: DefaultWorkspace;
  calls: SyncCalls;
  startWorker(): WorkerProcess;
}

/**
 * A database and a queue for one test, whose workers take up nothing of another's: most of a test is waiting until a queue takes
 * its worker for dead, and some wait at the same time.
 */
async function inService(work: (service: Service) => Promise<void>): Promise<void> {
  const server = await startTestServer({ environment: { SYNC_CHUNK_ELEMENTS: '200' } });
  const workers: WorkerProcess[] = [];
  const startWorker = () => {
    const worker = startWorkerProcess(server);
    workers.push(worker);
    return worker;
  };
  try {
    const workspace = await makeDefaultWorkspace(server);
    await work({ server, workspace, calls: syncCalls(server, workspace), startWorker });
  } finally {
    for (const worker of workers) await worker.kill();
    await server.close();
  }
}

/** An assembly with many parts, each under it and under one of ten sub-assemblies. */
function billOfMaterials(parts: number): [SentPart, ...SentPart[]] {
  const top = element({ categoryKey: 'assembly' });
  const subs = Array.from({ length: 10 }, () => element({ categoryKey: 'assembly', parentGuid: top.guid }));
  const below = Array.from({ length: parts }, (_, i) => {
    const part = element({ parentGuid: subs[i % 10]?.guid, quantity: 2 });
    return [part, { ...part, parentGuid: top.guid, quantity: 1 }];
  });
  return [top, ...subs, ...below.flat()];
}

async function submit(calls: SyncCalls, entities: unknown[], query = ''): Promise<string> {
  const answer = await calls.send({ entities }, { query, headers: { Prefer: 'respond-async' } });
  expect(answer.status).toBe(202);
  return answer.body.batchId;
}

const batchOf = async (calls: SyncCalls, id: string) => (await calls.get(`/pdm/sync/batches/${id}`)).body;

async function ended(calls: SyncCalls, id: string): Promise<SyncBatch> {
  return vi.waitUntil(async () => {
    const batch = await batchOf(calls, id);
    return batch.finishedAt !== null && batch;
  }, patience);
}

async function allResults(calls: SyncCalls, id: string): Promise<SyncResult[]> {
  const results: SyncResult[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await calls.get(
      `/pdm/sync/batches/${id}/results?limit=1000${cursor && `&cursor=${cursor}`}`,
    );
    expect(page.status, page.text).toBe(200);
    results.push(...page.body.items);
    cursor = page.body.nextCursor;
  }
  return results;
}

async function counts(workspace: DefaultWorkspace): Promise<Record<string, number>> {
  const [row] = await workspace.transact((tx) =>
    tx.query<Record<string, number>>(
      `select (select count(*)::integer from entity where workspace_id = $1) as entities,
         (select count(*)::integer from entity_link where workspace_id = $1) as links,
         (select sum(quantity)::float from entity_link where workspace_id = $1) as quantity,
         (select count(*)::integer from entity_revision where workspace_id = $1) as revisions`,
      [workspace.id],
    ),
  );
  return row as Record<string, number>;
}

/** Workers in processes of their own share the queue through Redis. */
const withoutRedis = inject('redisUrl') === null;
const describeConcurrent = describe.skipIf(withoutRedis).concurrent;

describeConcurrent('a worker that is killed', () => {
  it.each([0.05, 0.4, 0.8])(
    'in the middle of a batch (%s of it processed): the next one finishes it, no result twice, none missing',
    (share) =>
      inService(async (service) => {
        const { workspace, calls, startWorker } = service;
        const parts = 3000;
        const entities = billOfMaterials(parts);
        const batchId = await submit(calls, entities);
        const first = startWorker();
        await vi.waitUntil(async () => {
          const { counts } = await batchOf(calls, batchId);
          return counts.processed >= share * counts.total;
        }, patience);
        await first.kill();
        const second = startWorker();
        const batch = await ended(calls, batchId);
        expect(batch).toMatchObject({
          status: 'completed',
          counts: { total: entities.length, created: parts + 11, skipped: parts, error: 0 },
        });
        const results = await allResults(calls, batchId);
        expect(results.map((result) => result.index)).toEqual(entities.map((_, i) => i));
        expect(results.map((result) => result.guid)).toEqual(entities.map((entity) => entity.guid));
        expect(await counts(workspace)).toEqual({
          entities: parts + 11,
          links: 2 * parts + 10,
          quantity: 3 * parts + 10,
          revisions: 0,
        });
        await second.kill();
      }),
  );
});

/**
 * Holds every transaction that comes to the end of a chunk in that phase, so that a worker can be struck in the
 * middle of it. The worker's sessions outlive it until they are let go.
 */
async function holdPhase({ server, workspace }: Service, phase: 'plan' | 'structure') {
  const admin = new Client({ connectionString: server.ctx.databaseUrl });
  await admin.connect();
  const ending =
    phase === 'plan'
      ? `old.phase = 'plan' and old.ordinal >= 5`
      : `new.structure is not null and new.phase = 'write'`;
  await admin.query(`
    create or replace function stand_still() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(4711); return new; end';
    create trigger stand_still before update on sync_chunk for each row
      when (new.workspace_id = '${workspace.id}' and ${ending}) execute function stand_still();
    select pg_advisory_lock(4711)`);
  const waiting = async () => {
    const { rows } = await admin.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.locktype = 'advisory' and l.objid = 4711 and not l.granted`,
    );
    return rows.length;
  };
  const sessions = async () => {
    const { rows } = await admin.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'partbook sync'`,
    );
    return rows.length;
  };
  return {
    waiting,
    /** Lets go, and resolves when the sessions of the dead worker have rolled back. */
    release: async () => {
      await admin.query('select pg_advisory_unlock(4711)');
      await vi.waitUntil(async () => (await sessions()) === 0, patience);
      await admin.query('drop trigger stand_still on sync_chunk');
      await admin.end();
    },
  };
}

describeConcurrent('a worker that is killed in the pass', () => {
  it.each(['plan', 'structure'] as const)(
    '“%s”: the next one finishes the batch, no result twice, none missing',
    (phase) =>
      inService(async (service) => {
        const { workspace, calls, startWorker } = service;
        const parts = 1000;
        const entities = billOfMaterials(parts);
        const held = await holdPhase(service, phase);
        const batchId = await submit(calls, entities);
        const first = startWorker();
        await vi.waitUntil(async () => (await held.waiting()) > 0, patience);
        const [state] = await workspace.transact((tx) =>
          tx.query('select status, phase from sync_batch where id = $1', [batchId]),
        );
        expect(state).toEqual({ status: 'processing', phase });
        await first.kill();
        await held.release();
        const second = startWorker();
        const batch = await ended(calls, batchId);
        expect(batch).toMatchObject({
          status: 'completed',
          counts: { total: entities.length, created: parts + 11, skipped: parts, error: 0 },
        });
        const results = await allResults(calls, batchId);
        expect(results.map((result) => result.index)).toEqual(entities.map((_, i) => i));
        expect(await counts(workspace)).toEqual({
          entities: parts + 11,
          links: 2 * parts + 10,
          quantity: 3 * parts + 10,
          revisions: 0,
        });
        await second.kill();
      }),
  );
});

describeConcurrent('a worker that is killed in an exact batch', () => {
  it.each(['plan', 'structure'] as const)(
    'in the pass “%s”: the next one takes out what the batch does not name, and nothing else',
    (phase) =>
      inService(async (service) => {
        const { workspace, calls, startWorker } = service;
        const parts = 2000;
        const entities = billOfMaterials(parts);
        const first = startWorker();
        expect((await ended(calls, await submit(calls, entities))).status).toBe('completed');
        // Of each assembly every second part stays; each part stands there twice.
        const kept = entities.filter((_, at) => at < 11 || Math.floor((at - 11) / 20) % 2 === 0);
        const held = await holdPhase(service, phase);
        const batchId = await submit(calls, kept, '?structure=exact');
        await vi.waitUntil(async () => (await held.waiting()) > 0, patience);
        await first.kill();
        await held.release();
        const second = startWorker();
        expect(await ended(calls, batchId)).toMatchObject({
          status: 'completed',
          structure: 'exact',
          counts: { total: kept.length, created: 0, updated: 11, skipped: kept.length - 11, error: 0 },
        });
        expect((await allResults(calls, batchId)).map((result) => result.index)).toEqual(
          kept.map((_, i) => i),
        );
        expect(await counts(workspace)).toEqual({
          entities: parts + 11,
          links: parts + 10,
          quantity: 1.5 * parts + 10,
          revisions: 0,
        });
        await second.kill();
      }),
  );
});

describeConcurrent('a queue that loses everything', () => {
  it('costs nothing that was acknowledged: healing announces it again', () =>
    inService(async ({ server, calls, startWorker }) => {
      const first = await submit(calls, billOfMaterials(50));
      const second = await submit(calls, billOfMaterials(50));
      for (const queue of Object.values(server.ctx.queues.byName)) await queue.obliterate({ force: true });
      const worker = startWorker();
      for (const id of [first, second]) expect((await ended(calls, id)).status).toBe('completed');
      await worker.kill();
    }));
});

describeConcurrent('a chunk that always fails', () => {
  it('ends its batch as failed with the reason after bounded attempts, and the next batch proceeds', () =>
    inService(async ({ workspace, calls, startWorker }) => {
      const good = [element(), element({ guid: randomUUID() })];
      const poisoned = await submit(calls, billOfMaterials(500));
      await workspace.transact((tx) =>
        tx.query(`update sync_payload set elements = '\\x00' where batch_id = $1 and chunk = 2`, [poisoned]),
      );
      const next = await submit(calls, good);
      const worker = startWorker();
      const batch = await ended(calls, poisoned);
      expect(batch.status).toBe('failed');
      expect(batch.failure).toMatchObject({ code: 'chunk_failed' });
      expect(batch.failure?.message).toContain('5 attempts');
      expect((await ended(calls, next)).counts).toMatchObject({ created: 2 });
      await worker.kill();
    }));
});

describeConcurrent('a pass over the structure that always fails', () => {
  it('ends its batch as failed too, and a retry does the rest without doing anything twice', () =>
    inService(async ({ server, workspace, calls, startWorker }) => {
      const waiting = element();
      const [top] = billOfMaterials(0);
      const worker = startWorker();
      // A link that waits for the top assembly, which the batch creates.
      await ended(calls, await submit(calls, [{ ...waiting, parentGuid: top.guid }]));
      const entities = [top, ...billOfMaterials(500)];
      const admin = new Client({ connectionString: server.ctx.databaseUrl });
      await admin.connect();
      await admin.query(`
      create function refuse_links() returns trigger language plpgsql as
        'begin raise exception ''the disk of links is broken''; end';
      create trigger refuse_links before insert on entity_link for each row
        when (new.workspace_id = '${workspace.id}') execute function refuse_links()`);
      const batchId = await submit(calls, entities);
      const failed = await ended(calls, batchId);
      expect(failed.status).toBe('failed');
      expect(failed.failure?.message).toContain('link');
      await admin.query('drop trigger refuse_links on entity_link');
      await admin.end();

      expect((await workspace.ask('POST', `/pdm/sync/batches/${batchId}/retry`)).status).toBe(202);
      const batch = await ended(calls, batchId);
      expect(batch).toMatchObject({
        status: 'completed',
        counts: { created: 512, skipped: 500, updated: 0, error: 0 },
      });
      expect(await counts(workspace)).toMatchObject({ entities: 513, links: 1011 });
      expect(await calls.uses(top.guid)).toEqual({ [waiting.number]: 1 });
      await worker.kill();
    }));
});
