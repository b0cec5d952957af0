/** A column of numbers that grows. */
type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

export class Column<A extends Numbers> {
  #values: A;
  #length = 0;

  constructor(values: A) {
    this.#values = values;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const longer = new (this.#values.constructor as new (length: number) => A)(2 * this.#length + 16);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.#length++] = value;
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  /** Returns the last value; undefined: there is none. */
  get last(): number | undefined {
    return this.#values[this.#length - 1];
  }

  set last(value: number) {
    this.#values[this.#length - 1] = value;
  }

  /** All values, without room for further ones. */
  values(): A {
    return this.#values.subarray(0, this.#length) as A;
  }
}
