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
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';

let made = 0;
let release: (() => void) | null = null;
const routes = [
  defineRoute({
    method: 'post',
    path: '/api/wid/{slug}/things',
    operationId: 'createThing',
    tag: 'Test',
    summary: 'Create',
    access: 'write',
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
    access: 'write',
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
    tx.query<{ body: Buffer }>(`select body from idempotency_key where key = 'k8'`),
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.body.includes('visible?')).toBe(false);
});

test('after the retention the key is new, and its record is pruned', async () => {
  const first = await post('old', 'k9');
  await inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query(`update idempotency_key set created_at = now() - interval '8 days' where key = 'k9'`),
  );
  expect((await post('old', 'k9')).body.number).toBe(first.body.number + 1);
  await inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query(`update idempotency_key set created_at = now() - interval '8 days' where key = 'k9'`),
  );
  expect(await inTransaction(server.ctx.db, 'instance', (tx) => pruneIdempotencyKeys(tx, 7))).toBe(1);
});
