/**
 * GUIDs as 16 bytes. A large batch has millions of them at once in the pass over its structure: as text in
 * objects they would take ten times the memory.
 */

import { writeUuid } from '../../db/array-parameter.ts';
import { keepShape } from '../../keep-shape.ts';

export const GUID_BYTES = 16;

/** A list of GUIDs in one buffer, 16 bytes each. */
export class GuidList {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity = 64) {
    this.#bytes = Buffer.allocUnsafe(capacity * GUID_BYTES);
  }

  get length(): number {
    return this.#length;
  }

  /** The list's own bytes, for storing. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length * GUID_BYTES);
  }

  push(guid: string): void {
    const at = this.#length * GUID_BYTES;
    if (at === this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * Math.max(at, GUID_BYTES));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    writeUuid(guid, this.#bytes, at);
    this.#length++;
  }
}

/** A view of the GUID at a place of a list's bytes. */
export function guidBytesAt(bytes: Uint8Array, place: number): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + place * GUID_BYTES, GUID_BYTES);
}

/** The GUID at a place of a list's bytes, as text. */
export function guidAt(bytes: Uint8Array, place: number): string {
  const hex = guidBytesAt(bytes, place).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** All GUIDs of a list's bytes, as text. */
export function guidsOf(bytes: Uint8Array): string[] {
  return Array.from({ length: bytes.length / GUID_BYTES }, (_, place) => guidAt(bytes, place));
}

/** Gives every GUID a small integer, in the order in which they come: a hash table in typed arrays. */
export class GuidTable {
  #words = new Uint32Array(4 * 1024);
  /** Id + 1 of the GUID that a slot holds; 0 for none. */
  #slots = new Int32Array(2048);
  #count = 0;
  readonly #scratch = Buffer.alloc(GUID_BYTES);

  /** How many there are; ids are 0 … size - 1. */
  get size(): number {
    return this.#count;
  }

  /** The id of the GUID at a place of a list's bytes; made when it is new. */
  idAt(bytes: Uint8Array, place: number): number {
    this.#scratch.set(bytes.subarray(place * GUID_BYTES, (place + 1) * GUID_BYTES));
    return this.#find(true);
  }

  /** The id of a GUID in text form; -1 when the table does not have it and `make` is false. */
  idOf(guid: string, make: boolean): number {
    writeUuid(guid, this.#scratch, 0);
    return this.#find(make);
  }

  /** The GUID of an id, as text. */
  textOf(id: number): string {
    const buffer = Buffer.alloc(GUID_BYTES);
    for (let word = 0; word < 4; word++) buffer.writeUInt32LE(this.#words[4 * id + word] as number, 4 * word);
    return guidAt(buffer, 0);
  }

  /** The GUIDs of the ids that are marked with 1, as a list's bytes. */
  bytesOf(marks: Uint8Array): Buffer {
    const count = marks.reduce((sum, mark) => sum + mark, 0);
    const bytes = Buffer.alloc(GUID_BYTES * count);
    let at = 0;
    for (const [id, mark] of marks.entries()) {
      if (mark !== 1) continue;
      for (let word = 0; word < 4; word++, at += 4)
        bytes.writeUInt32LE(this.#words[4 * id + word] as number, at);
    }
    return bytes;
  }

  #find(make: boolean): number {
    const a = this.#scratch.readUInt32LE(0);
    const b = this.#scratch.readUInt32LE(4);
    const c = this.#scratch.readUInt32LE(8);
    const d = this.#scratch.readUInt32LE(12);
    const mask = this.#slots.length - 1;
    let slot = slotOf(a, b, c, d, mask);
    for (let held = this.#slots[slot] as number; held !== 0; held = this.#slots[slot] as number) {
      const at = 4 * (held - 1);
      const words = this.#words;
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d)
        return held - 1;
      slot = (slot + 1) & mask;
    }
    if (!make) return -1;
    const id = this.#count++;
    if (4 * id === this.#words.length) {
      this.#words = new Uint32Array(this.#words.buffer.transfer(2 * this.#words.byteLength));
    }
    this.#words.set([a, b, c, d], 4 * id);
    this.#slots[slot] = id + 1;
    if (2 * this.#count > this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    const words = this.#words;
    for (let id = 0; id < this.#count; id++) {
      const at = 4 * id;
      let slot = slotOf(
        words[at] as number,
        words[at + 1] as number,
        words[at + 2] as number,
        words[at + 3] as number,
        mask,
      );
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots.buffer.transfer(0);
    this.#slots = slots;
  }
}

function slotOf(a: number, b: number, c: number, d: number, mask: number): number {
  let hash =
    Math.imul(a ^ Math.imul(b, 0x85eb_ca6b), 0xc2b2_ae35) ^
    Math.imul(c ^ Math.imul(d, 0x27d4_eb2f), 0x1656_67b1);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b_3c6d);
  return (hash ^ (hash >>> 13)) & mask;
}

keepShape(new GuidList(1), new GuidTable());
