/**
 * Collects a body's elements and cuts them by GUID, so that all elements of one entity lie in one chunk:
 * sums and duplicates are then a chunk's own affair, and no two chunks ever write the same row.
 */
import { normaliseGuid } from '../../db/ids.ts';
import { packElements } from '../payload-codec.ts';
import type { RawElement } from './raw-element.ts';
import type { RejectedLine } from './split-ndjson.ts';

export interface ChunkHead {
  ordinal: number;
  elementCount: number;
  firstIndex: number;
  lastIndex: number;
}

/** One segment of one chunk's payload, packed. */
export interface Segment {
  chunk: number;
  segment: number;
  elements: Buffer;
}

export interface PartitionOptions {
  /** Elements a chunk should have. */
  chunkElements: number;
  /** Elements and bytes up to which a body is held whole and cut evenly, in the order of its GUIDs. */
  heldElementsMax: number;
  heldBytesMax: number;
}

interface Held {
  guid: string;
  index: number;
  bytes: Uint8Array;
  rejected: boolean;
}

/** Chunks of a body too large to be held: by a hash of the GUID, each growing by segments. */
const SPILL_CHUNKS = 256;
const SPILL_SEGMENT_BYTES = 192 * 1024;
/** A chunk's bytes, whatever the number of its elements. */
const CHUNK_BYTES_MAX = 8 * 1024 * 1024;
/** Small enough that the few elements of a segment do not keep much else alive. */
const SLAB_BYTES = 256 * 1024;
const noGuid = '';

export class GuidPartition {
  readonly #options: PartitionOptions;
  #held: Held[] = [];
  #heldBytes = 0;
  #spill: SpillChunk[] | null = null;
  #ready: Segment[] = [];
  #elementCount = 0;
  #linkedCount = 0;
  readonly #slab = new Slab();

  constructor(options: PartitionOptions) {
    this.#options = options;
  }

  get elementCount(): number {
    return this.#elementCount;
  }

  /** Elements that name a parent. */
  get linkedCount(): number {
    return this.#linkedCount;
  }

  /** Whether the body has outgrown what is held whole: its segments are to be stored as they become ready. */
  get spilling(): boolean {
    return this.#spill !== null;
  }

  add(element: RawElement): void {
    if (element.parentGuid !== undefined) this.#linkedCount++;
    const guid = element.guid === undefined ? noGuid : (normaliseGuid(element.guid) ?? noGuid);
    const bytes = this.#slab.copy(element.source, element.start, element.end);
    this.#take({ guid, index: element.ordinal, bytes, rejected: false });
  }

  addRejected(line: RejectedLine): void {
    const text = `Line ${line.line}, column ${line.column}: ${line.message}`;
    this.#take({ guid: noGuid, index: line.ordinal, bytes: Buffer.from(text), rejected: true });
  }

  /** Segments that are full, to be stored now; empties the list. */
  takeReady(): Segment[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** The chunks, and the segments not taken yet. */
  finish(): { chunks: ChunkHead[]; segments: Segment[] } {
    if (this.#spill === null) return this.#cutHeld();
    for (const chunk of this.#spill) this.#flush(chunk);
    const chunks = this.#spill.flatMap(({ head }) => (head.elementCount > 0 ? [head] : []));
    return { chunks, segments: this.takeReady() };
  }

  #take(element: Held): void {
    this.#elementCount++;
    if (this.#spill !== null) {
      this.#spillElement(this.#spill, element);
      return;
    }
    this.#held.push(element);
    this.#heldBytes += element.bytes.length;
    if (this.#held.length <= this.#options.heldElementsMax && this.#heldBytes <= this.#options.heldBytesMax)
      return;
    const spill = Array.from({ length: SPILL_CHUNKS }, (_, ordinal) => new SpillChunk(ordinal));
    this.#spill = spill;
    for (const held of this.#held) this.#spillElement(spill, held);
    this.#held = [];
  }

  #spillElement(spill: SpillChunk[], element: Held): void {
    const place = element.guid === noGuid ? element.index : hashOf(element.guid);
    const chunk = spill[place % SPILL_CHUNKS] as SpillChunk;
    chunk.add(element);
    if (chunk.bytes >= SPILL_SEGMENT_BYTES) this.#flush(chunk);
  }

  #flush(chunk: SpillChunk): void {
    if (chunk.held.length === 0) return;
    this.#ready.push({ chunk: chunk.head.ordinal, segment: chunk.segments++, elements: pack(chunk.held) });
    chunk.held = [];
    chunk.bytes = 0;
  }

  #cutHeld(): { chunks: ChunkHead[]; segments: Segment[] } {
    const held = this.#held.sort(byGuidThenIndex);
    const wanted = Math.ceil(held.length / Math.max(1, Math.ceil(held.length / this.#options.chunkElements)));
    const chunks: ChunkHead[] = [];
    const segments: Segment[] = [];
    for (let start = 0; start < held.length; ) {
      const end = endOfChunk(held, start, wanted);
      const members = held.slice(start, end);
      const head = new SpillChunk(chunks.length);
      for (const element of members) head.count(element.index);
      chunks.push(head.head);
      segments.push({ chunk: head.head.ordinal, segment: 0, elements: pack(members) });
      start = end;
    }
    this.#held = [];
    return { chunks, segments };
  }
}

/** Copies elements into large buffers: a buffer of its own for each would cost more than the element. */
class Slab {
  #bytes = Buffer.alloc(0);
  #used = 0;

  copy(source: Buffer, start: number, end: number): Uint8Array {
    const length = end - start;
    if (this.#used + length > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, length));
      this.#used = 0;
    }
    source.copy(this.#bytes, this.#used, start, end);
    const copied = this.#bytes.subarray(this.#used, this.#used + length);
    this.#used += length;
    return copied;
  }
}

class SpillChunk {
  readonly head: ChunkHead;
  held: Held[] = [];
  bytes = 0;
  segments = 0;

  constructor(ordinal: number) {
    this.head = { ordinal, elementCount: 0, firstIndex: Number.MAX_SAFE_INTEGER, lastIndex: 0 };
  }

  add(element: Held): void {
    this.held.push(element);
    this.bytes += element.bytes.length;
    this.count(element.index);
  }

  count(index: number): void {
    this.head.elementCount++;
    this.head.firstIndex = Math.min(this.head.firstIndex, index);
    this.head.lastIndex = Math.max(this.head.lastIndex, index);
  }
}

/** Where the chunk ends: full by count or bytes, but never between two elements of one GUID. */
function endOfChunk(held: readonly Held[], start: number, wanted: number): number {
  let bytes = 0;
  for (let at = start; at < held.length; at++) {
    const { guid, bytes: own } = held[at] as Held;
    const full = at - start >= wanted || bytes + own.length > CHUNK_BYTES_MAX;
    if (at > start && full && (guid === noGuid || guid !== (held[at - 1] as Held).guid)) return at;
    bytes += own.length;
  }
  return held.length;
}

function pack(elements: readonly Held[]): Buffer {
  const rejected = new Set(elements.flatMap((element) => (element.rejected ? [element.index] : [])));
  return packElements(
    elements.map((element) => element.index),
    elements.map((element) => element.bytes),
    rejected,
  );
}

function byGuidThenIndex(a: Held, b: Held): number {
  if (a.guid < b.guid) return -1;
  if (a.guid > b.guid) return 1;
  return a.index - b.index;
}

/** FNV-1a over the text: GUIDs made in sequence spread as evenly as random ones. */
function hashOf(guid: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < guid.length; i++) hash = Math.imul(hash ^ guid.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
