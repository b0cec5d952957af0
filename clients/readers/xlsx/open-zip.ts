/** The entries of a ZIP file, by its directory at the end; contents are inflated as they are read, up to a limit. */
import { type FileSource, readRange } from '../file-source.ts';
import { FileFault } from '../findings.ts';

export interface ZipEntry {
  name: string;
  method: number;
  compressedBytes: number;
  bytes: number;
  offset: number;
  isEncrypted: boolean;
}

const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const DIRECTORY_BYTES_MAX = 64 * 1024 * 1024;
/** The maximum of one inflated entry: a few kilobytes can be made to inflate without end. */
const INFLATED_BYTES_MAX = 4 * 1024 ** 3;
const UNKNOWN_32 = 0xffffffff;

export async function openZip(source: FileSource): Promise<Map<string, ZipEntry>> {
  const tailStart = Math.max(0, source.size - END_BYTES - COMMENT_BYTES_MAX);
  const tail = await readRange(source, tailStart, source.size);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  let end = tail.length - END_BYTES;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw await notZip(source);
  let entries = view.getUint16(end + 10, true);
  let size = view.getUint32(end + 12, true);
  let offset = view.getUint32(end + 16, true);
  const locator = end - 20;
  if (locator >= 0 && view.getUint32(locator, true) === 0x07064b50) {
    const at = Number(view.getBigUint64(locator + 8, true));
    const large = await readView(source, at, 56);
    if (large.getUint32(0, true) !== 0x06064b50) throw damaged();
    entries = Number(large.getBigUint64(32, true));
    size = Number(large.getBigUint64(40, true));
    offset = Number(large.getBigUint64(48, true));
  }
  if (size > DIRECTORY_BYTES_MAX || offset + size > source.size) throw damaged();
  return readDirectory(await readRange(source, offset, offset + size), entries);
}

function readDirectory(bytes: Uint8Array, count: number): Map<string, ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let entry = 0; entry < count; entry++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw damaged();
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const commentBytes = view.getUint16(at + 32, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes)).replaceAll('\\', '/');
    const large = largeFields(view, at + 46 + nameBytes, extraBytes, [
      view.getUint32(at + 24, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ]);
    entries.set(name.replace(/^\//, ''), {
      name,
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      bytes: large[0],
      compressedBytes: large[1],
      offset: large[2],
    });
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

/** Sizes and offset: those that do not fit into 32 bits stand in an extra field, in this order. */
function largeFields(
  view: DataView,
  from: number,
  length: number,
  small: [number, number, number],
): [number, number, number] {
  const values = small;
  let at = from;
  while (at + 4 <= Math.min(from + length, view.byteLength)) {
    const size = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) {
      let field = at + 4;
      for (const index of [0, 1, 2] as const) {
        if (values[index] !== UNKNOWN_32 || field + 8 > at + 4 + size) continue;
        values[index] = Number(view.getBigUint64(field, true));
        field += 8;
      }
    }
    at += 4 + size;
  }
  return values;
}

/** The contents of an entry, as they are inflated. */
export async function* readEntry(
  source: FileSource,
  entry: ZipEntry,
  bytesMax = INFLATED_BYTES_MAX,
): AsyncIterable<Uint8Array> {
  if (entry.isEncrypted) throw new FileFault('zip_encrypted', 'The file is protected by a password.');
  if (entry.method !== 0 && entry.method !== 8) {
    throw new FileFault('zip_method', `${entry.name} is compressed in a way that is not known here.`);
  }
  const head = await readView(source, entry.offset, 30);
  if (head.getUint32(0, true) !== 0x04034b50) throw damaged();
  const start = entry.offset + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const stored = source.read(start, start + entry.compressedBytes);
  let bytes = 0;
  try {
    for await (const piece of entry.method === 0 ? stored : inflate(stored)) {
      bytes += piece.length;
      if (bytes > bytesMax) {
        throw new FileFault('zip_too_large', `${entry.name} inflates to more than ${bytesMax} bytes.`);
      }
      yield piece;
    }
  } catch (error) {
    if (error instanceof FileFault) throw error;
    throw damaged(error);
  }
  if (bytes !== entry.bytes) throw damaged();
}

/** The decompressor that every browser has, and Node: nothing else would run in both. */
async function* inflate(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const decompression = new DecompressionStream('deflate-raw');
  const writer = decompression.writable.getWriter();
  const reader = decompression.readable.getReader();
  const fed = (async () => {
    for await (const piece of pieces) await writer.write(piece as Uint8Array<ArrayBuffer>);
    await writer.close();
  })();
  // An error here also reaches the reader, which handles it.
  fed.catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    await fed;
  } finally {
    await reader.cancel().catch(() => undefined);
    await writer.abort().catch(() => undefined);
  }
}

async function readView(source: FileSource, at: number, length: number): Promise<DataView> {
  if (at + length > source.size) throw damaged();
  const bytes = await readRange(source, at, at + length);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(cause?: unknown): FileFault {
  const fault = new FileFault('zip_damaged', 'The file is damaged: it is no whole ZIP archive.');
  fault.cause = cause;
  return fault;
}

async function notZip(source: FileSource): Promise<FileFault> {
  const [first, second] = await readRange(source, 0, Math.min(8, source.size));
  return first === 0xd0 && second === 0xcf
    ? new FileFault(
        'old_workbook',
        'This is an old .xls workbook, or one with a password. Save it as .xlsx without.',
      )
    : new FileFault('not_zip', 'This is no .xlsx workbook: it is no ZIP archive.');
}
