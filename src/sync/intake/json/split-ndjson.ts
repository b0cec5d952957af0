/**
 * Cuts NDJSON into the raw bytes of its lines as the pieces of the body arrive, holding no more than one line. A line
 * that is no good is that line's fault alone: it is reported in its turn and the rest goes on.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { UNREADABLE_MARK } from '../../../imports/unreadable-mark.ts';
import { isText, isWhiteSpace } from '../../../json/json-bytes.ts';
import { JsonFault, unexpected } from '../../../json/json-fault.ts';
import { JsonValueScanner } from '../../../json/json-value-scanner.ts';
import { TextPosition } from '../../../json/text-position.ts';
import { Utf8Check } from '../../../json/utf8-check.ts';
import { Carry } from './carry.ts';
import { readGuids } from './element-guids.ts';
import { LimitError } from './intake-errors.ts';
import { emptyElement, type RawElement, type SplitLimits } from './raw-element.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const firstBytesMax = 256;

export interface RejectedLine {
  /** Counts with the elements, so that results keep payload order. */
  ordinal: number;
  /** The line of the body from 1, blank lines included. */
  line: number;
  /** Code points from 1, where the fault is. */
  column: number;
  reason: 'invalid_json' | 'too_deep' | 'oversize';
  message: string;
  /** A copy, to recognise the line by; may end inside a character. */
  firstBytes: Uint8Array;
}

export interface NdjsonSplitterOptions {
  /** See RawElement: what it is given is valid only during the call. */
  onElement: (element: RawElement) => void;
  onRejected: (line: RejectedLine) => void;
  /** Called for a line with the mark, where the lines were made from a table. The bytes are valid during the call. */
  onUnreadable?: (ordinal: number, text: Buffer) => void;
  limits: SplitLimits;
}

/** Feed with `push`, finish with `end`. Throws LimitError when there are too many lines, and nothing else. */
export class NdjsonSplitter {
  readonly #options: NdjsonSplitterOptions;
  readonly #scanner = new JsonValueScanner();
  /** The line so far, when it began in an earlier piece; of an oversize one only as much as shows that it is. */
  readonly #carry = new Carry();
  /**
   * The most that a fitting line may occupy: its bytes, a byte order mark before them, and a carriage return after
   * them.
   */
  readonly #carryMax: number;
  readonly #element = emptyElement();
  #elements = 0;
  #line = 1;

  constructor(options: NdjsonSplitterOptions) {
    this.#options = options;
    this.#carryMax = options.limits.elementBytesMax + 4;
  }

  /** Lines handed on or rejected so far. */
  get elements(): number {
    return this.#elements;
  }

  push(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const ascii = isAscii(bytes);
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(lineFeed, start);
      if (end === -1) break;
      if (this.#carry.length > 0) {
        this.#keep(bytes, start, end);
        this.#takeCarry();
      } else {
        this.#takeLine(bytes, start, end, ascii);
      }
      start = end + 1;
    }
    this.#keep(bytes, start, bytes.length);
  }

  end(): void {
    if (this.#carry.length > 0) this.#takeCarry();
  }

  /** Keeps one byte beyond the maximum, which shows at the end of the line that it is oversize. */
  #keep(bytes: Buffer, start: number, end: number): void {
    const room = this.#carryMax + 1 - this.#carry.length;
    this.#carry.append(bytes, start, Math.min(end, start + room));
  }

  #takeCarry(): void {
    this.#takeLine(this.#carry.bytes, 0, this.#carry.length, false);
    this.#carry.clear();
  }

  #takeLine(source: Buffer, lineStart: number, lineEnd: number, ascii: boolean): void {
    const hasMark = this.#line === 1 && lineEnd - lineStart >= 3 && isText(source, lineStart, '\xef\xbb\xbf');
    const start = hasMark ? lineStart + 3 : lineStart;
    const end = lineEnd > start && source[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd;
    const line = this.#line++;
    const { limits, onElement, onRejected } = this.#options;
    // The size first: of a line that was too large to keep we do not know whether it is blank.
    const oversize = end - start > limits.elementBytesMax;
    if (!oversize && isBlank(source, start, end)) return;
    if (this.#elements >= limits.elementsMax) {
      throw new LimitError(`More than ${limits.elementsMax} lines`, 'elementsMax');
    }
    const ordinal = this.#elements++;
    if (source[start] === UNREADABLE_MARK && this.#options.onUnreadable !== undefined && !oversize) {
      this.#options.onUnreadable(ordinal, source.subarray(start, end));
      return;
    }
    const rejected = oversize
      ? {
          column: 1,
          reason: 'oversize' as const,
          message: `The line is larger than ${limits.elementBytesMax} bytes`,
        }
      : this.#readElement(source, start, end, ascii);
    if (rejected === undefined) {
      this.#element.ordinal = ordinal;
      onElement(this.#element);
    } else {
      const firstBytes = new Uint8Array(source.subarray(start, Math.min(end, start + firstBytesMax)));
      onRejected({ ordinal, line, firstBytes, ...rejected });
    }
  }

  #readElement(source: Buffer, lineStart: number, lineEnd: number, ascii: boolean): Fault | undefined {
    if (!ascii && !isUtf8(source.subarray(lineStart, lineEnd))) {
      return utf8Fault(source.subarray(lineStart, lineEnd));
    }
    try {
      this.#scanElement(source, lineStart, lineEnd);
      return undefined;
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      const column = columnOf(source.subarray(lineStart, lineEnd), error.at - lineStart, false);
      return { column, reason: error.tooDeep ? 'too_deep' : 'invalid_json', message: error.message };
    }
  }

  #scanElement(source: Buffer, lineStart: number, lineEnd: number): void {
    const scanner = this.#scanner;
    const element = this.#element;
    let start = lineStart;
    while (isWhiteSpace(source[start] as number)) start++;
    scanner.begin();
    const end = scanner.scan(source, start, lineEnd);
    if (!scanner.done && !scanner.finishNumber()) {
      throw new JsonFault(lineEnd, `Unexpected end of the line ${scanner.place}`);
    }
    for (let i = end; i < lineEnd; i++) {
      const byte = source[i] as number;
      if (!isWhiteSpace(byte)) throw unexpected(i, byte, 'nothing after the value');
    }
    element.source = source;
    element.start = start;
    element.end = end;
    readGuids(element, scanner);
  }
}

interface Fault {
  column: number;
  reason: RejectedLine['reason'];
  message: string;
}

function utf8Fault(line: Buffer): Fault {
  const check = new Utf8Check();
  const broken = check.push(line);
  const column = columnOf(line, broken === -1 ? line.length : broken, check.insideSequence);
  return { column, reason: 'invalid_json', message: 'The line is not valid UTF-8' };
}

function columnOf(line: Buffer, at: number, insideCharacter: boolean): number {
  return new TextPosition().locate(line, at, insideCharacter).column;
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if (!isWhiteSpace(bytes[i] as number)) return false;
  }
  return true;
}
