/** Small batches on a server without a worker: what ends was applied where it was accepted, the rest stands in line. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wireOf } from '../../../src/config.ts';
import { takeConfigurationLock } from '../../../src/configuration/lock-configuration.sql.ts';
import { elementLimits } from '../../../src/sync/elements/read-element.ts';
import type { Intake } from '../../../src/sync/intake/accept-batch.ts';
import { InlineBodies } from '../../../src/sync/intake/inline-bodies.ts';
import type { SentElement, SyncBatch } from '../../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';
import { element, type SentPart, type SyncCalls, syncCalls } from '../sync-calls.ts';
import { openSyncSteps, refIn, type SyncSteps } from '../sync-steps.ts';

let server: TestServer;
let steps: SyncSteps;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

beforeAll(async () => {
  server = await startTestServer({ environment: { SYNC_AT_ONCE_ELEMENTS_MAX: '4', SYNC_WAIT_SECONDS: '1' } });
  steps = await openSyncSteps(server);
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});
afterAll(async () => {
  await steps.close();
  await server.close();
});

const elements = (count: number) => Array.from({ length: count }, () => element());

async function finish({ batchId }: SyncBatch): Promise<SyncBatch> {
  await steps.toPhase(refIn(workspace, batchId), 'done');
  const answer = await calls.get(`/pdm/sync/batches/${batchId}`);
  expect(answer.body.status).toBe('completed');
  return answer.body;
}

it('a small batch needs no worker, and leaves what any batch leaves', async () => {
  const [parent, child] = [element({ categoryKey: 'assembly' }), element()];
  const sent = [parent, { ...child, parentGuid: parent.guid }, element({ categoryKey: 'nonsense' })];
  const batch = await calls.sync(sent);
  expect(batch.counts).toMatchObject({ total: 3, processed: 3, created: 2, error: 1 });
  expect(batch.results.map(({ index, result }) => [index, result])).toEqual([
    [0, 'created'],
    [1, 'created'],
    [2, 'error'],
  ]);
  expect(await calls.uses(parent.guid)).toEqual({ [child.number]: 1 });
  const { results, ...envelope } = batch;
  const path = `/pdm/sync/batches/${batch.batchId}`;
  expect((await calls.get(path)).body).toMatchObject(envelope);
  expect((await calls.get(`${path}/results`)).body.items).toEqual(results);
  const kept = await calls.get(`${path}/elements`);
  expect(kept.body.items.map((item: SentElement) => item.element)).toEqual(sent);
});

it('is applied by a thread where its elements are larger', async () => {
  const sent = elements(3).map((one) => ({ ...one, properties: { Description: 'long '.repeat(1000) } }));
  const batch = await calls.sync(sent);
  expect(batch.status).toBe('completed');
  expect(batch.counts).toMatchObject({ total: 3, created: 3 });
  const kept = await calls.get(`/pdm/sync/batches/${batch.batchId}/elements`);
  expect(kept.body.items.map((item: SentElement) => item.element)).toEqual(sent);
  expect((await calls.sync(sent)).counts).toMatchObject({ skipped: 3 });
});

it('stands in line where what is stored below its GUIDs would keep the event loop busy', async () => {
  const large = element();
  await calls.sync([large]);
  await workspace.transact((tx) =>
    tx.query(
      `update entity set properties = jsonb_build_object('Description', repeat('long ', 20000)) where guid = $1`,
      [large.guid],
    ),
  );
  const renamed = { ...element(), guid: large.guid, name: 'Renamed' };
  const sent = await calls.send({ entities: [renamed] });
  expect(sent.status, sent.text).toBe(202);
  expect((await finish(sent.body)).counts).toMatchObject({ updated: 1 });
  expect((await calls.entity(large.guid)).name).toBe('Renamed');
});

it('the event loop takes few elements at a time, and none that say their structure exactly', async () => {
  const { databaseUrl, config } = server.ctx;
  const tiny = new InlineBodies({
    databaseUrl,
    poolMax: 1,
    wire: wireOf(config),
    answerMsMax: 1000,
    limits: elementLimits(config),
    inlineElementsMax: 4,
  });
  const takes = (body: string, exact = false) => tiny.takes({ exact } as Intake, Buffer.from(body));
  expect(takes(JSON.stringify({ entities: elements(8) }))).toBe(true);
  expect(takes(JSON.stringify({ entities: elements(8) }), true)).toBe(false);
  expect(takes('x\n'.repeat(1000))).toBe(false);
  expect(takes(`{"entities":[${Array.from({ length: 1000 }, () => 0)}]}`)).toBe(false);
  expect(takes(JSON.stringify({ entities: [element({ name: 'x'.repeat(9000) })] }))).toBe(false);
  await tiny.close();
});

it('the same again changes nothing, and a change opens no line either', async () => {
  const entity = element();
  await calls.sync([entity]);
  expect((await calls.sync([entity])).counts).toMatchObject({ skipped: 1 });
  expect((await calls.sync([{ ...entity, name: 'Renamed' }])).counts).toMatchObject({ updated: 1 });
  expect(await calls.entity(entity.guid)).toMatchObject({ name: 'Renamed' });
});

it('goes by the configuration as it is, whatever the batch before it went by', async () => {
  const [first, second] = elements(2).map((one) => ({ ...one, properties: { Torque: '12.50' } }));
  await calls.sync([first]);
  expect((await calls.entity(first?.guid as string)).properties).toEqual({});
  const definition = { key: 'Torque', name: 'Torque', type: 'numeric' };
  const path = `/api/wid/${workspace.slug}/property-definitions`;
  expect((await server.request(path, { key: workspace.key, body: definition })).status).toBe(201);
  const batch = await calls.sync([first, { ...second, parentGuid: first?.guid }]);
  expect(batch.results.map(({ result }) => result)).toEqual(['updated', 'created']);
  expect((await calls.entity(first?.guid as string)).properties).toEqual({ Torque: 12.5 });
  expect((await calls.entity(second?.guid as string)).properties).toEqual({ Torque: 12.5 });
});

it('links to parents that are there, wait, or are released, and changes the tags of those alone', async () => {
  const [stored, released, absent] = Array.from({ length: 3 }, () => element({ categoryKey: 'assembly' }));
  const parts = elements(3);
  await calls.sync([stored, released]);
  await calls.sync(parts);
  await workspace.transact((tx) =>
    tx.query(`update entity set state = 'Released' where workspace_id = $1 and guid = $2`, [
      workspace.id,
      released?.guid,
    ]),
  );
  const link = (child: object | undefined, parent: SentPart | undefined, more = {}) => ({
    ...child,
    parentGuid: parent?.guid,
    ...more,
  });
  const tagOf = async (one: SentPart | undefined) =>
    (await calls.get(`/entities/guid:${one?.guid}`)).headers.get('etag');
  const tags = await Promise.all([stored, released].map(tagOf));
  const linked = await calls.sync([link(parts[0], stored, { quantity: 2 })]);
  expect(linked.results).toMatchObject([{ result: 'updated' }]);
  expect(await calls.uses(stored?.guid as string)).toEqual({ [parts[0]?.number as string]: 2 });
  expect(await tagOf(stored)).not.toBe(tags[0]);
  expect(await tagOf(released)).toBe(tags[1]);
  const again = await tagOf(stored);
  expect((await calls.sync([link(parts[0], stored, { quantity: 2 })])).counts).toMatchObject({ skipped: 1 });
  expect(await tagOf(stored)).toBe(again);
  await calls.sync([link(parts[1], released), link(parts[2], absent)]);
  expect(await calls.entity(released?.guid as string)).toMatchObject({ revisionNumber: 2, state: 'In Work' });
  expect(await calls.uses(released?.guid as string)).toEqual({ [parts[1]?.number as string]: 1 });
  await calls.sync([absent]);
  expect(await calls.uses(absent?.guid as string)).toEqual({ [parts[2]?.number as string]: 1 });
});

it.each([
  ['has an element more', 5, {}],
  ['nobody waits for', 4, { Prefer: 'respond-async' }],
])('a batch that %s stands in line', async (_, count, headers) => {
  const answer = await calls.send({ entities: elements(count) }, { headers });
  expect(answer.status).toBe(202);
  expect(answer.body.status).toBe('queued');
  expect((await finish(answer.body)).counts.created).toBe(count);
});

it('a dry run stands in line', async () => {
  const answer = await calls.send({ entities: elements(1) }, { query: '?dryRun=true' });
  expect(answer.status).toBe(202);
  await finish(answer.body);
});

it('a small batch does not overtake one that was accepted before it', async () => {
  const entity = element({ name: 'First' });
  const first = await calls.send({ entities: [entity] }, { headers: { Prefer: 'respond-async' } });
  const second = await calls.send({ entities: [{ ...entity, name: 'Second' }] });
  expect([first.body.status, second.body.status]).toEqual(['queued', 'queued']);
  await finish(first.body);
  await finish(second.body);
  expect(await calls.entity(entity.guid)).toMatchObject({ name: 'Second' });
});

it('a small batch that would have to wait for a lock stands in line, once', async () => {
  const entity = element();
  const other = new Client({ connectionString: server.ctx.databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query(takeConfigurationLock, [workspace.id]);
  const sent = await calls.send({ entities: [entity] });
  await other.query('rollback');
  await other.end();
  expect(sent.status).toBe(202);
  expect((await finish(sent.body)).counts).toMatchObject({ total: 1, created: 1 });
});

it('says the same again to the same Idempotency-Key', async () => {
  const headers = { 'Idempotency-Key': 'at-once' };
  const body = { entities: [element()] };
  const first = await calls.send(body, { headers });
  const again = await calls.send(body, { headers });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(first.body);
  const different = await calls.send({ entities: [element()] }, { headers });
  expect(different.body.code).toBe('idempotency_key_reused');
});

it('batches of several workspaces that arrive at the same moment each have a transaction, and one that meets a lock delays no other', async () => {
  const owner = new Client({ connectionString: server.ctx.databaseUrl });
  await owner.connect();
  const made = await Promise.all(Array.from({ length: 6 }, () => makeDefaultWorkspace(server)));
  const all = made.map((one) => ({ workspace: one, calls: syncCalls(server, one) }));
  const entity = element();
  for (const one of all) await one.calls.sync([entity]);
  const [held] = all as [(typeof all)[number]];
  await owner.query('begin');
  await owner.query('select from entity where workspace_id = $1 and guid = $2 for update', [
    held.workspace.id,
    entity.guid,
  ]);
  const renamed = { entities: [{ ...entity, name: 'Renamed' }] };
  const answers = await Promise.all(all.map((one) => one.calls.send(renamed)));
  // The first batch stands in line until the lock is released.
  expect(answers.map(({ status }) => status)).toEqual([202, 200, 200, 200, 200, 200]);
  for (const one of all.slice(1)) expect((await one.calls.entity(entity.guid)).name).toBe('Renamed');
  const { rows } = await owner.query(
    'select distinct xmin::text from sync_batch where id = any ($1::uuid[])',
    [answers.slice(1).map(({ body }) => body.batchId)],
  );
  expect(rows).toHaveLength(5);
  await owner.query('rollback');
  await owner.end();
  await steps.toPhase(refIn(held.workspace, answers[0]?.body.batchId), 'done');
  expect((await held.calls.entity(entity.guid)).name).toBe('Renamed');
});
