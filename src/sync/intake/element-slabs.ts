/** Copies elements into large buffers: a buffer of its own for each would cost more than the element. */

/** The first one is small, as most bodies are; what is as large as the last ones the system gives and takes back page by page. */
const FIRST_SLAB_BYTES = 16 * 1024;
const SLAB_BYTES = 256 * 1024;

export class Slabs {
  #all: Buffer<ArrayBuffer>[] = [];
  #last = Buffer.alloc(0);
  #used = 0;

  copy(source: Buffer, start: number, end: number): Uint8Array {
    const length = end - start;
    if (this.#used + length > this.#last.length) {
      const bytes = Math.max(FIRST_SLAB_BYTES, Math.min(SLAB_BYTES, 4 * this.#last.length));
      this.#last = Buffer.allocUnsafeSlow(Math.max(bytes, length));
      this.#all.push(this.#last);
      this.#used = 0;
    }
    source.copy(this.#last, this.#used, start, end);
    const copied = this.#last.subarray(this.#used, this.#used + length);
    this.#used += length;
    return copied;
  }

  /** Nothing that was copied is needed any more. Frees at once what the collector would leave for long. */
  free(): void {
    for (const slab of this.#all) slab.buffer.transfer(0);
    this.#all = [];
    this.#last = Buffer.alloc(0);
    this.#used = 0;
  }
}
