/** Rows in the binary form of COPY, read where they stand: one object goes from row to row, and has the values of the row where it is. */

/** The signature, flags, and the length of an extension that there is not. */
const HEAD_BYTES = 19;
const ID_BYTES = 16;
const NULL = -1;
/** Signs of `numeric`: the others are not numbers, or without end. */
const POSITIVE = 0x0000;
const NEGATIVE = 0x4000;
/** The value of a digit by its place: `numeric` has digits of four decimal digits each. */
const micros = [1e-2, 1e2, 1e6, 1e10, 1e14, 1e18, 1e22, 1e26];
const MICRO_PLACE = 2;

export class BinaryRows {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** How many rows it has gone to. */
  count = 0;
  #next = HEAD_BYTES;
  #from = new Int32Array(0);
  #length = new Int32Array(0);

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Goes to the next row; false: there is none, and it stays at the last one. */
  next(): boolean {
    const view = this.view;
    const columns = view.getInt16(this.#next);
    if (columns < 0) return false;
    if (this.#from.length !== columns) {
      this.#from = new Int32Array(columns);
      this.#length = new Int32Array(columns);
    }
    let at = this.#next + 2;
    for (let column = 0; column < columns; column++) {
      const length = view.getInt32(at);
      at += 4;
      this.#from[column] = at;
      this.#length[column] = length;
      if (length > 0) at += length;
    }
    this.#next = at;
    this.count++;
    return true;
  }

  isNull(column: number): boolean {
    return this.#length[column] === NULL;
  }

  /** Returns where the bytes of a value begin. */
  from(column: number): number {
    return this.#from[column] as number;
  }

  /** How many bytes a value has. */
  lengthOf(column: number): number {
    return this.#length[column] as number;
  }

  /** `boolean`. */
  isTrue(column: number): boolean {
    return this.bytes[this.from(column)] === 1;
  }

  /** `integer`. */
  int(column: number): number {
    return this.view.getInt32(this.from(column));
  }

  /** `text` or `json`. */
  text(column: number): string {
    const from = this.from(column);
    return this.bytes.toString('utf8', from, from + this.lengthOf(column));
  }

  /** `uuid`. */
  id(column: number): string {
    return idAt(this.bytes, this.from(column));
  }

  /** `numeric` in millionths; digits behind the sixth are cut. Exact below nine times the most that a quantity has. */
  micro(column: number): number {
    return microAt(this.view, this.from(column));
  }
}

/** Returns the id whose sixteen bytes stand there, in text form. */
export function idAt(bytes: Buffer, from: number): string {
  const hex = bytes.toString('hex', from, from + ID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns how many bytes the `numeric` has that stands there. */
export function numericBytes(view: DataView, from: number): number {
  return 8 + 2 * view.getInt16(from);
}

/** Returns the `numeric` that stands there, in millionths. */
export function microAt(view: DataView, from: number): number {
  const count = view.getInt16(from);
  const weight = view.getInt16(from + 2);
  const sign = view.getUint16(from + 4);
  if (sign !== POSITIVE && sign !== NEGATIVE) return Number.NaN;
  let sum = 0;
  for (let at = 0; at < count; at++) {
    const place = weight - at + MICRO_PLACE;
    if (place < 0) break;
    const digit = view.getUint16(from + 8 + 2 * at);
    // Only a division by a hundred is exact; a product with a hundredth is not.
    sum += place === 0 ? Math.floor(digit / 100) : digit * (micros[place] ?? Number.POSITIVE_INFINITY);
  }
  return sign === NEGATIVE ? -sum : sum;
}
