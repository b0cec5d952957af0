/** Small batches on a server without a worker: what ends was applied where it was accepted, the rest stands in line. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { takeConfigurationLock } from '../../../src/configuration/lock-configuration.sql.ts';
import { elementLimits } from '../../../src/sync/elements/read-element.ts';
import type { Intake } from '../../../src/sync/intake/accept-batch.ts';
import { TinyBodies } from '../../../src/sync/intake/tiny-bodies.ts';
import type { SentElement, SyncBatch } from '../../../web/client/operations.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../setup/server.ts';
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
  const tiny = new TinyBodies({
    databaseUrl,
    poolMax: 1,
    answerMsMax: 1000,
    limits: elementLimits(config),
    atOnceElementsMax: 4,
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

describe('batches of several workspaces that come together', () => {
  let owner: Client;
  let all: { workspace: DefaultWorkspace; calls: SyncCalls }[];

  beforeAll(async () => {
    owner = new Client({ connectionString: server.ctx.databaseUrl });
    await owner.connect();
    const made = await Promise.all(Array.from({ length: 6 }, () => makeDefaultWorkspace(server)));
    all = made.map((one) => ({ workspace: one, calls: syncCalls(server, one) }));
  });
  afterAll(() => owner.end());

  /** By workspace, in the order of `all`, the transaction that each batch was written in. */
  async function transactionsOf(answers: TestAnswer[]): Promise<(string | undefined)[]> {
    const ids = answers.map(({ body }) => body.batchId);
    const { rows } = await owner.query('select id, xmin::text from sync_batch where id = any ($1::uuid[])', [
      ids,
    ]);
    const byId = new Map(rows.map(({ id, xmin }) => [id, xmin]));
    return ids.map((id) => byId.get(id));
  }

  /**
   * Sends of all at once until those that are named were applied at once. On a slow machine one may have had to wait for longer than it
   * may, and stand in line: then it is finished, and all send again.
   */
  async function untilApplied(
    send: (calls: SyncCalls, place: number) => Promise<TestAnswer>,
    places: readonly number[],
    fits: (answers: TestAnswer[]) => boolean | Promise<boolean> = () => true,
  ): Promise<TestAnswer[]> {
    return vi.waitUntil(async () => {
      const answers = await Promise.all(all.map((one, place) => send(one.calls, place)));
      const lined = places.filter((place) => answers[place]?.status === 202);
      for (const place of lined)
        await steps.toPhase(
          refIn((all[place] as (typeof all)[number]).workspace, answers[place]?.body.batchId),
          'done',
        );
      return lined.length === 0 && (await fits(answers)) && answers;
    }, patience);
  }

  /** And until some of them shared a transaction: who meets whom is a matter of moments. */
  function untilShared(
    send: (calls: SyncCalls, place: number) => Promise<TestAnswer>,
    places: readonly number[],
  ): Promise<TestAnswer[]> {
    return untilApplied(send, places, async (answers) => {
      const transactions = await transactionsOf(answers);
      return new Set(places.map((place) => transactions[place])).size < places.length;
    });
  }
  const everybody = [0, 1, 2, 3, 4, 5];

  it('share a transaction, and are as if each had come alone', async () => {
    const [parent, child] = [element({ categoryKey: 'assembly' }), element()];
    // The same in all workspaces, but for the names.
    const answers = await untilShared((calls, place) => {
      const named = { ...child, name: `Of ${place}`, parentGuid: parent.guid, quantity: place + 1 };
      return calls.send({ entities: [parent, named, { guid: 'nonsense' }] });
    }, everybody);
    for (const [place, { status, body }] of answers.entries()) {
      const { calls } = all[place] as { calls: SyncCalls };
      expect([status, body.status]).toEqual([200, 'completed']);
      expect(body.counts).toMatchObject({ total: 3, error: 1 });
      expect(await calls.entity(child.guid)).toMatchObject({ name: `Of ${place}` });
      expect(await calls.uses(parent.guid)).toEqual({ [child.number]: place + 1 });
      const kept = await calls.get(`/pdm/sync/batches/${body.batchId}/results`);
      expect(kept.body.items).toEqual(body.results);
    }
  });

  it('say the same again to the same Idempotency-Key, and refuse the body of another alone', async () => {
    let round = 0;
    const bodies = all.map(() => ({ entities: [element()] }));
    const first = await untilShared((calls, place) => {
      if (place === 0) round++;
      return calls.send(bodies[place], { headers: { 'Idempotency-Key': `together-${round}` } });
    }, everybody);
    const headers = { 'Idempotency-Key': `together-${round}` };
    const again = await Promise.all(
      all.map(({ calls }, place) =>
        calls.send(place === 1 ? { entities: [element()] } : bodies[place], { headers }),
      ),
    );
    for (const [place, { status, body }] of again.entries()) {
      if (place === 1) expect(body.code).toBe('idempotency_key_reused');
      else expect({ status, body }).toEqual({ status: 200, body: first[place]?.body });
    }
  });

  it('share a transaction where what is stored is put below what is stored', async () => {
    const [parent, child] = [element({ categoryKey: 'assembly' }), element()];
    for (const { calls } of all) await calls.sync([parent, child]);
    let round = 0;
    const answers = await untilShared((calls, place) => {
      if (place === 0) round++;
      return calls.send({ entities: [{ ...child, parentGuid: parent.guid, quantity: round }] });
    }, everybody);
    for (const [place, { body }] of answers.entries()) {
      expect(body.counts).toMatchObject({ total: 1, error: 0 });
      expect(await all[place]?.calls.uses(parent.guid)).toEqual({ [child.number]: round });
    }
  });

  it('hold nobody up where one of them meets a lock, nor the next time', async () => {
    const entity = element();
    for (const { calls } of all) await calls.sync([entity]);
    const [held] = all as [(typeof all)[number]];
    await owner.query('begin');
    await owner.query('select from entity where workspace_id = $1 and guid = $2 for update', [
      held.workspace.id,
      entity.guid,
    ]);
    const renamed = { entities: [{ ...entity, name: 'Renamed' }] };
    const answers = await untilApplied((calls) => calls.send(renamed), everybody.slice(1));
    expect(answers.map(({ status }) => status)).toEqual([202, 200, 200, 200, 200, 200]);
    for (const { calls } of all.slice(1)) expect((await calls.entity(entity.guid)).name).toBe('Renamed');
    // The batch of the first stands in line now, and so does whatever it sends; the others do not wait for that either.
    const next = await untilShared((calls) => calls.send({ entities: [element()] }), everybody.slice(1));
    expect(next.map(({ status }) => status)).toEqual([202, 200, 200, 200, 200, 200]);
    await owner.query('rollback');
    const lined = await held.calls.get('/pdm/sync/batches?status=queued');
    for (const batch of lined.body.items.toReversed())
      await steps.toPhase(refIn(held.workspace, batch.batchId), 'done');
    expect((await held.calls.entity(entity.guid)).name).toBe('Renamed');
    // Each was done once.
    const { rows } = await owner.query(
      `select count(*)::int as batches from sync_batch where workspace_id = any ($1::uuid[]) and status <> 'completed'`,
      [all.map(({ workspace: { id } }) => id)],
    );
    expect(rows).toEqual([{ batches: 0 }]);
  });
});
