/**
 * Links of one parent in one row: reading a million of them as rows of their own takes five times as long as the planning itself. The ids of
 * the children stand one after the other, 16 bytes each.
 */
import type { LinkRow } from './planning-input.sql.ts';

export interface PackedLinks {
  parent_id: string;
  children: Buffer;
  /** Decimals, separated by blanks. */
  quantities: string;
  /** The fields of each link; null: no link of them has any that planning needs. */
  lines: LinkRow['line'][] | null;
}

const ID_BYTES = 16;

/** Packs links that stand in the order of their parents. */
export function packLinks(rows: readonly LinkRow[]): PackedLinks[] {
  return [...Map.groupBy(rows, ({ parent_id: parent }) => parent)].map(([parent, own]) => ({
    parent_id: parent,
    children: Buffer.from(own.map(({ child_id: id }) => id.replaceAll('-', '')).join(''), 'hex'),
    quantities: own.map(({ quantity }) => quantity).join(' '),
    lines: own.some(({ line }) => line !== null) ? own.map(({ line }) => line) : null,
  }));
}

/** Returns how many links there are. */
export function countOf({ children }: PackedLinks): number {
  return children.length / ID_BYTES;
}

/** Returns the greatest id among the children, by which the next window begins. */
export function lastChildOf({ children }: PackedLinks): string {
  let last = children.subarray(0, ID_BYTES);
  for (let at = ID_BYTES; at < children.length; at += ID_BYTES) {
    const one = children.subarray(at, at + ID_BYTES);
    if (Buffer.compare(one, last) > 0) last = one;
  }
  const hex = last.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Finds the index of an item by the bytes of its id, without a text for each. */
export class IdIndex {
  readonly #words: Uint32Array;
  /** Each place holds the index of the item plus one; 0 means that there is none. */
  readonly #places: Uint32Array;
  readonly #mask: number;

  constructor(ids: readonly string[]) {
    const size = 2 ** Math.ceil(Math.log2(ids.length * 2 + 2));
    this.#mask = size - 1;
    this.#places = new Uint32Array(size);
    this.#words = new Uint32Array(ids.length * 4);
    const bytes = Buffer.alloc(ID_BYTES);
    for (let index = 0; index < ids.length; index++) {
      bytes.write((ids[index] as string).replaceAll('-', ''), 'hex');
      for (let word = 0; word < 4; word++) this.#words[index * 4 + word] = bytes.readUInt32LE(word * 4);
      let place = this.#placeOf(index * 4);
      while (this.#places[place] !== 0) place = (place + 1) & this.#mask;
      this.#places[place] = index + 1;
    }
  }

  /** Returns the index of the id that stands there; -1: it is none of the items. */
  at(bytes: Buffer, offset: number): number {
    const a = bytes.readUInt32LE(offset);
    const b = bytes.readUInt32LE(offset + 4);
    const c = bytes.readUInt32LE(offset + 8);
    const d = bytes.readUInt32LE(offset + 12);
    for (let place = hashOf(a, b, c, d) & this.#mask; ; place = (place + 1) & this.#mask) {
      const index = (this.#places[place] as number) - 1;
      if (index < 0) return -1;
      const word = index * 4;
      if (
        this.#words[word] === a &&
        this.#words[word + 1] === b &&
        this.#words[word + 2] === c &&
        this.#words[word + 3] === d
      )
        return index;
    }
  }

  #placeOf(word: number): number {
    const at = (place: number) => this.#words[word + place] as number;
    return hashOf(at(0), at(1), at(2), at(3)) & this.#mask;
  }
}

function hashOf(a: number, b: number, c: number, d: number): number {
  let hash =
    Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(c ^ Math.imul(d, 0xc2b2ae35), 0x27d4eb2f);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
