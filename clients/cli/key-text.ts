/** Whether a text can be a key: its last characters are a check, so that a mistyped key is told from a revoked one. */
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECK_CHARACTERS = 6;

/** Says what is wrong with a key; null if nothing is. */
export function keyTextFault(key: string): string | null {
  if (!/^pbk_[0-9A-Za-z]{46}$/.test(key)) return 'not an API key: one begins with pbk_ and has 50 characters';
  const body = key.slice(0, -CHECK_CHARACTERS);
  return key.endsWith(checkOf(body)) ? null : 'mistyped: its last characters do not fit the others';
}

function checkOf(body: string): string {
  let rest = crc32(body) >>> 0;
  let text = '';
  for (let at = 0; at < CHECK_CHARACTERS; at++) {
    text = (alphabet[rest % 62] as string) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
