// The client for other programs: what is tried again, what never twice, streams, batches, pages, signatures, and its size.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../clients/typescript/connect.ts';
import { ApiError, ConnectionError, PartbookError, TimeoutError } from '../../clients/typescript/errors.ts';
import { listItems } from '../../clients/typescript/list-items.ts';
import { Batch, type SyncElement, syncBatch } from '../../clients/typescript/sync-batch.ts';
import { verifyWebhook } from '../../clients/typescript/verify-webhook.ts';
import { signatureHeaders } from '../../src/webhooks/sign-message.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { projectFolder } from './project-folder.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const part = (index: number): SyncElement => ({
  guid: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
  number: `P-${index}`,
  name: `Part ${index}`,
  categoryKey: 'part',
});

describe('on the service', () => {
  const partbook = () => connect({ url: server.baseUrl, workspace: workspace.slug, key: workspace.key });

  test('sends a stream of elements, follows the batch to its end and lists what it made', async () => {
    async function* parts() {
      for (let index = 0; index < 1200; index++) yield part(index);
    }
    const seen: number[] = [];
    const batch = await syncBatch(partbook(), parts, { profile: 'client' });
    const envelope = await batch.wait({ onProgress: ({ counts }) => seen.push(counts.processed) });
    expect(envelope).toMatchObject({
      status: 'completed',
      profileName: 'client',
      counts: { created: 1200, error: 0 },
    });
    expect(seen.at(-1)).toBe(1200);
    const numbers = (
      await Array.fromAsync(listItems(partbook(), 'GET /entities', {}, { pageItems: 500 }))
    ).map(({ number }) => number);
    expect(new Set(numbers).size).toBe(1200);
    const created = await Array.fromAsync(batch.results('created'));
    expect(created.map(({ index }) => index)).toEqual(Array.from({ length: 1200 }, (_, at) => at));
  });

  test('proposes, shows and commits; a plan that is stale is a refusal of its class', async () => {
    const elements = [{ ...part(5000), name: 'New' }];
    const plan = await syncBatch(partbook(), elements, { dryRun: true });
    expect((await plan.wait()).counts.created).toBe(1);
    const other = await syncBatch(partbook(), elements, { dryRun: true });
    await other.wait();
    expect((await (await plan.commit()).wait()).counts.created).toBe(1);
    const stale = other.commit();
    await expect(stale).rejects.toBeInstanceOf(ApiError);
    await expect(stale).rejects.toMatchObject({
      status: 409,
      code: 'plan_stale',
      requestId: expect.any(String),
    });
  });

  test("a refusal is an ApiError with its code; an abort is the caller's own", async () => {
    await expect(
      partbook()('GET /entities/{id}', { id: 'guid:00000000-0000-4000-8000-ffffffffffff' }),
    ).rejects.toMatchObject({ code: 'entity_not_found', status: 404 });
    const reason = new Error('Enough.');
    await expect(partbook()('GET /entities', {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

type Script = (request: IncomingMessage, response: ServerResponse, body: string, attempt: number) => void;

/** A server that answers as it is told, and remembers what came. */
async function scripted(
  script: Script,
  use: (url: string, calls: { key: string; body: string; attempt: number }[]) => Promise<void>,
) {
  const calls: { key: string; body: string; attempt: number }[] = [];
  const listening: Server = createServer(async (request, response) => {
    let body = '';
    try {
      for await (const piece of request) body += piece;
    } catch {
      return;
    }
    calls.push({ key: String(request.headers['idempotency-key'] ?? ''), body, attempt: calls.length });
    script(request, response, body, calls.length - 1);
  });
  await new Promise<void>((ready) => listening.listen(0, '127.0.0.1', () => ready()));
  try {
    await use(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`, calls);
  } finally {
    listening.closeAllConnections();
    listening.close();
  }
}

const problem = (
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
) =>
  response.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers }).end(
    JSON.stringify({
      status,
      code,
      title: code,
      detail: code,
      requestId: 'r',
      type: 'about:blank',
      instance: '/',
    }),
  );

describe('tries again', () => {
  test('with one key and the same body, what was lost, refused for now, or is still under way', async () => {
    const script: Script = (request, response, _, attempt) => {
      if (attempt === 0) request.socket.destroy();
      else if (attempt === 1) problem(response, 429, 'rate_limited', { 'Retry-After': '0' });
      else if (attempt === 2) problem(response, 409, 'idempotency_in_progress', { 'Retry-After': '0' });
      else if (attempt === 3) problem(response, 503, 'unavailable', { 'Retry-After': '0' });
      else response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"ok":true}');
    };
    await scripted(script, async (url, calls) => {
      const partbook = connect({ url, workspace: 'w', key: 'k' });
      const made = await partbook('POST /entities', { body: { category: 'part', name: 'x' } });
      expect(made).toEqual({ ok: true });
      expect(calls).toHaveLength(5);
      expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
      expect(calls[0]?.key).toMatch(/^[0-9a-f]{32}$/);
      expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    });
  });

  test('with the same key, an answer that broke off in the middle', async () => {
    const whole = JSON.stringify({ items: [], nextCursor: null });
    const script: Script = (request, response, _, attempt) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': whole.length });
      if (attempt > 0) response.end(whole);
      else response.write(whole.slice(0, 5), () => request.socket.destroy());
    };
    await scripted(script, async (url, calls) => {
      const partbook = connect({ url, workspace: 'w', key: 'k' });
      const body = { category: 'part', name: 'x' };
      expect(await partbook('POST /entities', { body })).toEqual({ items: [], nextCursor: null });
      expect(calls).toHaveLength(2);
      expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
    });
    await scripted(script, async (url, calls) => {
      const partbook = connect({ url, workspace: 'w', key: 'k', retries: 0 });
      await expect(partbook('GET /entities')).rejects.toBeInstanceOf(ConnectionError);
      expect(calls).toHaveLength(1);
    });
  });

  test('a streamed body from its beginning', async () => {
    const script: Script = (_, response, __, attempt) =>
      attempt === 0
        ? problem(response, 502, 'bad_gateway', { 'Retry-After': '0' })
        : response.writeHead(202).end('{"batchId":"b","counts":{}}');
    await scripted(script, async (url, calls) => {
      const batch = await syncBatch(connect({ url, workspace: 'w', key: 'k' }), [part(1), part(2)]);
      expect(batch).toBeInstanceOf(Batch);
      expect(calls.map(({ body }) => body.split('\n').length)).toEqual([3, 3]);
    });
  });

  test('never what is a refusal, what asks for too much patience, or a change with If-Match whose answer was lost', async () => {
    const refusing: Script = (request, response, _, attempt) => {
      if (attempt === 0) problem(response, 409, 'guid_taken');
      else if (attempt === 1) problem(response, 429, 'rate_limited', { 'Retry-After': '3600' });
      else request.socket.destroy();
    };
    await scripted(refusing, async (url, calls) => {
      const partbook = connect({ url, workspace: 'w', key: 'k' });
      const body = { name: 'x' };
      await expect(partbook('PATCH /entities/{id}', { id: 'a', body })).rejects.toMatchObject({
        code: 'guid_taken',
      });
      await expect(partbook('PATCH /entities/{id}', { id: 'a', body })).rejects.toMatchObject({
        retryAfterMs: 3_600_000,
      });
      const edit = partbook('PATCH /entities/{id}', { id: 'a', body }, { headers: { 'If-Match': '"1"' } });
      await expect(edit).rejects.toBeInstanceOf(ConnectionError);
      expect(calls).toHaveLength(3);
    });
  });

  test('by the date that a gateway names', async () => {
    const script: Script = (_, response, __, attempt) =>
      attempt === 0
        ? problem(response, 503, 'unavailable', { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' })
        : problem(response, 503, 'unavailable', { 'Retry-After': 'Fri, 31 Dec 9999 23:59:59 GMT' });
    await scripted(script, async (url, calls) => {
      await expect(connect({ url, workspace: 'w', key: 'k' })('GET /entities')).rejects.toMatchObject({
        code: 'unavailable',
      });
      expect(calls).toHaveLength(2);
    });
  });

  test('the end of a batch is waited for while the service is away, and no longer than it is told to', async () => {
    const envelope = { batchId: 'b', status: 'processing', finishedAt: null, counts: {} };
    const script: Script = (request, response, _, attempt) => {
      if (attempt === 0) response.writeHead(202).end(JSON.stringify(envelope));
      else if (attempt < 5) request.socket.destroy();
      else if (attempt === 5) problem(response, 503, 'unavailable', { 'Retry-After': '0' });
      else response.end(JSON.stringify({ ...envelope, status: 'completed', finishedAt: 'now', results: [] }));
    };
    await scripted(script, async (url, calls) => {
      const partbook = connect({ url, workspace: 'w', key: 'k', retries: 0 });
      const batch = await syncBatch(partbook, [part(1)]);
      expect((await batch.wait()).status).toBe('completed');
      expect(calls.length).toBeGreaterThan(6);
    });
    const away: Script = (request, response, _, attempt) => {
      if (attempt === 0) response.writeHead(202).end(JSON.stringify(envelope));
      else request.socket.destroy();
    };
    await scripted(away, async (url) => {
      const batch = await syncBatch(connect({ url, workspace: 'w', key: 'k', retries: 0 }), [part(1)]);
      await expect(batch.wait({ patienceMs: 0 })).rejects.toBeInstanceOf(ConnectionError);
    });
  });

  test('nothing that another server than the service answers', async () => {
    const page: Script = (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Sign in</html>');
    await scripted(page, async (url, calls) => {
      const asked = connect({ url, workspace: 'w', key: 'k' })('GET /entities');
      await expect(asked).rejects.toBeInstanceOf(PartbookError);
      await expect(asked).rejects.toThrow(/no JSON, but with "<html>Sign in<\/html>"/);
      expect(calls).toHaveLength(1);
    });
    // Followed, it would come without the key, and as a GET.
    const moved: Script = (_, response) =>
      response.writeHead(301, { Location: 'https://partbook.example/' }).end();
    await scripted(moved, async (url, calls) => {
      const body = { category: 'part', name: 'x' };
      await expect(
        connect({ url, workspace: 'w', key: 'k' })('POST /entities', { body }),
      ).rejects.toMatchObject({
        status: 301,
        message: expect.stringContaining('https://partbook.example/'),
      });
      expect(calls).toHaveLength(1);
    });
  });

  test('within a bound, and says when it was time', async () => {
    await scripted(
      () => undefined,
      async (url, calls) => {
        const partbook = connect({ url, workspace: 'w', key: 'k', timeoutMs: 500, retries: 1 });
        await expect(partbook('GET /entities')).rejects.toBeInstanceOf(TimeoutError);
        expect(calls).toHaveLength(2);
      },
    );
    // One that begins to answer and never ends takes as long as one that never answers.
    await scripted(
      (_, response) => response.writeHead(200, { 'Content-Length': 10 }).write('{'),
      async (url) => {
        const partbook = connect({ url, workspace: 'w', key: 'k', timeoutMs: 500, retries: 0 });
        await expect(partbook('GET /entities')).rejects.toBeInstanceOf(TimeoutError);
      },
    );
  });
});

test('a webhook is checked on the bytes that came: secrets that overlap, other bodies, old messages', async () => {
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const secrets = [first, second].map((secret) => `whsec_${secret.toString('base64')}`);
  const now = new Date('2026-11-22T12:00:00Z');
  const body = '{"ä":1}';
  const headers = signatureHeaders('m1', now.getTime() / 1000, body, [second]);
  expect(await verifyWebhook(secrets, { headers, body }, { now })).toBe(true);
  expect(
    await verifyWebhook(
      secrets[1] ?? '',
      { headers: new Headers(headers), body: Buffer.from(body) },
      { now },
    ),
  ).toBe(true);
  expect(await verifyWebhook(secrets[0] ?? '', { headers, body }, { now })).toBe(false);
  expect(await verifyWebhook(secrets, { headers, body: '{"ä": 1}' }, { now })).toBe(false);
  expect(await verifyWebhook(secrets, { headers, body }, { now: new Date(now.getTime() + 301_000) })).toBe(
    false,
  );
  expect(await verifyWebhook(secrets, { headers: {}, body }, { now })).toBe(false);
});

test('one call is less than 2¼ kB, compressed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partbook-size-'));
  try {
    const entry = join(folder, 'entry.ts');
    writeFileSync(
      entry,
      `import { connect } from '${join(projectFolder, 'clients/typescript/main.ts')}';\nexport const find = (id: string) => connect({ url: '', workspace: 'w' })('GET /entities/{id}', { id });\n`,
    );
    const built = await build({
      root: folder,
      logLevel: 'silent',
      configFile: false,
      build: {
        write: false,
        lib: { entry, formats: ['es'], fileName: 'entry' },
        minify: true,
        target: 'es2024',
      },
    });
    const [output] = [built].flat() as { output: { code?: string }[] }[];
    const code = output?.output[0]?.code ?? '';
    expect(code).toContain('Idempotency-Key');
    expect(gzipSync(code).length).toBeLessThan(2304);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
