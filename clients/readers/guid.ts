/**
 * GUIDs of what has none: version 5 by RFC 9562, from a namespace and a key, so that every machine makes the same one.
 * SHA-1 is written out here: Web Crypto answers asynchronously, which costs more than the digest for a line of a list.
 */

/** The namespace of definitions that name none. It must never change: all GUIDs that were made with it would change too. */
export const DEFAULT_NAMESPACE = '8f0a7a52-6f0f-5c6e-9d0b-6d0f5f2f2a51';

const guidForm = /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i;

export function isGuid(text: string): boolean {
  return guidForm.test(text) && text.startsWith('{') === text.endsWith('}');
}

/** The GUID of a key. The key is trimmed and in NFC: what looks the same is the same. */
export function guidOf(namespace: string, key: string): string {
  const name = new TextEncoder().encode(key.trim().normalize('NFC'));
  const bytes = new Uint8Array(16 + name.length);
  const hex = namespace.replaceAll(/[{}-]/g, '');
  for (let at = 0; at < 16; at++) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  bytes.set(name, 16);
  const digest = sha1(bytes).subarray(0, 16);
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  const text = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

/** FIPS 180-4. */
function sha1(message: Uint8Array): Uint8Array {
  const blocks = Math.ceil((message.length + 9) / 64);
  const padded = new Uint8Array(blocks * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, (message.length << 3) >>> 0);
  let [h0, h1, h2, h3, h4] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words = new Int32Array(80);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(block + 4 * at);
    for (let at = 16; at < 80; at++) {
      const mixed =
        (words[at - 3] as number) ^
        (words[at - 8] as number) ^
        (words[at - 14] as number) ^
        (words[at - 16] as number);
      words[at] = (mixed << 1) | (mixed >>> 31);
    }
    let [a, b, c, d, e] = [h0, h1, h2, h3, h4];
    for (let at = 0; at < 80; at++) {
      const [mix, constant] =
        at < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : at < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : at < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6];
      const next = (((a << 5) | (a >>> 27)) + mix + e + constant + (words[at] as number)) | 0;
      [a, b, c, d, e] = [next, a, (b << 30) | (b >>> 2), c, d];
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
  }
  const digest = new Uint8Array(20);
  const out = new DataView(digest.buffer);
  for (const [at, word] of [h0, h1, h2, h3, h4].entries()) out.setInt32(4 * at, word);
  return digest;
}
