/** The last pass writes the links of a window in portions, each a transaction: here one of them has to wait, or fails. */
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { BatchRef } from '../../src/sync/chunk/thread-context.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, outcomeOf, type SyncCalls, syncCalls } from './sync-calls.ts';
import { openSyncSteps, refIn, type SyncSteps } from './sync-steps.ts';

/** Several portions (`linksPerTransaction` of the steps). */
const ASSEMBLIES = 12;
const PORTION = 2;

let server: TestServer;
let steps: SyncSteps;
let admin: Client;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

beforeAll(async () => {
  server = await startTestServer({ environment: { SYNC_CHUNK_ELEMENTS: '4' } });
  steps = await openSyncSteps(server);
  admin = new Client({ connectionString: server.ctx.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await steps.close();
  await server.close();
});
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});

/** Assemblies in the order in which their links are made, each with a part below it. */
function assemblies() {
  const parents = Array.from({ length: ASSEMBLIES }, (_, place) =>
    element({ guid: `${place.toString(16).padStart(2, '0')}000000-0000-4000-8000-000000000000` }),
  );
  const parts = parents.map(({ guid }) => element({ parentGuid: guid }));
  return { parents, parts };
}

/** In its last pass, and nothing of it done. */
async function readyToLink(entities: unknown[]): Promise<BatchRef> {
  const sent = await calls.send({ entities }, { headers: { Prefer: 'respond-async' } });
  expect(sent.status, sent.text).toBe(202);
  const ref = refIn(workspace, sent.body.batchId);
  await steps.toPhase(ref, 'link');
  return ref;
}

const batchOf = async ({ batchId }: BatchRef) => (await calls.get(`/pdm/sync/batches/${batchId}`)).body;

async function countOf(query: string): Promise<number> {
  const { rows } = await admin.query(`select count(*)::integer as n from ${query}`, [workspace.id]);
  return rows[0].n;
}

const links = () => countOf('entity_link where workspace_id = $1');
/** Those who wait to have the structure for themselves. */
const waitingAlone = () =>
  countOf(
    `pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted
       and ((classid::bigint << 32) | objid::bigint) = hashtextextended('structure:' || $1::text, 0)`,
  );

/** Those who wait for a row that `admin` has locked: of this file, whatever others wait for beside it. */
const waitingForRow = () =>
  countOf(`pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid)) and $1::text is not null`);

const lockRow = (guid: string) =>
  admin.query('select from entity where workspace_id = $1 and guid = $2 for update', [workspace.id, guid]);

it('whoever edits while a portion waits comes before the next one: the links left are looked at again', async () => {
  const { parents, parts } = assemblies();
  const ref = await readyToLink([...parents, ...parts]);
  const [held, last] = [parents[3], parents.at(-1)] as [{ guid: string }, { guid: string }];
  await admin.query('begin');
  await lockRow(held.guid);

  const linking = steps.toPhase(ref, 'done');
  // The first portion is made, the second waits.
  await vi.waitFor(async () => expect(await links()).toBe(PORTION), patience);
  await vi.waitFor(async () => expect(await waitingForRow()).toBe(1), patience);
  const edit = workspace.ask('PUT', `/entities/guid:${parts[3]?.guid}/uses/guid:${held.guid}`, {
    quantity: 1,
  });
  await vi.waitFor(async () => expect(await waitingAlone()).toBe(1), patience);
  await admin.query('commit');
  await linking;

  const edited = await edit;
  expect([edited.status, edited.body.code], edited.text).toEqual([409, 'cycle']);
  expect(await links()).toBe(ASSEMBLIES);
  expect(await calls.uses(last.guid)).toEqual({ [parts.at(-1)?.number as string]: 1 });
  const batch = await batchOf(ref);
  expect(batch.status).toBe('completed');
  expect(batch.counts).toMatchObject({ created: 2 * ASSEMBLIES, error: 0 });
});

