/**
 * HalfSipHash-2-4 of a GUID under a secret key: whoever knows the code still cannot choose GUIDs that fall into one
 * chunk. Reference: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF" (2012), and its 32-bit variant.
 */
import { randomBytes } from 'node:crypto';

const GUID_BYTES = 16;

export class GuidHash {
  #isKeyed = false;
  #k0 = 0;
  #k1 = 0;

  /** Eight bytes; others each time where none are given, taken with the first GUID: most bodies are never cut. */
  constructor(key: Buffer | null = null) {
    if (key !== null) this.#take(key);
  }

  #take(key: Buffer): void {
    this.#isKeyed = true;
    this.#k0 = key.readInt32LE(0);
    this.#k1 = key.readInt32LE(4);
  }

  /** 32 bits of a GUID in its normal form. */
  of(guid: string): number {
    if (!this.#isKeyed) this.#take(randomBytes(8));
    let v0 = this.#k0;
    let v1 = this.#k1;
    let v2 = 0x6c79_6765 ^ this.#k0;
    let v3 = 0x7465_6462 ^ this.#k1;
    const round = () => {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    };
    const absorb = (word: number) => {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    };
    for (const word of wordsOf(guid)) absorb(word);
    absorb(GUID_BYTES << 24);
    v2 ^= 0xff;
    for (let last = 0; last < 4; last++) round();
    return (v1 ^ v3) >>> 0;
  }
}

/** The GUID's 16 bytes as four words, least byte first. */
function wordsOf(guid: string): [number, number, number, number] {
  const hex = guid.replaceAll('-', '');
  const word = (at: number) => {
    const high = Number.parseInt(hex.slice(at, at + 8), 16);
    return (high << 24) | ((high & 0xff00) << 8) | ((high >>> 8) & 0xff00) | (high >>> 24);
  };
  return [word(0), word(8), word(16), word(24)];
}
