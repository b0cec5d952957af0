/**
 * Cuts a body into chunks, portion by portion in the order in which its GUIDs come; a body that is held whole is a single portion. Each
 * chunk is a bucket, to which later elements of its GUIDs are added, so that all elements of an entity lie in one chunk. When there is no
 * memory to remember further GUIDs, elements of unknown GUIDs go to buckets by their hash.
 */
import { SLOTS } from '../elements/payload-codec.ts';
import type { GuidHash } from '../graph/guid-hash.ts';
import { gatherByGuid, sortByGuid } from './gather-held.ts';
import { ABSENT, GuidPlaces, NAMED } from './guid-places.ts';
import { LimitError } from './json/intake-errors.ts';
import { type ChunkHead, type Held, noGuid, SpillBucket } from './spill-bucket.ts';

export interface BodyCutterOptions {
  chunkElements: number;
  /** The number of buckets for GUIDs by hash. */
  hashedBuckets: number;
  hash: GuidHash;
  /** Whether the parents of the elements are known. */
  parentsKnown: boolean;
  /** Whether the table of GUIDs may have so many bytes more. */
  takeTable(bytes: number): boolean;
  /** Packs the elements that the bucket holds, as its next segment. */
  flush(bucket: SpillBucket): void;
}

/**
 * The bytes of a chunk, whatever the number of its elements, so that no step takes long or holds much. Above it are only
 * elements that cannot be parted: one large element, or the elements of one GUID.
 */
const CHUNK_BYTES_MAX = 4 * 1024 * 1024;
/** A worker unpacks one segment at a time. */
const SEGMENT_BYTES = 1024 * 1024;
/** A chunk cut out of a bucket may have so many times the elements that a chunk should have. */
const CHUNK_TIMES = 2;
/** Buckets in the order of the body: four kilobytes each while it arrives. */
const ORDERED_BUCKETS_MAX = 2048;
/** The upper bits of a hash, which nobody chooses: what is repeated often in one bucket is spread over the slots. */
const SLOT_SHIFT = 32 - Math.log2(SLOTS);

export class BodyCutter {
  readonly #options: BodyCutterOptions;
  readonly #buckets: SpillBucket[] = [];
  readonly #places: GuidPlaces;
  #counts: GuidCounts | null = null;
  /** Set, for good, when there is no room for further GUIDs in the table: GUIDs in it stay where they are. */
  #hashed: SpillBucket[] | null = null;
  /** The body is a single portion: nothing comes later. */
  #isOnly = false;

  constructor(options: BodyCutterOptions) {
    this.#options = options;
    this.#places = new GuidPlaces((bytes) => this.#isOnly || options.takeTable(bytes));
  }

