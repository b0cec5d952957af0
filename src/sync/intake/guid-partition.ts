/**
 * Collects a body's elements and cuts them by GUID, so that all elements of one entity lie in one chunk:
 * sums and duplicates are then a chunk's own affair, and no two chunks ever write the same row.
 */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { normaliseGuid } from '../../db/ids.ts';
import { packElements, packElementsAside, type StagedElement } from '../elements/payload-codec.ts';
import type { GuidHash } from '../graph/guid-hash.ts';
import { BodyCutter } from './body-cutter.ts';
import type { BodyAccount } from './held-budget.ts';
import type { RawElement } from './json/raw-element.ts';
import type { RejectedLine } from './json/split-ndjson.ts';
import { type ChunkHead, type Held, noGuid } from './spill-bucket.ts';

/** A packed segment of a bucket's payload. */
export interface Segment {
  bucket: number;
  segment: number;
  elements: Buffer;
}

export interface PartitionOptions {
  /** Elements a chunk should have. */
  chunkElements: number;
  /** Elements and bytes up to which a body is held whole: it is a single portion. */
  heldElementsMax: number;
  heldBytesMax: number;
  /** Buckets by a hash of the GUID, for bodies with more GUIDs than can be remembered. Each grows by segments. */
  spillBuckets: number;
  /** With a secret of its own, so that nobody chooses what falls together. */
  hash: GuidHash;
  /** Told of every byte that is held. */
  account: BodyAccount;
  /** Nothing is cut before `follow`; absent: there are no aliases. */
  awaitsAliases?: boolean;
}

/** The size of a portion. A portion goes as a whole, so that no slab stays for the sake of a few elements. */
const PORTION_BYTES = 40 * 1024 * 1024;
const PACKED_IN_PARALLEL = 2;
/** A body of fewer bytes and no more elements than a chunk has is one chunk, for which aliases need not be known. */
const ONE_CHUNK_BYTES = 1024 * 1024;
/** The cost of an element beside its bytes: its GUID, its place and the view of its bytes. */
const ELEMENT_OVERHEAD_BYTES = 256;

/** The first one is small, as most bodies are; what is as large as the last ones the system gives and takes back page by page. */
const FIRST_SLAB_BYTES = 16 * 1024;
const SLAB_BYTES = 256 * 1024;

export class GuidPartition {
  readonly #options: PartitionOptions;
  #held: Held[] = [];
  #heldBytes = 0;
  /** Bytes of packed elements whose slabs are not free yet. */
  #packedBytes = 0;
  /** Set when the body has outgrown what is held whole: then its segments are stored as they become ready. */
  #cutter: BodyCutter | null = null;
  /** Segments that are still to be packed. */
  #pieces: Piece[] = [];
  #elementCount = 0;
  /** The parent of the element before, as given and in its normal form: most elements name the same parent. */
  #parent = { given: noGuid, guid: noGuid };
  /** Elements have come of which nobody has read the parents. */
  #parentsUnknown = false;
  #awaitsAliases: boolean;
  #aliases: WorkspaceConfiguration['aliases'] = new Map();
  #slabs = new Slabs();
  /** The slabs of portions that are cut. */
  #cutSlabs: Slabs[] = [];

  constructor(options: PartitionOptions) {
    this.#options = options;
    this.#awaitsAliases = options.awaitsAliases === true;
  }

  /** Whether the body may become several chunks, so that the aliases must be known. Asked after each piece of the body. */
  get wantsAliases(): boolean {
    const { account, chunkElements } = this.#options;
    const mayBeCut =
      this.#elementCount > chunkElements || this.#heldBytes > ONE_CHUNK_BYTES || account.crowded;
    return this.#awaitsAliases && mayBeCut;
  }

  /** Puts elements that name a merged entity, from now on, into the chunk of the entity that stays. */
  follow(aliases: WorkspaceConfiguration['aliases']): void {
    this.#aliases = aliases;
    this.#awaitsAliases = false;
  }

