/**
 * Needs of items by day. An item has a row only while it has needs and has not been planned, so that memory is bounded by the items that
 * wait. Sums of whole millionths are exact, whatever the order in which they are added.
 */
import { MICRO_DOUBLE_MAX } from '../../quantity.ts';

const ROWS_OF_SLAB = 256;

export class NeedRows {
  readonly #days: number;
  readonly #rowOf: Int32Array;
  readonly #slabs: Float64Array[] = [];
  readonly #free: number[] = [];
  readonly #isOutOfRange: Uint8Array;

  constructor(items: number, days: number) {
    this.#days = days;
    this.#rowOf = new Int32Array(items).fill(-1);
    this.#isOutOfRange = new Uint8Array(items);
  }

  /** Adds a need. One beyond nine digits is not added; `isOutOfRange` tells of it. */
  add(item: number, day: number, quantity: number): void {
    if (quantity === 0) return;
    let row = this.#rowOf[item] as number;
    if (row < 0) {
      row = this.#newRow();
      this.#rowOf[item] = row;
    }
    const slab = this.#slabs[Math.floor(row / ROWS_OF_SLAB)] as Float64Array;
    const at = (row % ROWS_OF_SLAB) * this.#days + day;
    const sum = (slab[at] as number) + quantity;
    if (sum > MICRO_DOUBLE_MAX) this.#isOutOfRange[item] = 1;
    else slab[at] = sum;
  }

  isOutOfRange(item: number): boolean {
    return this.#isOutOfRange[item] === 1;
  }

  /** Returns the needs of an item by day; null if it has none. */
  of(item: number): Float64Array | null {
    const row = this.#rowOf[item] as number;
    if (row < 0) return null;
    const from = (row % ROWS_OF_SLAB) * this.#days;
    return (this.#slabs[Math.floor(row / ROWS_OF_SLAB)] as Float64Array).subarray(from, from + this.#days);
  }

  /** Gives the row of an item back. */
  release(item: number): void {
    const row = this.#rowOf[item] as number;
    if (row < 0) return;
    this.of(item)?.fill(0);
    this.#rowOf[item] = -1;
    this.#free.push(row);
  }

  #newRow(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const first = this.#slabs.length * ROWS_OF_SLAB;
    this.#slabs.push(new Float64Array(ROWS_OF_SLAB * this.#days));
    for (let row = first + ROWS_OF_SLAB - 1; row > first; row--) this.#free.push(row);
    return first;
  }
}
