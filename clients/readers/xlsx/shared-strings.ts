/**
 * The texts that cells refer to by number, as bytes: half a million of them as strings of their own would hold ten times
 * as much.
 */
import { xmlFeed } from '../xml/parse-xml.ts';

const FIRST_BYTES = 64 * 1024;

export class SharedStrings {
  #bytes = new Uint8Array(FIRST_BYTES);
  #used = 0;
  #ends = new Float64Array(1024);
  #count = 0;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  add(text: string): void {
    const needed = this.#used + 3 * text.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, needed));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    }
    this.#used += this.#encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
    if (this.#count === this.#ends.length) {
      const longer = new Float64Array(2 * this.#count);
      longer.set(this.#ends);
      this.#ends = longer;
    }
    this.#ends[this.#count] = this.#used;
    this.#count += 1;
  }

  /** Undefined where there is none of that number. */
  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined;
    const start = index === 0 ? 0 : (this.#ends[index - 1] as number);
    return this.#decoder.decode(this.#bytes.subarray(start, this.#ends[index]));
  }
}

/** Rich text is one text; what says how it is pronounced (rPh) is none. */
export async function readSharedStrings(text: AsyncIterable<string>): Promise<SharedStrings> {
  const strings = new SharedStrings();
  let parts = '';
  const feed = xmlFeed({
    open: (name) => {
      if (name === 'si') parts = '';
    },
    close: (name, content, path) => {
      if (name === 't' && !path.includes('rPh')) parts += content;
      if (name === 'si') strings.add(unescapeText(parts));
    },
  });
  for await (const piece of text) feed.write(piece);
  feed.end();
  return strings;
}

/** `_x000D_` is a character that XML cannot carry. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
