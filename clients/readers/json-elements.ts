/**
 * The elements of `{"entities":[…]}` as NDJSON, while the text is read: a service takes fewer elements in JSON than in NDJSON, and
 * whoever has written a large file as one object need not write it again. Holds one element, and what stands around them.
 */
import { FileFault } from './findings.ts';

/** More than any service takes in one element; what stands beside the elements has no reason to be as large. */
const ELEMENT_BYTES_MAX = 16 * 1024 * 1024;
const ENVELOPE_BYTES_MAX = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const ARRAY_BEGIN = 0x5b;
const ARRAY_END = 0x5d;

/** Throws a FileFault where the text is no JSON, or has no array `entities`. */
export async function* jsonAsNdjson(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const cutter = new ElementCutter();
  for await (const piece of pieces) {
    cutter.push(piece);
    if (cutter.bytes >= PIECE_BYTES) yield cutter.take();
  }
  cutter.end();
  if (cutter.bytes > 0) yield cutter.take();
}

class ElementCutter {
  #lines: Uint8Array[] = [];
  bytes = 0;
  /** The text of the element or the name that is being read, across pieces. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** The text outside the elements. */
  #envelope: Uint8Array[] = [];
  #envelopeBytes = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInEntities = false;
  #hasEntities = false;
  /** Their name has come, whatever its value is. */
  #areNamed = false;
  /** The name that was read last at the top, where its value has not begun. */
  #name: Uint8Array | null = null;
  #isName = true;
  #elements = 0;
  #line = 1;
  #elementLine = 1;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  push(piece: Uint8Array): void {
    /** The beginning of the text that is not stored yet. */
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number;
      if (byte === 0x0a) this.#line += 1;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#isInString = false;
          if (!this.#isInEntities && this.#depth === 1 && this.#isName) {
            this.#hold(piece.subarray(from, at + 1));
            this.#name = this.#takeHeld();
            this.#putAround(this.#name);
            from = at + 1;
            this.#noteName();
          }
        }
        continue;
      }
      if (byte === QUOTE) {
        this.#isInString = true;
        if (!this.#isInEntities && this.#depth === 1 && this.#isName) {
          this.#putAround(piece.subarray(from, at));
          from = at;
        }
      } else if (this.#isInEntities && this.#depth === 2 && (byte === COMMA || byte === ARRAY_END)) {
        this.#hold(piece.subarray(from, at));
        this.#cut(byte === ARRAY_END);
        from = at + 1;
        if (byte === ARRAY_END) {
          this.#isInEntities = false;
          this.#depth = 1;
          from = at;
        }
      } else if (OPENING.has(byte)) {
        this.#depth += 1;
        if (byte === ARRAY_BEGIN && this.#depth === 2 && !this.#isName && this.#isNamedEntities()) {
          if (this.#hasEntities) throw this.#twice();
          this.#putAround(piece.subarray(from, at + 1));
          from = at + 1;
          this.#isInEntities = true;
          this.#hasEntities = true;
          this.#elementLine = this.#line;
        }
      } else if (CLOSING.has(byte)) this.#depth -= 1;
      else if (this.#depth === 1 && byte === COLON) this.#isName = false;
      else if (this.#depth === 1 && byte === COMMA) this.#isName = true;
    }
    const rest = piece.subarray(from);
    // A name that is cut in two is put together first.
    if (this.#isInEntities || (this.#isInString && this.#depth === 1 && this.#isName)) this.#hold(rest);
    else this.#putAround(rest);
  }

  end(): void {
    if (this.#isInEntities || this.#isInString || this.#depth !== 0)
      throw this.#fault('The JSON ends in the middle: the file is cut off.');
    this.#check(concat(this.#envelope), 'What stands around the elements is no JSON');
    if (!this.#hasEntities)
      throw new FileFault('json_no_entities', 'There is no array "entities" at the top of the JSON.');
  }

  take(): Uint8Array {
    const all = concat(this.#lines);
    this.#lines = [];
    this.bytes = 0;
    return all;
  }

  /** Refuses two members with one name: readers of JSON take the last, and nobody knows which one is meant. */
  #noteName(): void {
    if (!this.#isNamedEntities()) return;
    if (this.#areNamed) throw this.#twice();
    this.#areNamed = true;
  }

  #twice(): FileFault {
    return this.#fault('The member "entities" stands there twice.');
  }

  #isNamedEntities(): boolean {
    try {
      return this.#name !== null && JSON.parse(this.#decoder.decode(this.#name)) === 'entities';
    } catch {
      return false;
    }
  }

  #cut(isLast: boolean): void {
    const element = this.#takeHeld();
    const isBlank = element.every((byte) => byte <= 0x20);
    // `[]` has none, and of others each has one: a comma too many is told as what it is.
    if (!(isLast && isBlank && this.#elements === 0)) {
      this.#elements += 1;
      this.#check(element, `Element ${this.#elements} is no JSON`, this.#elementLine + linesBefore(element));
      // Outside strings they are white space, and within strings they do not stand: it has just been parsed.
      const line = element.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte));
      this.#lines.push(line, Uint8Array.of(0x0a));
      this.bytes += line.length + 1;
    }
    this.#elementLine = this.#line;
  }

  #check(text: Uint8Array, what: string, line?: number): void {
    try {
      JSON.parse(this.#decoder.decode(text));
    } catch (error) {
      const place = line === undefined ? {} : { line };
      throw new FileFault('json_invalid', `${what}: ${(error as Error).message}`, place);
    }
  }

  #hold(bytes: Uint8Array): void {
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > ELEMENT_BYTES_MAX)
      throw this.#fault(`Element ${this.#elements + 1} has more than ${ELEMENT_BYTES_MAX} bytes.`);
    // The reader may use its piece again; and `slice` of a Buffer would be no copy.
    this.#held.push(new Uint8Array(bytes));
  }

  #takeHeld(): Uint8Array {
    const all = concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return all;
  }

  #putAround(bytes: Uint8Array): void {
    this.#envelopeBytes += bytes.length;
    if (this.#envelopeBytes > ENVELOPE_BYTES_MAX && !this.#hasEntities)
      throw new FileFault(
        'json_no_entities',
        `There is no array "entities" at the top of the JSON, in its first ${ENVELOPE_BYTES_MAX} bytes.`,
      );
    if (this.#envelopeBytes > ENVELOPE_BYTES_MAX)
      throw this.#fault(`Beside "entities" there are more than ${ENVELOPE_BYTES_MAX} bytes.`);
    this.#envelope.push(new Uint8Array(bytes));
  }

  #fault(message: string): FileFault {
    return new FileFault('json_invalid', message, { line: this.#line });
  }
}

/** Counts the line breaks in the white space before an element. */
function linesBefore(element: Uint8Array): number {
  let lines = 0;
  for (const byte of element) {
    if (byte > 0x20) break;
    if (byte === 0x0a) lines += 1;
  }
  return lines;
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
