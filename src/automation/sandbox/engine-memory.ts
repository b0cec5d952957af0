/**
 * The smallest memory that an engine takes, which its linker wrote into the module (WebAssembly core
 * specification, Binary Format, Import Section). Nothing else depends on it: the engine grows its memory as it
 * needs, and its stack and data lie where they lay.
 */

const HEADER_BYTES = 8;
const IMPORT_SECTION = 2;
const kinds = { function: 0, table: 1, memory: 2, global: 3 };

/** A copy of the module whose imported memory may begin with `pages`; throws where it imports none. */
export function withMemoryMinimum(module: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(module);
  const { start, end } = memoryMinimumIn(copy);
  // In as many bytes as it had, so that nothing moves: a number may be longer than it must be.
  for (let at = start, left = pages; at < end; at++, left >>>= 7) {
    const last = at === end - 1;
    if (last && left > 0x7f)
      throw new Error(`A minimum of ${pages} pages is longer than the one in the module`);
    copy[at] = (left & 0x7f) | (last ? 0 : 0x80);
  }
  return copy;
}

/** Where the number stands. */
function memoryMinimumIn(module: Uint8Array): { start: number; end: number } {
  const reader = new Reader(module);
  while (!reader.done) {
    const section = reader.byte();
    const length = reader.number();
    if (section !== IMPORT_SECTION) {
      reader.skip(length);
      continue;
    }
    for (let left = reader.number(); left > 0; left--) {
      reader.skip(reader.number());
      reader.skip(reader.number());
      const kind = reader.byte();
      if (kind === kinds.memory) {
        reader.byte();
        const start = reader.at;
        reader.number();
        return { start, end: reader.at };
      }
      if (kind === kinds.function) reader.number();
      else if (kind === kinds.global) reader.skip(2);
      else if (kind === kinds.table) {
        reader.skip(1);
        const bounded = (reader.byte() & 1) === 1;
        reader.number();
        if (bounded) reader.number();
      } else break;
    }
    break;
  }
  throw new Error('The engine imports no memory');
}

class Reader {
  readonly #bytes: Uint8Array;
  at = HEADER_BYTES;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0;
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  /** Unsigned LEB128. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return value >>> 0;
    }
  }
}
