// Idempotency-Key: the first answer again, whatever happens in between (contract §1.10).
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { inTransaction } from '../../src/db/transaction.ts';
import { AppError } from '../../src/errors.ts';
import { encodeAnswer } from '../../src/http/answers/send-answer.ts';
import { readBody, readingFor } from '../../src/http/bodies/read-body.ts';
import { defineRoute } from '../../src/http/route.ts';
import {
  claimIdempotencyKey,
  pruneIdempotencyKeys,
  recordAnswer,
  withBody,
} from '../../src/idempotency/idempotency-key.ts';
import { selectKept } from '../../src/idempotency/kept-answers.sql.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';
import { asSuperuser } from '../stock/stocked-workspace.ts';

let made = 0;
let isRefusedBefore = false;
let release: (() => void) | null = null;
const routes = [
  defineRoute({
    method: 'post',
    path: '/api/wid/{slug}/things',
    operationId: 'createThing',
    tag: 'Test',
    summary: 'Create',
    access: 'stock',
    transaction: 'write',
    body: z.strictObject({ name: z.string() }),
    answers: { 201: { description: 'Made.', schema: z.object({ number: z.number(), name: z.string() }) } },
    errors: ['in_use'],
    handle: async ({ body }) => {
      made++;
      if (body.name === 'refused') throw new AppError('in_use', 'Refused.');
      if (body.name === 'slow') await new Promise<void>((resolve) => (release = resolve));
      return {
        status: 201,
        body: { number: made, name: body.name },
        headers: { Location: `/${made}` },
        etag: 'e',
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/wid/{slug}/checked-things',
    operationId: 'createCheckedThing',
    tag: 'Test',
    summary: 'Create what is looked at before',
    access: 'stock',
    transaction: 'write',
    answers: { 201: { description: 'Made.', schema: z.object({ number: z.number() }) } },
    errors: ['in_use'],
    before: async () => {
      if (isRefusedBefore) throw new AppError('in_use', 'Refused.');
    },
    handle: async () => ({ status: 201, body: { number: ++made } }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/of-the-operator',
    operationId: 'createByOperator',
    tag: 'Test',
    summary: 'Create outside any workspace',
    access: 'operator',
    transaction: 'write',
    answers: { 201: { description: 'Made.', schema: z.object({ number: z.number() }) } },
    handle: async () => ({ status: 201, body: { number: ++made } }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/wid/{slug}/streams',
    operationId: 'createStream',
    tag: 'Test',
    summary: 'Create from a body that the handler reads',
    access: 'stock',
    transaction: 'none',
    idempotent: true,
    rawBody: { 'text/plain': 'Text.' },
    answers: { 201: { description: 'Made.', schema: z.object({ number: z.number() }) } },
    handle: async ({ ctx, workspace, idempotency, req }) => {
      const bytes = await readBody(req, 1000, 1000, readingFor(ctx, workspace.id));
      const digest = createHash('sha256').update(bytes).digest();
      return inTransaction(ctx.db, { workspaceId: workspace.id }, async (tx) => {
        const request = idempotency === null ? null : withBody(idempotency, digest);
        const first = request === null ? null : await claimIdempotencyKey(tx, request);
        if (first !== null) return first;
        const answer = { status: 201, body: { number: ++made } };
        if (request !== null) recordAnswer(tx, request, encodeAnswer(answer));
        return answer;
      });
    },
  }),
];

let server: TestServer;
let workspace: TestWorkspace;
beforeAll(async () => {
  server = await startTestServer({ routes });
  workspace = await server.createWorkspace();
});
afterAll(() => server.close());

const post = (name: string, key: string, more: { path?: string; apiKey?: string } = {}) =>
  server.request(`${workspace.path}/things${more.path ?? ''}`, {
    key: more.apiKey ?? workspace.key,
    body: { name },
    headers: { 'Idempotency-Key': key },
  });

test('the same request again gets the first answer and has no effect', async () => {
  const first = await post('a', 'k1');
  const again = await post('a', 'k1');
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
    201,
    first.text,
    'true',
  ]);
  for (const name of ['location', 'etag', 'content-type']) {
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
  expect((await post('a', 'k2')).body.number).toBe(first.body.number + 1);
});

test('and is asked nothing before that, which may have changed', async () => {
  const create = (key: string) =>
    server.request(`${workspace.path}/checked-things`, {
      method: 'POST',
      key: workspace.key,
      headers: { 'Idempotency-Key': key },
    });
  const first = await create('checked');
  expect(first.status, first.text).toBe(201);
  isRefusedBefore = true;
  expect((await create('checked')).text).toBe(first.text);
  expect((await create('unchecked')).status).toBe(409);
  isRefusedBefore = false;
  expect((await create('unchecked')).body.number).toBe(first.body.number + 1);
});

test('the key with another body, path or query is 422', async () => {
  await post('b', 'k3');
  const other = await post('c', 'k3');
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
});

test('keys of two callers are two keys', async () => {
  const apiKey = await workspace.addKey('write');
  const first = await post('a', 'k4');
  const second = await post('a', 'k4', { apiKey });
  expect(second.body.number).toBe(first.body.number + 1);
  expect(second.headers.get('idempotent-replayed')).toBeNull();
});

test('while the first is still running, the same key is 409 at once', async () => {
  const first = post('slow', 'k5');
  await expect.poll(() => release).not.toBeNull();
  const second = await post('slow', 'k5');
  expect([second.status, second.body.code]).toEqual([409, 'idempotency_in_progress']);
  expect(second.headers.get('retry-after')).toBe('1');
  release?.();
  expect((await first).status).toBe(201);
  expect((await post('slow', 'k5')).text).toBe((await first).text);
});

test('of many at once exactly one has an effect', async () => {
  const before = made;
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('many', 'k6')));
  expect(made).toBe(before + 1);
  for (const { status } of answers) expect([201, 409]).toContain(status);
  expect(answers.some(({ status }) => status === 201)).toBe(true);
  expect((await post('many', 'k6')).body.number).toBe(made);
});

test('a refusal is not kept', async () => {
  const before = made;
  expect((await post('refused', 'k7')).status).toBe(409);
  expect((await post('refused', 'k7')).status).toBe(409);
  expect(made).toBe(before + 2);
});

test('a key that is no visible ASCII of 1 to 255 is 400', async () => {
  for (const key of ['', ' ', 'two words', 'x'.repeat(256)]) {
    expect([key, (await post('a', key)).body.code]).toEqual([key, 'invalid_header']);
  }
  expect((await post('a', 'x'.repeat(255))).status).toBe(201);
});

test('a route with its own transaction and body keeps the same promises', async () => {
  const send = (body: string) =>
    server.request(`${workspace.path}/streams`, {
      key: workspace.key,
      body,
      headers: { 'Idempotency-Key': 's1', 'Content-Type': 'text/plain' },
    });
  const first = await send('text');
  const again = await send('text');
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  expect((await send('other')).body.code).toBe('idempotency_key_reused');
});

test('the operator’s calls keep them too', async () => {
  const send = () =>
    server.request('/api/of-the-operator', {
      method: 'POST',
      key: 'operator-token-of-the-tests',
      headers: { 'Idempotency-Key': 'o1' },
    });
  const first = await send();
  expect([first.status, (await send()).text]).toEqual([201, first.text]);
});

test('what is kept is sealed: the database does not show it', async () => {
  await post('visible?', 'k8');
  const rows = await inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query<{ body: Buffer }>(`select body from kept_answer where key = 'k8'`),
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.body.includes('visible?')).toBe(false);
});

