/**
 * How raw elements lie in `sync_payload`: indexes and lengths first, then the bytes, the whole as zstd. Raw,
 * because parsing belongs to the worker, and compressed, because PostgreSQL then stages a quarter of it.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** One element as it was sent, or a line that could not be read (then `text` is the refusal's message). */
export interface StagedElement {
  /** Place in the payload, from 0. */
  index: number;
  text: string;
  rejected: boolean;
}

const HEADER_WORDS = 1;
const REJECTED = 0x8000_0000;
const zstdLevel = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Packs elements given as parallel arrays; a length with the high bit set marks a rejected line. */
export function packElements(
  indexes: readonly number[],
  pieces: readonly Uint8Array[],
  rejected: ReadonlySet<number>,
): Buffer {
  const count = indexes.length;
  let bytes = (HEADER_WORDS + 2 * count) * 4;
  for (const piece of pieces) bytes += piece.length;
  const packed = Buffer.allocUnsafeSlow(bytes);
  packed.writeUInt32LE(count, 0);
  let at = (HEADER_WORDS + 2 * count) * 4;
  for (let i = 0; i < count; i++) {
    const piece = pieces[i] as Uint8Array;
    const index = indexes[i] as number;
    packed.writeUInt32LE(index, 4 + 4 * i);
    packed.writeUInt32LE(
      rejected.has(index) ? (piece.length | REJECTED) >>> 0 : piece.length,
      4 + 4 * (count + i),
    );
    packed.set(piece, at);
    at += piece.length;
  }
  const segment = zstdCompressSync(packed, zstdLevel);
  // Frees the memory now: the collector would let many of them gather first.
  packed.buffer.transfer(0);
  return segment;
}

/** The elements of one segment, in the order in which they were packed. */
export function unpackElements(segment: Uint8Array): StagedElement[] {
  const packed = zstdDecompressSync(segment);
  const count = packed.readUInt32LE(0);
  const elements = new Array<StagedElement>(count);
  let at = (HEADER_WORDS + 2 * count) * 4;
  for (let i = 0; i < count; i++) {
    const word = packed.readUInt32LE(4 + 4 * (count + i));
    const length = word & 0x7fff_ffff;
    elements[i] = {
      index: packed.readUInt32LE(4 + 4 * i),
      text: packed.toString('utf8', at, at + length),
      rejected: word >= REJECTED,
    };
    at += length;
  }
  // As in packing; where the memory is not its own alone, it stays.
  if (packed.byteLength === packed.buffer.byteLength) packed.buffer.transfer(0);
  return elements;
}

/** A JSON value as zstd; for results, which are read far less often than they are written. */
export function packJson(value: unknown): Buffer {
  return zstdCompressSync(Buffer.from(JSON.stringify(value)), zstdLevel);
}

export function unpackJson<T>(packed: Uint8Array): T {
  return JSON.parse(zstdDecompressSync(packed).toString('utf8')) as T;
}
