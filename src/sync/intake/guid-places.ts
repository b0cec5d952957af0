/**
 * In which bucket each GUID of a large body lies, and which GUIDs were named as parents before they came: a table beside the heap, of
 * eight bytes for each. It keeps 48 bits of a GUID, 32 of them of a keyed hash. Two GUIDs that are the same to it lie in one bucket, as
 * those of one hash would, and are told apart by whoever reads the chunk.
 */

/** Not in the table. */
export const ABSENT = -1;
/** Named as a parent, and not come yet. Buckets are numbered below it. */
export const NAMED = 0xfffe;

const FIRST_CELLS = 2 ** 8;
const CELL_BYTES = 8;
/** Quarters of the cells that may be used; beyond that, look-ups take long. */
const FULL_QUARTERS = 3;
const CHECK_DIGITS = 4;
const [DIGITS_END, LETTERS_BASE] = [0x3a, 0x57];

export class GuidPlaces {
  /** Whether the table may have so many bytes more. */
  readonly #take: (bytes: number) => boolean;
  #count = 0;
  #hashes = new Int32Array(0);
  /** Sixteen bits of the GUID, and sixteen that are its place and one; 0 where the cell is free. */
  #values = new Uint32Array(0);

  constructor(take: (bytes: number) => boolean) {
    this.#take = take;
  }

  /** Makes room for so many further GUIDs; false where there is none. */
  reserve(further: number): boolean {
    const now = this.#values.length;
    let cells = Math.max(now, FIRST_CELLS);
    while (4 * (this.#count + further) > FULL_QUARTERS * cells) cells *= 2;
    if (cells === now) return true;
    if (!this.#take(CELL_BYTES * (cells - now))) return false;
    const [hashes, values] = [this.#hashes, this.#values];
    this.#hashes = new Int32Array(cells);
    this.#values = new Uint32Array(cells);
    for (let cell = 0; cell < now; cell++) {
      const value = values[cell] as number;
      if (value === 0) continue;
      const free = this.#cellOf(hashes[cell] as number, value >>> 16);
      this.#hashes[free] = hashes[cell] as number;
      this.#values[free] = value;
    }
    return true;
  }

  /** Its bucket, `NAMED` or `ABSENT`. The GUID is in its normal form; `hash` is its own, as 32 bits. */
  find(guid: string, hash: number): number {
    if (this.#count === 0) return ABSENT;
    const value = this.#values[this.#cellOf(hash | 0, checkOf(guid))] as number;
    return value === 0 ? ABSENT : (value & 0xffff) - 1;
  }

  /** There is room for it (`reserve`), or it is in the table. */
  set(guid: string, hash: number, place: number): void {
    const check = checkOf(guid);
    const cell = this.#cellOf(hash | 0, check);
    if (this.#values[cell] === 0) this.#count++;
    this.#hashes[cell] = hash;
    this.#values[cell] = ((check << 16) | (place + 1)) >>> 0;
  }

  /** The cell that has it, or the free one that would. */
  #cellOf(hash: number, check: number): number {
    const mask = this.#values.length - 1;
    for (let cell = hash & mask; ; cell = (cell + 1) & mask) {
      const value = this.#values[cell] as number;
      if (value === 0 || (this.#hashes[cell] === hash && value >>> 16 === check)) return cell;
    }
  }
}

/** Its last digits. */
function checkOf(guid: string): number {
  let check = 0;
  for (let at = guid.length - CHECK_DIGITS; at < guid.length; at++) {
    const code = guid.charCodeAt(at);
    check = (check << 4) | (code < DIGITS_END ? code & 0xf : code - LETTERS_BASE);
  }
  return check;
}