/** As time goes on: the database's clock cannot be set here, but when answers were kept can. */
const keptAt = (key: string, ago: string) =>
  inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query('update kept_answer set created_at = now() - $2::interval where key = $1', [key, ago]),
  );
const asOwner = <Row>(sql: string): Promise<Row[]> =>
  asSuperuser(server, async (client) => (await client.query(sql)).rows as Row[]);
const partitionOf = (key: string) =>
  asOwner<{ partition: string }>(
    `select tableoid::regclass::text as partition from kept_answer where key = '${key}'`,
  ).then((rows) => rows.map(({ partition }) => partition));
const prune = (days: number) =>
  inTransaction(server.ctx.db, 'instance', (tx) => pruneIdempotencyKeys(tx, days));

test('after the retention the key is new, and what no partition was there for is deleted', async () => {
  const first = await post('old', 'k9');
  await keptAt('k9', '8 days');
  expect(await partitionOf('k9')).toEqual(['kept_answer_other']);
  const second = await post('old', 'k9');
  expect(second.body.number).toBe(first.body.number + 1);
  expect((await post('old', 'k9')).text).toBe(second.text);
  expect(await prune(7)).toBe(1);
  expect((await post('old', 'k9')).text).toBe(second.text);
});

test('a key is one key on both sides of a partition’s end, and a partition past its time goes whole', async () => {
  const before = `kept_answer_before_${Date.now()}`;
  const older = `kept_answer_older_${Date.now()}`;
  await asOwner(`create table ${before} partition of kept_answer
    for values from (date_trunc('day', now(), 'UTC') - interval '2 days') to (date_trunc('day', now(), 'UTC'))`);
  await asOwner(`create table ${older} partition of kept_answer
    for values from (date_trunc('day', now(), 'UTC') - interval '10 days') to (date_trunc('day', now(), 'UTC') - interval '8 days')`);
  const first = await post('midnight', 'k10');
  await keptAt('k10', '1 day 12 hours');
  expect(await partitionOf('k10')).toEqual([before]);
  const madeBefore = made;
  await Promise.all(Array.from({ length: 5 }, () => post('midnight', 'k10')));
  expect(made).toBe(madeBefore);
  expect((await post('midnight', 'k10')).text).toBe(first.text);
  await post('gone', 'k11');
  await keptAt('k11', '9 days');
  expect(await partitionOf('k11')).toEqual([older]);
  expect(await prune(7)).toBe(0);
  expect(await partitionOf('k11')).toEqual([]);
  expect(await partitionOf('k10')).toEqual([before]);
});

