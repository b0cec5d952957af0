/**
 * Makes GUIDs of version 5 (RFC 9562) from a namespace and a key, so that every machine makes the same one.
 * SHA-1 is written out here: Web Crypto answers asynchronously, which costs more than the digest for a line of a list.
 */

/** The namespace of definitions that name none. It must never change: all GUIDs that were made with it would change too. */
export const DEFAULT_NAMESPACE = '8f0a7a52-6f0f-5c6e-9d0b-6d0f5f2f2a51';

const guidForm = /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i;

export function isGuid(text: string): boolean {
  return guidForm.test(text) && text.startsWith('{') === text.endsWith('}');
}

const encoder = new TextEncoder();
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** The groups of a GUID begin at these bytes, but for the first. */
const groups = new Set([4, 6, 8, 10]);

/** The GUID of a key. The key is trimmed and in NFC, so that texts that look the same have the same GUID. */
export function guidOf(namespace: string, key: string): string {
  const digest = sha1(bytesOfGuid(namespace), encoder.encode(key.trim().normalize('NFC')));
  let text = '';
  for (let at = 0; at < 16; at++) {
    let byte = ((digest[at >> 2] as number) >>> (24 - 8 * (at & 3))) & 0xff;
    if (at === 6) byte = (byte & 0x0f) | 0x50;
    else if (at === 8) byte = (byte & 0x3f) | 0x80;
    text += groups.has(at) ? `-${hexOfByte[byte]}` : hexOfByte[byte];
  }
  return text;
}

let lastNamespace = { text: '', bytes: new Uint8Array(16) };

function bytesOfGuid(text: string): Uint8Array {
  if (lastNamespace.text !== text) {
    const hex = text.replaceAll(/[{}-]/g, '');
    const bytes = Uint8Array.from({ length: 16 }, (_, at) =>
      Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
    );
    lastNamespace = { text, bytes };
  }
  return lastNamespace.bytes;
}

const words = new Int32Array(80);
const state = new Int32Array(5);

/** FIPS 180-4, of both parts one behind the other. The five words that it returns are overwritten by the next call. */
function sha1(first: Uint8Array, second: Uint8Array): Int32Array {
  const length = first.length + second.length;
  const padded = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
  padded.set(first);
  padded.set(second, first.length);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  state.set([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(block + 4 * at);
    for (let at = 16; at < 80; at++) {
      words[at] = rotated(
        (words[at - 3] as number) ^
          (words[at - 8] as number) ^
          (words[at - 14] as number) ^
          (words[at - 16] as number),
        1,
      );
    }
    digestBlock();
  }
  return state;
}

function digestBlock(): void {
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  for (let at = 0; at < 80; at++) {
    let mixed: number;
    if (at < 20) mixed = ((b & c) | (~b & d)) + 0x5a827999;
    else if (at < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1;
    else if (at < 60) mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    else mixed = (b ^ c ^ d) + 0xca62c1d6;
    const next = (rotated(a, 5) + mixed + e + (words[at] as number)) | 0;
    e = d;
    d = c;
    c = rotated(b, 30);
    b = a;
    a = next;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