  get elementCount(): number {
    return this.#elementCount;
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

  /** Packs the segments that are full, to be stored now. They count as held until `forget`. */
  async takeReady(): Promise<Segment[]> {
    const pieces = this.#pieces;
    this.#pieces = [];
    const segments = await this.#packAll(pieces);
    this.#freeSlabs();
    return segments;
  }

  /** The segments are stored. */
  forget(segments: readonly Segment[]): void {
    for (const { elements } of segments) this.#options.account.change(-elements.length);
  }

  /** Returns the chunks, and the segments that are not taken yet. */
  async finish(): Promise<{ chunks: ChunkHead[]; segments: Segment[] }> {
    const cutter = this.#cutter ?? this.#openCutter();
    this.#cutPortion(cutter, this.#cutter === null);
    return { chunks: cutter.chunks(), segments: await this.takeReady() };
  }

  /** All elements, where they are no more than that, in no order but those of one GUID; they stay held. */
  small(elementsMax: number): StagedElement[] | null {
    if (this.#cutter !== null || this.#held.length > elementsMax) return null;
    return this.#held.map(({ index, bytes, rejected }) => ({
      index,
      text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(),
      rejected,
    }));
  }

  /** Frees what is held, also of a body that did not arrive completely. */
  close(): void {
    this.#held = [];
    this.#pieces = [];
    this.#cutter = null;
    this.#slabs.free();
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
    if (this.#awaitsAliases) return;
    const fits =
      this.#cutter === null
        ? this.#held.length <= heldElementsMax && this.#heldBytes <= heldBytesMax && !account.crowded
        : !this.#isPortion();
    if (fits) return;
    this.#cutter ??= this.#openCutter();
    this.#cutPortion(this.#cutter, false);
  }

  /** Whether the elements that are held are a portion. Segments that are not stored yet do not count. */
  #isPortion(): boolean {
    const { account } = this.#options;
    const bytes = this.#heldBytes + ELEMENT_OVERHEAD_BYTES * this.#held.length;
    return bytes > PORTION_BYTES || (account.crowded && 2 * bytes > account.shareBytes);
  }

  #openCutter(): BodyCutter {
    const { chunkElements, spillBuckets, hash, account } = this.#options;
    return new BodyCutter({
      chunkElements,
      hashedBuckets: spillBuckets,
      hash,
      parentsKnown: !this.#parentsUnknown,
      takeTable: (bytes) => account.takeTable(bytes),
      flush: (bucket) => {
        this.#pieces.push({ bucket: bucket.place, segment: bucket.segments++, held: bucket.held });
        bucket.held = [];
        bucket.bytes = 0;
      },
    });
  }

  #cutPortion(cutter: BodyCutter, isOnly: boolean): void {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    if (this.#aliases.size > 0) {
      for (const element of held) {
        element.guid = this.#aliases.get(element.guid) ?? element.guid;
        element.parentGuid = this.#aliases.get(element.parentGuid) ?? element.parentGuid;
      }
    }
    cutter.take(held, isOnly);
    this.#cutSlabs.push(this.#slabs);
    this.#slabs = new Slabs();
  }

  #freeSlabs(): void {
    for (const slabs of this.#cutSlabs) slabs.free();
    this.#cutSlabs = [];
    this.#options.account.change(-this.#packedBytes);
    this.#packedBytes = 0;
  }

  /**
   * Packs the pieces, compressing them in another thread. Only a few are packed at a time, because each is held
   * twice until it is done.
   */
  async #packAll(pieces: readonly Piece[]): Promise<Segment[]> {
    const segments: Segment[] = [];
    if (pieces.length === 1) {
      const { bucket, segment, held } = pieces[0] as Piece;
      const elements = packElements(held);
      this.#note(held, elements);
      return [{ bucket, segment, elements }];
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

/** Copies elements into large buffers: a buffer of its own for each would cost more than the element. */
class Slabs {
  #all: Buffer<ArrayBuffer>[] = [];
  #last = Buffer.alloc(0);
  #used = 0;

  copy(source: Buffer, start: number, end: number): Uint8Array {
    const length = end - start;
    if (this.#used + length > this.#last.length) {
      const bytes = Math.max(FIRST_SLAB_BYTES, Math.min(SLAB_BYTES, 4 * this.#last.length));
      this.#last = Buffer.allocUnsafeSlow(Math.max(bytes, length));
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