test('partitions are there ahead of time and take in what came before them; nobody reaches one by itself', async () => {
  const partitions = () =>
    asOwner<{ name: string; ends: Date }>('select name::text, ends from kept_answer_partition order by ends');
  const [latest] = (await partitions()).slice(-1);
  const ends = latest?.ends as Date;
  expect(ends.getTime()).toBeGreaterThan(Date.now() + 86_400_000);
  // The worker was away, or the clock ahead: what is kept then lies in the partition of all else until its own is made.
  await post('early', 'k12');
  await asOwner(`update kept_answer set created_at = '${ends.toISOString()}' where key = 'k12'`);
  expect(await partitionOf('k12')).toEqual(['kept_answer_other']);
  await prune(28);
  const made = (await partitions()).at(-1);
  expect(made?.ends.getTime()).toBe(ends.getTime() + 7 * 86_400_000);
  expect(await partitionOf('k12')).toEqual([made?.name]);
  await prune(28);
  expect((await partitions()).at(-1)).toEqual(made);
  const refused = inTransaction(server.ctx.db, 'instance', (tx) => tx.query(`select from ${made?.name}`));
  await expect(refused).rejects.toThrow(/permission denied/);
  // The retention is made shorter: what was made ahead for the longer one goes when it holds nothing.
  await prune(7);
  expect((await partitions()).at(-1)).toEqual(made);
  await asOwner(`delete from kept_answer where key = 'k12'`);
  await prune(7);
  expect((await partitions()).at(-1)).toEqual(latest);
});

test('a longer retention brings back no answer from before the key was used anew', async () => {
  await post('first', 'k13');
  await keptAt('k13', '9 days');
  const second = await post('second', 'k13');
  expect(second.headers.get('idempotent-replayed')).toBeNull();
  const [newest] = await asOwner<{ workspace_id: string; actor_id: string; request_hash: Buffer }>(
    `select * from kept_answer where key = 'k13' order by created_at desc limit 1`,
  );
  const wanted = [[workspace.id], [newest?.actor_id], ['k13'], 28];
  const found = await inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query<{ request_hash: Buffer }>(selectKept, wanted),
  );
  expect(found.map((row) => row.request_hash)).toEqual([newest?.request_hash]);
});
