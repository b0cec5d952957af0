// What every call has in common (contract §1), tried on routes made for it.
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../src/errors.ts';
import { requireMatch } from '../../src/http/entity-tag.ts';
import { defineRoute } from '../../src/http/route.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer, type TestWorkspace } from '../setup/server.ts';
import { asSuperuser } from '../stock/stocked-workspace.ts';

const Thing = z.strictObject({
  name: z.string().max(10),
  size: z.number().optional(),
  'a/b': z.unknown().optional(),
});
/** Shown of a thing, whose version stays the same. */
let textOfThing = 'x'.repeat(5000);
const routes = [
  defineRoute({
    method: 'post',
    path: '/api/wid/{slug}/things',
    operationId: 'echoThing',
    tag: 'Test',
    summary: 'Echo',
    access: 'stock',
    transaction: 'none',
    query: z.object({ twice: z.stringbool().optional() }),
    body: Thing,
    answers: { 200: { description: 'The same.', schema: z.unknown() } },
    handle: async ({ body, query }) => ({ status: 200, body: { body, query } }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/wid/{slug}/things/{id}',
    operationId: 'getThing',
    tag: 'Test',
    summary: 'Read',
    access: 'read',
    transaction: 'read',
    params: z.object({ id: z.string().max(20) }),
    answers: { 200: { description: 'It.', schema: z.object({ id: z.string(), text: z.string() }) } },
    handle: async ({ params }) => ({
      status: 200,
      body: { id: params.id, text: textOfThing },
      etag: '7',
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/wid/{slug}/moments',
    operationId: 'getMoments',
    tag: 'Test',
    summary: 'Count edits, wait for a lock, and count them again',
    access: 'read',
    transaction: 'read',
    answers: { 200: { description: 'Both.', schema: z.object({ counts: z.array(z.string()) }) } },
    handle: async (_call, tx) => {
      const count = async () =>
        (await tx.query<{ count: string }>('select count(*) from structure_edit'))[0]?.count ?? '';
      const before = await count();
      await tx.query('select pg_advisory_xact_lock(40)');
      return { status: 200, body: { counts: [before, await count()] } };
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/wid/{slug}/things/{id}',
    operationId: 'putThing',
    tag: 'Test',
    summary: 'Write',
    access: 'stock',
    transaction: 'write',
    params: z.object({ id: z.string() }),
    answers: { 204: { description: 'Done.' } },
    handle: async (call) => {
      requireMatch(call, '7');
      return { status: 204, etag: '8' };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/wid/{slug}/things/special',
    operationId: 'getSpecial',
    tag: 'Test',
    summary: 'Literal segments win',
    access: 'read',
    transaction: 'none',
    answers: { 200: { description: 'It.', schema: z.object({ special: z.literal(true) }) } },
    handle: async () => ({ status: 200, body: { special: true } }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/wid/{slug}/failures',
    operationId: 'fail',
    tag: 'Test',
    summary: 'Fail',
    access: 'read',
    transaction: 'write',
    body: z.strictObject({
      how: z.enum(['bug', 'sql', 'refusal', 'undeclared', 'wrongAnswer', 'wrongStatus']),
    }),
    answers: { 200: { description: 'Never.', schema: z.object({ ok: z.boolean() }) } },
    errors: ['in_use'],
    handle: async ({ body }, tx) => {
      if (body.how === 'bug') throw new Error('secret /etc/passwd');
      if (body.how === 'sql') await tx.query('select secret_column from nowhere');
      if (body.how === 'refusal')
        throw new AppError('in_use', { detail: 'Used.', extensions: { usedBy: ['x'] } });
      if (body.how === 'undeclared') throw new AppError('guid_taken', 'Taken.');
      return body.how === 'wrongAnswer' ? { status: 200, body: { ok: 'yes' } } : { status: 201, body: {} };
    },
  }),
];

let server: TestServer;
let workspace: TestWorkspace;
let things: string;
beforeAll(async () => {
  server = await startTestServer({ routes, environment: { BODY_BYTES_MAX: '65536' } });
  workspace = await server.createWorkspace();
  things = `${workspace.path}/things`;
});
afterAll(() => server.close());

const post = (body: unknown, headers: Record<string, string> = {}, path = things) =>
  server.request(path, { method: 'POST', key: workspace.key, body, headers });
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.request(path, { key: workspace.key, headers, method });

describe('every response', () => {
  test('carries the request id: the caller’s where it is visible ASCII, else a made one', async () => {
    const given = await get(`${things}/1`, { 'X-Request-Id': 'my-id/1' });
    expect(given.headers.get('x-request-id')).toBe('my-id/1');
    for (const bad of ['with space', 'x'.repeat(129), 'ümlaut']) {
      const made = await get(`${things}/1`, { 'X-Request-Id': bad });
      expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('carries the version of the API and headers that keep browsers out', async () => {
    const { headers } = await get('/nowhere');
    expect(headers.get('x-api-version')).toBe('2026-11-01');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('that reads in several statements shows one moment', async () => {
    await asSuperuser(server, async (other) => {
      // In one transaction: behind a pooler the next may be another connection's.
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(40)');
      const answer = get(`${workspace.path}/moments`);
      const waiting = async () =>
        (await other.query(`select from pg_locks where locktype = 'advisory' and objid = 40 and not granted`))
          .rowCount;
      await expect.poll(waiting, patience).toBe(1);
      await other.query('insert into structure_edit (workspace_id, edits) values ($1, 1)', [workspace.id]);
      await other.query('commit');
      expect((await answer).body.counts).toEqual(['0', '0']);
      expect((await get(`${workspace.path}/moments`)).body.counts).toEqual(['1', '1']);
    });
  });

  test('is compressed when asked', async () => {
    const answer = await get(`${things}/1`, { 'Accept-Encoding': 'gzip' });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.body.text).toHaveLength(5000);
  });
});

describe('paths and methods', () => {
  test('an unknown path is 404', async () => {
    const answer = await get(`${workspace.path}/nothing?x=1`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toMatchObject({
      type: 'urn:partbook:problem:not_found',
      title: 'Not found',
      status: 404,
      code: 'not_found',
      instance: `${workspace.path}/nothing`,
      requestId: answer.headers.get('x-request-id'),
    });
    expect((await get(`${things}/1/`)).status).toBe(404);
  });

  test('a known path with another method is 405 with Allow', async () => {
    const answer = await get(`${things}/1`, {}, 'DELETE');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, PUT, HEAD, OPTIONS');
    expect(answer.body.code).toBe('method_not_allowed');
    const options = await get(`${things}/1`, {}, 'OPTIONS');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, PUT, HEAD, OPTIONS']);
  });

  test('HEAD answers as GET does, without the body', async () => {
    const answer = await get(`${things}/1`, {}, 'HEAD');
    const read = await get(`${things}/1`);
    expect([answer.status, answer.headers.get('etag'), answer.text]).toEqual([
      200,
      read.headers.get('etag'),
      '',
    ]);
  });

  test('a literal segment wins over a parameter', async () => {
    expect((await get(`${things}/special`)).body).toEqual({ special: true });
  });
});

describe('a body', () => {
  test('that is not JSON is 400 with line and column', async () => {
    const cases: [string, number, number][] = [
      ['{"name":\n  "a",}', 2, 7],
      ['{"name": "a"', 1, 13],
      ['nope', 1, 2],
      ['{"name": "a"} x', 1, 15],
      ["{'name': 1}", 1, 2],
      ['{"name": 01}', 1, 11],
      ['{"name": "🛞", 1}', 1, 15],
      ['\ufeff{"name": x}', 1, 10],
      ['{"name": "a\nb"}', 1, 12],
      ['', 1, 1],
    ];
    for (const [text, line, column] of cases) {
      const answer = await post(text);
      expect([text, answer.status, answer.body.code], answer.text).toEqual([text, 400, 'invalid_json']);
      expect([text, answer.body.line, answer.body.column]).toEqual([text, line, column]);
    }
    const mangled = (await post(Buffer.from([0x22, 0xff, 0x22]))).body;
    expect([mangled.code, mangled.line, mangled.column]).toEqual(['invalid_json', 1, 2]);
  });

  test('of another media type is 415', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/json; charset=latin1']) {
      const answer = await post('{"name":"a"}', { 'Content-Type': type });
      expect([type, answer.status, answer.body.code]).toEqual([type, 415, 'unsupported_media_type']);
    }
    expect((await post('{"name":"a"}', { 'Content-Type': 'application/json; charset=UTF-8' })).status).toBe(
      200,
    );
  });

  test('may be compressed with gzip, br, zstd or deflate', async () => {
    const json = Buffer.from('{"name":"a"}');
    const forms = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync };
    for (const [encoding, compress] of Object.entries(forms)) {
      const answer = await post(compress(json), { 'Content-Encoding': encoding });
      expect([encoding, answer.status]).toEqual([encoding, 200]);
      const broken = await post(json, { 'Content-Encoding': encoding });
      expect([encoding, broken.status, broken.body.code]).toEqual([encoding, 400, 'invalid_encoding']);
      const cut = await post(compress(json).subarray(0, -3), { 'Content-Encoding': encoding });
      expect([encoding, cut.status]).toEqual([encoding, 400]);
    }
    const unknown = await post(json, { 'Content-Encoding': 'snappy' });
    expect([unknown.status, unknown.headers.get('accept-encoding')]).toEqual([
      415,
      'gzip, br, zstd, deflate',
    ]);
  });

  test('over the limit is 413, counted after decompression; at the limit it is read', async () => {
    const sized = (bytes: number) => `{"name":"a"}${' '.repeat(bytes - 12)}`;
    expect((await post(sized(65_536))).status).toBe(200);
    const over = await post(sized(65_537));
    expect([over.status, over.body.code, over.body.limit]).toEqual([413, 'payload_too_large', 65_536]);
    expect((await post(gzipSync(sized(65_536)), { 'Content-Encoding': 'gzip' })).status).toBe(200);
    expect((await post(gzipSync(sized(65_537)), { 'Content-Encoding': 'gzip' })).status).toBe(413);
    expect((await post(sized(5_000_000))).status).toBe(413);
  });

  test('that is a bomb is refused without being unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024), { level: 9 });
    const before = process.memoryUsage.rss();
    const answer = await post(bomb, { 'Content-Encoding': 'gzip' });
    expect(answer.status).toBe(413);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  });

  test('of the wrong shape is 422 with pointers', async () => {
    const answer = await post({ name: 'a'.repeat(11), size: 'big', 'a/b~': 1 });
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
    expect(answer.body.errors.map((e: { pointer: string; code: string }) => [e.pointer, e.code])).toEqual(
      expect.arrayContaining([
        ['/name', 'too_big'],
        ['/size', 'invalid_type'],
        ['/a~1b~0', 'unknown_field'],
      ]),
    );
    const typo = await post({ name: 'a', sise: 1 });
    expect([typo.status, typo.body.code, typo.body.errors[0].pointer]).toEqual([
      422,
      'unknown_field',
      '/sise',
    ]);
    const without = await post({ size: 'big' });
    expect(without.body.errors[0]).toMatchObject({ pointer: '/name', code: 'required' });
    expect(without.body.detail).toBe(
      'The request is not valid. Field `/name`: Required. (1 more in `errors`)',
    );
    const list = await post([]);
    expect([list.status, list.body.detail]).toEqual([
      422,
      expect.stringMatching(/^The request is not valid\. The body: /),
    ]);
  });

  test('with U+0000 or a lone surrogate anywhere is 422', async () => {
    for (const text of [
      '{"name":"a\\u0000"}',
      '{"name":"\\ud800"}',
      '{"name":"a","a/b":{"\\u0000":1}}',
      '{"name":"a","a/b":["ok","\\udc00x"]}',
      `{"name":"a","a/b":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    ]) {
      const answer = await post(text);
      expect([text.slice(0, 40), answer.status]).toEqual([text.slice(0, 40), 422]);
    }
    const pair = await post('{"name":"\\ud83d\\ude00"}');
    expect(pair.body.body.name).toBe('😀');
  });

  test('with a number beyond the range of a double anywhere is 422', async () => {
    for (const number of ['1e400', '-1E+999', '9'.repeat(400)]) {
      const { status, body } = await post(`{"name":"x","a/b":[{"n":${number}}]}`);
      expect([status, body.errors]).toMatchObject([
        422,
        [{ pointer: '/a~1b/0/n', code: 'number_out_of_range' }],
      ]);
    }
  });

  test('may hold keys such as __proto__, which are refused like any unknown one', async () => {
    const answer = await post('{"name":"a","__proto__":{"admin":true},"constructor":1}');
    expect([answer.status, answer.body.code]).toEqual([422, 'unknown_field']);
  });
});

describe('path and query', () => {
  test('with U+0000, lone surrogates or broken encoding are 422', async () => {
    for (const id of ['%00', 'a%00b', '%ED%A0%80', '%ff', '%']) {
      const answer = await get(`${things}/${id}`);
      expect([id, answer.status, answer.body.code]).toEqual([id, 422, 'validation_failed']);
    }
    const query = await post({ name: 'a' }, {}, `${things}?twice=%00`);
    expect([query.status, query.body.errors[0].in]).toEqual([422, 'query']);
  });

  test('that do not fit are 422 and say where', async () => {
    const path = await get(`${things}/${'x'.repeat(21)}`);
    expect(path.body.errors[0]).toMatchObject({ in: 'path', pointer: '/id' });
    expect(path.body.detail).toContain('Parameter `id` of the path: ');
    const wrong = await post({ name: 'a' }, {}, `${things}?twice=perhaps`);
    expect(wrong.body.errors[0]).toMatchObject({ in: 'query', pointer: '/twice' });
    const unknown = await post({ name: 'a' }, {}, `${things}?twise=true`);
    expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_field']);
    expect((await post({ name: 'a' }, {}, `${things}?twice=true&twice=true`)).status).toBe(422);
    expect((await post({ name: 'a' }, {}, `${things}?twice=true`)).body.query).toEqual({ twice: true });
  });
});

describe('entity tags', () => {
  test('If-None-Match with the tag of what would be answered gives 304', async () => {
    const read = (await get(`${things}/1`)).headers.get('etag') as string;
    expect(read).toMatch(/^"7\.[\w-]+"$/);
    for (const tag of [read, `W/${read}`, `"1", ${read}`, '*']) {
      const answer = await get(`${things}/1`, { 'If-None-Match': tag });
      expect([tag, answer.status, answer.text, answer.headers.get('etag')]).toEqual([tag, 304, '', read]);
    }
    for (const tag of ['"6"', '"7"', '"7.other"'])
      expect([tag, (await get(`${things}/1`, { 'If-None-Match': tag })).status]).toEqual([tag, 200]);
  });

  test('the tag of a read changes with the body, while If-Match takes it for the version', async () => {
    const read = (await get(`${things}/1`)).headers.get('etag') as string;
    textOfThing = 'y'.repeat(5000);
    const later = await get(`${things}/1`, { 'If-None-Match': read });
    expect([later.status, later.headers.get('etag') === read]).toEqual([200, false]);
    expect((await get(`${things}/1`, { 'If-Match': read }, 'PUT')).status).toBe(204);
  });

  test('If-Match with another tag gives 412', async () => {
    const put = (headers: Record<string, string>) => get(`${things}/1`, headers, 'PUT');
    const stale = await put({ 'If-Match': '"6"' });
    expect([stale.status, stale.body.code, stale.headers.get('etag')]).toEqual([
      412,
      'precondition_failed',
      '"7"',
    ]);
    expect((await put({ 'If-Match': 'W/"7"' })).status).toBe(412);
    for (const headers of [{}, { 'If-Match': '"7"' }, { 'If-Match': '*' }, { 'If-Match': '"6", "7"' }]) {
      const done = await put(headers as Record<string, string>);
      expect([done.status, done.headers.get('etag')]).toEqual([204, '"8"']);
    }
  });
});

describe('failures', () => {
  const fail = (how: string) => post({ how }, {}, `${workspace.path}/failures`);

  test('a bug or an SQL error is 500 and shows nothing of itself', async () => {
    for (const how of ['bug', 'sql']) {
      const answer = await fail(how);
      expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
      expect(answer.text).not.toMatch(/secret|passwd|select|\.ts|at /);
    }
  });

  test('a refusal carries its extensions', async () => {
    const answer = await fail('refusal');
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: 'in_use', detail: 'Used.', usedBy: ['x'] },
    ]);
  });

  test('under test, what a handler does not declare is a bug', async () => {
    for (const how of ['undeclared', 'wrongAnswer', 'wrongStatus']) {
      expect([how, (await fail(how)).status]).toEqual([how, 500]);
    }
  });
});
