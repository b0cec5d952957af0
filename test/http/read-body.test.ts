/** Bodies whose sender goes away: whoever reads one is told, however much of it has arrived. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FairShare } from '../../src/fairness/fair-share.ts';
import { type BodyReading, bodySource } from '../../src/http/bodies/read-body.ts';

let server: Server;
let socket: Socket;

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** The request as the server has it, before anything of its body is read. */
async function arriving(sent: Buffer, encoding: string, announced = sent.length): Promise<IncomingMessage> {
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const headers = ['Host: test', `Content-Encoding: ${encoding}`, `Content-Length: ${announced}`];
  socket.write(`POST / HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`);
  socket.write(sent);
  const [req] = (await once(server, 'request')) as [IncomingMessage];
  return req;
}

const reading: BodyReading = {
  decompressors: new FairShare({ units: 64 * 1024 * 1024, waitingMax: 100, patienceMs: 60_000 }),
  party: 'w',
  rate: { bytesPerSecond: 1, windowMs: 600_000 },
};
const never = new AbortController().signal;

it('a body is not waited for when its sender goes before a body that has arrived whole is decompressed', async () => {
  // What it begins with takes long to read; the rest of it waits for that, at both sides of the decompressor.
  const zipped = gzipSync(Buffer.concat([Buffer.alloc(8 * 1024 * 1024), scrambled(150 * 1024)]));
  const req = await arriving(zipped, 'gzip');
  const { read, cut } = bodySource(req, 1e9, reading);
  const pieces = read(never);
  await pieces.next();
  await expect.poll(() => req.complete).toBe(true);
  socket.destroy();
  await expect.poll(() => cut.aborted).toBe(true);
  const rest = (async () => {
    while ((await pieces.next()).done !== true);
  })();
  await expect(rest).rejects.toMatchObject({ code: 'incomplete_body' });
});

it.each(['gzip', 'identity'])(
  'a body is not waited for when its sender has gone before it is read (%s)',
  async (encoding) => {
    const req = await arriving(gzipSync('begun'), encoding, 1000);
    socket.destroy();
    await expect.poll(() => req.destroyed).toBe(true);
    const { read, cut } = bodySource(req, 1e9, reading);
    expect(cut.aborted).toBe(true);
    await expect(read(never).next()).rejects.toMatchObject({ code: 'incomplete_body' });
  },
);

it.each(['gzip', 'identity'])(
  'a body is not waited for when nobody wants it any more (%s)',
  async (encoding) => {
    const { read } = bodySource(await arriving(gzipSync('begun'), encoding, 1000), 1e9, reading);
    expect((await read(AbortSignal.abort()).next()).done).toBe(true);
  },
);

/** Bytes that do not compress, the same every time. */
function scrambled(length: number): Buffer {
  let state = 1;
  return Buffer.alloc(length).map(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  }) as Buffer;
}
