/** Batches as a caller meets them: ways in, ways out, dry runs and what administrators do with them. */

import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pruneOld } from '../../src/retention.ts';
import { readBatch } from '../../src/sync/batch/read-batches.ts';
import { readFewResults } from '../../src/sync/batch/read-results.ts';
import { SyncEvent } from '../../src/sync/batch/sync.schema.ts';
import type { SyncBatch, SyncResult } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { versionOf as versionOfTag } from '../setup/version-of.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, type SentPart, type SyncCalls, type SyncedBatch, syncCalls, taken } from './sync-calls.ts';

let server: TestServer;
let idle: TestServer;
let workspace: DefaultWorkspace;
let calls: SyncCalls;

beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { SYNC_CHUNK_ELEMENTS: '100' } });
  // Without a worker: what is accepted stays in line.
  idle = await startTestServer({ environment: { SYNC_MAX_QUEUED_BATCHES: '3' } });
});
afterAll(async () => {
  await server.close();
  await idle.close();
});
beforeEach(async () => {
  workspace = await makeDefaultWorkspace(server);
  calls = syncCalls(server, workspace);
});

const resultKinds = (batch: SyncedBatch) => batch.results.map((result) => result.result);

describe('ways in', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('a body may be compressed by %s', async (encoding, compress) => {
    const body = compress(Buffer.from(JSON.stringify({ entities: [element()] })));
    const answer = await calls.send(new Uint8Array(body), { headers: { 'Content-Encoding': encoding } });
    expect([answer.status, resultKinds(answer.body)]).toEqual([200, ['created']]);
  });

  it('a bomb is a 413, not a crash', async () => {
    const bomb = gzipSync(Buffer.alloc(70 * 1024 * 1024, ' '));
    const answer = await calls.send(new Uint8Array(bomb), { headers: { 'Content-Encoding': 'gzip' } });
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
    expect(answer.body.detail).toMatch(/67108864 bytes .*Send the elements as NDJSON/);
  });

  it('NDJSON is one element a line; a line that is no JSON is that line’s error', async () => {
    const lines = [JSON.stringify(element()), '{"guid": oops}', '', JSON.stringify(element())].join('\r\n');
    const answer = await calls.send(lines, { headers: { 'Content-Type': 'application/x-ndjson' } });
    expect(answer.status, answer.text).toBe(200);
    expect(resultKinds(answer.body)).toEqual(['created', 'error', 'created']);
    expect(answer.body.results[1]).toMatchObject({ index: 1, code: 'invalid_json' });
    expect(answer.body.results[1].message).toContain('Line 2');
  });

  it('more entities than the limit is a 422 that names it, and nothing is stored', async () => {
    const small = await startTestServer({ environment: { SYNC_JSON_ENTITIES_MAX: '3' } });
    try {
      const own = await makeDefaultWorkspace(small);
      const sent = syncCalls(small, own);
      const answer = await sent.send({ entities: [1, 2, 3, 4] });
      expect([answer.status, answer.body.code]).toEqual([422, 'too_many_entities']);
      expect(answer.body.detail).toContain('3');
      expect((await sent.get('/pdm/sync/batches')).body.items).toEqual([]);
    } finally {
      await small.close();
    }
  });

  it('needs a key that may write', async () => {
    const made = await workspace.ask('POST', '/api-keys', { name: 'reader', permission: 'read' });
    const answer = await server.request(`/api/wid/${workspace.slug}/pdm/sync`, {
      key: made.body.key,
      body: { entities: [] },
    });
    expect(answer.status).toBe(403);
  });

  it('the same Idempotency-Key and body is the same batch; with another body it is a 422', async () => {
    const entities = [element()];
    const headers = { 'Idempotency-Key': 'once' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => calls.send({ entities }, { headers })));
    const batches = new Set(answers.filter((one) => one.status === 200).map((one) => one.body.batchId));
    expect(batches.size).toBe(1);
    for (const one of answers) expect([200, 409]).toContain(one.status);
    const again = await calls.send({ entities }, { headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect((await calls.get('/pdm/sync/batches')).body.items).toHaveLength(1);
    const other = await calls.send({ entities: [element()] }, { headers });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('too many unfinished batches are a 429 with Retry-After', async () => {
    const own = await makeDefaultWorkspace(idle);
    const sent = syncCalls(idle, own);
    const headers = { Prefer: 'respond-async' };
    for (let i = 0; i < 3; i++)
      expect((await sent.send({ entities: [element()] }, { headers })).status).toBe(202);
    const refused = await sent.send({ entities: [element()] }, { headers });
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_batches']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('Prefer', () => {
  it('respond-async answers 202 as soon as the batch is durable, with Location', async () => {
    const answer = await calls.send({ entities: [element()] }, { headers: { Prefer: 'respond-async' } });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('preference-applied')).toBe('respond-async');
    expect(answer.headers.get('location')).toBe(answer.body.links.self);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    const done = await vi.waitUntil(async () => {
      const { body } = await calls.get(`/pdm/sync/batches/${answer.body.batchId}`);
      return body.status === 'completed' && body;
    }, patience);
    expect(resultKinds(done)).toEqual(['created']);
  });

  it('wait=0 does not wait; a default wait answers 200 with everything', async () => {
    const own = syncCalls(idle, await makeDefaultWorkspace(idle));
    const answer = await own.send({ entities: [element()] }, { headers: { Prefer: 'wait=0' } });
    expect([answer.status, answer.body.status]).toEqual([202, 'queued']);
    expect(answer.headers.get('preference-applied')).toBe('wait=0');
    expect((await calls.send({ entities: [element()] })).status).toBe(200);
  });
});

describe('results', () => {
  it('come by page and filter, and as CSV and NDJSON', async () => {
    const entities = Array.from({ length: 250 }, (_, i) => (i % 10 === 0 ? { name: '=bad' } : element()));
    const batch = await calls.sync(entities);
    const path = `/pdm/sync/batches/${batch.batchId}/results`;
    const indexes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: SyncResult[]; nextCursor: string | null } = (
        await calls.get(`${path}?limit=60${cursor && `&cursor=${cursor}`}`)
      ).body;
      indexes.push(...page.items.map((one) => one.index));
      cursor = page.nextCursor;
    }
    expect(indexes).toEqual(entities.map((_, i) => i));
    const errors = (await calls.get(`${path}?result=error&limit=1000`)).body.items;
    expect(errors.map((one: SyncResult) => one.index)).toEqual(indexes.filter((i) => i % 10 === 0));
    const key = workspace.key;
    const csv = await server.request(`/api/wid/${workspace.slug}${path}`, {
      key,
      headers: { Accept: 'text/csv' },
    });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.text.trim().split('\r\n')).toHaveLength(251);
    const ndjson = await server.request(`/api/wid/${workspace.slug}${path}?result=error`, {
      key,
      headers: { Accept: 'application/x-ndjson' },
    });
    expect(
      ndjson.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).index),
    ).toEqual(indexes.filter((i) => i % 10 === 0));
  });

  it('a batch is listed with its profile and by its status, newest first', async () => {
    const first = await calls.sync([element()], '?profile=cad');
    const second = await calls.sync([element()]);
    const ids = (list: { items: SyncBatch[] }) => list.items.map((one) => one.batchId);
    expect(ids((await calls.get('/pdm/sync/batches')).body)).toEqual([second.batchId, first.batchId]);
    expect(ids((await calls.get('/pdm/sync/batches?profile=cad')).body)).toEqual([first.batchId]);
    expect(ids((await calls.get('/pdm/sync/batches?status=failed')).body)).toEqual([]);
    expect(first).toMatchObject({ profileName: 'cad', submittedBy: { type: 'apiKey' } });
  });

  it('of another workspace’s batch are not found', async () => {
    const batch = await calls.sync([element()]);
    const other = syncCalls(server, await makeDefaultWorkspace(server));
    for (const below of ['', '/results', '/events']) {
      expect((await other.get(`/pdm/sync/batches/${batch.batchId}${below}`)).status).toBe(404);
    }
  });
});