  /** Cuts a portion of the body and flushes all of it. Throws `LimitError` if a GUID has more elements than it may. */
  take(held: readonly Held[], isOnly: boolean): void {
    this.#isOnly = isOnly;
    const { chunkElements, parentsKnown } = this.#options;
    // All passes over a body that fits into one chunk are one transaction.
    if (isOnly && held.length <= chunkElements) this.#cut(gatherByGuid(held), false);
    else {
      const [parents, leaves] = this.#part(held);
      this.#cut(gatherByGuid(parents), false);
      this.#cut(gatherByGuid(leaves), parentsKnown);
    }
    for (const bucket of this.#buckets) if (bucket.held.length > 0) this.#options.flush(bucket);
  }

  /**
   * Adds elements to the buckets in which their GUIDs lie, and returns the others. Entities that are named as parents lie in chunks by
   * themselves, because all other entities can be written where they are planned (src/sync/apply/write-leaves.ts).
   */
  #part(held: readonly Held[]): [parents: Held[], leaves: Held[]] {
    for (const element of held) this.#count(element);
    if (this.#hashed === null && !this.#hasRoom(held.length)) this.#hashed = this.#openHashed();
    this.#markParents(held);
    const [parents, leaves]: [Held[], Held[]] = [[], []];
    for (const element of held) {
      const { guid, hash } = element;
      const place = guid === noGuid ? ABSENT : this.#places.find(guid, hash);
      if (place !== ABSENT && place !== NAMED) this.#addTo(this.#buckets[place] as SpillBucket, element);
      else if (this.#hashed !== null) this.#addHashed(this.#hashed, element);
      else if (place === NAMED) parents.push(element);
      else leaves.push(element);
    }
    return [parents, leaves];
  }

  #count(element: Held): void {
    const { guid, index, bytes } = element;
    if (guid === noGuid) {
      element.hash = index;
      return;
    }
    const hash = this.#options.hash.of(guid);
    this.#counts ??= new GuidCounts();
    this.#counts.count(guid, hash, bytes.length);
    element.hash = hash | 0;
  }

  /**
   * Returns the chunks when all portions are taken. Those of parents come first: what the plan finds out about parents decides whether
   * the other chunks can be written where they are planned.
   */
  chunks(): ChunkHead[] {
    const [elementsMax, bytesMax] = this.#isOnly
      ? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      : [CHUNK_TIMES * this.#options.chunkElements, CHUNK_BYTES_MAX];
    return this.#buckets
      .flatMap((bucket) => bucket.cut(elementsMax, bytesMax))
      .sort((a, b) => Number(a.leaves) - Number(b.leaves))
      .map((chunk, ordinal) => ({ ...chunk, ordinal }));
  }

  /** Whether there is room for as many GUIDs, each with a parent of its own. */
  #hasRoom(elements: number): boolean {
    const buckets = this.#buckets.length + elements / this.#options.chunkElements;
    return (this.#isOnly || buckets < ORDERED_BUCKETS_MAX) && this.#places.reserve(2 * elements);
  }

  #openHashed(): SpillBucket[] {
    const first = this.#buckets.length;
    const { hashedBuckets } = this.#options;
    const hashed = Array.from({ length: hashedBuckets }, (_, i) => new SpillBucket(first + i, false));
    this.#buckets.push(...hashed);
    return hashed;
  }

  /** Notes which entities are named as parents, before or after they come. */
  #markParents(held: readonly Held[]): void {
    let last = noGuid;
    for (const { parentGuid } of held) {
      if (parentGuid === last) continue;
      last = parentGuid;
      if (parentGuid === noGuid) continue;
      const hash = this.#options.hash.of(parentGuid);
      const place = this.#places.find(parentGuid, hash);
      if (place === ABSENT) {
        // What is not in the table when it is full will lie in a bucket by its hash, of which nothing is said.
        if (this.#hashed === null) this.#places.set(parentGuid, hash, NAMED);
      } else if (place !== NAMED) (this.#buckets[place] as SpillBucket).leaves = false;
    }
  }

  #cut(held: readonly Held[], leaves: boolean): void {
    const wanted = Math.ceil(held.length / Math.max(1, Math.ceil(held.length / this.#options.chunkElements)));
    for (let start = 0; start < held.length; ) {
      const end = endOfChunk(held, start, wanted);
      const bucket = new SpillBucket(this.#buckets.length, leaves);
      this.#buckets.push(bucket);
      let last = noGuid;
      let own = bucket;
      for (const element of sortByGuid(held.slice(start, end))) {
        if (!this.#isOnly && element.guid !== last) own = this.#placeIn(bucket, element);
        last = element.guid;
        this.#addTo(own, element);
      }
      start = end;
    }
  }

  /** Two GUIDs of one portion that the table cannot tell apart: what comes later of either is looked for where one of them lies. */
  #placeIn(bucket: SpillBucket, { guid, hash }: Held): SpillBucket {
    const place = this.#places.find(guid, hash);
    if (place !== ABSENT && place !== NAMED) return this.#buckets[place] as SpillBucket;
    this.#places.set(guid, hash, bucket.place);
    return bucket;
  }

  #addTo(bucket: SpillBucket, element: Held): void {
    element.slot = element.guid === noGuid ? element.index % SLOTS : element.hash >>> SLOT_SHIFT;
    this.#add(bucket, element);
  }

  #addHashed(hashed: readonly SpillBucket[], element: Held): void {
    const hash = element.hash >>> 0;
    element.slot = Math.floor(hash / hashed.length) % SLOTS;
    this.#add(hashed[hash % hashed.length] as SpillBucket, element);
  }

  #add(bucket: SpillBucket, element: Held): void {
    bucket.add(element);
    if (bucket.bytes >= SEGMENT_BYTES) this.#options.flush(bucket);
  }
}

/** Returns where the chunk ends: when it is full by count or bytes, but never between two elements of one GUID. */
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

/** Elements, and bytes of them, that one GUID may have in one body. */
export const GUID_ELEMENTS_MAX = 100_000;
export const GUID_BYTES_MAX = 64 * 1024 * 1024;

const CELLS = 65_536;

/**
 * Notices a GUID that is repeated so often in one body that its chunk, which is never cut between elements of one entity, would not fit
 * into a worker's memory. Counts by a hash in a table of a fixed size: exact enough, because all others that share a cell are a few
 * hundred elements in millions.
 */
class GuidCounts {
  readonly #elements = new Uint32Array(CELLS);
  readonly #bytes = new Uint32Array(CELLS);

  /** `hash` is the GUID's. Throws `LimitError` when the GUID has more than it may. */
  count(guid: string, hash: number, bytes: number): void {
    const cell = hash % CELLS;
    const elements = (this.#elements[cell] as number) + 1;
    const all = (this.#bytes[cell] as number) + bytes;
    this.#elements[cell] = elements;
    this.#bytes[cell] = all;
    if (elements > GUID_ELEMENTS_MAX) {
      const message = `The GUID ${guid} has more than ${GUID_ELEMENTS_MAX} elements in this body`;
      throw new LimitError(message, 'guidElementsMax');
    }
    if (all > GUID_BYTES_MAX) {
      const message = `The elements of the GUID ${guid} have more than ${GUID_BYTES_MAX} bytes in this body`;
      throw new LimitError(message, 'guidBytesMax');
    }
  }
}
