// The listening server: slow clients, clients that go away, and a stop under load.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { RawJson } from '../../src/http/raw-json.ts';
import { defineRoute } from '../../src/http/route.ts';
import { healthRoutes } from '../../src/operations/health.routes.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
let stopped = false;
afterEach(async () => {
  if (!stopped) await server.close();
  stopped = false;
});

const logged: { msg: string; aborted?: boolean; status?: number; level: number }[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });

// Characters of one to four bytes, so that pieces of it end everywhere.
const texts = [1, 2, 3].map(
  (shift) => `${'x'.repeat(shift)}${'a\u00e4\u20ac\u{1f600}'.repeat(60_000)}\ud83d`,
);
const longAnswer = { items: texts.map((text, id) => ({ id, text })), nextCursor: null };

const routes = [
  ...healthRoutes,
  defineRoute({
    method: 'get',
    path: '/long',
    operationId: 'long',
    tag: 'Test',
    summary: 'Answers with megabytes',
    access: 'public',
    transaction: 'none',
    answers: {
      200: { description: 'Done.', schema: z.object({ items: z.array(z.any()), nextCursor: z.null() }) },
    },
    handle: async () => ({
      status: 200,
      // As the database would have written it: not escaped.
      body: { ...longAnswer, items: texts.map((text, id) => ({ id, text: new RawJson(`"${text}"`) })) },
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/slow',
    operationId: 'slow',
    tag: 'Test',
    summary: 'Takes 300 ms',
    access: 'public',
    transaction: 'none',
    answers: { 200: { description: 'Done.', schema: z.object({ done: z.literal(true) }) } },
    handle: async () => {
      await delay(300);
      return { status: 200, body: { done: true } };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/never',
    operationId: 'never',
    tag: 'Test',
    summary: 'Is never answered',
    access: 'public',
    transaction: 'none',
    answers: { 200: { description: 'Never.' } },
    handle: () => new Promise<never>(() => {}),
  }),
  defineRoute({
    method: 'get',
    path: '/half',
    operationId: 'half',
    tag: 'Test',
    summary: 'Begins, and never ends',
    access: 'public',
    transaction: 'none',
    answers: { 200: { description: 'A half.', alternatives: { 'text/csv': 'Lines.' } } },
    handle: ({ res }) => {
      res.setHeader('Content-Type', 'text/csv');
      res.write('a,b\r\n');
      return new Promise<never>(() => {});
    },
  }),
  defineRoute({
    method: 'get',
    path: '/events',
    operationId: 'events',
    tag: 'Test',
    summary: 'Streams until the service stops',
    access: 'public',
    transaction: 'none',
    answers: { 200: { description: 'Events.', alternatives: { 'text/event-stream': 'Events.' } } },
    handle: async ({ res, closing }) => {
      res.setHeader('Content-Type', 'text/event-stream');
      res.flushHeaders();
      const timer = setInterval(() => res.write('data: tick\n\n'), 20);
      res.on('close', () => clearInterval(timer));
      closing.addEventListener('abort', () => res.end('data: bye\n\n'));
      return null;
    },
  }),
  defineRoute({
    method: 'post',
    path: '/things',
    operationId: 'postThing',
    tag: 'Test',
    summary: 'Reads a body',
    access: 'public',
    transaction: 'none',
    body: z.strictObject({ name: z.string() }),
    answers: { 200: { description: 'Done.', schema: z.object({}) } },
    handle: async () => ({ status: 200, body: {} }),
  }),
];

async function start(environment: Record<string, string> = {}): Promise<URL> {
  logged.length = 0;
  server = await startTestServer({ routes, log, environment });
  return new URL(server.baseUrl);
}

/** More than what is read of a refused body before it is answered. */
const SENT_BYTES = 40 * 1024 * 1024;

async function rawExchange(url: URL, text: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  socket.write(text);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'close');
  return received;
}

test('a large answer is whole for whoever reads it, compressed or not, fast or slowly', async () => {
  const url = new URL('/long', await start());
  const whole = Buffer.from(
    `{"items":[${texts.map((text, id) => `{"id":${id},"text":"${text}"}`).join(',')}],"nextCursor":null}`,
  );
  const ask = async (method: string, encoding: string) => {
    const asked = httpRequest(url, { method, headers: { 'Accept-Encoding': encoding } }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
  const unpack = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync } as const;
  for (const encoding of ['identity', 'gzip', 'br'] as const) {
    const answer = await ask('GET', encoding);
    expect(answer.headers['content-encoding'] ?? 'identity').toBe(encoding);
    if (encoding === 'identity') expect(answer.headers['content-length']).toBe(String(whole.length));
    const read = unpack[encoding](Buffer.concat(await answer.toArray()));
    expect(read.equals(whole)).toBe(true);
  }
  const head = await ask('HEAD', 'identity');
  expect(head.headers['content-length']).toBe(String(whole.length));
  expect(await head.toArray()).toEqual([]);
  // Who leaves in the middle leaves nothing behind that would keep the service from stopping.
  const left = await ask('GET', 'identity');
  left.destroy();
  await expect.poll(() => logged.filter(({ msg }) => msg.startsWith('request')).length).toBe(5);
  stopped = true;
  await server.close();
});

test('a client that dawdles over its headers is cut off with 408', async () => {
  const url = await start({ HEADERS_TIMEOUT_SECONDS: '1' });
  const received = await rawExchange(url, 'GET /slow HTTP/1.1\r\nHost: x\r\n');
  expect(received).toMatch(/^HTTP\/1.1 408 /);
  expect(received).toContain('application/problem+json');
});

test('a socket that says nothing is closed after the time for headers, whether its client ends it or not', async () => {
  const url = await start({ HEADERS_TIMEOUT_SECONDS: '1' });
  const socket = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true });
  socket.resume();
  let gone: unknown = null;
  socket.on('error', (error) => {
    gone = error;
  });
  await once(socket, 'end');
  // This side stays open. What is written to a socket that is closed over there is refused.
  await expect
    .poll(() => {
      if (socket.writable) socket.write('GET');
      return gone;
    })
    .toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) });
  const once408 = await rawExchange(url, '');
  expect(once408).toMatch(/^HTTP\/1.1 408 /);
});

