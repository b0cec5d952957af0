/**
 * Gives every GUID a small integer, in the order in which they come: a hash table in typed arrays, by a hash with a secret, since
 * senders choose the GUIDs.
 */
import { writeUuid } from '../../db/wire/array-parameter.ts';
import { GUID_BYTES, guidAt } from './guid-bytes.ts';
import { GuidHash } from './guid-hash.ts';

const FIRST_SLOTS = 8;
const GUIDS = 1024;

export class GuidTable {
  /** The GUIDs by id, sixteen bytes each. */
  #guids: Buffer<ArrayBuffer>;
  /** The hashes by id. */
  #hashes: Int32Array<ArrayBuffer>;
  /** Id + 1 of the GUID that a slot holds; 0 for none. */
  #slots: Int32Array<ArrayBuffer>;
  #count = 0;
  readonly #hash = new GuidHash();
  readonly #scratch = Buffer.alloc(GUID_BYTES);

  /** `guids`: so many may come before it grows. */
  constructor(guids = GUIDS) {
    const room = Math.max(1, guids);
    this.#guids = Buffer.allocUnsafeSlow(GUID_BYTES * room);
    this.#hashes = new Int32Array(room);
    this.#slots = new Int32Array(slotsFor(room));
  }

  /** How many there are; ids are 0 … size - 1. */
  get size(): number {
    return this.#count;
  }

  /** The id of the GUID at a place of a list's bytes; made when it is new. */
  idAt(bytes: Uint8Array, place: number): number {
    return this.#find(bytes, place * GUID_BYTES, true);
  }

  /** The id of a GUID in text form; -1 when the table does not have it and `make` is false. */
  idOf(guid: string, make: boolean): number {
    writeUuid(guid, this.#scratch, 0);
    return this.#find(this.#scratch, 0, make);
  }

  /** The GUID of an id, as text. */
  textOf(id: number): string {
    return guidAt(this.#guids, id);
  }

  /** The first 32 bits of the GUID of an id, by which GUIDs are in order but for those that begin alike. */
  beginningOf(id: number): number {
    return this.#guids.readUInt32BE(GUID_BYTES * id);
  }

  /** The GUIDs of the ids that are marked with 1, as a list's bytes. */
  bytesOf(marks: Uint8Array): Buffer {
    const count = marks.reduce((sum, mark) => sum + mark, 0);
    const bytes = Buffer.alloc(GUID_BYTES * count);
    let at = 0;
    for (const [id, mark] of marks.entries()) {
      if (mark !== 1) continue;
      this.#guids.copy(bytes, at, GUID_BYTES * id, GUID_BYTES * (id + 1));
      at += GUID_BYTES;
    }
    return bytes;
  }

  #find(bytes: Uint8Array, start: number, make: boolean): number {
    const hash = this.#hash.ofBytes(bytes, start) | 0;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let held = this.#slots[slot] as number; held !== 0; held = this.#slots[slot] as number) {
      const id = held - 1;
      if (this.#hashes[id] === hash && this.#isAt(id, bytes, start)) return id;
      slot = (slot + 1) & mask;
    }
    if (!make) return -1;
    const id = this.#count++;
    if (id === this.#hashes.length) this.#growList();
    for (let at = 0; at < GUID_BYTES; at++) this.#guids[GUID_BYTES * id + at] = bytes[start + at] as number;
    this.#hashes[id] = hash;
    this.#slots[slot] = id + 1;
    if (2 * this.#count > this.#slots.length) this.#growSlots();
    return id;
  }

  #isAt(id: number, bytes: Uint8Array, start: number): boolean {
    const from = GUID_BYTES * id;
    for (let at = 0; at < GUID_BYTES; at++) if (this.#guids[from + at] !== bytes[start + at]) return false;
    return true;
  }

  #growList(): void {
    this.#hashes = new Int32Array(this.#hashes.buffer.transfer(2 * this.#hashes.byteLength));
    this.#guids = Buffer.from(this.#guids.buffer.transfer(2 * this.#guids.byteLength));
  }

  #growSlots(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#count; id++) {
      let slot = (this.#hashes[id] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots.buffer.transfer(0);
    this.#slots = slots;
  }
}

/** At most half of them are taken. */
function slotsFor(guids: number): number {
  let slots = FIRST_SLOTS;
  while (slots < 2 * guids) slots *= 2;
  return slots;
}
