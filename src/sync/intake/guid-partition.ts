/**
 * Collects a body's elements and cuts them by GUID, so that all elements of one entity lie in one chunk:
 * sums and duplicates are then a chunk's own affair, and no two chunks ever write the same row.
 */
import { normaliseGuid } from '../../db/ids.ts';
import { packElements, packElementsAside, SLOTS, type StagedElement } from '../elements/payload-codec.ts';
import type { GuidHash } from '../graph/guid-hash.ts';
import { endOfChunk, endOfSegment, noGuid } from './cut-held.ts';
import { Slabs } from './element-slabs.ts';
import { gatherByGuid, partParents, sortByGuid } from './gather-held.ts';
import type { BodyAccount } from './held-budget.ts';
import type { RawElement } from './json/raw-element.ts';
import type { RejectedLine } from './json/split-ndjson.ts';
import type { ChunkHead, Held, SpillBucket } from './spill-bucket.ts';
import { SpilledBody } from './spilled-body.ts';

/** A packed segment of a bucket's payload. */
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
   * Buckets of a body that outgrows this and more than its GUIDs can be known by: by a hash of the GUID, each growing by segments. When
   * all of it is there, each is cut into as many chunks as its elements and bytes want.
   */
  spillBuckets: number;
  /** With a secret of its own, so that nobody chooses what falls together. */
  hash: GuidHash;
  /** Told of every byte that is held. */
  account: BodyAccount;
}

/** Held of a body that spills; then all of it goes, so that no slab stays for the sake of a few elements. */
const SPILL_HELD_BYTES = 40 * 1024 * 1024;
const PACKED_IN_PARALLEL = 2;
/** The cost of an element beside its bytes: its GUID, its place and the view of its bytes. */
const ELEMENT_OVERHEAD_BYTES = 256;

