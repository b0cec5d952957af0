/** Ids of 16 bytes each, one after the other, and a table that finds them: a text for each of a million ids costs more than the planning of them. */
import { writeUuid } from '../../db/wire/array-parameter.ts';
import { idAt } from '../../db/wire/binary-rows.ts';

const ID_BYTES = 16;
const FIRST_IDS = 1024;

/** The id of zeros stands for none. */
export class PackedIds {
  length: number;
  #bytes: Buffer;
  #view: DataView;
  /** Whether they stand in their order, so that their places compare as they do. */
  #isAscending = true;

  /** `length` ids are there, and none has a value. */
  constructor(length = 0) {
    this.length = length;
    this.#bytes = Buffer.from(new ArrayBuffer(ID_BYTES * Math.max(length, FIRST_IDS)));
    this.#view = viewOf(this.#bytes);
    if (length > 0) this.#isAscending = false;
  }

  static of(ids: readonly string[]): PackedIds {
    const packed = new PackedIds();
    for (const id of ids) packed.pushText(id);
    return packed;
  }

  /** Bytes of all ids, and room for further ones. */
  get view(): DataView {
    return this.#view;
  }

  /** Adds the id whose bytes stand there. */
  push(view: DataView, from: number): void {
    const at = this.#grow();
    copyId(view, from, this.#view, at);
    this.#note();
  }

  pushText(id: string): void {
    writeUuid(id, this.#bytes, this.#grow());
    this.#note();
  }

  pushNone(): void {
    this.#grow();
    this.#note();
  }

  set(index: number, view: DataView, from: number): void {
    copyId(view, from, this.#view, index * ID_BYTES);
  }

  /** Returns where the bytes of an id begin. */
  offsetOf(index: number): number {
    return index * ID_BYTES;
  }

  /** Returns an id as a text; undefined: there is none. */
  at(index: number): string | undefined {
    return this.has(index) ? idAt(this.#bytes, index * ID_BYTES) : undefined;
  }

  has(index: number): boolean {
    if (index < 0 || index >= this.length) return false;
    const at = index * ID_BYTES;
    for (let word = 0; word < ID_BYTES; word += 4) if (this.#view.getUint32(at + word) !== 0) return true;
    return false;
  }

  /** Returns the order of two of them, as their texts have it. */
  compare(a: number, b: number): number {
    return this.#isAscending ? a - b : compareIds(this.#view, a * ID_BYTES, this.#view, b * ID_BYTES);
  }

  /** Whether an id is the one whose bytes stand there. */
  equals(index: number, view: DataView, from: number): boolean {
    return compareIds(this.#view, index * ID_BYTES, view, from) === 0;
  }

  #grow(): number {
    const at = this.length++ * ID_BYTES;
    if (at === this.#bytes.length) {
      const longer = Buffer.from(new ArrayBuffer(2 * at));
      longer.set(this.#bytes);
      this.#bytes = longer;
      this.#view = viewOf(longer);
    }
    return at;
  }

  #note(): void {
    const at = (this.length - 1) * ID_BYTES;
    if (this.#isAscending && at > 0)
      this.#isAscending = compareIds(this.#view, at - ID_BYTES, this.#view, at) < 0;
  }
}

/** Finds the place of an id by its bytes. Of equal ids the first is found. */
export class IdIndex {
  readonly #words: Uint32Array;
  /** Each slot holds the place of an id plus one; 0 means that there is none. */
  readonly #slots: Uint32Array;
  readonly #mask: number;
  readonly #scratch = Buffer.alloc(ID_BYTES);
  readonly #scratchView = viewOf(this.#scratch);

  /** `ids` gets no further ones. */
  constructor(ids: PackedIds) {
    const size = 2 ** Math.ceil(Math.log2(ids.length * 2 + 2));
    this.#mask = size - 1;
    this.#slots = new Uint32Array(size);
    this.#words = new Uint32Array(ids.length * 4);
    const { view } = ids;
    for (let word = 0; word < this.#words.length; word++) this.#words[word] = view.getUint32(word * 4);
    for (let place = 0; place < ids.length; place++) {
      const slot = this.#slotOf(view, place * ID_BYTES);
      if (this.#slots[slot] === 0) this.#slots[slot] = place + 1;
    }
  }

  /** Returns the place of the id whose bytes stand there; -1: it is none of them. */
  at(view: DataView, from: number): number {
    return (this.#slots[this.#slotOf(view, from)] as number) - 1;
  }

  /** Returns the slot that holds the id, or would. */
  #slotOf(view: DataView, from: number): number {
    const a = view.getUint32(from);
    const b = view.getUint32(from + 4);
    const c = view.getUint32(from + 8);
    const d = view.getUint32(from + 12);
    const words = this.#words;
    for (let slot = hashOf(a, b, c, d) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = ((this.#slots[slot] as number) - 1) * 4;
      if (at < 0) return slot;
      // The last words differ most often.
      if (words[at + 3] === d && words[at + 2] === c && words[at + 1] === b && words[at] === a) return slot;
    }
  }

  ofText(id: string): number {
    writeUuid(id, this.#scratch, 0);
    return this.at(this.#scratchView, 0);
  }
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function copyId(from: DataView, at: number, to: DataView, toAt: number): void {
  to.setUint32(toAt, from.getUint32(at));
  to.setUint32(toAt + 4, from.getUint32(at + 4));
  to.setUint32(toAt + 8, from.getUint32(at + 8));
  to.setUint32(toAt + 12, from.getUint32(at + 12));
}

function compareIds(a: DataView, aAt: number, b: DataView, bAt: number): number {
  for (let word = 0; word < ID_BYTES; word += 4) {
    const difference = a.getUint32(aAt + word) - b.getUint32(bAt + word);
    if (difference !== 0) return difference;
  }
  return 0;
}

function hashOf(a: number, b: number, c: number, d: number): number {
  let hash =
    Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(c ^ Math.imul(d, 0xc2b2ae35), 0x27d4eb2f);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
