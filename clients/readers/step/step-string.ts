/** Decodes strings of STEP files (ISO 10303-21, 6.4.3): escapes, alphabets, and bytes that no standard allows but tools write. */
import { FileFault, type Findings } from '../findings.ts';

const BACKSLASH = 0x5c;

/**
 * The decoder for the strings of one file. Bytes above 127 are UTF-8, or of the encoding that is named. Otherwise single ones
 * among plain letters are taken for Western European, with a warning; others are refused, because a guess makes other names.
 */
export function stringDecoder(
  encoding: string | undefined,
  findings: Findings,
): (bytes: Uint8Array) => string {
  if (encoding !== undefined) {
    const decoder = decoderOf(encoding);
    const encoder = new TextEncoder();
    return (bytes) =>
      isAscii(bytes) ? stepString(bytes) : stepString(encoder.encode(decoder.decode(bytes)));
  }
  let isTold = false;
  return (bytes) => {
    if (isAscii(bytes) || isUtf8(bytes)) return stepString(bytes);
    if (!hasLoneBytes(bytes)) {
      throw new FileFault(
        'encoding_unknown',
        'The file has names that are not UTF-8. Name their encoding, such as --encoding gbk, shift_jis, euc-kr, windows-1251 or windows-1252.',
      );
    }
    const text = stepString(bytes);
    if (!isTold) {
      isTold = true;
      const message = `Names in the file are not UTF-8 and are read as Western European (windows-1252), such as "${text}". --encoding names another one.`;
      findings.add('warning', 'encoding_assumed', {}, message);
    }
    return text;
  };
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw new FileFault('encoding_unknown', `There is no encoding called ${encoding}.`);
  }
}

function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] as number) > 0x7f) return false;
  return true;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Whether no two bytes above 127 stand side by side, as letters with accents do among others. */
function hasLoneBytes(bytes: Uint8Array): boolean {
  return bytes.every((byte, at) => byte < 0x80 || ((bytes[at + 1] ?? 0) < 0x80 && byte >= 0xa0));
}

/** The text between the quotes. A backslash that begins no escape stays as it stands. */
export function stepString(bytes: Uint8Array): string {
  let text = '';
  let raw: number[] = [];
  let page = 1;
  const flush = () => {
    if (raw.length > 0) text += rawText(Uint8Array.from(raw));
    raw = [];
  };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    // A string that goes on in the next line: the end of the line is no part of it.
    if (byte === 0x0a || byte === 0x0d) continue;
    if (byte === 0x27 && bytes[at + 1] === 0x27) {
      raw.push(0x27);
      at += 1;
      continue;
    }
    if (byte !== BACKSLASH) {
      raw.push(byte);
      continue;
    }
    const found = escapeAt(bytes, at, page);
    if (found === null) {
      raw.push(byte);
      continue;
    }
    flush();
    text += found.text;
    page = found.page ?? page;
    at = found.end - 1;
  }
  flush();
  return text;
}

interface Escape {
  text: string;
  end: number;
  page?: number;
}

function escapeAt(bytes: Uint8Array, at: number, page: number): Escape | null {
  const ahead = ascii(bytes, at, at + 5);
  if (ahead.startsWith('\\\\')) return { text: '\\', end: at + 2 };
  if (ahead.startsWith('\\S\\') && at + 3 < bytes.length) {
    const shifted = Uint8Array.of(((bytes[at + 3] as number) + 128) & 0xff);
    return { text: new TextDecoder(alphabet(page)).decode(shifted), end: at + 4 };
  }
  const chosen = /^\\P([A-I])\\/.exec(ahead)?.[1];
  if (chosen !== undefined) return { text: '', end: at + 4, page: chosen.charCodeAt(0) - 0x40 };
  if (ahead.startsWith('\\X\\')) {
    const code = hexAt(bytes, at + 3, 2);
    return code === null ? null : { text: String.fromCharCode(code), end: at + 5 };
  }
  if (ahead.startsWith('\\X2\\')) return codes(bytes, at + 4, 4);
  if (ahead.startsWith('\\X4\\')) return codes(bytes, at + 4, 8);
  if (ahead.startsWith('\\N\\')) return { text: '\n', end: at + 3 };
  return null;
}

/** Codes up to `\X0\`. Ends of lines among them are no part of it. */
function codes(bytes: Uint8Array, from: number, digits: number): Escape | null {
  let text = '';
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === 0x0a || byte === 0x0d) {
      at += 1;
      continue;
    }
    if (byte === BACKSLASH) return ascii(bytes, at, at + 4) === '\\X0\\' ? { text, end: at + 4 } : null;
    const code = hexAt(bytes, at, digits);
    if (code === null || code > 0x10ffff) return null;
    // Halves of pairs in \X2\ come together by themselves.
    text += digits === 4 ? String.fromCharCode(code) : String.fromCodePoint(code);
    at += digits;
  }
  return null;
}

function hexAt(bytes: Uint8Array, at: number, digits: number): number | null {
  const hex = ascii(bytes, at, at + digits);
  return hex.length === digits && /^[0-9A-Fa-f]+$/.test(hex) ? Number.parseInt(hex, 16) : null;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

/** `\PA\` is ISO 8859-1 and so on. */
function alphabet(page: number): string {
  return page === 1 ? 'iso-8859-1' : `iso-8859-${page}`;
}

/** Bytes above 127 are UTF-8 by the third edition, and of a Western Windows where they are not. */
function rawText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