export class GuidPartition {
  readonly #options: PartitionOptions;
  #held: Held[] = [];
  #heldBytes = 0;
  /** Bytes of packed elements whose slabs are not free yet. */
  #packedBytes = 0;
  #spill: SpilledBody | null = null;
  #ready: Segment[] = [];
  #elementCount = 0;
  /** The parent of the element before, as given and in its normal form: most elements name the same parent. */
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
    this.#take({ guid, parentGuid, index: element.ordinal, bytes, rejected: false, slot: 0, hash: 0 });
  }

  /** An element that was staged before, at the place that it had. Those of one GUID come in the order of their places. */
  addStaged(index: number, guid: string | null, text: string): void {
    const bytes = Buffer.from(text);
    this.#parentsUnknown = true;
    this.#take({ guid: guid ?? noGuid, parentGuid: noGuid, index, bytes, rejected: false, slot: 0, hash: 0 });
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
  async finish(): Promise<{ chunks: ChunkHead[]; segments: Segment[] }> {
    if (this.#spill === null) return this.#cutHeld();
    this.#takePortion(this.#spill);
    const chunks = this.#spill.chunks();
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
    this.#take({ guid: noGuid, parentGuid: noGuid, index, bytes, rejected: true, slot: 0, hash: 0 });
  }

  #parentOf(given: string): string {
    if (given !== this.#parent.given) this.#parent = { given, guid: normaliseGuid(given) ?? noGuid };
    return this.#parent.guid;
  }

  #take(element: Held): void {
    this.#elementCount++;
    this.#heldBytes += element.bytes.length;
    const { account, heldElementsMax, heldBytesMax } = this.#options;
    account.change(element.bytes.length + ELEMENT_OVERHEAD_BYTES);
    this.#held.push(element);
    if (this.#spill !== null) {
      this.#spill.count(element);
      if (account.held > SPILL_HELD_BYTES || this.#isCrowded()) this.#takePortion(this.#spill);
      return;
    }
    const fits = this.#held.length <= heldElementsMax && this.#heldBytes <= heldBytesMax;
    if (fits && !account.crowded) return;
    this.#spill = this.#openSpill();
    for (const held of this.#held) this.#spill.count(held);
    this.#takePortion(this.#spill);
  }

  /** Not for what is ready to be stored alone: portions would be of one element each until it is. */
  #isCrowded(): boolean {
    const { account } = this.#options;
    const bytes = this.#heldBytes + ELEMENT_OVERHEAD_BYTES * this.#held.length;
    return account.crowded && 2 * bytes > account.placeBytes;
  }

  #openSpill(): SpilledBody {
    const { chunkElements, spillBuckets, hash, account } = this.#options;
    return new SpilledBody({
      chunkElements,
      hashedBuckets: spillBuckets,
      hash,
      parentsKnown: !this.#parentsUnknown,
      takeTable: (bytes) => account.takeTable(bytes),
      flush: (bucket) => this.#flush(bucket),
    });
  }

  /** Hands everything that is held to the spilled body. */
  #takePortion(spill: SpilledBody): void {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    spill.take(held);
    this.#freeSlabs();
  }

  #freeSlabs(): void {
    this.#slabs.free();
    this.#options.account.change(-this.#packedBytes);
    this.#packedBytes = 0;
  }

  #flush(bucket: SpillBucket): void {
    this.#ready.push(this.#pack(bucket.place, bucket.segments++, bucket.held, true));
    bucket.held = [];
    bucket.bytes = 0;
  }

  /**
   * Entities that are named as parents lie in chunks by themselves: those of the others can be written where they are planned
   * (see src/sync/apply/write-leaves.ts). What is one chunk stays one: all its passes are one transaction.
   */
  async #cutHeld(): Promise<{ chunks: ChunkHead[]; segments: Segment[] }> {
    const chunks: ChunkHead[] = [];
    const pieces: Piece[] = [];
    const held = this.#held;
    this.#held = [];
    const { chunkElements, hash } = this.#options;
    const isParted = held.length > chunkElements && !this.#parentsUnknown;
    const [parents, leaves] = isParted ? partParents(held, hash) : [gatherByGuid(held, hash), []];
    this.#cutInto(chunks, pieces, parents, false);
    this.#cutInto(chunks, pieces, leaves, true);
    const segments = await this.#packAll(pieces);
    this.close();
    return { chunks, segments };
  }

  #cutInto(chunks: ChunkHead[], pieces: Piece[], held: readonly Held[], leaves: boolean): void {
    const wanted = Math.ceil(held.length / Math.max(1, Math.ceil(held.length / this.#options.chunkElements)));
    for (let start = 0; start < held.length; ) {
      const end = endOfChunk(held, start, wanted);
      // As the passes want them: rows are locked in the order of their GUIDs.
      const own = sortByGuid(held.slice(start, end));
      const chunk = { ...headOf(own, chunks.length), leaves };
      for (let [from, segment] = [0, 0]; from < own.length; segment++) {
        const next = endOfSegment(own, from);
        pieces.push({ bucket: chunk.bucket, segment, held: own.slice(from, next) });
        from = next;
      }
      chunks.push(chunk);
      start = end;
    }
  }

  /**
   * Packs the pieces, compressing them in another thread. Only a few are packed at a time, because each is held
   * twice until it is done.
   */
  async #packAll(pieces: readonly Piece[]): Promise<Segment[]> {
    const segments: Segment[] = [];
    if (pieces.length === 1) {
      const { bucket, segment, held } = pieces[0] as Piece;
      return [this.#pack(bucket, segment, held, false)];
    }
    const { account } = this.#options;
    let next = 0;
    const lane = async () => {
      for (let at = next++; at < pieces.length; at = next++) {
        const { bucket, segment, held } = pieces[at] as Piece;
        const elements = await account.packing(() => packElementsAside(held));
        this.#note(held, elements);
        segments[at] = { bucket, segment, elements };
      }
    };
    // Whoever closes the partition frees what they read.
    const lanes = await Promise.allSettled(Array.from({ length: PACKED_IN_PARALLEL }, lane));
    for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
    return segments;
  }

  #pack(bucket: number, segment: number, held: readonly Held[], slotted: boolean): Segment {
    const elements = packElements(held, slotted);
    this.#note(held, elements);
    return { bucket, segment, elements };
  }

  /** The elements are no longer needed, but their bytes count as held until the slabs are free. */
  #note(held: readonly Held[], packed: Buffer): void {
    for (let i = 0; i < held.length; i++) this.#packedBytes += (held[i] as Held).bytes.length;
    this.#options.account.change(packed.length - ELEMENT_OVERHEAD_BYTES * held.length);
  }
}

/** The elements of one segment. */
interface Piece {
  bucket: number;
  segment: number;
  held: readonly Held[];
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