it('an edit between two portions is seen by those that are left: the link that closes a cycle with it is refused', async () => {
  const { parents, parts } = assemblies();
  const ref = await readyToLink([...parents, ...parts]);
  // The first portion and the second, so that the edit comes for the structure before all others.
  await admin.query('begin');
  await lockRow((parents[0] as { guid: string }).guid);
  const linking = steps.toPhase(ref, 'done');
  await vi.waitFor(async () => expect(await waitingForRow()).toBe(1), patience);
  const [top, below] = [parents[9], parts[9]] as [{ guid: string }, { guid: string; number: string }];
  const edit = workspace.ask('PUT', `/entities/guid:${below.guid}/uses/guid:${top.guid}`, { quantity: 1 });
  await vi.waitFor(async () => expect(await waitingAlone()).toBe(1), patience);
  await admin.query('commit');
  await linking;

  const edited = await edit;
  expect(edited.status, edited.text).toBe(201);
  expect(await calls.uses(top.guid)).toEqual({});
  expect(await links()).toBe(ASSEMBLIES);
  const batch = await batchOf(ref);
  expect(batch.counts).toMatchObject({ created: 2 * ASSEMBLIES - 1, error: 1 });
  expect(batch.results.map(outcomeOf).filter((outcome: string) => outcome === 'cycle')).toHaveLength(1);
});

it('where one fails the portions before it stand, and the pass that is made again makes the rest and says what waits', async () => {
  const { parents, parts } = assemblies();
  const broken = { ...element({ parentGuid: (parents[6] as { guid: string }).guid }), quantity: 7 };
  const orphan = element({ parentGuid: element().guid });
  const ref = await readyToLink([...parents, ...parts, orphan, broken]);
  await admin.query(`
    create function refuse_one() returns trigger language plpgsql as
      'begin raise exception ''the disk of links is broken''; end';
    create trigger refuse_one before insert on entity_link for each row
      when (new.workspace_id = '${workspace.id}' and new.quantity = 7) execute function refuse_one()`);
  await steps.step(ref);
  const made = await links();
  expect(made).toBeGreaterThan(2);
  expect(made).toBeLessThan(ASSEMBLIES);
  expect(await calls.uses((parents[6] as { guid: string }).guid)).toEqual({});
  await admin.query('drop trigger refuse_one on entity_link; drop function refuse_one');
  await steps.toPhase(ref, 'done');

  expect(await links()).toBe(ASSEMBLIES + 1);
  const batch = await batchOf(ref);
  expect(batch.status).toBe('completed');
  expect(batch.results).toHaveLength(2 * ASSEMBLIES + 2);
  const warned = batch.results.filter(
    ({ warnings }: { warnings?: { code: string }[] }) => warnings !== undefined,
  );
  expect(warned.map(({ guid }: { guid: string }) => guid)).toEqual([orphan.guid]);
});

it('a batch is cancelled while its links are made, and all of them are', async () => {
  const { parents, parts } = assemblies();
  const ref = await readyToLink([...parents, ...parts]);
  await admin.query('begin');
  await lockRow((parents[3] as { guid: string }).guid);
  const linking = steps.toPhase(ref, 'done');
  await vi.waitFor(async () => expect(await links()).toBe(PORTION), patience);

  const waiting = async () =>
    (
      await admin.query(`select pid, xact_start::text from pg_stat_activity
        where wait_event_type = 'Lock' and application_name = 'test' and datname = current_database()`)
    ).rows;
  const before = await vi.waitFor(async () => {
    const found = await waiting();
    expect(found).toHaveLength(1);
    return found;
  }, patience);

  const path = `/api/wid/${workspace.slug}/pdm/sync/batches/${ref.batchId}/cancel`;
  const headers = { Prefer: 'respond-async' };
  const cancelled = await server.request(path, { method: 'POST', key: workspace.key, headers });
  expect([cancelled.status, cancelled.body.status], cancelled.text).toEqual([202, 'processing']);
  // The portion that waits was not waited for.
  expect(await waiting()).toEqual(before);
  await admin.query('commit');
  await linking;

  expect(await links()).toBe(ASSEMBLIES);
  const batch = await batchOf(ref);
  expect(batch.status).toBe('cancelled');
  expect(batch.counts).toMatchObject({ created: 2 * ASSEMBLIES, error: 0 });
});
