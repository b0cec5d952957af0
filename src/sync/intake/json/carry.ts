/**
 * Bytes of a token that is spread over several pieces. Grows by doubling and is reused, so that a stream of small pieces
 * costs neither a list of slices nor an allocation per element.
 */

export class Carry {
  #bytes = Buffer.allocUnsafe(4096);
  length = 0;

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The caller has checked its limit first: this grows as far as it is told. */
  append(source: Uint8Array, from: number, to: number): void {
    const needed = this.length + to - from;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    this.#bytes.set(source.subarray(from, to), this.length);
    this.length = needed;
  }

  clear(): void {
    this.length = 0;
  }
}
