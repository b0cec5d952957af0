/**
 * Collects a body's elements and cuts them by GUID, so that all elements of one entity lie in one chunk:
 * sums and duplicates are then a chunk's own affair, and no two chunks ever write the same row.
 */
import { normaliseGuid } from '../../db/ids.ts';
import { packElements } from '../elements/payload-codec.ts';
import { GuidCounts, hashOf } from './guid-counts.ts';
import type { BodyAccount } from './held-budget.ts';
import type { RawElement } from './json/raw-element.ts';
import type { RejectedLine } from './json/split-ndjson.ts';

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
  /** Chunks of a body that outgrows this: by a hash of the GUID, each growing by segments. */
  spillChunks: number;
  /** Told of every byte that is held. */
  account: BodyAccount;
}

interface Held {
  guid: string;
  index: number;
  bytes: Uint8Array;
  rejected: boolean;
}

/** Held of a body that spills; then all of it goes, so that no slab stays for the sake of a few elements. */
const SPILL_HELD_BYTES = 40 * 1024 * 1024;
const SPILL_SEGMENT_BYTES = 1024 * 1024;
/** What an element costs beside its bytes: its GUID, its place and the view of its bytes. */
const ELEMENT_OVERHEAD_BYTES = 256;
/** A chunk's bytes, whatever the number of its elements. */
const CHUNK_BYTES_MAX = 8 * 1024 * 1024;
const SLAB_BYTES = 256 * 1024;
const noGuid = '';

export class GuidPartition {
  readonly #options: PartitionOptions;
  #held: Held[] = [];
  #heldBytes = 0;
  /** Of elements that are packed and whose slabs are not free yet. */
  #packedBytes = 0;
  #spill: SpillChunk[] | null = null;
  /** Of a body that spills; one that is held whole is within what one GUID may have. */
  #guids: GuidCounts | null = null;
  #ready: Segment[] = [];
  #elementCount = 0;
  readonly #slabs = new Slabs();

  constructor(options: PartitionOptions) {
    this.#options = options;
  }

  get elementCount(): number {
    return this.#elementCount;
  }

  /** Whether the body has outgrown what is held whole: its segments are to be stored as they become ready. */
  get spilling(): boolean {
    return this.#spill !== null;
  }

  add(element: RawElement): void {
    const guid = element.guid === undefined ? noGuid : (normaliseGuid(element.guid) ?? noGuid);
    const bytes = this.#slabs.copy(element.source, element.start, element.end);
    this.#take({ guid, index: element.ordinal, bytes, rejected: false });
  }

  addRejected(line: RejectedLine): void {
    const text = `Line ${line.line}, column ${line.column}: ${line.message}`;
    this.#take({ guid: noGuid, index: line.ordinal, bytes: Buffer.from(text), rejected: true });
  }

  /** Segments that are full, to be stored now; empties the list. They count as held until `forget`. */
  takeReady(): Segment[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** The segments are stored. */
  forget(segments: readonly Segment[]): void {
    for (const { elements } of segments) this.#options.account.change(-elements.length);
  }

  /** The chunks, and the segments not taken yet. */
  finish(): { chunks: ChunkHead[]; segments: Segment[] } {
    if (this.#spill === null) return this.#cutHeld();
    this.#flushAll(this.#spill);
    const chunks = this.#spill.flatMap(({ head }) => (head.elementCount > 0 ? [head] : []));
    return { chunks, segments: this.takeReady() };
  }

  /** Frees what is held, of a body that does not get to its end too. */
  close(): void {
    this.#held = [];
    this.#spill = null;
    this.#freeSlabs();
  }

  #take(element: Held): void {
    this.#elementCount++;
    this.#heldBytes += element.bytes.length;
    const { account, heldElementsMax, heldBytesMax, spillChunks } = this.#options;
    account.change(element.bytes.length + ELEMENT_OVERHEAD_BYTES);
    if (this.#spill !== null) {
      this.#spillElement(this.#spill, element);
      if (account.crowded || account.held > SPILL_HELD_BYTES) this.#flushAll(this.#spill);
      return;
    }
    this.#held.push(element);
    const fits = this.#held.length <= heldElementsMax && this.#heldBytes <= heldBytesMax;
    if (fits && !account.crowded) return;
    const spill = Array.from({ length: spillChunks }, (_, ordinal) => new SpillChunk(ordinal));
    this.#spill = spill;
    this.#guids = new GuidCounts();
    for (const held of this.#held) this.#spillElement(spill, held);
    this.#held = [];
    this.#flushAll(spill);
  }

  #spillElement(spill: SpillChunk[], element: Held): void {
    let place = element.index;
    if (element.guid !== noGuid) {
      place = hashOf(element.guid);
      this.#guids?.count(element.guid, place, element.bytes.length);
    }
    const chunk = spill[place % spill.length] as SpillChunk;
    chunk.add(element);
    if (chunk.bytes >= SPILL_SEGMENT_BYTES) this.#flush(chunk);
  }

  #flushAll(spill: readonly SpillChunk[]): void {
    for (const chunk of spill) this.#flush(chunk);
    this.#freeSlabs();
  }

  #freeSlabs(): void {
    this.#slabs.free();
    this.#options.account.change(-this.#packedBytes);
    this.#packedBytes = 0;
  }

  #flush(chunk: SpillChunk): void {
    if (chunk.held.length === 0) return;
    this.#ready.push(this.#pack(chunk.head.ordinal, chunk.segments++, chunk.held));
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
      segments.push(this.#pack(head.head.ordinal, 0, members));
      start = end;
    }
    this.close();
    return { chunks, segments };
  }

  /** The elements are no longer needed, but their bytes count as held until the slabs are free. */
  #pack(chunk: number, segment: number, held: readonly Held[]): Segment {
    const elements = pack(held);
    for (const element of held) this.#packedBytes += element.bytes.length;
    this.#options.account.change(elements.length - ELEMENT_OVERHEAD_BYTES * held.length);
    return { chunk, segment, elements };
  }
}

/** Copies elements into large buffers: a buffer of its own for each would cost more than the element. */
class Slabs {
  #all: Buffer<ArrayBuffer>[] = [];
  #last = Buffer.alloc(0);
  #used = 0;

  copy(source: Buffer, start: number, end: number): Uint8Array {
    const length = end - start;
    if (this.#used + length > this.#last.length) {
      this.#last = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, length));
      this.#all.push(this.#last);
      this.#used = 0;
    }
    source.copy(this.#last, this.#used, start, end);
    const copied = this.#last.subarray(this.#used, this.#used + length);
    this.#used += length;
    return copied;
  }

  /** Nothing that was copied is needed any more. Frees at once what the collector would leave for long. */
  free(): void {
    for (const slab of this.#all) slab.buffer.transfer(0);
    this.#all = [];
    this.#last = Buffer.alloc(0);
    this.#used = 0;
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
