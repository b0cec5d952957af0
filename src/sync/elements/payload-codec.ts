/**
 * Encodes the raw elements of `sync_payload`: indexes, lengths and slots first, then the bytes, all of it as zstd. Raw, because parsing
 * belongs to the worker, and compressed, because PostgreSQL then stages a quarter of it.
 */
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** An element as it was sent, or a line that could not be read (then `text` is the error message). */
export interface StagedElement {
  /** Place in the payload, from 0. */
  index: number;
  text: string;
  rejected: boolean;
}

/** An element to be packed. */
export interface PackedElement {
  index: number;
  bytes: Uint8Array;
  rejected: boolean;
  /** Which chunk of those that share the segment has it: see `SlotRange`. */
  slot: number;
}

/**
 * The elements of one GUID have one slot of so many. A chunk takes a range of slots of its segments, so that a
 * chunk may be cut when all of a large body is there, and nothing that is stored already has to move.
 */
export const SLOTS = 256;

export interface SlotRange {
  from: number;
  /** The slot after the last one. */
  to: number;
}

/**
 * Returns the memory of a buffer that this module allocated and that nothing else reads. The memory lies outside the heap, so the
 * collector would let tens of megabytes of it pile up in each thread. Small buffers share the memory of Node's pool and stay.
 */
function free({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}

const REJECTED = 0x8000_0000;
const SLOTTED = 0x8000_0000;
const zstdLevel = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Making a compressor costs forty microseconds; of so few bytes it would save a hundred. */
const RAW_BYTES_MAX = 1024;
const ZSTD_MAGIC = 0xfd2f_b528;
/** A frame of one segment that says its length in four bytes. */
const ONE_SEGMENT = 0xa0;
/** Marks the last block of a frame, which holds its bytes uncompressed. */
const LAST_RAW = 1;

/** Packs bytes as zstd (RFC 8878). A small frame holds its bytes uncompressed, which every reader of zstd accepts. */
export function packBytes(bytes: Buffer): Buffer {
  const { length } = bytes;
  if (length > RAW_BYTES_MAX) return zstdCompressSync(bytes, zstdLevel);
  const frame = Buffer.allocUnsafe(12 + length);
  frame.writeUInt32LE(ZSTD_MAGIC, 0);
  frame[4] = ONE_SEGMENT;
  frame.writeUInt32LE(length, 5);
  frame.writeUIntLE((length << 3) | LAST_RAW, 9, 3);
  frame.set(bytes, 12);
  return frame;
}

/**
 * Packs elements. The high bit of a length marks a rejected line, that of the count a segment with slots: segments of earlier releases
 * may have none.
 */
export function packElements(elements: readonly PackedElement[]): Buffer {
  const packed = joinElements(elements);
  const segment = packBytes(packed);
  free(packed);
  return segment;
}

const compress = promisify(zstdCompress);

/** Packs elements likewise, and compresses them in another thread. */
export async function packElementsAside(elements: readonly PackedElement[]): Promise<Buffer> {
  const packed = joinElements(elements);
  const segment = packed.length > RAW_BYTES_MAX ? await compress(packed, zstdLevel) : packBytes(packed);
  free(packed);
  return segment;
}

function joinElements(elements: readonly PackedElement[]): Buffer<ArrayBuffer> {
  const count = elements.length;
  let bytes = 4 + 9 * count;
  for (let i = 0; i < count; i++) bytes += (elements[i] as PackedElement).bytes.length;
  const packed = Buffer.allocUnsafeSlow(bytes);
  packed.writeUInt32LE((count | SLOTTED) >>> 0, 0);
  let at = 4 + 9 * count;
  for (let i = 0; i < count; i++) {
    const { index, bytes: piece, rejected, slot } = elements[i] as PackedElement;
    packed.writeUInt32LE(index, 4 + 4 * i);
    packed.writeUInt32LE(rejected ? (piece.length | REJECTED) >>> 0 : piece.length, 4 + 4 * (count + i));
    packed[4 + 8 * count + i] = slot;
    packed.set(piece, at);
    at += piece.length;
  }
  return packed;
}

/** Less is not worth asking for exactly; Node takes no less than 64. */
const PIECE_BYTES_MIN = 1024;
/** A segment unpacks to about a megabyte, and more where one element is larger. */
const PIECE_BYTES_MAX = 1280 * 1024;
/** JSON of elements is rarely smaller than a tenth when it is packed; with some room above that. */
const UNPACKED_TIMES = 12;

/**
 * In one piece nothing is to be put together of several, each of which the collector would have to find. By the size that the frame says (RFC 8878,
 * 3.1.1.1), or a guess where it says none. With a byte to spare: of a piece that is full Node begins another, for nothing.
 */
function pieceFor(segment: Uint8Array): number {
  const said = saidSize(segment);
  const wanted = said === null ? UNPACKED_TIMES * segment.length : 1 + said;
  return Math.min(PIECE_BYTES_MAX, Math.max(PIECE_BYTES_MIN, wanted));
}

function saidSize(segment: Uint8Array): number | null {
  const descriptor = segment[4] ?? 0;
  const isOneSegment = (descriptor & 0x20) !== 0;
  const at = isOneSegment ? 5 : 6;
  const bytes = Buffer.from(segment.buffer, segment.byteOffset, segment.length);
  if (bytes.length < at + 4 || (descriptor & 0x03) !== 0) return null;
  switch (descriptor >> 6) {
    case 0:
      return isOneSegment ? bytes.readUInt8(at) : null;
    case 1:
      return 256 + bytes.readUInt16LE(at);
    case 2:
      return bytes.readUInt32LE(at);
    default:
      return null;
  }
}

/**
 * The elements of one segment that lie in these slots, or those at these places alone, in the order in which they were
 * packed. `tally` counts all that lie in these slots, what is left out too.
 */
export function* unpackElements(
  segment: Uint8Array,
  slots: SlotRange,
  only?: ReadonlySet<number>,
  tally: { count: number } = { count: 0 },
): Generator<StagedElement> {
  const packed = zstdDecompressSync(segment, { chunkSize: pieceFor(segment) });
  const word = packed.readUInt32LE(0);
  const slotted = word >= SLOTTED;
  const count = (word & 0x7fff_ffff) >>> 0;
  let at = 4 + 8 * count + (slotted ? count : 0);
  for (let i = 0; i < count; i++) {
    const length = packed.readUInt32LE(4 + 4 * (count + i));
    const start = at;
    at += length & 0x7fff_ffff;
    const slot = slotted ? (packed[4 + 8 * count + i] as number) : slots.from;
    if (slot < slots.from || slot >= slots.to) continue;
    tally.count++;
    const index = packed.readUInt32LE(4 + 4 * i);
    if (only !== undefined && !only.has(index)) continue;
    yield {
      index,
      text: packed.toString('utf8', start, at),
      rejected: length >= REJECTED,
    };
  }
  free(packed);
}

/** A JSON value as zstd; for results, which are read far less often than they are written. */
export function packJson(value: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(value));
  const packed = packBytes(bytes);
  free(bytes);
  return packed;
}

export function unpackJson<T>(packed: Uint8Array): T {
  return JSON.parse(zstdDecompressSync(packed).toString('utf8')) as T;
}
