/**
 * Changes to the engine's module (WebAssembly core specification, Binary Format): the smallest memory that it
 * takes, and an export of its table of functions. Nothing else depends on the memory's minimum: the engine grows
 * its memory as it needs, and its stack and data stay where they are.
 */

const HEADER_BYTES = 8;
const IMPORT_SECTION = 2;
const EXPORT_SECTION = 7;
const kinds = { function: 0, table: 1, memory: 2, global: 3 };

/** A copy of the module whose imported memory may begin with `pages`; throws where it imports none. */
export function withMemoryMinimum(module: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(module);
  const { start, end } = memoryMinimumIn(copy);
  // The number keeps its count of bytes, so that nothing moves: it may be longer than it must be.
  for (let at = start, left = pages; at < end; at++, left >>>= 7) {
    const last = at === end - 1;
    if (last && left > 0x7f)
      throw new Error(`A minimum of ${pages} pages is longer than the one in the module`);
    copy[at] = (left & 0x7f) | (last ? 0 : 0x80);
  }
  return copy;
}

/** A copy of the module that exports its first table as `name`; throws where it exports nothing. */
export function withExportedTable(module: Uint8Array, name: string): Uint8Array<ArrayBuffer> {
  const reader = new Reader(module);
  while (!reader.done) {
    const start = reader.at;
    const section = reader.byte();
    const length = reader.number();
    const content = reader.at;
    if (section !== EXPORT_SECTION) {
      reader.skip(length);
      continue;
    }
    const exported = reader.number();
    const text = Buffer.from(name);
    const body = [
      Buffer.from(leb128(exported + 1)),
      module.subarray(reader.at, content + length),
      Buffer.from([...leb128(text.length), ...text, kinds.table, 0]),
    ];
    const bytes = body.reduce((sum, part) => sum + part.length, 0);
    const head = Buffer.from([EXPORT_SECTION, ...leb128(bytes)]);
    const parts = [module.subarray(0, start), head, ...body, module.subarray(content + length)];
    return new Uint8Array(Buffer.concat(parts));
  }
  throw new Error('The engine exports nothing');
}

/** Unsigned LEB128. */
function leb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(value >>> 7)];
}

/** Finds the bytes of the memory's minimum. */
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
