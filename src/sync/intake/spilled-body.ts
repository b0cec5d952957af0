/**
 * A body that is too large to be held, cut while it arrives: portion by portion in the order in which its GUIDs come, as one that is
 * held. Each chunk is a bucket, to which goes what comes later of its GUIDs, so that all elements of an entity lie in one chunk. Where
 * there is no memory to know the GUIDs by, those that are not known yet lie in buckets by their hash.
 */
import { SLOTS } from '../elements/payload-codec.ts';
import type { GuidHash } from '../graph/guid-hash.ts';
import { CHUNK_BYTES_MAX, endOfChunk, noGuid } from './cut-held.ts';
import { gatherByGuid, sortByGuid } from './gather-held.ts';
import { GuidCounts } from './guid-counts.ts';
import { ABSENT, GuidPlaces, NAMED } from './guid-places.ts';
import { type ChunkHead, type Held, SpillBucket } from './spill-bucket.ts';

export interface SpilledBodyOptions {
  chunkElements: number;
  /** The number of buckets for GUIDs by hash. */
  hashedBuckets: number;
  hash: GuidHash;
  /** Whether elements are told with their parents. */
  parentsKnown: boolean;
  /** Whether there may be so many bytes more to know GUIDs by. */
  takeTable(bytes: number): boolean;
  /** Stores what the bucket holds, as its next segment. */
  flush(bucket: SpillBucket): void;
}

const SEGMENT_BYTES = 1024 * 1024;
/** A chunk cut out of a bucket may have so many times the elements that a chunk should have. */
const CHUNK_TIMES = 2;
/** Buckets in the order of the body: four kilobytes each while it arrives. */
const ORDERED_BUCKETS_MAX = 2048;
/** The upper bits of a hash, which nobody chooses: what is repeated often in one bucket is spread over the slots. */
const SLOT_SHIFT = 32 - Math.log2(SLOTS);

export class SpilledBody {
  readonly #options: SpilledBodyOptions;
  readonly #buckets: SpillBucket[] = [];
  readonly #places: GuidPlaces;
  readonly #counts = new GuidCounts();
  /** Since there is no room for further GUIDs in the table, and then for good: what is in it stays where it is. */
  #hashed: SpillBucket[] | null = null;

  constructor(options: SpilledBodyOptions) {
    this.#options = options;
    this.#places = new GuidPlaces(options.takeTable);
  }

  /** Counts an element that is to be taken. Throws `LimitError` where its GUID has more of them than it may. */
  count(element: Held): void {
    const { guid, index, bytes } = element;
    if (guid === noGuid) {
      element.hash = index;
      return;
    }
    const hash = this.#options.hash.of(guid);
    this.#counts.count(guid, hash, bytes.length);
    element.hash = hash | 0;
  }

  /** Takes a portion of the body, whose elements are counted, and flushes all of it. */
  take(held: readonly Held[]): void {
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
    const { hash, parentsKnown } = this.#options;
    this.#cut(gatherByGuid(parents, hash), false);
    this.#cut(gatherByGuid(leaves, hash), parentsKnown);
    for (const bucket of this.#buckets) if (bucket.held.length > 0) this.#options.flush(bucket);
  }

  /** When all of it is taken. */
  chunks(): ChunkHead[] {
    const elementsMax = CHUNK_TIMES * this.#options.chunkElements;
    return this.#buckets
      .flatMap((bucket) => bucket.cut(elementsMax, CHUNK_BYTES_MAX))
      .map((chunk, ordinal) => ({ ...chunk, ordinal }));
  }

  /** For as many GUIDs, each with a parent of its own. */
  #hasRoom(elements: number): boolean {
    return (
      this.#buckets.length + elements / this.#options.chunkElements < ORDERED_BUCKETS_MAX &&
      this.#places.reserve(2 * elements)
    );
  }

  #openHashed(): SpillBucket[] {
    const first = this.#buckets.length;
    const { hashedBuckets } = this.#options;
    const hashed = Array.from({ length: hashedBuckets }, (_, i) => new SpillBucket(first + i, false));
    this.#buckets.push(...hashed);
    return hashed;
  }

  /** Nothing is said to lie below a chunk of which an entity is named, be it now or before it comes. */
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
        if (element.guid !== last) own = this.#placeIn(bucket, element);
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