test('connections beyond the limit are closed, and those within it are served', async () => {
  const url = await start({ CONNECTIONS_MAX: '10' });
  const sockets: Socket[] = [];
  const ask = async (socket: Socket) => {
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
  };
  // One after the other, and each is known to be in.
  for (let at = 0; at < 10; at++) {
    const socket = connect(Number(url.port), url.hostname);
    sockets.push(socket);
    await ask(socket);
  }
  expect(await rawExchange(url, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
  await ask(sockets[0] as Socket);
  for (const socket of sockets) socket.destroy();
});

test('a client that dawdles over its body is cut off', async () => {
  const url = await start({ BODY_TIMEOUT_SECONDS: '1' });
  const received = await rawExchange(
    url,
    'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
  );
  expect(received).toMatch(/^HTTP\/1.1 408 [\s\S]*Connection: close[\s\S]*"code":"request_timeout"/);
});

test('what is not HTTP gets a problem document', async () => {
  const url = await start();
  expect(await rawExchange(url, 'nonsense\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 [\s\S]*"code":"invalid_request"/,
  );
  const large = `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(40_000)}\r\n\r\n`;
  expect(await rawExchange(url, large)).toMatch(/^HTTP\/1.1 431 [\s\S]*"code":"headers_too_large"/);
});

test('a header that says one thing is refused when it comes twice', async () => {
  const url = await start();
  const head = 'GET /slow HTTP/1.1\r\nConnection: close\r\n';
  for (const double of [
    'Host: a\r\nHost: b\r\n',
    'Host: a\r\nhost: a\r\n',
    'Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n',
    'Host: a\r\nX-API-Key: a\r\nX-Api-Key: b\r\n',
    'Host: a\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n',
    'Host: a\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\n',
  ]) {
    const received = await rawExchange(url, `${head}${double}\r\n`);
    expect(received, double).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"invalid_header"/);
  }
  const lengths = 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x';
  expect(await rawExchange(url, lengths)).toMatch(/^HTTP\/1.1 400 /);
  const once = await rawExchange(url, `${head}Host: a\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n`);
  expect(once).toMatch(/^HTTP\/1.1 200 /);
});

test('a client that goes away is no error', async () => {
  const url = await start();
  for (const text of [
    'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
    'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n\x1f\x8b',
  ]) {
    logged.length = 0;
    const socket = connect(Number(url.port), url.hostname);
    socket.write(Buffer.from(text, 'latin1'));
    await delay(50);
    socket.destroy();
    await expect.poll(() => logged.find((line) => line.msg === 'request aborted')).toBeDefined();
    await delay(350);
    expect(logged.filter((line) => line.level > 30)).toEqual([]);
  }
  expect((await server.request('/slow')).status).toBe(200);
});

test('Expect: 100-continue is answered when the body is wanted, and not before', async () => {
  const url = await start();
  const send = (contentType: string) =>
    new Promise<{ status: number; continued: boolean }>((resolve, reject) => {
      let continued = false;
      const req = httpRequest(`${url.href}things`, {
        method: 'POST',
        headers: { Expect: '100-continue', 'Content-Type': contentType, 'Content-Length': 12 },
      });
      req.on('continue', () => {
        continued = true;
        req.end('{"name":"a"}');
      });
      req.on('response', (res) => {
        resolve({ status: res.statusCode ?? 0, continued });
        res.resume();
        req.destroy();
      });
      req.on('error', reject);
      req.flushHeaders();
    });
  expect(await send('application/json')).toEqual({ status: 200, continued: true });
  expect(await send('text/plain')).toEqual({ status: 415, continued: false });
});

test('whoever still sends a body that nobody will read gets to read why', async () => {
  const url = await start();
  const socket = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true });
  const errors: unknown[] = [];
  socket.on('error', (error) => errors.push(error));
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(
    'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const piece = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
  // As programs do that look for an answer only now and then: it has long been there, and they still send.
  for (let sent = 0; !socket.destroyed && sent < SENT_BYTES; sent += piece.length) {
    await new Promise<void>((taken) => socket.write(piece, () => taken()));
  }
  await vi.waitUntil(() => answer.includes('"requestId"') || errors.length > 0, patience);
  expect(errors).toEqual([]);
  expect(answer).toMatch(/^HTTP\/1.1 415 .*unsupported_media_type/s);
  socket.end();
  expect((await server.request('/slow')).status).toBe(200);
});

test('events are not held back by compression', async () => {
  await start();
  const response = await fetch(`${server.baseUrl}/events`, { headers: { 'Accept-Encoding': 'gzip' } });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  expect(Buffer.from(value ?? []).toString()).toContain('data: tick');
  expect(response.headers.get('content-encoding')).toBeNull();
  await reader.cancel();
  const head = await server.request('/events', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
});

test('a stop finishes what is under way, ends streams, and takes nothing new', async () => {
  // Whoever waited for the bound, or for the streams, would not be done when the test has to be.
  await start({ SHUTDOWN_SECONDS: '600' });
  const slow = server.request('/slow');
  const events = fetch(`${server.baseUrl}/events`).then((response) => response.text());
  await delay(100);
  const closing = server.close();
  stopped = true;
  expect((await slow).body).toEqual({ done: true });
  expect(await events).toMatch(/data: bye\n\n$/);
  await closing;
  await expect(server.request('/slow')).rejects.toThrow();
});

test('a stop waits for no socket on which nothing was ever sent', async () => {
  const url = await start({ SHUTDOWN_SECONDS: '600', HEADERS_TIMEOUT_SECONDS: '600' });
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  socket.resume();
  stopped = true;
  await Promise.all([server.close(), once(socket, 'close')]);
});

test('while it drains it is not ready, does what comes, and lets each connection end with its answer', async () => {
  const url = await start({ SHUTDOWN_SECONDS: '600', DRAIN_SECONDS: '2' });
  const idle = connect(Number(url.port), url.hostname);
  idle.write(
    'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"a"}',
  );
  expect(String((await once(idle, 'data'))[0])).toContain('Connection: keep-alive');
  let received = '';
  idle.on('data', (piece) => {
    received += piece;
  });
  stopped = true;
  const closing = server.close();
  const anew = await rawExchange(url, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(anew).toMatch(/^HTTP\/1.1 200 [\s\S]*Connection: close/);
  const ready = await rawExchange(url, 'GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(ready).toMatch(/^HTTP\/1.1 503 [\s\S]*is stopping/);
  idle.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(idle, 'close');
  expect(received).toMatch(/^HTTP\/1.1 200 [\s\S]*Connection: close/);
  await closing;
});

test('a stop tells whoever is not answered in time, and resets half an answer', async () => {
  const url = await start({ SHUTDOWN_SECONDS: '1' });
  const unanswered = rawExchange(url, 'GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
  const half = connect(Number(url.port), url.hostname);
  const ended = new Promise<unknown>((resolve) => {
    half.on('error', resolve);
    half.on('end', () => resolve('ended as if it were whole'));
  });
  // Of HTTP/1.0: nothing but the end of the connection says that the answer is over.
  half.write('GET /half HTTP/1.0\r\nHost: x\r\n\r\n');
  await once(half, 'data');
  half.resume();
  stopped = true;
  await server.close();
  expect(await unanswered).toMatch(/^HTTP\/1.1 503 [\s\S]*Retry-After: 5[\s\S]*"code":"unavailable"/);
  expect(await ended).toMatchObject({ code: 'ECONNRESET' });
});

test('a stop cuts what does not end in time', async () => {
  // Nothing else would cut it.
  const url = await start({ SHUTDOWN_SECONDS: '1', BODY_TIMEOUT_SECONDS: '3600' });
  const hanging = rawExchange(
    url,
    'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
  );
  await delay(50);
  stopped = true;
  await server.close();
  await hanging;
});
