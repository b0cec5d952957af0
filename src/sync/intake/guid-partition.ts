/**
 * Collects a body's elements and cuts them by GUID, so that all elements of one entity lie in one chunk:
 * sums and duplicates are then a chunk's own affair, and no two chunks ever write the same row.
 */
import { normaliseGuid } from '../../db/ids.ts';
import { packElements, SLOTS, type StagedElement } from '../elements/payload-codec.ts';
import { Slabs } from './element-slabs.ts';
import { GuidCounts } from './guid-counts.ts';
import type { GuidHash } from './guid-hash.ts';
import type { BodyAccount } from './held-budget.ts';
import type { RawElement } from './json/raw-element.ts';
import type { RejectedLine } from './json/split-ndjson.ts';
import { type ChunkHead, type Held, SpillBucket } from './spill-bucket.ts';

/** One segment of one bucket's payload, packed. */
export interface Segment {
  bucket: number;
  segment: number;
  elements: Buffer;
}

export interface PartitionOptions {
  /** Elements a chunk should have. */
  chunkElements: number;
  /** Elements and bytes up to which a body is held whole and cut evenly, in the order in which its GUIDs come. */
  heldElementsMax: number;
  heldBytesMax: number;
  /**
   * Buckets of a body that outgrows this: by a hash of the GUID, each growing by segments. When all of it is there,
   * each is cut into as many chunks as its elements and bytes want.
   */
  spillBuckets: number;
  /** With a secret of its own, so that nobody chooses what falls together. */
  hash: GuidHash;
  /** Told of every byte that is held. */
  account: BodyAccount;
}

/** Held of a body that spills; then all of it goes, so that no slab stays for the sake of a few elements. */
const SPILL_HELD_BYTES = 40 * 1024 * 1024;
const SPILL_SEGMENT_BYTES = 1024 * 1024;
/** What an element costs beside its bytes: its GUID, its place and the view of its bytes. */
const ELEMENT_OVERHEAD_BYTES = 256;
/** A segment of a body that is held whole: a worker unpacks one at a time. */
const HELD_SEGMENT_BYTES = 1024 * 1024;
/**
 * A chunk's bytes, whatever the number of its elements, so that no step takes long or holds much. Above it are only
 * elements that cannot be parted: one large one, or those of one GUID.
 */
const CHUNK_BYTES_MAX = 4 * 1024 * 1024;
/** A chunk cut out of a bucket may have so many times the elements that a chunk should have. */
const SPILL_CHUNK_TIMES = 2;
const noGuid = '';

