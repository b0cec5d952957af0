/** Cancelling in the middle: what is written is linked too, and only then does the next batch begin. */
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { unpackEvents } from '../../src/events/record-events.ts';
import { waitForChunks } from '../../src/sync/chunk/batch.sql.ts';
import type { BatchRef } from '../../src/sync/chunk/thread-context.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, type SentPart, type SyncCalls, syncCalls } from './sync-calls.ts';
import { openSyncSteps, refIn, type SyncSteps } from './sync-steps.ts';

let server: TestServer;
let steps: SyncSteps;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

beforeAll(async () => {
  server = await startTestServer({ environment: { SYNC_CHUNK_ELEMENTS: '5' } });
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
  const sent = await calls.send({ entities }, { query, headers: { Prefer: 'respond-async' } });
  expect(sent.status, sent.text).toBe(202);
  return refIn(workspace, sent.body.batchId);
}

const cancel = ({ batchId }: BatchRef): Promise<TestAnswer> =>
  workspace.ask('POST', `/pdm/sync/batches/${batchId}/cancel`, undefined, { Prefer: 'wait=0' });
const batchOf = async ({ batchId }: BatchRef) => (await calls.get(`/pdm/sync/batches/${batchId}`)).body;

/** Assemblies, in four chunks, and parts under them, which are written where they are planned. */
function payload(): { tops: SentPart[]; parts: SentPart[] } {
  const tops = Array.from({ length: 20 }, () => element({ categoryKey: 'assembly' }));
  const parts = Array.from({ length: 60 }, (_, i) =>
    element({ parentGuid: tops[i % 20]?.guid, quantity: 3 }),
  );
  return { tops, parts };
}

/** The GUIDs of those that are there. */
async function written(elements: readonly SentPart[]): Promise<Set<string>> {
  const rows = await workspace.transact((tx) =>
    tx.query<{ guid: string }>('select guid from entity where workspace_id = $1 and guid = any($2)', [
      workspace.id,
      elements.map(({ guid }) => guid),
    ]),
  );
  return new Set(rows.map(({ guid }) => guid));
}

/** `child parent` → quantity, of links and of links that wait. */
interface Structure {
  links: Record<string, number> | null;
  pending: Record<string, number> | null;
}

async function structure(): Promise<Structure> {
  const [row] = await workspace.transact((tx) =>
    tx.query<Structure>(
      `select
         (select jsonb_object_agg(c.guid || ' ' || p.guid, l.quantity) from entity_link l
          join entity p on p.workspace_id = $1 and p.id = l.parent_id
          join entity c on c.workspace_id = $1 and c.id = l.child_id where l.workspace_id = $1) as links,
         (select jsonb_object_agg(c.guid || ' ' || w.parent_guid, w.quantity) from pending_link w
          join entity c on c.workspace_id = $1 and c.id = w.child_id where w.workspace_id = $1) as pending`,
      [workspace.id],
    ),
  );
  return row as Structure;
}

/** What the structure must be with these elements, as far as they are written. */
async function expectedStructure(elements: readonly SentPart[], parents: readonly SentPart[]) {
  const there = await written([...elements, ...parents]);
  const asked = elements.filter(({ guid, parentGuid }) => there.has(guid) && parentGuid !== undefined);
  const some = (made: boolean) =>
    Object.fromEntries(
      asked
        .filter(({ parentGuid }) => there.has(String(parentGuid)) === made)
        .map(({ guid, parentGuid, quantity }) => [`${guid} ${parentGuid}`, quantity]),
    );
  return { links: some(true), pending: some(false) };
}

it('links what is written, makes the links that waited for it, and lets the next batch go on after that', async () => {
  await workspace.transact((tx) => tx.query('insert into event_listener values ($1, 2)', [workspace.id]));
  const { tops, parts } = payload();
  const waiting = tops.map((top) => element({ parentGuid: top.guid, quantity: 7 }));
  await steps.toPhase(await submit(waiting), 'done');
  const ref = await submit([...tops, ...parts]);
  const next = await submit([element()]);
  await steps.toPhase(ref, 'write');
  for (let chunk = 0; chunk < 2; chunk++) await steps.step(ref);
  const before = await batchOf(ref);
  const processed = parts.length + 2 * 5;
  expect(before.counts).toMatchObject({ processed, created: processed });

  for (const answer of [await cancel(ref), await cancel(ref)]) {
    expect([answer.status, answer.body.status, answer.body.finishedAt]).toEqual([202, 'processing', null]);
    expect(answer.headers.get('location')).toBe(answer.body.links.self);
  }
  await steps.step(next);
  expect((await batchOf(next)).status).toBe('queued');
  await steps.toPhase(ref, 'done');

  const batch = await batchOf(ref);
  expect(batch).toMatchObject({
    status: 'cancelled',
    counts: { processed, created: processed },
    cancellation: { by: { type: 'apiKey', name: 'First key' }, reason: null },
  });
  expect(batch.results).toHaveLength(processed);
  const wanted = await expectedStructure([...waiting, ...parts], tops);
  expect(Object.keys(wanted.links).length).toBeGreaterThan(0);
  expect(Object.keys(wanted.pending).length).toBeGreaterThan(0);
  // Of parts that wait for an assembly that did not come it is said.
  const waitingParts = parts.filter(({ guid, parentGuid }) => `${guid} ${parentGuid}` in wanted.pending);
  expect(batch.counts.warnings).toBe(waitingParts.length);
  expect(await structure()).toEqual(wanted);
  const stream = await calls.get(`/pdm/sync/batches/${ref.batchId}/events`);
  expect(stream.text).toContain('event: cancelled');
  const again = await cancel(ref);
  expect([again.status, again.body.code]).toEqual([409, 'batch_finished']);

  await steps.toPhase(next, 'done');
  expect((await batchOf(next)).status).toBe('completed');
  // One import before it and one after it have completed.
  const events = await workspace.transact((tx) =>
    tx.query('select from outbox where workspace_id = $1', [workspace.id]),
  );
  expect(events).toHaveLength(2);
});

it('links what was written where it was planned, and what waits for parents that did not come is linked when they do', async () => {
  const { tops, parts } = payload();
  const ref = await submit([...tops, ...parts]);
  for (let chunk = 0; chunk < 4 + 3; chunk++) await steps.step(ref);
  expect((await batchOf(ref)).counts).toMatchObject({ processed: 3 * 5, created: 3 * 5 });
  expect((await cancel(ref)).status).toBe(202);
  await steps.toPhase(ref, 'done');
  expect(await batchOf(ref)).toMatchObject({
    status: 'cancelled',
    counts: { created: 3 * 5, warnings: 3 * 5 },
  });
  const waiting = await expectedStructure(parts, tops);
  expect(Object.keys(waiting.pending)).toHaveLength(3 * 5);
  expect(await structure()).toEqual({ links: null, pending: waiting.pending });
  await steps.toPhase(await submit(tops), 'done');
  expect(await structure()).toEqual({ links: waiting.pending, pending: null });
});

it('closes no cycle where links were to go that are still there', async () => {
  for (const chunks of [1, 2, 3, 4]) {
    // Each over the next: x, a, b. The batch puts x under b, and takes b away from a.
    const chains = Array.from({ length: 8 }, () => {
      const [x, a, b] = [0, 1, 2].map(() => element({ categoryKey: 'assembly' })) as [
        SentPart,
        SentPart,
        SentPart,
      ];
      return { x, a, b };
    });
    const stored = chains.flatMap(({ x, a, b }) => [
      x,
      { ...a, parentGuid: x.guid },
      { ...b, parentGuid: a.guid },
    ]);
    await steps.toPhase(await submit(stored), 'done');
    const wanted = chains.flatMap(({ x, a, b }) => [
      { ...x, parentGuid: b.guid },
      { ...a, hasChildren: false },
      b,
    ]);
    const ref = await submit(wanted, '?structure=exact');
    await steps.toPhase(ref, 'write');
    for (let chunk = 0; chunk < chunks; chunk++) await steps.step(ref);
    // It ends at once where the chunks so far held none of its elements: which do is by chance.
    expect([200, 202]).toContain((await cancel(ref)).status);
    await steps.toPhase(ref, 'done');
    const links = Object.keys((await structure()).links ?? {}).map((link) => link.split(' '));
    const leads = (from: unknown, to: unknown): boolean =>
      links.some(([child, parent]) => parent === from && (child === to || leads(child, to)));
    for (const { x, a, b } of chains)
      expect(leads(x.guid, a.guid) && leads(a.guid, b.guid) && leads(b.guid, x.guid)).toBe(false);
  }
});

it('tells automations of a batch that was cancelled, once', async () => {
  const listener = { name: 'Listens', contextTypeId: 10, script: '1' };
  expect((await workspace.ask('POST', '/automations', listener)).status).toBe(201);
  const ref = await submit([element()]);
  expect((await cancel(ref)).body.status).toBe('cancelled');
  expect((await cancel(ref)).status).toBe(409);
  const rows = await workspace.transact((tx) =>
    tx.query<{ context_type: number; events: Buffer }>(
      'select context_type, events from outbox where workspace_id = $1',
      [workspace.id],
    ),
  );
  expect(rows.map(({ context_type: type, events }) => [type, unpackEvents(events)])).toMatchObject([
    [10, [{ batchId: ref.batchId, status: 'cancelled', insertCount: 0, failure: null }]],
  ]);
});

it('ends a batch at once that has written nothing', async () => {
  const { tops, parts } = payload();
  for (const phase of ['structure', 'write'] as const) {
    // Nothing of a batch that says its structure exactly is written before all of it is planned.
    const ref = await submit([...tops, ...parts], '?structure=exact');
    await steps.toPhase(ref, phase);
    const answer = await cancel(ref);
    expect([answer.status, answer.body.status]).toEqual([200, 'cancelled']);
    expect(answer.body.finishedAt).not.toBeNull();
  }
  expect(await written([...tops, ...parts])).toEqual(new Set());
});

/** A chunk of the batch is under way until `release`; `untilWaiting` tells when so many calls or jobs wait for a lock. */
interface UnderWay {
  release(): Promise<unknown>;
  untilWaiting(count: number): Promise<void>;
}

/** The batch renames so many entities that are there. */
async function withChunkUnderWay(
  count: number,
  work: (ref: BatchRef, underWay: UnderWay) => Promise<void>,
): Promise<void> {
  const stored = Array.from({ length: count }, () => element());
  await steps.toPhase(await submit(stored), 'done');
  const ref = await submit(stored.map((sent) => ({ ...sent, name: 'Renamed' })));
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  const watcher = new Client({ connectionString: server.ctx.databaseUrl });
  await Promise.all([holder.connect(), watcher.connect()]);
  const untilWaiting = (waiting: number, of: string) =>
    vi.waitFor(async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and ${of}`,
      );
      expect(rowCount).toBe(waiting);
    }, patience);
  try {
    await holder.query('begin');
    const lock = 'select from entity where workspace_id = $1 and guid = any ($2) for update';
    await holder.query(lock, [workspace.id, stored.slice(0, 1).map(({ guid }) => guid)]);
    const underWay = steps.step(ref);
    await untilWaiting(1, `application_name = 'test'`);
    await work(ref, {
      release: () => Promise.all([holder.query('commit'), underWay]),
      untilWaiting: (waiting) => untilWaiting(waiting, `application_name <> 'test'`),
    });
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}

it('waits for the chunk under way and for no other, however many follow one another', () =>
  withChunkUnderWay(20, async (ref, { release, untilWaiting }) => {
    const cancelled = cancel(ref);
    await untilWaiting(1);
    // Whoever makes way comes again: he who cancels may be killed, and the batch goes on.
    for (let chunk = 0; chunk < 3; chunk++) expect(await steps.step(ref)).toBe(1);
    expect((await batchOf(ref)).counts).toMatchObject({ processed: 0 });
    await release();
    const answer = await cancelled;
    expect([answer.status, answer.body.status], answer.text).toEqual([200, 'cancelled']);
    expect(answer.body.counts).toMatchObject({ processed: 5, updated: 5 });
  }));

it('comes too late for a batch of one chunk that is under way, whose other jobs come again meanwhile', () =>
  withChunkUnderWay(3, async (ref, { release, untilWaiting }) => {
    const cancelled = cancel(ref);
    await untilWaiting(1);
    expect(await steps.step(ref)).toBe(1);
    await release();
    const answer = await cancelled;
    expect([answer.status, answer.body.code], answer.text).toEqual([409, 'batch_finished']);
    expect(await batchOf(ref)).toMatchObject({ status: 'completed', counts: { updated: 3 } });
  }));

it('does not wait for the pass over the structure, which makes way and is made anew if nobody cancels after all', async () => {
  const { tops, parts } = payload();
  const ref = await submit([...tops, ...parts], '?structure=exact');
  await steps.toPhase(ref, 'structure');
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
  const decided = () =>
    workspace.transact((tx) =>
      tx.query(
        'select ordinal from sync_chunk where workspace_id = $1 and batch_id = $2 and structure is not null',
        [workspace.id, ref.batchId],
      ),
    );
  /** The pass stands before the row of the first chunk that it decides on, while `during` is done. */
  const withPassUnderWay = async (during: () => Promise<void>) => {
    await holder.query('begin');
    await holder.query('select from sync_chunk where batch_id = $1 for update', [ref.batchId]);
    const underWay = steps.step(ref);
    await untilWaiting(1);
    await during();
    await holder.query('commit');
    // It comes again, for whoever waits may be killed.
    expect(await underWay).toBe(1);
  };
  try {
    const impatient = new Client({ connectionString: server.ctx.databaseUrl });
    await impatient.connect();
    await withPassUnderWay(async () => {
      await impatient.query('begin');
      await impatient.query(waitForChunks, [workspace.id, ref.batchId]);
    });
    expect(await decided()).toEqual([]);
    await impatient.end();

    let cancelled: Promise<TestAnswer> | undefined;
    await withPassUnderWay(async () => {
      cancelled = cancel(ref);
      await untilWaiting(2);
    });
    const answer = await (cancelled as Promise<TestAnswer>);
    expect([answer.status, answer.body.status], answer.text).toEqual([200, 'cancelled']);
    expect(await decided()).toEqual([]);
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
});

it('and a batch that fails just then wait for the same chunk, and not for each other', () =>
  withChunkUnderWay(20, async (ref, { release, untilWaiting }) => {
    await workspace.transact((tx) =>
      tx.query('update sync_batch set attempts = $2 where id = $1', [
        ref.batchId,
        server.ctx.config.SYNC_CHUNK_ATTEMPTS - 1,
      ]),
    );
    const cancelled = cancel(ref);
    await untilWaiting(1);
    const failed = steps.stepDying(ref);
    await untilWaiting(2);
    // Neither has the batch's row, which he wants who gets on first.
    const take = 'select from sync_batch where id = $1 for no key update nowait';
    await workspace.transact((tx) => tx.query(take, [ref.batchId]));
    await Promise.all([release(), failed]);
    const answer = await cancelled;
    expect([answer.status, answer.body.status], answer.text).toEqual([200, 'cancelled']);
  }));

it('links what a failed and retried batch had written, though it is in line again', async () => {
  const { tops, parts } = payload();
  const ref = await submit([...tops, ...parts]);
  await steps.toPhase(ref, 'write');
  for (let chunk = 0; chunk < 2; chunk++) await steps.step(ref);
  // The world as a failure leaves it.
  await workspace.transact((tx) =>
    tx.query(`update sync_batch set status = 'failed', finished_at = now() where id = $1`, [ref.batchId]),
  );
  const retried = await workspace.ask('POST', `/pdm/sync/batches/${ref.batchId}/retry`);
  expect(retried.status, retried.text).toBe(202);
  expect((await cancel(ref)).body.status).toBe('queued');
  await steps.toPhase(ref, 'done');
  expect((await batchOf(ref)).status).toBe('cancelled');
  expect(await structure()).toEqual(await expectedStructure(parts, tops));
});

it('a batch that fails while it is being cancelled is still cancelled when it is retried', async () => {
  const { tops, parts } = payload();
  const ref = await submit([...tops, ...parts]);
  await steps.toPhase(ref, 'write');
  for (let chunk = 0; chunk < 2; chunk++) await steps.step(ref);
  await cancel(ref);
  await steps.step(ref);
  await workspace.transact((tx) =>
    tx.query(`update sync_batch set status = 'failed', finished_at = now() where id = $1`, [ref.batchId]),
  );
  const retried = await workspace.ask('POST', `/pdm/sync/batches/${ref.batchId}/retry`);
  expect(retried.status, retried.text).toBe(202);
  await steps.toPhase(ref, 'done');
  expect(await batchOf(ref)).toMatchObject({
    status: 'cancelled',
    counts: { processed: parts.length + 2 * 5 },
  });
  expect(await structure()).toEqual(await expectedStructure(parts, tops));
});

it('says the same again to the same Idempotency-Key', async () => {
  const ref = await submit([element()]);
  const path = `/pdm/sync/batches/${ref.batchId}/cancel`;
  const headers = { 'Idempotency-Key': 'cancel-it', Prefer: 'wait=0' };
  const first = await workspace.ask('POST', path, undefined, headers);
  const second = await workspace.ask('POST', path, undefined, headers);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
});
