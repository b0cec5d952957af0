/**
 * The elements of a body in one bucket, with counts for each slot, so that the bucket can be cut into chunks when the body is
 * complete.
 */
import { type PackedElement, SLOTS, type SlotRange } from '../elements/payload-codec.ts';

export interface ChunkHead {
  ordinal: number;
  elementCount: number;
  firstIndex: number;
  lastIndex: number;
  /** The bucket and the slots in which the elements are stored. */
  bucket: number;
  slots: SlotRange;
  /** No element of the body names an entity of this chunk as its parent. */
  leaves: boolean;
}

/** Stands for a GUID that cannot be read. */
export const noGuid = '';

export interface Held extends PackedElement {
  guid: string;
  /** `noGuid` if it names none that can be read. */
  parentGuid: string;
  /** The hash of the GUID as a signed 32-bit number; 0 until its portion is cut. */
  hash: number;
}

/** Numbers that a bucket keeps of each slot. */
const COUNTS = 4;

export class SpillBucket {
  readonly place: number;
  held: Held[] = [];
  bytes = 0;
  segments = 0;
  /** No element that has come names an entity of it as its parent. */
  leaves: boolean;
  /** For each slot: elements, bytes, first index, last index. */
  readonly #slots = new Uint32Array(COUNTS * SLOTS);

  constructor(place: number, leaves: boolean) {
    this.place = place;
    this.leaves = leaves;
  }

  add(element: Held): void {
    const { index, slot, bytes } = element;
    this.held.push(element);
    this.bytes += bytes.length;
    const at = COUNTS * slot;
    // What is sent again comes bucket by bucket, and so not in the order of the payload.
    this.#slots[at + 2] = this.#slots[at] === 0 ? index : Math.min(this.#slots[at + 2] as number, index);
    this.#slots[at + 3] = Math.max(this.#slots[at + 3] as number, index);
    (this.#slots[at] as number) += 1;
    (this.#slots[at + 1] as number) += bytes.length;
  }

  /** Chunks of neighbouring slots that have no more than this each, unless one slot alone has; without ordinals. */
  cut(elementsMax: number, bytesMax: number): Omit<ChunkHead, 'ordinal'>[] {
    const chunks: Omit<ChunkHead, 'ordinal'>[] = [];
    let [elements, bytes] = [0, 0];
    for (let slot = 0; slot < SLOTS; slot++) {
      const own = this.#slots[COUNTS * slot] as number;
      if (own === 0) continue;
      const [ownBytes = 0, first = 0, last = 0] = this.#slots.subarray(COUNTS * slot + 1);
      elements += own;
      bytes += ownBytes;
      const chunk = chunks.at(-1);
      if (chunk !== undefined && elements <= elementsMax && bytes <= bytesMax) {
        chunk.elementCount = elements;
        chunk.firstIndex = Math.min(chunk.firstIndex, first);
        chunk.lastIndex = Math.max(chunk.lastIndex, last);
        chunk.slots.to = slot + 1;
        continue;
      }
      [elements, bytes] = [own, ownBytes];
      const slots = { from: slot, to: slot + 1 };
      chunks.push({
        elementCount: own,
        firstIndex: first,
        lastIndex: last,
        bucket: this.place,
        slots,
        leaves: this.leaves,
      });
    }
    return chunks;
  }
}
