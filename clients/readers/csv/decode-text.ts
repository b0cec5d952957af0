/**
 * Text out of bytes. UTF-8 is taken only where every byte of the file is; anything else must be named by whoever knows
 * the file, because a guess turns names into other names.
 */
import type { FileSource } from '../file-source.ts';
import { FileFault } from '../findings.ts';

export interface Decoded {
  /** As it is called in a definition: `utf-8`, `windows-1252`. */
  encoding: string;
  text(): AsyncIterable<string>;
}

/** Looks through the whole file once, then decodes it as often as it is asked to. `otherwise` is for what is not UTF-8. */
export async function decodeText(source: FileSource, otherwise?: string): Promise<Decoded> {
  const encoding = (await markedEncoding(source)) ?? ((await isUtf8(source)) ? 'utf-8' : otherwise);
  if (encoding === undefined) {
    throw new FileFault(
      'encoding_unknown',
      'The file is not UTF-8. Name its encoding in the definition, such as "windows-1252" or "gbk".',
    );
  }
  return { encoding, text: () => decoded(source.read(), encoding) };
}

/** The text of pieces of bytes, without a byte order mark. Bytes that are not of the encoding are a fault. */
export async function* decoded(pieces: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<string> {
  const decoder = decoderOf(encoding);
  try {
    for await (const piece of pieces) {
      const text = decoder.decode(piece, { stream: true });
      if (text !== '') yield text;
    }
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  } catch (error) {
    if (error instanceof TypeError) {
      throw new FileFault('encoding_wrong', `The file has bytes that are not ${encoding}.`);
    }
    throw error;
  }
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new FileFault('encoding_unknown', `There is no encoding called ${encoding}.`);
  }
}

const LOOKED_AT_BYTES = 1024;

async function markedEncoding(source: FileSource): Promise<string | null> {
  for await (const bytes of source.read(0, Math.min(LOOKED_AT_BYTES, source.size))) {
    const [first, second, third] = bytes;
    if (first === 0xff && second === 0xfe) return 'utf-16le';
    if (first === 0xfe && second === 0xff) return 'utf-16be';
    if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
    return unmarkedUtf16(bytes);
  }
  return null;
}

/**
 * UTF-16 without its mark: in a table most characters are of ASCII, and half of their bytes are zeros, which no other
 * encoding of text has. Null where it is none.
 */
export function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = bytes.length / 4;
  if (odd > many && even === 0) return 'utf-16le';
  return even > many && odd === 0 ? 'utf-16be' : null;
}

async function isUtf8(source: FileSource): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of source.read()) decoder.decode(piece, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