export class GuidPartition {
  readonly #options: PartitionOptions;
  #held: Held[] = [];
  #heldBytes = 0;
  /** Of elements that are packed and whose slabs are not free yet. */
  #packedBytes = 0;
  #spill: SpillBucket[] | null = null;
  /** Of a body that spills; one that is held whole is within what one GUID may have. */
  #guids: GuidCounts | null = null;
  #ready: Segment[] = [];
  #elementCount = 0;
  /** As the element before named it, and in its normal form: most name the same. */
  #parent = { given: noGuid, guid: noGuid };
  /** Elements have come of which nobody has read the parents. */
  #parentsUnknown = false;
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
    const parentGuid = element.parentGuid === undefined ? noGuid : this.#parentOf(element.parentGuid);
    this.#take({ guid, parentGuid, index: element.ordinal, bytes, rejected: false, slot: 0 });
  }

  /** An element that was staged before, at the place that it had. Those of one GUID come in the order of their places. */
  addStaged(index: number, guid: string | null, text: string): void {
    const bytes = Buffer.from(text);
    this.#parentsUnknown = true;
    this.#take({ guid: guid ?? noGuid, parentGuid: noGuid, index, bytes, rejected: false, slot: 0 });
  }

  addRejected(line: RejectedLine): void {
    const text = `Line ${line.line}, column ${line.column}: ${line.message}`;
    this.#takeRejected(line.ordinal, text);
  }

  /** A line of a table that could not be read: the mark stays, so that its result tells it from a line that is no JSON. */
  addUnreadable(index: number, text: Buffer): void {
    this.#takeRejected(index, text);
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
    const elementsMax = SPILL_CHUNK_TIMES * this.#options.chunkElements;
    const chunks = this.#spill
      .flatMap((bucket) => bucket.cut(elementsMax, CHUNK_BYTES_MAX))
      .map((chunk, ordinal) => ({ ...chunk, ordinal }));
    return { chunks, segments: this.takeReady() };
  }

  /** All elements, where they are no more than that, in no order but those of one GUID; they stay held. */
  small(elementsMax: number): StagedElement[] | null {
    if (this.#spill !== null || this.#held.length > elementsMax) return null;
    return this.#held.map(({ index, bytes, rejected }) => ({
      index,
      text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(),
      rejected,
    }));
  }

  /** Frees what is held, of a body that does not get to its end too. */
  close(): void {
    this.#held = [];
    this.#spill = null;
    this.#freeSlabs();
  }

  #takeRejected(index: number, text: string | Buffer): void {
    const bytes = Buffer.from(text as string);
    this.#take({ guid: noGuid, parentGuid: noGuid, index, bytes, rejected: true, slot: 0 });
  }

  #parentOf(given: string): string {
    if (given !== this.#parent.given) this.#parent = { given, guid: normaliseGuid(given) ?? noGuid };
    return this.#parent.guid;
  }

  #take(element: Held): void {
    this.#elementCount++;
    this.#heldBytes += element.bytes.length;
    const { account, heldElementsMax, heldBytesMax, spillBuckets } = this.#options;
    account.change(element.bytes.length + ELEMENT_OVERHEAD_BYTES);
    if (this.#spill !== null) {
      this.#spillElement(this.#spill, element);
      if (account.crowded || account.held > SPILL_HELD_BYTES) this.#flushAll(this.#spill);
      return;
    }
    this.#held.push(element);
    const fits = this.#held.length <= heldElementsMax && this.#heldBytes <= heldBytesMax;
    if (fits && !account.crowded) return;
    const spill = Array.from({ length: spillBuckets }, (_, place) => new SpillBucket(place));
    this.#spill = spill;
    this.#guids = new GuidCounts();
    for (const held of this.#held) this.#spillElement(spill, held);
    this.#held = [];
    this.#flushAll(spill);
  }

  #spillElement(spill: SpillBucket[], element: Held): void {
    let place = element.index;
    if (element.guid !== noGuid) {
      place = this.#options.hash.of(element.guid);
      this.#guids?.count(element.guid, place, element.bytes.length);
    }
    const bucket = spill[place % spill.length] as SpillBucket;
    element.slot = Math.floor(place / spill.length) % SLOTS;
    bucket.add(element);
    if (bucket.bytes >= SPILL_SEGMENT_BYTES) this.#flush(bucket);
  }

  #flushAll(spill: readonly SpillBucket[]): void {
    for (const bucket of spill) this.#flush(bucket);
    this.#freeSlabs();
  }

  #freeSlabs(): void {
    this.#slabs.free();
    this.#options.account.change(-this.#packedBytes);
    this.#packedBytes = 0;
  }

  #flush(bucket: SpillBucket): void {
    if (bucket.held.length === 0) return;
    this.#ready.push(this.#pack(bucket.place, bucket.segments++, bucket.held, true));
    bucket.held = [];
    bucket.bytes = 0;
  }

  /**
   * Entities that are named as parents lie in chunks by themselves: those of the others can be written where they are planned
   * (see src/sync/chunk/write-at-once.ts). What is one chunk stays one: all its passes are one transaction.
   */
  #cutHeld(): { chunks: ChunkHead[]; segments: Segment[] } {
    const chunks: ChunkHead[] = [];
    const segments: Segment[] = [];
    const isParted = this.#held.length > this.#options.chunkElements && !this.#parentsUnknown;
    const held = gatherByGuid(this.#held);
    this.#held = [];
    const [parents, leaves] = isParted ? partParents(held) : [held, []];
    this.#cutInto(chunks, segments, parents, false);
    this.#cutInto(chunks, segments, leaves, true);
    this.close();
    return { chunks, segments };
  }

  #cutInto(chunks: ChunkHead[], segments: Segment[], held: Held[], leaves: boolean): void {
    const wanted = Math.ceil(held.length / Math.max(1, Math.ceil(held.length / this.#options.chunkElements)));
    for (let start = 0; start < held.length; ) {
      const end = endOfChunk(held, start, wanted);
      // As the passes want them: rows are locked in the order of their GUIDs.
      const own = held.slice(start, end).sort(byGuidThenIndex);
      const chunk = { ...headOf(own, chunks.length), leaves };
      for (let [from, segment] = [0, 0]; from < own.length; segment++) {
        const next = endOfSegment(own, from);
        segments.push(this.#pack(chunk.bucket, segment, own.slice(from, next), false));
        from = next;
      }
      chunks.push(chunk);
      start = end;
    }
  }

  /** The elements are no longer needed, but their bytes count as held until the slabs are free. */
  #pack(bucket: number, segment: number, held: readonly Held[], slotted: boolean): Segment {
    const elements = packElements(held, slotted);
    for (const element of held) this.#packedBytes += element.bytes.length;
    this.#options.account.change(elements.length - ELEMENT_OVERHEAD_BYTES * held.length);
    return { bucket, segment, elements };
  }
}

/** Elements of entities that some element names as its parent, refused ones among them, and those of all others. */
function partParents(held: readonly Held[]): [parents: Held[], leaves: Held[]] {
  const named = new Set<string>();
  let last = noGuid;
  for (const { parentGuid } of held) {
    if (parentGuid !== last) named.add(parentGuid);
    last = parentGuid;
  }
  const [parents, leaves]: [Held[], Held[]] = [[], []];
  for (const element of held)
    (element.guid !== noGuid && named.has(element.guid) ? parents : leaves).push(element);
  return [parents, leaves];
}

/** The chunk of these elements, which is a bucket of its own. */
function headOf(held: readonly Held[], ordinal: number): Omit<ChunkHead, 'leaves'> {
  let [firstIndex, lastIndex] = [Number.MAX_SAFE_INTEGER, 0];
  for (const { index } of held) {
    firstIndex = Math.min(firstIndex, index);
    lastIndex = Math.max(lastIndex, index);
  }
  const slots = { from: 0, to: SLOTS };
  return { ordinal, elementCount: held.length, firstIndex, lastIndex, bucket: ordinal, slots };
}

/** Where a segment of a chunk ends: full by bytes. */
function endOfSegment(held: readonly Held[], start: number): number {
  let bytes = 0;
  for (let at = start; at < held.length; at++) {
    bytes += (held[at] as Held).bytes.length;
    if (at > start && bytes > HELD_SEGMENT_BYTES) return at;
  }
  return held.length;
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

function byGuidThenIndex(a: Held, b: Held): number {
  if (a.guid < b.guid) return -1;
  if (a.guid > b.guid) return 1;
  return a.index - b.index;
}

/**
 * In the order in which their GUIDs first come, those of one GUID together: what stands together in a payload (the children of one
 * parent, numbers that begin alike) stays together in a chunk, and is cheaper to compare, to index and to report for it.
 */
function gatherByGuid(held: Held[]): Held[] {
  const byGuid = new Map<string, Held | Held[]>();
  let repeated = 0;
  for (const element of held) {
    const { guid } = element;
    if (guid === noGuid) continue;
    const known = byGuid.get(guid);
    if (known === undefined) byGuid.set(guid, element);
    else {
      repeated++;
      if (Array.isArray(known)) known.push(element);
      else byGuid.set(guid, [known, element]);
    }
  }
  if (repeated === 0) return held;
  const gathered: Held[] = [];
  for (const element of held) {
    const group = element.guid === noGuid ? element : byGuid.get(element.guid);
    if (group === element) gathered.push(element);
    else if (Array.isArray(group) && group[0] === element) for (const one of group) gathered.push(one);
  }
  return gathered;
}
