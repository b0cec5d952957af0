/** Retrying a batch that failed in the middle: what is left of it is done, and what it did is not held against it. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { unpackEvents } from '../../src/events/record-events.ts';
import { ChunkError } from '../../src/sync/chunk/claim-chunk.ts';
import type { BatchRef } from '../../src/sync/chunk/thread-context.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, outcomeOf, type SyncCalls, type SyncedBatch, syncCalls, taken } from './sync-calls.ts';
import { openSyncSteps, refIn, type SyncSteps } from './sync-steps.ts';

const respondAsync = { Prefer: 'respond-async' };

let server: TestServer;
let steps: SyncSteps;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

beforeAll(async () => {
  server = await startTestServer({ environment: { SYNC_CHUNK_ELEMENTS: '1' } });
  steps = await openSyncSteps(server);
});
afterAll(async () => {
  await steps.close();
  await server.close();
});
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});

async function submit(entities: unknown[], query = ''): Promise<BatchRef> {
  const sent = await calls.send({ entities }, { headers: respondAsync, query });
  expect(sent.status, sent.text).toBe(202);
  return refIn(workspace, sent.body.batchId);
}

async function commitOf(entities: unknown[]): Promise<BatchRef> {
  const plan = await submit(entities, '?dryRun=true');
  await steps.toPhase(plan, 'done');
  const path = `/pdm/sync/batches/${plan.batchId}/commit`;
  const sent = await workspace.ask('POST', path, undefined, respondAsync);
  expect(sent.status, sent.text).toBe(202);
  return refIn(workspace, sent.body.batchId);
}

/** As a person at the database does it, without a wait for what is under way. */
async function fail(ref: BatchRef): Promise<void> {
  const failure = JSON.stringify({ code: 'chunk_failed', message: 'By the test.' });
  await workspace.transact((tx) =>
    tx.query(
      `update sync_batch set status = 'failed', finished_at = now(), failure = $2
       where workspace_id = $3 and id = $1`,
      [ref.batchId, failure, workspace.id],
    ),
  );
}

async function putBack(ref: BatchRef): Promise<void> {
  const retried = await workspace.ask('POST', `/pdm/sync/batches/${ref.batchId}/retry`);
  expect(retried.status, retried.text).toBe(202);
}

/** Fails the batch as it stands and puts it back in line. */
async function failAndPutBack(ref: BatchRef): Promise<void> {
  await fail(ref);
  await putBack(ref);
}

/** The same, and lets it end. */
async function failAndRetry(ref: BatchRef): Promise<SyncedBatch> {
  await failAndPutBack(ref);
  await steps.toPhase(ref, 'done');
  return (await calls.get(`/pdm/sync/batches/${ref.batchId}`)).body;
}

const outcomes = ({ results }: SyncedBatch) => results.map(outcomeOf);

/** The lowest first: that is the order of their chunks. */
const sortedGuids = () => [randomUUID(), randomUUID(), randomUUID()].sort() as [string, string, string];

it('makes the links of entities in which the plan found nothing to write', async () => {
  const [parent, child, fresh] = [element(), element(), element()];
  await steps.toPhase(await submit([parent, child]), 'done');
  const ref = await submit([{ ...child, parentGuid: parent.guid, quantity: 2 }, fresh]);
  await steps.toPhase(ref, 'structure');
  const batch = await failAndRetry(ref);
  expect([batch.status, ...outcomes(batch)]).toEqual(['completed', 'updated', 'created']);
  expect(await calls.uses(parent.guid)).toEqual({ [child.number]: 2 });
});

it('says nothing of elements that are planned again until they are, and still what was made of the others', async () => {
  const [parent, child, fresh] = [element(), element(), element()];
  await steps.toPhase(await submit([parent, child]), 'done');
  const ref = await submit([{ ...child, parentGuid: parent.guid }, parent, fresh]);
  await steps.toPhase(ref, 'structure');
  const path = `/pdm/sync/batches/${ref.batchId}`;
  expect((await calls.get(`${path}/results`)).body.items).toHaveLength(3);
  await failAndPutBack(ref);
  const { items } = (await calls.get(`${path}/results`)).body;
  expect(items.map(outcomeOf)).toEqual(['created']);
  expect((await calls.get(path)).body.counts).toMatchObject({ total: 3, processed: 1, skipped: 0 });
  await workspace.ask('POST', `${path}/cancel`);
  expect((await calls.get(path)).body).toMatchObject({ status: 'cancelled', counts: { processed: 1 } });
});

