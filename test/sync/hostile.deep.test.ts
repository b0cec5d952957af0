/**
 * Payloads inside every limit that ask for as much as they can of a thread. Its heap is a third of what it is by default
 * and so are they: whatever passes the limits completes.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, type SyncCalls, type SyncedBatch, syncCalls, taken } from './sync-calls.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { SYNC_THREAD_HEAP_MIB: '64' } });
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});
afterAll(() => server.close());

const ndjson = 'application/x-ndjson';

/** Sends lines, waits for the end and expects it to be `completed`. */
async function completed(lines: Iterable<unknown>, query = ''): Promise<SyncedBatch> {
  const body = [...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
  const sent = await calls.send(body, {
    query,
    headers: { 'Content-Type': ndjson, Prefer: 'respond-async' },
  });
  expect(sent.status, sent.text).toBe(202);
  const path = `/pdm/sync/batches/${sent.body.batchId}`;
  const batch = await vi.waitUntil(async () => {
    const { body: now } = await calls.get(path);
    return now.finishedAt !== null && now;
  }, patience);
  expect(batch).toMatchObject({ status: 'completed' });
  return batch;
}

async function define(keys: readonly string[], type: string): Promise<void> {
  await workspace.transact((tx) =>
    tx.query(
      `insert into property_definition (workspace_id, key, name, type)
       select $1, key, key, $3 from unnest($2::text[]) as key`,
      [workspace.id, keys, type],
    ),
  );
}

it('one part for each of its occurrences, with all its data each time', async () => {
  await define(['Note'], 'text');
  const screw = element({ properties: { Note: 'n'.repeat(400) } });
  const top = element();
  function* occurrences(): Generator<unknown> {
    yield top;
    for (let i = 0; i < 30_000; i++) yield { ...screw, parentGuid: top.guid };
  }
  const batch = await completed(occurrences());
  expect(batch.counts).toMatchObject({ created: 2, skipped: 29_999, warnings: 29_999 });
  expect(await calls.uses(top.guid)).toEqual({ [screw.number]: 30_000 });
});

it('one part under very many parents, of which none is there', async () => {
  const screw = element();
  function* occurrences(): Generator<unknown> {
    for (let i = 0; i < 30_000; i++) yield { ...screw, parentGuid: randomUUID() };
  }
  const batch = await completed(occurrences());
  expect(batch.counts).toMatchObject({ created: 1, skipped: 29_999 });
});

it('values that cannot be read, as many as there may be', async () => {
  const keys = Array.from({ length: 500 }, (_, i) => `Bad${i}`);
  await define(keys, 'numeric');
  const properties = Object.fromEntries(keys.map((key) => [key, 'x']));
  const flood = Array.from({ length: 500 }, () => element({ properties }));
  const batch = await completed(flood);
  // All are counted; some are named, and one says how many there are besides.
  expect(batch.counts).toMatchObject({ created: 500, warnings: 250_000 });
  const { warnings = [] } = batch.results[0];
  expect(warnings).toHaveLength(21);
  expect(warnings[20]).toMatchObject({ code: 'more_warnings', count: 480 });
});

it('a dry run of very large changes, of which a person is shown as much as can be read', async () => {
  const keys = Array.from({ length: 100 }, (_, i) => `Text${i}`);
  await define(keys, 'text');
  const properties = Object.fromEntries(keys.map((key) => [key, 'x'.repeat(3000)]));
  const large = Array.from({ length: 100 }, () => element({ properties }));
  const plan = await completed(large, '?dryRun=true');
  expect(plan.counts).toMatchObject({ created: 100, error: 0 });
  const { changes = [], changesOmitted = 0 } = taken(plan.results[0]);
  expect(changes.slice(0, 2).map(({ field }) => field)).toEqual(['number', 'name']);
  expect(changes[2]?.to).toBe(`${'x'.repeat(1000)}…`);
  expect(changes.length + changesOmitted).toBe(102);
  expect(JSON.stringify(changes).length).toBeLessThan(20_000);
});

it.each([
  ['at once', 'Said', ''],
  ['by a worker', 'Noted', ''],
  ['in a dry run', 'Planned', '?dryRun=true'],
])('entities that hold megabytes each, sent again with next to nothing: %s', async (how, key, query) => {
  const count = 30;
  await define([key], 'text');
  const some = Array.from({ length: count }, () => element({ properties: { [key]: 'first' } }));
  await completed(some);
  // As text 4 MB each, and together a multiple of what a thread may have; repeated, so that the test need not store them so.
  const large = {
    [key]: 'r'.repeat(1000),
    ...Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`P${i}`, 'x'.repeat(32_000)])),
  };
  await workspace.transact(async (tx) => {
    await tx.query(
      'update entity set properties = $3, sync_hash = null where workspace_id = $1 and guid = any($2::uuid[])',
      [workspace.id, some.map(({ guid }) => guid), JSON.stringify(large)],
    );
    // Somebody is told what each was before.
    await tx.query(
      'insert into event_listener (workspace_id, context_type, listener_id) values ($1, 4, $2) on conflict do nothing',
      [workspace.id, randomUUID()],
    );
  });
  const again = some.map((one) => ({ ...one, properties: { [key]: 'second' } }));
  const batch = how === 'at once' ? await calls.sync(again) : await completed(again, query);
  expect(batch.counts).toMatchObject({ updated: count, error: 0 });
  const stored = await workspace.transact((tx) =>
    tx.query<{ remark: string; bytes: number; entities: number }>(
      `select properties->>$3 as remark, octet_length(properties->>'P7') as bytes, count(*)::integer as entities
       from entity where workspace_id = $1 and guid = any($2::uuid[]) group by 1, 2`,
      [workspace.id, some.map(({ guid }) => guid), key],
    ),
  );
  expect(stored).toEqual([{ remark: query === '' ? 'second' : large[key], bytes: 32_000, entities: count }]);
});
