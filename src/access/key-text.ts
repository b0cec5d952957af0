/**
 * The text form of an API key, and of the secret in a CSV link: `pbk_` or `pbl_` + 40 base62 characters (238 bits of chance) + 6 base62 characters of
 * CRC-32. The prefix lets secret scanners find leaked keys; the checksum tells a mistyped key from a
 * revoked one without asking the database (contract §1.2).
 */
import { hash, randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARS = 40;
const CHECKSUM_CHARS = 6;
const form = /^pb[kl]_[0-9A-Za-z]{46}$/;

/** Prefix of the text: a key and a link do not open each other's resources. */
export type SecretKind = 'pbk' | 'pbl';

/** Characters of a key that lists show, so that people can tell theirs apart. */
export const PREFIX_CHARS = 10;

/** A new key. It is shown once and stored nowhere; keep `hashKey` of it. */
export function makeKey(kind: SecretKind = 'pbk'): string {
  let secret = '';
  const bytes = Buffer.allocUnsafe(64);
  while (secret.length < SECRET_CHARS) {
    randomFillSync(bytes);
    for (const byte of bytes) {
      // 248 = 4 × 62: what lies above would favour the first letters.
      if (byte < 248 && secret.length < SECRET_CHARS) secret += ALPHABET[byte % 62];
    }
  }
  return `${kind}_${secret}${checksumOf(`${kind}_${secret}`)}`;
}

export type KeyTextFault = 'malformed' | 'mistyped';

/** Returns the fault in the text of a key; null if it is well formed (which says nothing about its existence). */
export function keyTextFault(text: string, kind: SecretKind = 'pbk'): KeyTextFault | null {
  if (!form.test(text) || !text.startsWith(`${kind}_`)) return 'malformed';
  const end = text.length - CHECKSUM_CHARS;
  return checksumOf(text.slice(0, end)) === text.slice(end) ? null : 'mistyped';
}

/** The one that was hashed last: one call asks several times, and most calls show what the one before them showed. */
let last = { text: '', hash: hash('sha256', '', 'buffer') };

/**
 * All that is stored of a key. A plain hash serves: the key has more chance in it than can be searched. What is answered is
 * shared, and not to be changed.
 */
export function hashKey(text: string): Buffer {
  if (text !== last.text) last = { text, hash: hash('sha256', text, 'buffer') };
  return last.hash;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