describe('progress events', () => {
  it('end with the batch’s status; a client that has seen it gets nothing again', async () => {
    const entities = Array.from({ length: 2000 }, () => element());
    const { body } = await calls.send({ entities }, { headers: { Prefer: 'respond-async' } });
    const stream = await calls.get(`/pdm/sync/batches/${body.batchId}/events`);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const events = stream.text.split('\n\n').flatMap((block) => {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      return fields.event === undefined
        ? []
        : [{ event: fields.event, id: fields.id, data: JSON.parse(fields.data) }];
    });
    expect(events.at(-1)).toMatchObject({
      event: 'completed',
      data: { counts: { created: 2000, processed: 2000 } },
    });
    for (const one of events.slice(0, -1)) expect(one.event).toBe('progress');
    for (const one of events) expect(SyncEvent.parse(one)).toEqual(one);
    const again = await server.request(`/api/wid/${workspace.slug}/pdm/sync/batches/${body.batchId}/events`, {
      key: workspace.key,
      headers: { 'Last-Event-ID': events.at(-1)?.id ?? '' },
    });
    expect(again.text).not.toContain('event:');
  });
});

describe('a dry run', () => {
  it('says what would happen and writes nothing; its commit does exactly that', async () => {
    await workspace.ask('POST', '/property-definitions', { key: 'Mass', name: 'Mass', type: 'numeric' });
    const top = element({ categoryKey: 'assembly', name: 'Top' });
    const part = element({ parentGuid: top.guid, quantity: 2, properties: { Mass: '1' } });
    await calls.sync([top]);
    const plan = await calls.sync(
      [{ ...top, name: 'New top' }, part, element({ categoryKey: 'nope' })],
      '?dryRun=true',
    );
    expect(plan.dryRun).toBe(true);
    expect(resultKinds(plan)).toEqual(['updated', 'created', 'error']);
    expect(plan.results[0]).toMatchObject({
      changes: [{ field: 'name', from: 'Top', to: 'New top' }],
      links: [],
    });
    expect(taken(plan.results[1]).changes).toContainEqual({ field: 'properties.Mass', from: null, to: 1 });
    expect(taken(plan.results[1]).links).toEqual([{ parentGuid: top.guid, from: null, to: 2 }]);
    expect((await calls.entity(top.guid)).name).toBe('Top');
    expect((await calls.get(`/entities/guid:${part.guid}`)).status).toBe(404);

    const commit = await workspace.ask('POST', `/pdm/sync/batches/${plan.batchId}/commit`);
    expect(commit.status, commit.text).toBe(200);
    expect(commit.body).toMatchObject({ commitOf: plan.batchId, dryRun: false, status: 'completed' });
    expect(resultKinds(commit.body)).toEqual(['updated', 'created', 'error']);
    expect(await calls.uses(top.guid)).toEqual({ [part.number]: 2 });
  });

  it.each([1, 300])(
    'of %s parts is stale when anything it rests on has changed: 409, nothing written',
    async (count) => {
      const parts = Array.from({ length: count }, () => element());
      await calls.sync(parts);
      const renamed = parts.map((part) => ({ ...part, name: `${part.name} new` }));
      const plan = await calls.sync(renamed, '?dryRun=true');
      await calls.sync([{ ...parts[0], name: 'Changed meanwhile' }]);
      const commit = await workspace.ask('POST', `/pdm/sync/batches/${plan.batchId}/commit`);
      expect([commit.status, commit.body.code]).toEqual([409, 'plan_stale']);
      const [first, second] = parts as [SentPart, SentPart?];
      expect(commit.body.guids).toEqual([first.guid]);
      expect((await calls.entity(first.guid)).name).toBe('Changed meanwhile');
      if (second !== undefined) expect((await calls.entity(second.guid)).name).toBe(second.name);
    },
  );

  it('is the only thing that can be committed', async () => {
    const batch = await calls.sync([element()]);
    const commit = await workspace.ask('POST', `/pdm/sync/batches/${batch.batchId}/commit`);
    expect([commit.status, commit.body.code]).toEqual([409, 'not_a_plan']);
  });
});

