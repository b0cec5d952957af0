/** Compressed bodies: whole or refused, whatever they are joined of, and none makes the service hold more than it has. */
import { connect, type Socket } from 'node:net';
import {
  brotliCompressSync,
  constants,
  deflateSync,
  gzipSync,
  type ZstdOptions,
  zstdCompressSync,
} from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { element } from '../sync/sync-calls.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

const MiB = 1024 * 1024;
const MEMORY = 32 * MiB;
let server: TestServer;
let workspace: DefaultWorkspace;

beforeAll(async () => {
  server = await startTestServer({
    environment: { DECOMPRESSION_BYTES_MAX: String(MEMORY), BODY_BYTES_MAX: String(MiB) },
  });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const compress = {
  gzip: (text: string | Buffer) => gzipSync(text),
  deflate: (text: string | Buffer) => deflateSync(text),
  br: (text: string | Buffer) => brotliCompressSync(text),
  zstd: (text: string | Buffer) => zstdCompressSync(text),
} as const;
type Encoding = keyof typeof compress;
const encodings = Object.keys(compress) as Encoding[];

function headersOf(encoding: string): Record<string, string> {
  return { 'Content-Type': 'application/x-ndjson', 'Content-Encoding': encoding, Prefer: 'respond-async' };
}
const send = (encoding: string, bytes: Buffer, by = workspace) =>
  by.ask('POST', '/pdm/sync', bytes, headersOf(encoding));
const lines = (count: number) =>
  Array.from({ length: count }, () => `${JSON.stringify(element())}\n`).join('');

describe('a body that is joined of several', () => {
  it.each(['gzip', 'zstd'] as const)('is taken whole (%s)', async (encoding) => {
    const parts = Array.from({ length: 3 }, () => compress[encoding](lines(5)));
    const answer = await send(encoding, Buffer.concat(parts));
    expect([answer.status, answer.body.counts?.total]).toEqual([202, 15]);
  });

  it('may have an empty frame, or one to be skipped', async () => {
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const parts = [compress.zstd(lines(1)), compress.zstd(''), skipped, compress.zstd(lines(1))];
    const answer = await send('zstd', Buffer.concat(parts));
    expect([answer.status, answer.body.counts?.total]).toEqual([202, 2]);
  });

  it.each(['deflate', 'br'] as const)(
    'is refused where its coding has no such thing (%s)',
    async (encoding) => {
      const answer = await send(
        encoding,
        Buffer.concat([compress[encoding](lines(1)), compress[encoding](lines(1))]),
      );
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_encoding']);
      expect(answer.body.detail).toContain('something follows its end');
    },
  );

  it('is refused with the limit where it has too many frames', async () => {
    const frame = compress.zstd('\n');
    const answer = await send('zstd', Buffer.concat(Array.from({ length: 10_001 }, () => frame)));
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_encoding']);
    expect(answer.body.detail).toContain('more than 10000 frames');
  });
});

describe.each(encodings)('a body of %s', (encoding) => {
  it.each([
    ['something behind it', (whole: Buffer) => Buffer.concat([whole, Buffer.from('and more')])],
    ['zeros behind it', (whole: Buffer) => Buffer.concat([whole, Buffer.alloc(9)])],
    ['its end missing', (whole: Buffer) => whole.subarray(0, -3)],
    ['nothing in it', () => Buffer.alloc(0)],
    ['something else in it', () => Buffer.from('{"entities":[]}')],
  ])('is refused with %s', async (_, change) => {
    const answer = await send(encoding, change(compress[encoding](lines(3))));
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_encoding']);
  });

  it('that grows beyond the limit is refused there', async () => {
    const bomb = compress[encoding](Buffer.alloc(64 * MiB, ' '));
    const answer = await workspace.ask('POST', '/categories', bomb, { 'Content-Encoding': encoding });
    expect([answer.status, answer.body.code, answer.body.limit]).toEqual([413, 'payload_too_large', MiB]);
    await expect.poll(() => server.ctx.decompressors.held).toBe(0);
  });
});

describe('the window of zstd', () => {
  const windowed = (log: number) => {
    const options: ZstdOptions = { params: { [constants.ZSTD_c_windowLog]: log } };
    // Without its size a frame says its window.
    return zstdCompressSync(Buffer.concat([Buffer.from(lines(1)), Buffer.alloc(2 ** log, '\n')]), options);
  };

  it('may be 8 MiB', async () => {
    expect((await send('zstd', windowed(23))).status).toBe(202);
  });

  it('of more is refused with the limit and the way round', async () => {
    const answer = await send('zstd', windowed(24));
    expect([answer.status, answer.body.code, answer.body.limit]).toEqual([400, 'invalid_encoding', 8 * MiB]);
    expect(answer.body.detail).toContain('--long');
  });
});

/** A sync whose sender pauses behind what is given. */
function pausing(by: DefaultWorkspace, encoding: Encoding, sent: Buffer): Socket {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const head = [
    `POST /api/wid/${by.slug}/pdm/sync HTTP/1.1`,
    'Host: test',
    `Authorization: Bearer ${by.key}`,
    'Content-Type: application/x-ndjson',
    `Content-Encoding: ${encoding}`,
    `Content-Length: ${sent.length + 100}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(sent);
  return socket;
}

it.each(['zstd', 'br'] as const)(
  'many bodies whose senders pause hold no more than there is, and another workspace is served (%s)',
  async (encoding) => {
    const quiet = await makeDefaultWorkspace(server);
    const { decompressors } = server.ctx;
    // One that is far larger than its announced window, but little to send.
    const start = compress[encoding](Buffer.alloc(6 * MiB, '\n')).subarray(0, -2);
    const sockets = Array.from({ length: 40 }, () => pausing(workspace, encoding, start));
    await expect.poll(() => decompressors.waiting).toBeGreaterThan(30);
    expect(decompressors.held).toBeLessThanOrEqual(MEMORY);
    const answer = await send(encoding, compress[encoding](lines(2)), quiet);
    expect([answer.status, answer.body.counts?.total]).toEqual([202, 2]);
    expect(decompressors.waiting).toBeGreaterThan(30);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => [decompressors.held, decompressors.waiting]).toEqual([0, 0]);
  },
  120_000,
);
