/** The values of one statement of a STEP file: `NAME(…)`, or `(NAME(…)NAME(…))`. */
import { FileFault } from '../findings.ts';
import { stepString } from './step-string.ts';

export type StepValue =
  | string
  | number
  | null
  | { ref: number }
  | { word: string }
  | { name: string; values: StepValue[] }
  | StepValue[];

/** Name to values; one for a simple statement. */
export type StepStatement = ReadonlyMap<string, StepValue[]>;

const DEPTH_MAX = 100;
const latin1 = new TextDecoder('latin1');

export function parseStatement(
  number: number,
  body: Uint8Array,
  decode: (bytes: Uint8Array) => string = stepString,
): StepStatement {
  const parser = new StatementParser(number, body, decode);
  return parser.statement();
}

class StatementParser {
  readonly #number: number;
  readonly #body: Uint8Array;
  readonly #decode: (bytes: Uint8Array) => string;
  #at = 0;

  constructor(number: number, body: Uint8Array, decode: (bytes: Uint8Array) => string) {
    this.#number = number;
    this.#body = body;
    this.#decode = decode;
  }

  statement(): StepStatement {
    const parts = new Map<string, StepValue[]>();
    const isComplex = this.#peek() === '(';
    if (isComplex) this.#at += 1;
    do {
      const name = this.#word().toUpperCase();
      this.#expect('(');
      parts.set(name, this.#list(0));
    } while (isComplex && this.#peek() !== ')');
    return parts;
  }

  #value(depth: number): StepValue {
    const next = this.#peek();
    if (next === "'") return this.#string();
    if (next === '(') {
      this.#at += 1;
      return this.#list(depth + 1);
    }
    if (next === '$' || next === '*') {
      this.#at += 1;
      return null;
    }
    if (next === '#') {
      this.#at += 1;
      return { ref: Number(this.#word()) };
    }
    if (next === '"') {
      this.#at += 1;
      const digits = this.#word();
      this.#expect('"');
      return { word: digits };
    }
    const word = this.#word();
    if (word === '') throw this.#fault();
    if (this.#peek() === '(') {
      this.#at += 1;
      return { name: word.toUpperCase(), values: this.#list(depth + 1) };
    }
    const number = Number(word);
    return Number.isNaN(number) ? { word } : number;
  }

  /** Behind the opening bracket. */
  #list(depth: number): StepValue[] {
    if (depth > DEPTH_MAX) throw this.#fault();
    const values: StepValue[] = [];
    if (this.#peek() === ')') {
      this.#at += 1;
      return values;
    }
    for (;;) {
      values.push(this.#value(depth));
      const next = this.#peek();
      this.#at += 1;
      if (next === ')') return values;
      if (next !== ',') throw this.#fault();
    }
  }

  #string(): string {
    const from = this.#at + 1;
    let at = from;
    for (; at < this.#body.length; at++) {
      if (this.#body[at] !== 0x27) continue;
      if (this.#body[at + 1] !== 0x27) break;
      at += 1;
    }
    this.#at = at + 1;
    return this.#decode(this.#body.subarray(from, at));
  }

  #word(): string {
    this.#peek();
    const from = this.#at;
    while (this.#at < this.#body.length && isWordByte(this.#body[this.#at] as number)) this.#at += 1;
    return latin1.decode(this.#body.subarray(from, this.#at));
  }

  /** The next character that is no blank; empty at the end. */
  #peek(): string {
    while (this.#at < this.#body.length && (this.#body[this.#at] as number) <= 0x20) this.#at += 1;
    return this.#at < this.#body.length ? String.fromCharCode(this.#body[this.#at] as number) : '';
  }

  #expect(character: string): void {
    if (this.#peek() !== character) throw this.#fault();
    this.#at += 1;
  }

  #fault(): FileFault {
    return new FileFault('statement_unreadable', 'A statement cannot be read.', {
      statement: `#${this.#number}`,
    });
  }
}

/** Letters, digits, `_ . + - !`: names, numbers, `.MADE.`. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f ||
    byte === 0x2e ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x21
  );
}