it('keeps saying “created” of what was written where it was planned, whenever the batch fails, and links it', async () => {
  const top = element();
  for (const phase of ['plan', 'structure', 'write', 'link'] as const) {
    const [parent, gone] = [element({ parentGuid: top.guid }), randomUUID()];
    const leaves = Array.from({ length: 3 }, () => element({ parentGuid: parent.guid }));
    const lost = element({ parentGuid: gone });
    const ref = await submit([...leaves, lost, parent, top]);
    if (phase !== 'plan') await steps.toPhase(ref, phase);
    // In the plan: both parents, and two of the others.
    for (let step = 0; step < 4 && phase === 'plan'; step++) await steps.step(ref);
    const batch = await failAndRetry(ref);
    expect([batch.status, ...outcomes(batch).slice(0, -1)], phase).toEqual([
      'completed',
      ...Array.from({ length: 5 }, () => 'created'),
    ]);
    expect(batch.counts).toMatchObject({ total: 6, warnings: 1 });
    const warned = batch.results.map((result) => taken(result).warnings?.map(({ code }) => code));
    expect(warned).toEqual([undefined, undefined, undefined, ['parent_pending'], undefined, undefined]);
    expect(await calls.uses(parent.guid)).toEqual(
      Object.fromEntries(leaves.map(({ number }) => [number, 1])),
    );
  }
});

it('takes out of an assembly only what no part of an exact batch names, also what was written before', async () => {
  const top = element();
  const parts = Array.from({ length: 4 }, () => element({ parentGuid: top.guid }));
  const gone = element({ parentGuid: top.guid });
  const fresh = element({ parentGuid: top.guid });
  await steps.toPhase(await submit([top, ...parts, gone]), 'done');
  for (const phase of ['structure', 'write', 'link'] as const) {
    await steps.toPhase(await submit([{ ...gone }]), 'done');
    const renamed = parts.map((part) => ({ ...part, name: `${part.name} in ${phase}` }));
    const ref = await submit([top, ...renamed, fresh], '?structure=exact');
    await steps.toPhase(ref, phase);
    for (let step = 0; step < 3 && phase !== 'structure'; step++) await steps.step(ref);
    const batch = await failAndRetry(ref);
    expect(batch.status).toBe('completed');
    const left = Object.fromEntries([...parts, fresh].map(({ number }) => [number, 1]));
    expect(await calls.uses(top.guid)).toEqual(left);
  }
});

it('plans all of a dry run again', async () => {
  const [low, high] = sortedGuids();
  const planned = [element({ guid: low }), element({ guid: high, parentGuid: low })];
  const ref = await submit(planned, '?dryRun=true');
  await steps.toPhase(ref, 'write');
  await steps.step(ref);
  const batch = await failAndRetry(ref);
  expect(batch).toMatchObject({ status: 'completed', counts: { created: 2, warnings: 0 } });
});

it('goes on with a committed plan that has begun to be written, but for what was edited meanwhile', async () => {
  const [low, middle, high] = sortedGuids();
  const edited = element({ guid: high });
  await steps.toPhase(await submit([edited]), 'done');
  // The child is planned under a parent that only this batch makes.
  const [parent, child] = [element({ guid: low }), element({ guid: middle, parentGuid: low })];
  const ref = await commitOf([parent, child, { ...edited, name: 'As planned' }]);
  await steps.toPhase(ref, 'write');
  await steps.step(ref);
  expect((await workspace.ask('PATCH', `/entities/guid:${high}`, { name: 'By hand' })).status).toBe(200);
  const batch = await failAndRetry(ref);
  expect([batch.status, ...outcomes(batch)]).toEqual(['completed', 'created', 'created', 'plan_stale']);
  expect(await calls.uses(low)).toEqual({ [child.number]: 1 });
  expect((await calls.entity(high)).name).toBe('By hand');
});

it('goes on with a committed plan that is written and not linked', async () => {
  const [low, middle, high] = sortedGuids();
  const parent = element({ guid: high });
  await steps.toPhase(await submit([parent]), 'done');
  const [first, second] = [
    element({ guid: low, parentGuid: high }),
    element({ guid: middle, parentGuid: high }),
  ];
  const ref = await commitOf([parent, first, second]);
  await steps.toPhase(ref, 'link');
  await steps.step(ref);
  const batch = await failAndRetry(ref);
  expect([batch.status, ...outcomes(batch)]).toEqual(['completed', 'skipped', 'created', 'created']);
  expect(await calls.uses(high)).toEqual({ [first.number]: 1, [second.number]: 1 });
});

