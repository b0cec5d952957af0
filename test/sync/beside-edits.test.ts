/** A batch and a person edit the same entities: step by step, so that the edit falls between two passes. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BatchRef } from '../../src/sync/chunk/thread-context.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, outcomeOf, type SyncCalls, type SyncedBatch, syncCalls } from './sync-calls.ts';
import { openSyncSteps, refIn, type SyncSteps } from './sync-steps.ts';

const respondAsync = { headers: { Prefer: 'respond-async' } };

let server: TestServer;
let steps: SyncSteps;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

function startWith(environment: Record<string, string>): void {
  beforeAll(async () => {
    server = await startTestServer({ environment });
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
}

async function submit(entities: unknown[], query = ''): Promise<BatchRef> {
  const sent = await calls.send({ entities }, { ...respondAsync, query });
  expect(sent.status, sent.text).toBe(202);
  return refIn(workspace, sent.body.batchId);
}

const batchOf = async ({ batchId }: BatchRef) => (await calls.get(`/pdm/sync/batches/${batchId}`)).body;

async function applied(entities: unknown[], query = ''): Promise<BatchRef> {
  const ref = await submit(entities, query);
  await steps.toPhase(ref, 'done');
  expect((await batchOf(ref)).status).toBe('completed');
  return ref;
}

async function commitOf({ batchId }: BatchRef): Promise<BatchRef> {
  const path = `/pdm/sync/batches/${batchId}/commit`;
  const sent = await workspace.ask('POST', path, undefined, respondAsync.headers);
  expect(sent.status, sent.text).toBe(202);
  return refIn(workspace, sent.body.batchId);
}

async function rename(guid: string, name: string): Promise<void> {
  const edit = await workspace.ask('PATCH', `/entities/guid:${guid}`, { name });
  expect(edit.status, edit.text).toBe(200);
}

const use = (parent: string, child: string, quantity = 1) =>
  workspace.ask('PUT', `/entities/guid:${parent}/uses/guid:${child}`, { quantity });

const takeBack = (parent: string, child: string) =>
  workspace.ask('DELETE', `/pending-links/${parent}/guid:${child}`);

const outcomes = (batch: SyncedBatch) => batch.results.map(outcomeOf);

describe('in many chunks', () => {
  startWith({ SYNC_CHUNK_ELEMENTS: '1' });

  it('a part that is archived after it was written is linked, and its element says that it is archived', async () => {
    const [assembly, part] = [element(), element()];
    await applied([assembly, part]);
    const ref = await submit([assembly, { ...part, parentGuid: assembly.guid }]);

    await steps.toPhase(ref, 'link');
    const archived = await workspace.ask('POST', `/entities/guid:${part.guid}/archive`);
    expect(archived.status, archived.text).toBe(200);
    await steps.toPhase(ref, 'done');

    expect(await calls.uses(assembly.guid)).toEqual({ [part.number]: 1 });
    const { results } = await batchOf(ref);
    expect(results[1].warnings).toMatchObject([{ code: 'archived' }]);
  });

  it('a link that an edit has turned into a cycle since it was planned is refused, the others are made', async () => {
    const [a, b] = [element(), element()];
    await applied([a, b]);
    const other = element({ parentGuid: a.guid });
    const again = { ...b, parentGuid: a.guid };
    const ref = await submit([a, again, other, again]);

    await steps.toPhase(ref, 'write');
    const edit = await workspace.ask('PUT', `/entities/guid:${b.guid}/uses/guid:${a.guid}`, { quantity: 1 });
    expect([200, 201], edit.text).toContain(edit.status);
    await steps.toPhase(ref, 'done');

    expect(await calls.uses(a.guid)).toEqual({ [other.number]: 1 });
    expect(await calls.uses(b.guid)).toEqual({ [a.number]: 1 });
    const batch = await batchOf(ref);
    // Every element that asked for the link says so.
    expect(outcomes(batch)).toEqual(['skipped', 'cycle', 'created', 'cycle']);
    expect(batch.results[3].message).toBe(batch.results[1].message);
    expect(batch.results[1].message).toContain(
      `: ${a.number} (${a.guid}) → ${b.number} (${b.guid}) → ${a.number}.`,
    );
    expect(batch.counts).toMatchObject({ processed: 4, error: 2 });
  });

  it('a link that waits counts from the moment at which its parent is there: an edit that closes a cycle with it is refused', async () => {
    const [parent, other] = [element(), element()];
    const child = element({ parentGuid: parent.guid });
    await applied([child]);
    const ref = await submit([parent, other]);

    await steps.toPhase(ref, 'link');
    const edit = await use(child.guid, parent.guid);
    expect([edit.status, edit.body.code], edit.text).toEqual([409, 'cycle']);
    expect(edit.body.detail).toMatch(/would close a cycle: \S+ → \S+ → /);
    const below = await use(other.guid, parent.guid);
    expect(below.status, below.text).toBe(201);
    const roundabout = await use(child.guid, other.guid);
    expect([roundabout.status, roundabout.body.code], roundabout.text).toEqual([409, 'cycle']);
    await steps.toPhase(ref, 'done');

    expect(await calls.uses(parent.guid)).toEqual({ [child.number]: 1 });
    expect(await calls.uses(child.guid)).toEqual({});
    expect(outcomes(await batchOf(ref))).toEqual(['created', 'created']);
  });

  it('of an edit, a link that waits and a link of the batch that close a cycle together, the batch’s is refused', async () => {
    const [parent, middle] = [element(), element()];
    const child = element({ parentGuid: parent.guid });
    await applied([child, middle]);
    const ref = await submit([{ ...parent, parentGuid: middle.guid }, element()]);

    await steps.toPhase(ref, 'write');
    expect((await use(child.guid, middle.guid)).status).toBe(201);
    await steps.toPhase(ref, 'done');

    expect(outcomes(await batchOf(ref))).toEqual(['cycle', 'created']);
    expect(await calls.uses(parent.guid)).toEqual({ [child.number]: 1 });
    expect(await calls.uses(child.guid)).toEqual({ [middle.number]: 1 });
    expect(await calls.uses(middle.guid)).toEqual({});
  });

  it('a link whose quantity changes and that was taken out since it was planned is a new one: it closes no cycle', async () => {
    const top = element();
    const below = element({ parentGuid: top.guid });
    await applied([top, below]);
    const ref = await submit([
      { ...below, quantity: 2 },
      { ...top, parentGuid: below.guid },
    ]);

    await steps.toPhase(ref, 'structure');
    const path = `/entities/guid:${top.guid}/uses/guid:${below.guid}`;
    expect((await workspace.ask('DELETE', path)).status).toBe(204);
    await steps.toPhase(ref, 'done');

    const both = [await calls.uses(top.guid), await calls.uses(below.guid)];
    expect(both.filter((uses) => Object.keys(uses).length > 0)).toHaveLength(1);
    expect(outcomes(await batchOf(ref)).filter((outcome: string) => outcome === 'cycle')).toHaveLength(1);
  });

  it('what is said of a link by hand stands, though a link waits for the same two', async () => {
    const parent = element();
    const child = element({ parentGuid: parent.guid, quantity: 2 });
    const kept = element({ parentGuid: parent.guid, quantity: 2 });
    await applied([child, kept]);
    const ref = await submit([parent, element()]);

    await steps.toPhase(ref, 'link');
    expect((await use(parent.guid, child.guid)).status).toBe(201);
    const path = `/entities/guid:${parent.guid}/uses/guid:${child.guid}`;
    expect((await workspace.ask('DELETE', path)).status).toBe(204);
    expect((await use(parent.guid, kept.guid, 5)).status).toBe(201);
    await steps.toPhase(ref, 'done');

    expect(await calls.uses(parent.guid)).toEqual({ [kept.number]: 5 });
  });

  it('a link that waits is taken back while its parent is there and it is not made yet: it stays out', async () => {
    const parent = element();
    const [child, kept] = [element({ parentGuid: parent.guid }), element({ parentGuid: parent.guid })];
    await applied([child, kept]);
    const ref = await submit([parent, element()]);

    await steps.toPhase(ref, 'link');
    expect((await takeBack(parent.guid, child.guid)).status).toBe(204);
    // It counts no longer: the other way round it closes no cycle.
    expect((await use(child.guid, parent.guid)).status).toBe(201);
    await steps.toPhase(ref, 'done');

    expect(await calls.uses(parent.guid)).toEqual({ [kept.number]: 1 });
    expect(await calls.uses(child.guid)).toEqual({ [parent.number]: 1 });
    expect(outcomes(await batchOf(ref))).toEqual(['created', 'created']);
  });

  it('a link that waits is taken back while a batch brings it as it is: as with a use, what was taken out stays out', async () => {
    const parent = element();
    const [child, changed] = [element({ parentGuid: parent.guid }), element({ parentGuid: parent.guid })];
    await applied([child, changed]);
    const ref = await submit([parent, child, { ...changed, quantity: 2 }]);

    await steps.toPhase(ref, 'link');
    expect((await takeBack(parent.guid, child.guid)).status).toBe(204);
    expect((await takeBack(parent.guid, changed.guid)).status).toBe(204);
    await steps.toPhase(ref, 'done');

    expect(await calls.uses(parent.guid)).toEqual({ [changed.number]: 2 });
    await applied([child]);
    expect(await calls.uses(parent.guid)).toEqual({ [child.number]: 1, [changed.number]: 2 });
  });

  it('an exact batch takes out what it does not name, though as many links as it counted are left', async () => {
    const parent = element();
    const child = () => element({ parentGuid: parent.guid });
    const [one, other, unnamed] = [child(), child(), child()];
    await applied([one, other, unnamed]);
    const ref = await submit([parent, one, other], '?structure=exact');

    await steps.toPhase(ref, 'structure');
    expect((await takeBack(parent.guid, one.guid)).status).toBe(204);
    await steps.toPhase(ref, 'done');

    expect(await calls.uses(parent.guid)).toEqual({ [other.number]: 1 });
  });

  it('a committed plan leaves an entity alone that was edited after the check; the rest of it is applied', async () => {
    const [edited, other, fresh] = [element(), element(), element()];
    await applied([edited, other]);
    const under = element({ parentGuid: edited.guid });
    const changed = { ...edited, name: 'As planned', parentGuid: other.guid };
    const commit = await commitOf(
      await applied([changed, { ...other, name: 'Planned' }, under, fresh, changed], '?dryRun=true'),
    );

    await steps.toPhase(commit, 'write');
    await rename(edited.guid, 'By hand');
    const { number } = fresh;
    const made = { category: 'part', number, name: 'Made by hand', E_Guid: fresh.guid };
    expect((await workspace.ask('POST', '/entities', made)).status).toBe(201);
    await steps.toPhase(commit, 'done');

    const batch = await batchOf(commit);
    expect(batch.status).toBe('completed');
    expect(outcomes(batch)).toEqual(['plan_stale', 'updated', 'created', 'plan_stale', 'plan_stale']);
    expect((await calls.entity(edited.guid)).name).toBe('By hand');
    expect((await calls.entity(fresh.guid)).name).toBe('Made by hand');
    expect((await calls.entity(other.guid)).name).toBe('Planned');
    expect(await calls.uses(other.guid)).toEqual({});
    expect(await calls.uses(edited.guid)).toEqual({ [under.number]: 1 });
  });

  it('an entity that is edited between its comparison and its lock keeps what the edit gave it', async () => {
    const made = await workspace.ask('POST', '/property-definitions', {
      key: 'Colour',
      name: 'Colour',
      type: 'text',
    });
    expect(made.status, made.text).toBe(201);
    const [part, other] = [element(), element()];
    await applied([part, other]);
    const batch = await submit([
      { ...part, name: 'Renamed' },
      { ...other, name: 'Renamed too' },
    ]);
    await toEndBeside(batch, part.guid, async (holder) => {
      const colour = JSON.stringify({ Colour: 'green' });
      await holder.query(
        `update entity set properties = properties || $3::jsonb, version = version + 1, sync_hash = null
         where workspace_id = $1 and guid = $2`,
        [workspace.id, part.guid, colour],
      );
    });
    expect((await batchOf(batch)).counts).toMatchObject({ total: 2, updated: 2 });
    const { name, properties } = await calls.entity(part.guid);
    expect({ name, properties }).toMatchObject({ name: 'Renamed', properties: { Colour: 'green' } });
  });
});

describe('in one chunk', () => {
  startWith({});

  it('a committed plan is stale when an edit comes before its rows are locked; nothing of it is written', async () => {
    const [low, high] = [randomUUID(), randomUUID()].sort() as [string, string];
    const [first, second] = [element({ guid: low }), element({ guid: high })];
    await applied([first, second]);
    const planned = [first, second].map((one) => ({ ...one, name: 'As planned' }));
    const commit = await commitOf(await applied(planned, '?dryRun=true'));

    // Whoever takes the rows by GUID waits at the first; the other is free to be edited.
    await toEndBeside(commit, low, () => rename(second.guid, 'By hand'));

    const batch = await batchOf(commit);
    expect(batch).toMatchObject({ status: 'failed', failure: { code: 'plan_stale', guids: [second.guid] } });
    expect((await calls.entity(second.guid)).name).toBe('By hand');
    expect((await calls.entity(first.guid)).name).toBe(first.name);
  });

  it('a batch has ended when its work is done, not when that began', async () => {
    const part = element();
    await applied([part]);
    const batch = await submit([{ ...part, name: 'Renamed' }]);
    let waitedAt = Number.NaN;
    await toEndBeside(batch, part.guid, async (holder) => {
      const { rows } = await holder.query<{ now: Date }>('select clock_timestamp() as now');
      waitedAt = rows[0]?.now.getTime() ?? Number.NaN;
    });
    const { status, startedAt, finishedAt } = await batchOf(batch);
    expect(status).toBe('completed');
    expect(Date.parse(startedAt)).toBeLessThan(waitedAt);
    expect(Date.parse(finishedAt)).toBeGreaterThanOrEqual(waitedAt);
  });
});

/** Takes the batch to its end; while it waits for that entity, which somebody holds, the work is done. */
async function toEndBeside(
  batch: BatchRef,
  guid: string,
  work: (holder: Client) => Promise<void>,
): Promise<void> {
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from entity where workspace_id = $1 and guid = $2 for update', [
      workspace.id,
      guid,
    ]);
    const ended = steps.toPhase(batch, 'done');
    await vi.waitUntil(async () => {
      // Within a transaction the view stays as it was at the first look.
      await holder.query('select pg_stat_clear_snapshot()');
      const { rows } = await holder.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'test'
           and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    }, patience);
    await work(holder);
    await holder.query('commit');
    await ended;
  } finally {
    await holder.end();
  }
}
