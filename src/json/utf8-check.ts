/**
 * Strict UTF-8 validation over pieces: the native check for the bulk, an automaton for the few bytes of a sequence that
 * a piece boundary cuts, and for finding the exact byte once something is known to be wrong.
 */

import { isUtf8 } from 'node:buffer';

export class Utf8Check {
  /** Continuation bytes that must still come, and the range of the next one (RFC 3629, section 4). */
  #missing = 0;
  #low = 0x80;
  #high = 0xbf;

  get insideSequence(): boolean {
    return this.#missing > 0;
  }

  /** Offset of the first byte that cannot stand where it stands, or -1. */
  push(piece: Buffer): number {
    let i = 0;
    while (this.#missing > 0 && i < piece.length) {
      if (!this.#accepts(piece[i] as number)) return i;
      i++;
    }
    const whole = endOfWholeSequences(piece, i);
    // After the native check has passed there is nothing to step through but the cut sequence.
    if (isUtf8(piece.subarray(i, whole))) i = whole;
    for (; i < piece.length; i++) {
      if (!this.#accepts(piece[i] as number)) return i;
    }
    return -1;
  }

  #accepts(byte: number): boolean {
    if (this.#missing > 0) {
      if (byte < this.#low || byte > this.#high) return false;
      this.#missing--;
      this.#low = 0x80;
      this.#high = 0xbf;
      return true;
    }
    this.#missing = continuations(byte);
    if (byte === 0xe0) this.#low = 0xa0;
    else if (byte === 0xed) this.#high = 0x9f;
    else if (byte === 0xf0) this.#low = 0x90;
    else if (byte === 0xf4) this.#high = 0x8f;
    return byte < 0x80 || this.#missing > 0;
  }
}

function continuations(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 1;
  if (byte >= 0xe0 && byte <= 0xef) return 2;
  if (byte >= 0xf0 && byte <= 0xf4) return 3;
  return 0;
}

function endOfWholeSequences(piece: Buffer, from: number): number {
  for (let back = 1; back <= 3 && piece.length - back >= from; back++) {
    const byte = piece[piece.length - back] as number;
    if (continuations(byte) >= back) return piece.length - back;
  }
  return piece.length;
}