describe('cancelling', () => {
  it('stops what has not been processed, and the next batch proceeds; a finished batch is a 409', async () => {
    const own = await makeDefaultWorkspace(idle);
    const sent = syncCalls(idle, own);
    const { body } = await sent.send({ entities: [element()] }, { headers: { Prefer: 'respond-async' } });
    const cancelled = await own.ask('POST', `/pdm/sync/batches/${body.batchId}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expect(cancelled.body.counts).toMatchObject({ total: 1, processed: 0 });
    const again = await own.ask('POST', `/pdm/sync/batches/${body.batchId}/cancel`);
    expect([again.status, again.body.code]).toEqual([409, 'batch_finished']);
  });

  it('in the middle keeps what is done', async () => {
    const entities = Array.from({ length: 20_000 }, () => element());
    const { body } = await calls.send({ entities }, { headers: { Prefer: 'respond-async' } });
    await vi.waitUntil(async () => {
      const batch = (await calls.get(`/pdm/sync/batches/${body.batchId}`)).body;
      return batch.counts.processed > 0;
    }, patience);
    const cancelled = await workspace.ask('POST', `/pdm/sync/batches/${body.batchId}/cancel`);
    expect(cancelled.body.status).toBe('cancelled');
    await calls.sync([element()]);
    const batch = (await calls.get(`/pdm/sync/batches/${body.batchId}`)).body;
    expect(batch.counts.processed).toBeGreaterThan(0);
    expect(batch.counts.processed).toBeLessThan(20_000);
    const [row] = await workspace.transact((tx) =>
      tx.query<{ count: number }>('select count(*)::integer as count from entity where workspace_id = $1', [
        workspace.id,
      ]),
    );
    expect(row?.count).toBe(batch.counts.created + 1);
  });
});

describe('retrying', () => {
  it('lets a failed batch go on where it stopped; any other is a 409', async () => {
    const entities = Array.from({ length: 300 }, () => element());
    const { body } = await calls.send({ entities }, { headers: { Prefer: 'respond-async' } });
    // The world as a failure leaves it: ended, one chunk not done.
    await vi.waitUntil(
      async () => (await calls.get(`/pdm/sync/batches/${body.batchId}`)).body.finishedAt,
      patience,
    );
    expect((await workspace.ask('POST', `/pdm/sync/batches/${body.batchId}/retry`)).status).toBe(409);
    await workspace.transact(async (tx) => {
      await tx.query(`update sync_batch set status = 'failed', counts = null where id = $1`, [body.batchId]);
      await tx.query(`update sync_chunk set phase = 'write' where batch_id = $1 and ordinal = 1`, [
        body.batchId,
      ]);
    });
    const retried = await workspace.ask('POST', `/pdm/sync/batches/${body.batchId}/retry`);
    expect(retried.status, retried.text).toBe(202);
    const batch = await vi.waitUntil(async () => {
      const now = (await calls.get(`/pdm/sync/batches/${body.batchId}`)).body;
      return now.status === 'completed' && now;
    }, patience);
    expect(batch.counts).toMatchObject({ total: 300, created: 200, skipped: 100 });
  });
});

describe('retention', () => {
  it('drops the payload of an old batch and keeps its results; it can be neither committed nor retried then', async () => {
    const plan = await calls.sync([element()], '?dryRun=true');
    await workspace.transact((tx) =>
      tx.query(`update sync_batch set finished_at = now() - interval '31 days' where id = $1`, [
        plan.batchId,
      ]),
    );
    expect(await pruneOld(server.ctx)).toBeGreaterThan(0);
    const left = await workspace.transact((tx) =>
      tx.query('select from sync_payload where batch_id = $1', [plan.batchId]),
    );
    expect(left).toEqual([]);
    expect((await calls.get(`/pdm/sync/batches/${plan.batchId}/results`)).body.items).toHaveLength(1);
    const commit = await workspace.ask('POST', `/pdm/sync/batches/${plan.batchId}/commit`);
    expect([commit.status, commit.body.code]).toEqual([409, 'payload_gone']);
  });
});

describe('retention of results', () => {
  const age = (batchId: string, days: number) =>
    workspace.transact((tx) =>
      tx.query(`update sync_batch set finished_at = now() - make_interval(days => $2) where id = $1`, [
        batchId,
        days,
      ]),
    );
  const rows = async (table: string, batchId: string) => {
    const column = table === 'sync_batch' ? 'id' : 'batch_id';
    return (
      await workspace.transact((tx) => tx.query(`select from ${table} where ${column} = $1`, [batchId]))
    ).length;
  };

  it('drops old results, and says so to whoever asks for them; counts stay in the envelope', async () => {
    const old = await calls.sync(Array.from({ length: 300 }, () => element()));
    const young = await calls.sync([element()]);
    await age(old.batchId, 91);
    await age(young.batchId, 89);
    await pruneOld(server.ctx);
    expect(await rows('sync_result', old.batchId)).toBe(0);
    expect(await rows('sync_batch', old.batchId)).toBe(1);
    const path = `/pdm/sync/batches/${old.batchId}`;
    for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
      const gone = await workspace.ask('GET', `${path}/results`, undefined, { Accept: accept });
      expect([accept, gone.status, gone.body.code]).toEqual([accept, 410, 'results_gone']);
    }
    expect((await calls.get(`${path}/problems`)).body.code).toBe('results_gone');
    expect(await rows('sync_digest', old.batchId)).toBe(0);
    const envelope = (await calls.get(path)).body;
    expect(envelope).toMatchObject({ status: 'completed', counts: { total: 300 }, resultsGone: true });
    expect(envelope).not.toHaveProperty('results');
    const listed = (await calls.get('/pdm/sync/batches')).body.items;
    expect(listed.find((one: { batchId: string }) => one.batchId === old.batchId).resultsGone).toBe(true);
    const kept = (await calls.get(`/pdm/sync/batches/${young.batchId}`)).body;
    expect(kept.results).toHaveLength(1);
    expect(kept).not.toHaveProperty('resultsGone');
    expect((await calls.get(`/pdm/sync/batches/${young.batchId}/results`)).body.items).toHaveLength(1);
  });

  it('does not pass what is left for all of them in an envelope whose batch was read before they went', async () => {
    const { batchId } = await calls.sync([element(), element()]);
    const ref = { workspaceId: workspace.id, batchId };
    const reading = { gone: new AbortController().signal, elementsMax: 10, bytesMax: 10_000 };
    const before = await workspace.transact((tx) => readBatch(tx, workspace.slug, batchId));
    const read = async () => before;
    const whole = await readFewResults(server.ctx, ref, { ...reading, read });
    expect(JSON.parse(String(whole.results))).toHaveLength(2);
    await age(batchId, 91);
    await pruneOld(server.ctx);
    const { batch, results } = await readFewResults(server.ctx, ref, { ...reading, read });
    expect([before.resultsGone, batch.resultsGone, results]).toEqual([undefined, true, null]);
  });

  it('cuts a download whose results go while they are read, and gives a page that was read before', async () => {
    const batchOf = async () => {
      const batch = await calls.sync([element()]);
      return { batchId: batch.batchId, path: `/pdm/sync/batches/${batch.batchId}/results` };
    };
    const [paged, begun, downloaded] = [await batchOf(), await batchOf(), await batchOf()];
    const { webPool } = server.ctx;
    const merge = webPool.merge.bind(webPool);
    const merging = vi.spyOn(webPool, 'merge').mockImplementation(async (request) => {
      const merged = await merge(request);
      await pruneOld(server.ctx);
      return merged;
    });
    try {
      await age(paged.batchId, 91);
      const page = await workspace.ask('GET', paged.path);
      expect([page.status, page.body.items.length]).toEqual([200, 1]);
      const later = await workspace.ask('GET', paged.path);
      expect([later.status, later.body.code]).toEqual([410, 'results_gone']);
      const download = async ({ batchId, path }: typeof begun, accept: string) => {
        await age(batchId, 91);
        return workspace.ask('GET', path, undefined, { Accept: accept });
      };
      // Of this one nothing has been sent when it is known, of that one the header line and the first results.
      expect((await download(begun, 'application/x-ndjson')).status).toBe(410);
      await expect(download(downloaded, 'text/csv')).rejects.toThrow();
      expect(merging).toHaveBeenCalledTimes(3);
    } finally {
      merging.mockRestore();
    }
  });

  it('keeps results while the batch can still be retried, whatever is configured', async () => {
    const batch = await calls.sync([element()]);
    await age(batch.batchId, 29);
    await pruneOld({ ...server.ctx, config: { ...server.ctx.config, SYNC_RESULT_RETENTION_DAYS: 1 } });
    expect((await calls.get(`/pdm/sync/batches/${batch.batchId}/results`)).body.items).toHaveLength(1);
  });

  it('drops a batch that is older still, with all that belongs to it', async () => {
    const batch = await calls.sync(Array.from({ length: 300 }, () => element()));
    await age(batch.batchId, 731);
    // A row that somebody holds at this moment is passed over, and taken the next time.
    await vi.waitUntil(async () => {
      await pruneOld(server.ctx);
      return (await rows('sync_batch', batch.batchId)) === 0;
    }, patience);
    for (const table of ['sync_batch', 'sync_chunk', 'sync_result', 'sync_digest', 'sync_payload'])
      expect([table, await rows(table, batch.batchId)]).toEqual([table, 0]);
    for (const path of ['', '/results', '/events']) {
      const gone = await calls.get(`/pdm/sync/batches/${batch.batchId}${path}`);
      expect([path, gone.status, gone.body.code]).toEqual([path, 404, 'batch_not_found']);
    }
  });
});

describe('a batch of many chunks', () => {
  const versionOf = async (guid: string) => {
    return Number(versionOfTag(await calls.get(`/entities/guid:${guid}`)));
  };

  it('raises the version of a parent once, however many chunks have children of it', async () => {
    const [top, ...parts] = Array.from({ length: 401 }, () => element());
    const guid = String(top?.guid);
    await calls.sync([top]);
    const before = await versionOf(guid);
    const under = parts.map((part) => ({ ...part, parentGuid: guid }));
    const batch = await calls.sync([top, ...under]);
    expect(batch.counts).toMatchObject({ created: 400, skipped: 1 });
    expect(await versionOf(guid)).toBe(before + 1);
    expect((await calls.sync([top, ...under])).counts).toMatchObject({ skipped: 401 });
    expect(await versionOf(guid)).toBe(before + 1);
  });

  it('reports each element once where some of each chunk are changed', async () => {
    const parts = Array.from({ length: 350 }, () => element());
    await calls.sync(parts);
    const changed = parts.map((part, i) => (i % 7 === 0 ? { ...part, name: `Changed ${i}` } : part));
    const batch = await calls.sync(changed);
    expect(batch.counts).toMatchObject({ total: 350, updated: 50, skipped: 300, error: 0 });
    expect(resultKinds(batch)).toEqual(parts.map((_, i) => (i % 7 === 0 ? 'updated' : 'skipped')));
    expect(await calls.entity(String(parts[343]?.guid))).toMatchObject({ name: 'Changed 343' });
  });
});

describe('events', () => {
  it('are written once for each created and updated result and for the import, where somebody listens', async () => {
    await workspace.transact((tx) =>
      tx.query(
        'insert into event_listener (workspace_id, context_type, listener_id) select $1, unnest(array[2, 3, 4]), $1',
        [workspace.id],
      ),
    );
    const parts = Array.from({ length: 150 }, () => element());
    await calls.sync(parts);
    await calls.sync(parts.map((part, i) => (i < 5 ? { ...part, name: 'New' } : part)));
    await calls.sync(parts, '?dryRun=true');
    await calls.sync([]);
    const rows = await workspace.transact((tx) =>
      tx.query<{ context_type: number; count: number }>(
        `select context_type, sum(event_count)::integer as count from outbox where workspace_id = $1 group by 1 order by 1`,
        [workspace.id],
      ),
    );
    expect(rows).toEqual([
      { context_type: 2, count: 3 },
      { context_type: 3, count: 150 },
      { context_type: 4, count: 5 },
    ]);
  });

  it('tell of an assembly from which an exact batch takes parts, once and of nothing else', async () => {
    await workspace.transact((tx) =>
      tx.query('insert into event_listener (workspace_id, context_type, listener_id) values ($1, 4, $1)', [
        workspace.id,
      ]),
    );
    const top = element({ categoryKey: 'assembly' });
    const [bolt, nut, pin] = [1, 2, 3].map(() => element({ parentGuid: top.guid }));
    await calls.sync([top, bolt, nut, pin]);
    const updated = async () => {
      const [row] = await workspace.transact((tx) =>
        tx.query<{ count: number }>(
          `select coalesce(sum(event_count), 0)::integer as count from outbox where workspace_id = $1`,
          [workspace.id],
        ),
      );
      return row?.count;
    };
    await calls.sync([top, bolt], '?structure=exact&dryRun=true');
    expect(await updated()).toBe(0);
    await calls.sync([top, bolt], '?structure=exact');
    expect(await updated()).toBe(1);
    await calls.sync([top, bolt], '?structure=exact');
    expect(await updated()).toBe(1);
  });

  it('are not written where nobody listens', async () => {
    await calls.sync([element()]);
    const rows = await workspace.transact((tx) =>
      tx.query('select from outbox where workspace_id = $1', [workspace.id]),
    );
    expect(rows).toEqual([]);
  });
});

describe('order', () => {
  it('of batches in a workspace is that of acceptance', async () => {
    const part = element({ name: 'start' });
    const names = Array.from({ length: 12 }, (_, i) => `name ${i}`);
    const accepted: SyncBatch[] = [];
    for (const name of names) {
      const filler = Array.from({ length: 150 }, () => element());
      const { body } = await calls.send(
        { entities: [{ ...part, name }, ...filler] },
        { headers: { Prefer: 'respond-async' } },
      );
      accepted.push(body);
    }
    const last = await vi.waitUntil(async () => {
      const batch = (await calls.get(`/pdm/sync/batches/${accepted.at(-1)?.batchId}`)).body;
      return batch.finishedAt !== null && batch;
    }, patience);
    expect(last.status).toBe('completed');
    expect((await calls.entity(part.guid)).name).toBe(names.at(-1));
    const list = (await calls.get('/pdm/sync/batches')).body.items.reverse();
    for (let i = 1; i < list.length; i++) expect(list[i].startedAt >= list[i - 1].finishedAt).toBe(true);
  });
});

describe('the line', () => {
  it('goes on from nine to ten and from ninety-nine to a hundred: places are numbers, not texts', async () => {
    await workspace.transact(async (tx) => {
      const [now] = await tx.query<{ place: string }>(`select nextval('sync_batch_accepted') as place`);
      const place = Number(now?.place);
      // To a few places before the next power of ten.
      const skipped = 10 ** Math.ceil(Math.log10(place + 7)) - 6 - place;
      await tx.query(`select nextval('sync_batch_accepted') from generate_series(1, $1)`, [skipped]);
    });
    const part = element();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => calls.send({ entities: [{ ...part, name: `name ${n}` }] })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
  });
});
