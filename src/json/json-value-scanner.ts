/**
 * Validates one JSON value byte by byte (RFC 8259, as strict as JSON.parse) without building it, and can be interrupted
 * after any byte. On the way it notes where the two GUIDs stand, so that nobody has to parse the element to cut a batch.
 */

import { isHexDigit, isSimpleEscape, isText, literalStartingWith } from './json-bytes.ts';
import { controlCharacter, JsonFault, unexpected } from './json-fault.ts';
import { afterNumberByte, beginNumber, isCompleteNumber, numberEnded } from './json-number.ts';

/** Depth of [ and { within one value. Connectors send 2; the bound keeps the stack of every later parser safe too. */
const NESTING_MAX = 64;

// Where the scanner stands. Up to `after` it is between tokens, where white space may come; from `string` on inside one.
const start = 0;
const value = 1;
const valueOrClose = 2;
const key = 3;
const keyOrClose = 4;
const colon = 5;
const after = 6;
const string = 7;
const escaping = 8;
const hex = 9;
const literal = 10;
// The states of numbers follow.

const inArray = 0;
const inObject = 1;

const quote = 0x22;
const backslash = 0x5c;

const guidName = 'guid';
const parentGuidName = 'parentGuid';
const noSlot = 0;
const guidSlot = 1;
const parentGuidSlot = 2;

export class JsonValueScanner {
  /** The value is complete. A number at the very end of a text never sees its end: see `finishNumber`. */
  done = false;
  /** Span of the string value of the top-level member, -1 when there is none; the last of several, as in JSON.parse. */
  guidStart = -1;
  guidEnd = -1;
  parentGuidStart = -1;
  parentGuidEnd = -1;
  /** The spans mean nothing: the value was scanned in several calls, or an escape stands in a name or a GUID. */
  spansUnknown = false;

  #state = start;
  #depth = 0;
  readonly #nestingMax: number;
  readonly #containers: Uint8Array;
  #stringIsKey = false;
  #hexDigitsLeft = 0;
  #literalWord = '';
  #literalSeen = 0;

  constructor(nestingMax = NESTING_MAX) {
    this.#nestingMax = nestingMax;
    this.#containers = new Uint8Array(nestingMax + 1);
  }

  begin(): void {
    this.done = false;
    this.guidStart = -1;
    this.parentGuidStart = -1;
    this.spansUnknown = false;
    this.#state = start;
    this.#depth = 0;
  }