it('refuses a link that closes a cycle with one that is written and not made, and nothing of its element is written', async () => {
  const [low, , high] = sortedGuids();
  const [first, second] = [element({ guid: low }), element({ guid: high })];
  await steps.toPhase(await submit([first, second]), 'done');
  const ref = await submit([
    { ...first, name: 'Under the second', parentGuid: high },
    { ...second, name: 'Under the first', parentGuid: low },
  ]);
  await steps.toPhase(ref, 'write');
  await steps.step(ref);
  const batch = await failAndRetry(ref);
  expect([batch.status, ...outcomes(batch)]).toEqual(['completed', 'updated', 'cycle']);
  expect(await calls.uses(high)).toEqual({ [first.number]: 1 });
  expect((await calls.entity(high)).name).toBe(second.name);
});

it('completes a batch of one part that was failed by hand at the database while its part was being written', async () => {
  const stored = element();
  await steps.toPhase(await submit([stored]), 'done');
  const ref = await submit([{ ...stored, name: 'Renamed' }]);
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from entity where workspace_id = $1 for update', [workspace.id]);
    const underWay = steps.step(ref);
    await vi.waitFor(async () => {
      const { rowCount } = await holder.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(rowCount).toBe(1);
    }, patience);
    await fail(ref);
    await holder.query('commit');
    await underWay;
  } finally {
    await holder.end();
  }
  expect((await calls.entity(stored.guid)).name).toBe('Renamed');
  await putBack(ref);
  await steps.toPhase(ref, 'done');
  const batch = (await calls.get(`/pdm/sync/batches/${ref.batchId}`)).body;
  expect([batch.status, batch.counts.updated, ...outcomes(batch)]).toEqual(['completed', 1, 'updated']);
});

it('a queue that takes nothing counts against no batch, however many of its steps find that', async () => {
  const ref = await submit(Array.from({ length: 12 }, () => element()));
  const full = Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' });
  // Each takes its step and cannot say so: more often than a batch may fail.
  for (let taken = 0; taken < 2 * server.ctx.config.SYNC_CHUNK_ATTEMPTS; taken++)
    await expect(steps.stepBeside(full, ref)).rejects.toMatchObject({ cause: full });
  await steps.toPhase(ref, 'done');
  const batch = (await calls.get(`/pdm/sync/batches/${ref.batchId}`)).body;
  expect([batch.status, batch.counts.created]).toEqual(['completed', 12]);
});

it('does not fail a batch for a chunk that another job has done before the last attempt at it was counted', async () => {
  const stored = [element(), element(), element()];
  await steps.toPhase(await submit(stored), 'done');
  const ref = await submit(stored.map((sent) => ({ ...sent, name: 'Renamed' })));
  await workspace.transact((tx) =>
    tx.query('update sync_chunk set attempts = $3 where workspace_id = $1 and batch_id = $2', [
      ...[workspace.id, ref.batchId],
      server.ctx.config.SYNC_CHUNK_ATTEMPTS - 1,
    ]),
  );
  const listener = { name: 'Listens', contextTypeId: 10, script: '1' };
  expect((await workspace.ask('POST', '/automations', listener)).status).toBe(201);
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  const watcher = new Client({ connectionString: server.ctx.databaseUrl });
  await Promise.all([holder.connect(), watcher.connect()]);
  const untilWaiting = (count: number) =>
    vi.waitFor(async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(rowCount).toBe(count);
    }, patience);
  try {
    await holder.query('begin');
    await holder.query('select from entity where workspace_id = $1 for update', [workspace.id]);
    const underWay = steps.step(ref);
    await untilWaiting(1);
    // A job that had the chunk before it, and comes to count what went wrong only now.
    const failing = steps.stepDying(ref, new ChunkError(0, new Error('By the test')));
    await untilWaiting(2);
    await holder.query('commit');
    await Promise.all([underWay, failing]);
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
  expect((await calls.get(`/pdm/sync/batches/${ref.batchId}`)).body.status).toBe('processing');
  // One that nobody has done fails as ever.
  await steps.stepDying(ref, new ChunkError(1, new Error('By the test')));
  const failed = (await calls.get(`/pdm/sync/batches/${ref.batchId}`)).body;
  expect([failed.status, failed.failure.code]).toEqual(['failed', 'chunk_failed']);
  const [told] = await workspace.transact((tx) =>
    tx.query<{ events: Buffer }>('select events from outbox where workspace_id = $1 and context_type = 10', [
      workspace.id,
    ]),
  );
  expect(unpackEvents(told?.events ?? Buffer.of())).toMatchObject([
    { batchId: ref.batchId, status: 'failed', failure: { code: 'chunk_failed' } },
  ]);
  const retried = await workspace.ask('POST', `/pdm/sync/batches/${ref.batchId}/retry`);
  expect(retried.status, retried.text).toBe(202);
  await steps.toPhase(ref, 'done');
  const ended = (await calls.get(`/pdm/sync/batches/${ref.batchId}`)).body;
  expect(ended).toMatchObject({ status: 'completed', counts: { updated: 3, error: 0 } });
});
