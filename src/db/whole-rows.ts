/**
 * Hands rows of megabytes to the driver's parser in one piece, in memory that is used again. By itself it doubles a buffer whenever
 * another 64 KiB arrive: of a row of 3 MB it left 8 MB to be collected, and V8 collects the whole heap for every 64 MB of those.
 */
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Client } from 'pg';

/** Of a message: a byte for its kind, four for its length, which counts itself. */
const HEAD_BYTES = 5;
const DATA_ROW = 'D'.charCodeAt(0);
/** What comes within a few reads is the parser's own business. */
const LARGE_BYTES = 256 * 1024;
/** Kept for the next such row, one of a thread. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

let kept: Buffer | null = null;

function take(bytes: number): Buffer {
  const memory = kept !== null && kept.length >= bytes ? kept : Buffer.allocUnsafeSlow(bytes);
  kept = null;
  return memory;
}

function keep(memory: Buffer): void {
  if (memory.length <= KEPT_BYTES_MAX && memory.length > (kept?.length ?? 0)) kept = memory;
}

interface Row {
  memory: Buffer;
  filled: number;
  length: number;
}

/** What a connection receives, with each large row in a piece of its own. A piece is valid until `data` returns. */
class Received extends EventEmitter {
  #row: Row | null = null;
  /** Of a message that is no large row, what is still to come of it. */
  #passing = 0;
  /** The beginning of a message's head. */
  #head: Buffer | null = null;

  /** Whether a large row is under way: all that comes of it is copied at once. */
  get isFilling(): boolean {
    return this.#row !== null;
  }

  take(arrived: Buffer): void {
    if (this.#row === null) this.#walk(arrived);
    else {
      const from = this.#fillRow(this.#row, arrived);
      // What comes behind the row may be kept by the parser.
      if (from < arrived.length) this.#walk(Buffer.from(arrived.subarray(from)));
    }
  }

  #walk(arrived: Buffer): void {
    const piece = this.#head === null ? arrived : Buffer.concat([this.#head, arrived]);
    this.#head = null;
    let at = Math.min(piece.length, this.#passing);
    this.#passing -= at;
    while (at + HEAD_BYTES <= piece.length) {
      const length = 1 + piece.readUInt32BE(at + 1);
      const isWhole = at + length <= piece.length;
      if (!isWhole && length >= LARGE_BYTES && piece[at] === DATA_ROW) {
        this.#pass(piece, 0, at);
        const memory = take(length);
        this.#row = { memory, filled: piece.copy(memory, 0, at), length };
        return;
      }
      if (!isWhole) this.#passing = at + length - piece.length;
      at = isWhole ? at + length : piece.length;
    }
    if (at < piece.length) this.#head = Buffer.from(piece.subarray(at));
    this.#pass(piece, 0, at);
  }

  /** Puts what belongs to it to the row under way; returns where the next message begins. */
  #fillRow(row: Row, piece: Buffer): number {
    const bytes = piece.copy(row.memory, row.filled, 0, row.length - row.filled);
    row.filled += bytes;
    if (row.filled === row.length) {
      this.#row = null;
      this.#pass(row.memory, 0, row.length);
      keep(row.memory);
    }
    return bytes;
  }

  #pass(piece: Buffer, from: number, to: number): void {
    if (to > from) this.emit('data', piece.subarray(from, to));
  }
}

/** What a thread reads from its connections, one read at a time. */
const READ_BYTES = 64 * 1024;
let reading: Buffer | null = null;

/** A socket that reads large rows without memory of its own; of everything else each piece is its receiver's. */
function socketFor(received: Received): Socket {
  reading ??= Buffer.allocUnsafeSlow(READ_BYTES);
  const socket = new Socket({
    onread: {
      buffer: reading,
      callback: (bytes, buffer) => {
        const arrived = Buffer.from(buffer.buffer, buffer.byteOffset, bytes);
        socket.emit('data', received.isFilling ? arrived : Buffer.from(arrived));
        return true;
      },
    },
  });
  return socket;
}

/** From now on, for a client that has not connected yet. */
export function receiveWholeRows(client: Client): void {
  const { connection, ssl } = client as unknown as {
    ssl: unknown;
    connection: { stream: EventEmitter; attachListeners(stream: EventEmitter): void };
  };
  const received = new Received();
  // What is encrypted comes out of another stream.
  if (ssl === false) connection.stream = socketFor(received);
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    stream.on('data', (arrived: Buffer) => received.take(arrived));
    stream.on('end', () => received.emit('end'));
    attach(received);
  };
}
