/**
 * Notices a GUID that is repeated so often in one body that its chunk, which is never cut between elements of one
 * entity, would not fit into a worker's memory. Counts by a hash in a table of a fixed size: exact enough, because
 * all others that share a cell are a few hundred elements in millions.
 */
import { LimitError } from './json/intake-errors.ts';

/** Elements, and bytes of them, that one GUID may have in one body. */
export const GUID_ELEMENTS_MAX = 100_000;
export const GUID_BYTES_MAX = 64 * 1024 * 1024;

const CELLS = 65_536;

export class GuidCounts {
  readonly #elements = new Uint32Array(CELLS);
  readonly #bytes = new Uint32Array(CELLS);

  /** `hash` is the GUID's. Throws `LimitError` when the GUID has more than it may. */
  count(guid: string, hash: number, bytes: number): void {
    const cell = hash % CELLS;
    const elements = (this.#elements[cell] as number) + 1;
    const all = (this.#bytes[cell] as number) + bytes;
    this.#elements[cell] = elements;
    this.#bytes[cell] = all;
    if (elements > GUID_ELEMENTS_MAX) {
      const message = `The GUID ${guid} has more than ${GUID_ELEMENTS_MAX} elements in this body`;
      throw new LimitError(message, 'guidElementsMax');
    }
    if (all > GUID_BYTES_MAX) {
      const message = `The elements of the GUID ${guid} have more than ${GUID_BYTES_MAX} bytes in this body`;
      throw new LimitError(message, 'guidBytesMax');
    }
  }
}