  /**
   * Goes on with the value from `from`; returns the offset behind it when `done`, else `to`. Throws JsonFault.
   * One function, because the state has to live in registers: every byte of a batch of gigabytes passes through here.
   */
  scan(bytes: Uint8Array, from: number, to: number): number {
    const containers = this.#containers;
    const nestingMax = this.#nestingMax;
    let state = this.#state;
    let depth = this.#depth;
    let stringIsKey = this.#stringIsKey;
    let stringStart = from;
    let escaped = false;
    let slot = noSlot;
    let i = from;
    if (state !== start) this.spansUnknown = true;

    scanning: while (i < to) {
      let byte = bytes[i] as number;
      if (state <= after) {
        while (byte <= 0x20) {
          if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
          if (++i === to) break scanning;
          byte = bytes[i] as number;
        }
      }
      switch (state) {
        case string:
          while (byte !== quote && byte !== backslash && byte >= 0x20) {
            if (++i === to) break scanning;
            byte = bytes[i] as number;
          }
          if (byte === quote) {
            if (depth === 1) {
              if (stringIsKey) {
                slot = slotOf(bytes, stringStart, i);
                if (escaped) this.spansUnknown = true;
                else if (slot === guidSlot) this.guidStart = -1;
                else if (slot === parentGuidSlot) this.parentGuidStart = -1;
              } else if (slot !== noSlot) {
                if (escaped) this.spansUnknown = true;
                if (slot === guidSlot) {
                  this.guidStart = stringStart;
                  this.guidEnd = i;
                } else {
                  this.parentGuidStart = stringStart;
                  this.parentGuidEnd = i;
                }
              }
            }
            i++;
            if (depth === 0) return this.#finish(i);
            state = stringIsKey ? colon : after;
          } else if (byte === backslash) {
            escaped = true;
            state = escaping;
            i++;
          } else {
            throw controlCharacter(i, byte);
          }
          break;

        case after:
          if (byte === 0x2c) {
            state = containers[depth] === inObject ? key : value;
          } else if (byte === (containers[depth] === inObject ? 0x7d : 0x5d)) {
            if (--depth === 0) return this.#finish(i + 1);
          } else {
            throw unexpected(i, byte, containers[depth] === inObject ? '"," or "}"' : '"," or "]"');
          }
          i++;
          break;

        case key:
        case keyOrClose:
          if (byte === quote) {
            state = string;
            stringIsKey = true;
            stringStart = i + 1;
            escaped = false;
          } else if (state === keyOrClose && byte === 0x7d) {
            if (--depth === 0) return this.#finish(i + 1);
            state = after;
          } else {
            throw unexpected(
              i,
              byte,
              `a member name in double quotes${state === keyOrClose ? ' or "}"' : ''}`,
            );
          }
          i++;
          break;

        case colon:
          if (byte !== 0x3a) throw unexpected(i, byte, '":" after the member name');
          state = value;
          i++;
          break;

        case start:
        case value:
        case valueOrClose:
          if (byte === quote) {
            state = string;
            stringIsKey = false;
            stringStart = i + 1;
            escaped = false;
          } else if (byte === 0x7b || byte === 0x5b) {
            if (depth === nestingMax) throw new JsonFault(i, `Nested deeper than ${nestingMax} levels`, true);
            depth++;
            containers[depth] = byte === 0x7b ? inObject : inArray;
            state = byte === 0x7b ? keyOrClose : valueOrClose;
          } else if (byte === 0x5d && state === valueOrClose) {
            if (--depth === 0) return this.#finish(i + 1);
            state = after;
          } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
            state = beginNumber(byte);
          } else {
            this.#literalWord = literalStartingWith(byte);
            if (this.#literalWord === '') {
              throw unexpected(i, byte, state === valueOrClose ? 'a value or "]"' : 'a value');
            }
            this.#literalSeen = 1;
            state = literal;
          }
          i++;
          break;

        case literal:
          if (byte !== this.#literalWord.charCodeAt(this.#literalSeen)) {
            throw unexpected(i, byte, `"${this.#literalWord}"`);
          }
          i++;
          if (++this.#literalSeen === this.#literalWord.length) {
            if (depth === 0) return this.#finish(i);
            state = after;
          }
          break;

        case escaping:
          if (byte === 0x75) {
            this.#hexDigitsLeft = 4;
            state = hex;
          } else if (isSimpleEscape(byte)) {
            state = string;
          } else {
            throw unexpected(i, byte, 'one of "\\/bfnrtu after a backslash');
          }
          i++;
          break;

        case hex:
          if (!isHexDigit(byte)) throw unexpected(i, byte, 'four hexadecimal digits after \\u');
          if (--this.#hexDigitsLeft === 0) state = string;
          i++;
          break;

        default: {
          const next = afterNumberByte(state, byte, i);
          if (next !== numberEnded) {
            state = next;
            i++;
          } else {
            if (depth === 0) return this.#finish(i);
            state = after;
          }
        }
      }
    }

    this.#state = state;
    this.#depth = depth;
    this.#stringIsKey = stringIsKey;
    return i;
  }

  #finish(end: number): number {
    this.done = true;
    return end;
  }

  /** Whether the text so far is a complete number. Asked at the end of the text if not `done`. */
  finishNumber(): boolean {
    this.done = this.#depth === 0 && isCompleteNumber(this.#state);
    return this.done;
  }

  /** Returns in words where the text broke off, such as "inside a string". */
  get place(): string {
    if (this.#state >= string && this.#state <= hex) return 'inside a string';
    if (this.#state === literal) return `inside "${this.#literalWord}"`;
    const isNumber = this.#state > literal;
    if (isNumber && (this.#depth === 0 || !isCompleteNumber(this.#state))) return 'inside a number';
    if (this.#depth === 0) return 'where a value was expected';
    return this.#containers[this.#depth] === inObject ? 'inside an object' : 'inside an array';
  }
}

function slotOf(bytes: Uint8Array, from: number, to: number): number {
  if (to - from === guidName.length) return isText(bytes, from, guidName) ? guidSlot : noSlot;
  if (to - from === parentGuidName.length)
    return isText(bytes, from, parentGuidName) ? parentGuidSlot : noSlot;
  return noSlot;
}
