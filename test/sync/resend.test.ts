// What was refused is looked at as it was sent, and sent again when what kept it out is mended.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import type { SentElement, SyncBatch } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, outcomeOf, type Several, type SyncCalls, syncCalls } from './sync-calls.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;
beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { SYNC_CHUNK_ELEMENTS: '20' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});

const resend = (
  batch: Pick<SyncBatch, 'batchId'>,
  body: unknown = {},
  options: { query?: string; key?: string } = {},
) =>
  server.request(
    `/api/wid/${workspace.slug}/pdm/sync/batches/${batch.batchId}/resend${options.query ?? ''}`,
    {
      key: workspace.key,
      body,
      headers: options.key === undefined ? {} : { 'Idempotency-Key': options.key },
    },
  );
const elementsOf = async (batch: Pick<SyncBatch, 'batchId'>, query = '') => {
  const answer = await calls.get(`/pdm/sync/batches/${batch.batchId}/elements${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as { items: Several<SentElement>; nextCursor: string | null };
};
const makeCategory = async (key: string) => {
  const made = await workspace.ask('POST', '/categories', { key, name: key, role: 'item' });
  expect(made.status, made.text).toBe(201);
};

it('elements that were refused go again as they were sent, at their places, when their category is there', async () => {
  const parent = element();
  const entities = Array.from({ length: 90 }, (_, n) =>
    element(n % 10 === 3 ? { categoryKey: 'gadget', parentGuid: parent.guid } : {}),
  );
  const batch = await calls.sync([...entities, parent, element({ categoryKey: 'other' })]);
  expect(batch.counts).toMatchObject({ created: 82, error: 10 });
  await makeCategory('gadget');
  const { status, body, text } = await resend(
    batch,
    { code: 'category_not_found' },
    { query: '?dryRun=true' },
  );
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ dryRun: true, resendOf: batch.batchId, counts: { created: 9, error: 1 } });
  const again = (await resend(batch)).body;
  expect(again).toMatchObject({ profileName: 'pdm', resendOf: batch.batchId, status: 'completed' });
  expect(again.counts).toMatchObject({ total: 10, created: 9, error: 1 });
  expect(again.results.map((one: { index: number }) => one.index)).toEqual([
    3, 13, 23, 33, 43, 53, 63, 73, 83, 91,
  ]);
  expect(Object.keys(await calls.uses(parent.guid))).toHaveLength(9);
  // What is left of that one goes on from it, not from the first.
  await makeCategory('other');
  expect((await resend(again)).body.counts).toMatchObject({ total: 1, created: 1 });
});

it('all elements of a GUID go together, so that quantities come out as they would have', async () => {
  const [parent, child] = [element(), element({ categoryKey: 'gadget' })];
  const under = { ...child, parentGuid: parent.guid };
  const batch = await calls.sync([parent, under, { ...under, categoryKey: 'part' }, under, element()]);
  expect(batch.counts).toMatchObject({ error: 2 });
  expect(await calls.uses(parent.guid)).toEqual({ [child.number]: 1 });
  await makeCategory('gadget');
  expect((await resend(batch)).body.counts.total).toBe(3);
  expect(await calls.uses(parent.guid)).toEqual({ [child.number]: 3 });
});

it('a warning is mended too, and named entities alone can go', async () => {
  await workspace.ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
  const [heavy, light] = [
    element({ properties: { Mass: 'heavy' } }),
    element({ properties: { Mass: 'light' } }),
  ];
  const batch = await calls.sync([heavy, light, element()]);
  const warned = await calls.get(`/pdm/sync/batches/${batch.batchId}/results?warning=invalid_numeric`);
  expect(warned.body.items.map((one: { index: number }) => one.index)).toEqual([0, 1]);
  await workspace.ask('PUT', '/property-definitions/Mass', { name: 'Mass', type: 'text' });
  const again = await resend(batch, { warning: 'invalid_numeric', guids: [`{${light.guid.toUpperCase()}}`] });
  expect(again.body.results).toMatchObject([{ index: 1, result: 'updated', guid: light.guid }]);
  expect((await calls.entity(light.guid)).properties).toEqual({ Mass: 'light' });
  expect((await calls.entity(heavy.guid)).properties).toEqual({});
});

it('elements are shown byte for byte beside what became of them, page by page', async () => {
  const odd = `{ "guid":"${randomUUID()}", "number":"1e2", "name":"\\u00e9", "categoryKey":"nope", "mass": 1.50e1 }`;
  const lines = [JSON.stringify(element()), '{ broken', odd, '[1, 2]', JSON.stringify(element())];
  const sent = await calls.send(lines.join('\n'), { headers: { 'Content-Type': 'application/x-ndjson' } });
  expect(sent.status, sent.text).toBe(200);
  const raw = await calls.get(`/pdm/sync/batches/${sent.body.batchId}/elements?code=category_not_found`);
  expect(raw.text).toContain(`"element":${odd}`);
  const first = await elementsOf(sent.body, '?result=error&limit=2');
  expect(first.items.map((one) => [one.index, outcomeOf(one)])).toEqual([
    [1, 'invalid_json'],
    [2, 'category_not_found'],
  ]);
  expect(first.items[0].element).toBeNull();
  const rest = await elementsOf(sent.body, `?result=error&limit=2&cursor=${first.nextCursor}`);
  expect(rest).toMatchObject({ items: [{ index: 3, element: [1, 2] }], nextCursor: null });
  expect((await elementsOf(sent.body, '?from=4')).items).toMatchObject([{ index: 4, result: 'created' }]);
  // What is no JSON is not kept, and so not sent again.
  expect((await resend(sent.body)).body.counts).toMatchObject({ total: 2, error: 2 });
});

it('a page that lies in many chunks goes on where it was cut', async () => {
  const batch = await calls.sync(Array.from({ length: 900 }, () => element({ categoryKey: 'nope' })));
  const seen: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = await elementsOf(batch, query);
    expect(page.items.length).toBeGreaterThan(0);
    seen.push(...page.items.map((one) => one.index));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(Array.from({ length: 900 }, (_, n) => n));
});

it('once for each Idempotency-Key, and only with the same choice', async () => {
  const batch = await calls.sync([element({ categoryKey: 'gadget' })]);
  const [first, second] = [await resend(batch, {}, { key: 'k' }), await resend(batch, {}, { key: 'k' })];
  expect(second.body.batchId).toBe(first.body.batchId);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  for (const code of ['cycle', 'category_not_found'])
    expect((await resend(batch, { code }, { key: 'k' })).body.code).toBe('idempotency_key_reused');
  // What it was taken from is past its retention, or runs again.
  for (const change of ['payload_kept = false', `status = 'processing', finished_at = null`]) {
    await inTransaction(server.ctx.db, 'instance', (tx) =>
      tx.query(`update sync_batch set ${change} where id = $1`, [batch.batchId]),
    );
    const later = await resend(batch, {}, { key: 'k' });
    expect([later.status, later.body.batchId]).toEqual([200, first.body.batchId]);
    expect(later.headers.get('idempotent-replayed')).toBe('true');
  }
});

it('says so when there is nothing to send, the batch is under way, or its payload is no longer kept', async () => {
  const fine = await calls.sync([element()]);
  expect((await resend(fine)).body.code).toBe('nothing_to_resend');
  expect((await resend({ batchId: randomUUID() })).status).toBe(404);
  const broken = await calls.sync([element({ categoryKey: 'gadget' })]);
  const mark = (change: string) =>
    inTransaction(server.ctx.db, 'instance', (tx) =>
      tx.query(`update sync_batch set ${change} where id = $1`, [broken.batchId]),
    );
  await mark(`status = 'processing', finished_at = null`);
  expect((await resend(broken)).body.code).toBe('batch_not_finished');
  await mark(`status = 'completed', finished_at = now(), payload_kept = false`);
  expect((await resend(broken)).body.code).toBe('payload_gone');
  const elements = await calls.get(`/pdm/sync/batches/${broken.batchId}/elements`);
  expect([elements.status, elements.body.code]).toEqual([409, 'payload_gone']);
});

it('a dry run is read by what it would change', async () => {
  const [parent, child] = [element(), element()];
  await calls.sync([parent, { ...child, parentGuid: parent.guid }]);
  const plan = await calls.sync(
    [
      { ...parent, name: 'Renamed' },
      { ...child, parentGuid: parent.guid, quantity: 7 },
    ],
    '?dryRun=true',
  );
  for (const [changed, index] of [
    ['fields', 0],
    ['structure', 1],
  ]) {
    const { body } = await calls.get(`/pdm/sync/batches/${plan.batchId}/results?changed=${changed}`);
    expect(body.items.map((one: { index: number }) => one.index)).toEqual([index]);
  }
});
