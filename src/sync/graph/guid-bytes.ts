/**
 * GUIDs as 16 bytes. A large batch has millions of them at once in the pass over its structure: as text in
 * objects they would take ten times the memory.
 */

import { writeUuid } from '../../db/wire/array-parameter.ts';

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
