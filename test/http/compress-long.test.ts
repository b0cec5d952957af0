// Answers are compressed where they are long and their reader wants it; the compressor goes with the answer.
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compressLong } from '../../src/http/answers/compress-long.ts';

const SHORT = 1023;
const LONG = 1024;

let server: Server;
/** Of the answer that is under way, what the handler waits for before it ends it. */
let wait: (res: Response) => Promise<void> = async () => {};
let kept: Response | null = null;

beforeAll(async () => {
  const app = express();
  app.get('/:bytes', async (req, res) => {
    kept = res;
    await wait(res);
    const body = Buffer.alloc(Number(req.params.bytes), 'a');
    res.setHeader('Content-Type', 'application/json');
    res.setHeader('Content-Length', body.length);
    compressLong(res, body.length);
    res.end(body);
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

function ask(bytes: number, accepted?: string) {
  const { port } = server.address() as AddressInfo;
  const headers = accepted === undefined ? {} : { 'Accept-Encoding': accepted };
  return request({ port, host: '127.0.0.1', path: `/${bytes}`, headers }).end();
}

test.each([
  [LONG, 'gzip', 'gzip'],
  [LONG, 'br, gzip', 'br'],
  [LONG, 'identity', undefined],
  [LONG, undefined, undefined],
  [SHORT, 'gzip', undefined],
])('%i bytes for whoever takes %s', async (bytes, accepted, encoding) => {
  const [answer] = await once(ask(bytes, accepted), 'response');
  answer.resume();
  expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([encoding, 'Accept-Encoding']);
});

test('for whoever has left no compressor is begun', async () => {
  const left = Promise.withResolvers<void>();
  wait = (res) => {
    left.resolve();
    return once(res, 'close').then(() => {});
  };
  const asked = ask(LONG, 'gzip');
  asked.on('error', () => {});
  await left.promise;
  asked.destroy();
  await once(kept as Response, 'close');
  // The handler goes on behind the close that it waits for.
  await expect.poll(() => (kept as Response).writableEnded).toBe(true);
  expect((kept as Response).getHeader('Content-Encoding')).toBeUndefined();
  wait = async () => {};
});
