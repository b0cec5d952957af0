// What earlier batches of an import definition brought and a batch did not: a list to decide by, nothing is deleted.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import type { Several, SyncedBatch } from './sync-calls.ts';
import { element, type SentPart, type SyncCalls, syncCalls } from './sync-calls.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;
beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: {
      SYNC_CHUNK_ELEMENTS: '20',
      SYNC_AT_ONCE_ELEMENTS_MAX: '10',
      SYNC_WAIT_SECONDS: '60',
      SYNC_ABSENT_ELEMENTS_MAX: '120',
      SYNC_ABSENT_BATCHES_MAX: '5',
    },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});

const some = (count: number) => Array.from({ length: count }, () => element()) as Several<SentPart>;
const guidsOf = (elements: readonly { guid: string }[]) => elements.map(({ guid }) => guid).toSorted();
const askAbsent = ({ batchId }: { batchId: string }, query = '') =>
  calls.get(`/pdm/sync/batches/${batchId}/absent${query}`);
const absentFrom = async (batch: { batchId: string }) => {
  const answer = await askAbsent(batch);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const namesOf = ({ items }: { items: { E_Guid: string }[] }) => items.map((item) => item.E_Guid);
const nothing = { batches: 0, since: null, complete: true };

it('lists what an earlier batch of the same definition brought and this one does not name, with the last that brought it', async () => {
  const parts = some(8);
  const first = await calls.sync(parts, '?profile=cart');
  const second = await calls.sync(parts.slice(1), '?profile=cart');
  await calls.sync(some(3), '?profile=other');
  const third = await calls.sync([...parts.slice(3), element()], '?profile=cart');

  expect(await absentFrom(first)).toEqual({ items: [], nextCursor: null, comparedWith: nothing });
  expect(namesOf(await absentFrom(second))).toEqual([parts[0].guid]);
  const { items, comparedWith } = await absentFrom(third);
  expect(namesOf({ items })).toEqual(guidsOf(parts.slice(0, 3)));
  expect(comparedWith).toEqual({ batches: 2, since: first.submittedAt, complete: true });
  const byGuid = new Map(items.map((item: { E_Guid: string }) => [item.E_Guid, item]));
  const stored = await calls.entity(parts[0].guid);
  expect(byGuid.get(parts[0].guid)).toEqual({
    entityId: stored.id,
    E_Guid: parts[0].guid,
    number: parts[0].number,
    name: parts[0].name,
    category: 'part',
    state: 'In Work',
    revision: 'A',
    lastBatchId: first.batchId,
    lastBroughtAt: first.submittedAt,
  });
  expect(byGuid.get(parts[1].guid)).toMatchObject({ lastBatchId: second.batchId });
  // What later batches bring changes nothing of what an earlier one did not.
  await calls.sync(parts, '?profile=cart');
  expect(namesOf(await absentFrom(third))).toEqual(guidsOf(parts.slice(0, 3)));
});

it('reads batches of many chunks page by page, in the order of the GUIDs, each entity once', async () => {
  const parts = some(90);
  await calls.sync(parts);
  const kept = parts.filter((_, at) => at % 2 === 0);
  const batch = await calls.sync([...kept, ...kept.slice(0, 5)]);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body, text } = await askAbsent(
      batch,
      `?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    expect(status, text).toBe(200);
    seen.push(...namesOf(body));
    cursor = body.nextCursor;
  }
  expect(seen).toEqual(guidsOf(parts.filter((_, at) => at % 2 === 1)));
});

it('what was refused here is not absent, and what was refused before was never brought', async () => {
  const [good, bad, refused, byHand] = some(4);
  await workspace.ask('POST', '/entities', { category: 'part', name: 'By hand', E_Guid: byHand.guid });
  await calls.sync([good, bad, { ...refused, categoryKey: 'nope' }, { ...byHand, categoryKey: 'nope' }]);
  const batch = await calls.sync([{ ...bad, categoryKey: 'nope' }]);
  expect(namesOf(await absentFrom(batch))).toEqual([good.guid]);
});

it('a plan says what would be absent, and is itself no batch that brought anything', async () => {
  const [kept, gone, planned] = some(3);
  await calls.sync([kept, gone]);
  const plan = await calls.sync([kept, planned], '?dryRun=true');
  expect(namesOf(await absentFrom(plan))).toEqual([gone.guid]);
  const next = await calls.sync([kept]);
  expect(namesOf(await absentFrom(next))).toEqual([gone.guid]);
});

it('elements that are sent again belong to the batch that they were sent with, however often they are sent', async () => {
  const [kept, mended, gone] = some(3);
  await calls.sync([kept, mended, gone]);
  const batch = await calls.sync([kept, { ...mended, categoryKey: 'later' }]);
  const resend = async ({ batchId }: { batchId: string }) => {
    const again = await workspace.ask('POST', `/pdm/sync/batches/${batchId}/resend`, {});
    expect(again.status, again.text).toBe(200);
    return again.body as { batchId: string };
  };
  const refusedAgain = await resend(batch);
  await workspace.ask('POST', '/categories', { key: 'later', name: 'Later', lifecycle: 'part' });
  const taken = await resend(refusedAgain);
  await calls.sync([kept, mended]);
  for (const one of [refusedAgain, taken]) expect(namesOf(await absentFrom(one))).toEqual([gone.guid]);

  // What they were sent with is asked for the same as what is asked for.
  const set = (change: string) =>
    workspace.transact((tx) =>
      tx.query(`update sync_batch set ${change} where workspace_id = $1 and id = $2`, [
        tx.workspaceId,
        batch.batchId,
      ]),
    );
  for (const [change, back, code] of [
    ["status = 'failed'", "status = 'completed'", 'batch_not_completed'],
    ['results_kept = false', 'results_kept = true', 'results_gone'],
    ['element_count = 120', 'element_count = 2', 'batch_too_large'],
  ] as const) {
    await set(change);
    expect((await askAbsent(taken)).body).toMatchObject({ code });
    await set(back);
  }
  expect((await askAbsent(taken)).status).toBe(200);
});

it('what a release before stored without GUIDs is not compared with', async () => {
  const [kept, gone] = some(2);
  const before = await calls.sync([kept, gone]);
  const batch = await calls.sync([kept]);
  await workspace.transact((tx) =>
    tx.query('update sync_result set brought = null where workspace_id = $1 and batch_id = $2', [
      tx.workspaceId,
      before.batchId,
    ]),
  );
  expect((await askAbsent(before)).body).toMatchObject({ code: 'results_gone' });
  expect((await absentFrom(batch)).comparedWith).toEqual({ batches: 0, since: null, complete: false });
});

it('says how far back it looked: at most so many batches and elements, and only at results that are kept', async () => {
  const keep = element();
  const large = some(121);
  const tooLarge = await calls.sync(large, '?profile=large');
  expect((await askAbsent(tooLarge)).body).toMatchObject({ status: 422, code: 'batch_too_large' });
  const behindLarge = await calls.sync([keep], '?profile=large');
  expect(await absentFrom(behindLarge)).toEqual({
    items: [],
    nextCursor: null,
    comparedWith: { batches: 0, since: null, complete: false },
  });
  const sent: SyncedBatch[] = [];
  for (let n = 0; n < 7; n++) sent.push(await calls.sync([element(), keep], '?profile=many'));
  const batchAt = (at: number) => sent.at(at) as SyncedBatch;
  expect((await absentFrom(batchAt(5))).comparedWith).toMatchObject({ batches: 5, complete: true });
  const last = await absentFrom(batchAt(6));
  expect(last.comparedWith).toEqual({ batches: 5, since: batchAt(1).submittedAt, complete: false });
  expect(last.items).toHaveLength(5);
  await workspace.transact((tx) =>
    tx.query('update sync_batch set results_kept = false where workspace_id = $1 and id = any($2::uuid[])', [
      tx.workspaceId,
      [batchAt(0).batchId, batchAt(3).batchId],
    ]),
  );
  expect((await absentFrom(batchAt(5))).comparedWith).toMatchObject({ batches: 1, complete: false });
  expect((await askAbsent(batchAt(3))).body).toMatchObject({ status: 410, code: 'results_gone' });
});

it('only a completed batch says it, and only to its own workspace', async () => {
  const batch = await calls.sync(some(2));
  const others = await makeDefaultWorkspace(server);
  const foreign = await others.ask('GET', `/pdm/sync/batches/${batch.batchId}/absent`);
  expect(foreign.body).toMatchObject({ status: 404, code: 'batch_not_found' });
  expect((await askAbsent({ batchId: randomUUID() })).status).toBe(404);
  for (const status of ['processing', 'cancelled', 'failed']) {
    await workspace.transact((tx) =>
      tx.query('update sync_batch set status = $3 where workspace_id = $1 and id = $2', [
        tx.workspaceId,
        batch.batchId,
        status,
      ]),
    );
    expect((await askAbsent(batch)).body, status).toMatchObject({ status: 409, code: 'batch_not_completed' });
  }
  // The same definition of another workspace is another one.
  const theirs = await others.ask('POST', '/pdm/sync', { entities: some(2) });
  expect(theirs.status, theirs.text).toBe(200);
  const mine = await syncCalls(server, others).sync([element()]);
  const answer = await others.ask('GET', `/pdm/sync/batches/${mine.batchId}/absent`);
  expect(answer.body.items).toHaveLength(2);
});
