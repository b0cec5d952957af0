// Rows of any size, however the network cuts them: what the driver makes of them is the same.
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { receiveWholeRows } from '../../src/db/whole-rows.ts';

/** A message as PostgreSQL writes it: its kind, its length, its bytes. */
function message(kind: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5, kind);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function row(...fields: (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(fields.length);
  const values = fields.flatMap((field) => {
    const bytes = Buffer.from(field ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(field === null ? -1 : bytes.length);
    return [length, bytes];
  });
  return message('D', count, ...values);
}

const KiB = 1024;
const LARGE = 256 * KiB;
const rows: (string | null)[][] = [
  ['a', null, ''],
  // Around what is taken for large, and far beyond what is kept.
  ...[-1, 0, 1].map((more) => ['x'.repeat(LARGE - 15 + more), 'b']),
  [null, 'ä€😀'.repeat(400 * KiB)],
  ['small'],
  ['y'.repeat(3 * KiB * KiB)],
  ['z'.repeat(9 * KiB * KiB), 'behind it'],
  ['w'.repeat(2 * KiB * KiB)],
  ...Array.from({ length: 500 }, (_, at) => [String(at)]),
];
const sent = Buffer.concat([
  message('2'),
  ...rows.map((fields) => row(...fields)),
  message('C', Buffer.from('SELECT 1\0')),
  // No row, and large: as it is.
  message('N', Buffer.from(`SNOTICE\0M${'n'.repeat(LARGE)}\0\0`)),
  message('Z', Buffer.from('I')),
]);

test.each([
  ['in one piece', [sent.length]],
  ['as they usually are', [64 * KiB]],
  ['within heads', [64 * KiB - 3, 1, 1, 1, 2, 64 * KiB + 1]],
  ['into crumbs and lumps', [1, 2, 3, 5, 7, 400 * KiB, 4, 1, 70 * KiB]],
])('rows are what they were, cut %s', (_, sizes) => {
  const client = new Client();
  receiveWholeRows(client);
  const { connection } = client as unknown as {
    connection: EventEmitter & { attachListeners(stream: EventEmitter): void };
  };
  const stream = new EventEmitter();
  connection.attachListeners(stream);
  const got: (string | null)[][] = [];
  const others: string[] = [];
  connection.on('dataRow', ({ fields }: { fields: (string | null)[] }) => got.push(fields));
  for (const name of ['bindComplete', 'commandComplete', 'notice', 'readyForQuery'])
    connection.on(name, () => others.push(name));
  for (let at = 0, turn = 0; at < sent.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    stream.emit('data', Buffer.from(sent.subarray(at, at + size)));
    at += size;
  }
  expect(others).toEqual(['bindComplete', 'commandComplete', 'notice', 'readyForQuery']);
  expect(got.map((fields) => fields.map((field) => field?.length))).toEqual(
    rows.map((fields) => fields.map((field) => field?.length)),
  );
  expect(got.every((fields, at) => fields.every((field, place) => field === rows[at]?.[place]))).toBe(true);
});

test('what is read into memory that is used again belongs to its receiver where that keeps it', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    // In pieces as large as one read, as small as may be, and all at once.
    socket.once('data', async () => {
      for (let at = 0; at < sent.length; at += 64 * KiB) socket.write(sent.subarray(at, at + 64 * KiB));
      for (const byte of sent.subarray(0, 300)) socket.write(Buffer.of(byte));
      socket.end(sent.subarray(300));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client();
  receiveWholeRows(client);
  const { connection } = client as unknown as {
    connection: EventEmitter & { connect(port: number, host: string): void; stream: Socket };
  };
  const got: (string | null)[][] = [];
  connection.on('dataRow', ({ fields }: { fields: (string | null)[] }) => got.push(fields));
  connection.connect((server.address() as AddressInfo).port, '127.0.0.1');
  const ended = once(connection, 'end');
  await once(connection, 'connect');
  connection.stream.write('begin');
  await ended;
  const twice = [...rows, ...rows];
  expect(got).toHaveLength(twice.length);
  expect(got.every((fields, at) => fields.every((field, place) => field === twice[at]?.[place]))).toBe(true);
  server.close();
});
