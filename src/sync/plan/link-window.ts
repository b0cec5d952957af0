/** Links of several chunks in the order of their parents, as they were planned: typed arrays, and views of the plans. */

import { GUID_BYTES, guidAt, guidBytesAt } from '../graph/guid-bytes.ts';
import type { ChunkPlan } from './chunk-plan.ts';
import { type PlannedLinks, WantedLink } from './planned-links.ts';

/** A key holds 28 bits of the parent's GUID and the number of the link, together as much as a double holds exactly. */
const NUMBERS = 2 ** 25;

export interface WindowChunk {
  ordinal: number;
  /** It was written where it was planned. */
  isWritten: boolean;
  links: PlannedLinks;
  /** Places of the links to write. */
  places: readonly number[];
  /** How many links the chunks before it have. */
  start: number;
}

/** Links to make, and beside each the chunk that it is of. */
export interface WindowLinks {
  links: WantedLink[];
  chunks: WindowChunk[];
}

export class LinkWindow {
  /**
   * Whether stored links are taken to be as they were planned. They are not after a transaction of the window was
   * repeated.
   */
  isAsPlanned = true;
  readonly #chunks: WindowChunk[] = [];
  readonly #newGuids: Uint8Array[] = [];
  #keys = new Float64Array(0);
  #count = 0;

  /** Links to make. */
  get count(): number {
    return this.#count;
  }

  get ordinals(): number[] {
    return this.#chunks.map(({ ordinal }) => ordinal);
  }

  /** GUIDs that the chunks were to create, 16 bytes each. */
  get newGuids(): Uint8Array {
    return Buffer.concat(this.#newGuids);
  }

  add(ordinal: number, { links, newGuids, isWritten = false }: ChunkPlan, places: readonly number[]): void {
    this.#chunks.push({ ordinal, isWritten, links, places, start: this.#count });
    this.#newGuids.push(newGuids);
    this.#count += places.length;
  }

  /** After the last `add`. */
  sort(): void {
    if (this.#count > NUMBERS) throw new Error(`A window of ${this.#count} links`);
    const keys = new Float64Array(this.#count);
    let number = 0;
    for (const { links, places } of this.#chunks) {
      for (const place of places) {
        keys[number] = parentKey(links.parents, place) * NUMBERS + number;
        number++;
      }
    }
    this.#keys = keys.sort();
  }

  /** Returns where a portion ends that begins at `from`: after the last link of a parent. */
  endOfPortion(from: number, most: number): number {
    let end = Math.min(from + most, this.#count);
    while (end < this.#count && end > 0 && this.#parentAt(end) === this.#parentAt(end - 1)) end++;
    return end;
  }

  /** The links between two places of the order. */
  linksOf(from: number, to: number): WindowLinks {
    const links: WantedLink[] = [];
    const chunks: WindowChunk[] = [];
    let last: { bytes: Buffer; guid: string } | null = null;
    for (let at = from; at < to; at++) {
      const number = (this.#keys[at] as number) % NUMBERS;
      const chunk = this.#chunkOf(number);
      const place = chunk.places[number - chunk.start] as number;
      const bytes = guidBytesAt(chunk.links.parents, place);
      // Those of one parent stand together.
      if (last === null || !last.bytes.equals(bytes)) last = { bytes, guid: guidAt(bytes, 0) };
      links.push(new WantedLink(chunk.links, place, last.guid));
      chunks.push(chunk);
    }
    return { links, chunks };
  }

  #parentAt(at: number): number {
    return Math.floor((this.#keys[at] as number) / NUMBERS);
  }

  #chunkOf(number: number): WindowChunk {
    let low = 0;
    for (let high = this.#chunks.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((this.#chunks[middle] as WindowChunk).start <= number) low = middle;
      else high = middle - 1;
    }
    return this.#chunks[low] as WindowChunk;
  }
}

/**
 * 28 bits of a GUID, of all of its words: those that a system makes one after the other, by the time or by counting, have their first or
 * their last in common. Where two parents have the same they stay together, which costs nothing.
 */
function parentKey(parents: Uint8Array, place: number): number {
  const at = place * GUID_BYTES;
  let key = 0;
  for (let word = at; word < at + GUID_BYTES; word += 4)
    key ^=
      ((parents[word] as number) << 24) |
      ((parents[word + 1] as number) << 16) |
      ((parents[word + 2] as number) << 8) |
      (parents[word + 3] as number);
  return key >>> 4;
}
