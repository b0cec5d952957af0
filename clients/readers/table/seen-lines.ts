/** Remembers the lines of a table: their keys, marks of their values, and their places. */
import type { Place } from '../findings.ts';

/** Keys of lines with the marks of their values, in one long array: as objects they would be most of what is held. */
export class SeenLines {
  readonly #numbers = new Map<string, number>();
  #marksEach: number;
  #marks = new Int32Array(1024);
  #lines = new Int32Array(256);
  #sheet: string | undefined;

  constructor(marksEach: number) {
    this.#marksEach = marksEach;
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** Makes room for more marks of each line; those that are there have none of the new ones. */
  widen(marksEach: number): void {
    if (marksEach <= this.#marksEach) return;
    const marks = new Int32Array(Math.max(1, this.#lines.length) * marksEach);
    for (let number = 0; number < this.size; number++) {
      const from = number * this.#marksEach;
      marks.set(this.#marks.subarray(from, from + this.#marksEach), number * marksEach);
    }
    this.#marks = marks;
    this.#marksEach = marksEach;
  }

  has(key: string): boolean {
    return this.#numbers.has(key);
  }

  /** Pairs of keys that differ only in upper and lower case, in the order of their lines, at most `max`. */
  sameButCase(max: number): { key: string; other: string }[] {
    // Marks of 200 000 keys take less than their texts in lower case would.
    const marks = new Float64Array(this.size);
    let at = 0;
    for (const key of this.#numbers.keys()) marks[at++] = longMarkOf(key.toLowerCase());
    marks.sort();
    const doubled = new Set(marks.filter((mark, place) => mark === marks[place - 1]));
    if (doubled.size === 0) return [];
    const firsts = new Map<string, string>();
    const pairs: { key: string; other: string }[] = [];
    for (const key of this.#numbers.keys()) {
      const folded = key.toLowerCase();
      if (!doubled.has(longMarkOf(folded))) continue;
      const other = firsts.get(folded);
      if (other === undefined) firsts.set(folded, key);
      else if (pairs.push({ key, other }) === max) break;
    }
    return pairs;
  }

  add(key: string, marks: readonly number[], { sheet, line = 0 }: Place): void {
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    this.#sheet = sheet;
    if (number === this.#lines.length) this.#lines = longer(this.#lines);
    while ((number + 1) * this.#marksEach > this.#marks.length) this.#marks = longer(this.#marks);
    this.#lines[number] = line;
    this.#marks.set(marks, number * this.#marksEach);
  }

  find(key: string): { mark(field: number): number; place: Place } | null {
    const number = this.#numbers.get(key);
    if (number === undefined) return null;
    return {
      mark: (field) => this.#marks[number * this.#marksEach + field] ?? 0,
      place: {
        ...(this.#sheet === undefined ? {} : { sheet: this.#sheet }),
        line: this.#lines[number] as number,
      },
    };
  }
}

function longer(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(2 * array.length);
  twice.set(array);
  return twice;
}

/** 30 bits of a text; 0 for none. Keeping the texts of 200 000 lines would hold ten times as much. */
export function markOf(text: string): number {
  if (text === '') return 0;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 2) | 1;
}

/** 52 bits of a text: among millions of texts two different ones hardly ever have the same. */
function longMarkOf(text: string): number {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
  }
  return (a >>> 0) * 2 ** 20 + ((b ^ (b >>> 13)) & 0xfffff);
}
