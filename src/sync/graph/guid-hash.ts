/**
 * HalfSipHash-1-3 of a GUID under a secret key: whoever knows the code still cannot choose GUIDs that fall into one chunk, or into one
 * place of a table, where looking each of them up would go through all others. Reference: J.-P. Aumasson, D. J. Bernstein, "SipHash: a
 * fast short-input PRF" (2012), its 32-bit variant, with the rounds that the tables of Rust and Python have.
 */
import { randomBytes } from 'node:crypto';
import { writeUuid } from '../../db/wire/array-parameter.ts';

const GUID_BYTES = 16;
const WORDS = GUID_BYTES / 4;
/** A round for each word, one for the length, and three at the end. */
const ROUNDS = WORDS + 4;

export class GuidHash {
  #isKeyed = false;
  #k0 = 0;
  #k1 = 0;
  readonly #bytes = new Uint8Array(GUID_BYTES);

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
    writeUuid(guid, this.#bytes, 0);
    return this.ofBytes(this.#bytes, 0);
  }

  /** Hashes sixteen bytes likewise. */
  ofBytes(bytes: Uint8Array, start: number): number {
    if (!this.#isKeyed) this.#take(randomBytes(8));
    let v0 = this.#k0;
    let v1 = this.#k1;
    let v2 = 0x6c79_6765 ^ this.#k0;
    let v3 = 0x7465_6462 ^ this.#k1;
    for (let round = 0; round < ROUNDS; round++) {
      const at = start + 4 * round;
      const absorbed =
        round < WORDS
          ? (bytes[at] as number) |
            ((bytes[at + 1] as number) << 8) |
            ((bytes[at + 2] as number) << 16) |
            ((bytes[at + 3] as number) << 24)
          : round === WORDS
            ? GUID_BYTES << 24
            : 0;
      if (round === WORDS + 1) v2 ^= 0xff;
      v3 ^= absorbed;
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
      v0 ^= absorbed;
    }
    return (v1 ^ v3) >>> 0;
  }
}
