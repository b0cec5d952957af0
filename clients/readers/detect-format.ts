/** Finds out the format of a file by its content: names lie, and some tools write every format with one ending. */
import { unmarkedUtf16 } from './csv/decode-text.ts';
import { type FileSource, readRange } from './file-source.ts';
import { FileFault } from './findings.ts';
import { openZip, readEntry } from './xlsx/open-zip.ts';

export type FileFormat = 'json' | 'ndjson' | 'csv' | 'xlsx' | 'ods' | 'netlist' | 'step' | 'stpx' | 'pdm';

const LOOKED_AT_BYTES = 64 * 1024;

/** Formats whose content is rows and columns. */
export function isTable(format: FileFormat): format is 'csv' | 'xlsx' | 'ods' {
  return format === 'csv' || format === 'xlsx' || format === 'ods';
}

export interface Detected {
  format: FileFormat;
  /** The file, or what is packed in it. */
  source: FileSource;
}

export async function detectFormat(source: FileSource): Promise<Detected> {
  if (source.size === 0) throw new FileFault('file_empty', 'The file is empty.');
  const bytes = await readRange(source, 0, Math.min(LOOKED_AT_BYTES, source.size));
  // Not by its letters alone: a column may be called PK.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 0) < 0x10) return packed(source);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return detectFormat(await gunzipped(source));
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) {
    throw new FileFault(
      'old_workbook',
      'This is an old .xls workbook, or one with a password. Save it as .xlsx without.',
    );
  }
  const text = beginningOf(bytes);
  if (/^(?:\/\*(?:[^*]|\*(?!\/))*\*\/\s*)*ISO-10303-21\s*;/i.test(text)) return { format: 'step', source };
  if (/^\(\s*(?:export|kicad_sch|kicad_pcb)\b/.test(text)) {
    throw new FileFault(
      'kicad_text',
      "This is KiCad's own notation. Write a netlist in XML: kicad-cli sch export netlist --format kicadxml FILE.",
    );
  }
  if (text.startsWith('<')) return { format: xmlFormat(text), source };
  if (text.startsWith('[') || text.startsWith('{')) return { format: jsonFormat(text), source };
  return { format: 'csv', source };
}

function beginningOf(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : (unmarkedUtf16(bytes.subarray(0, 1024)) ?? 'utf-8');
  return new TextDecoder(encoding).decode(bytes).trimStart();
}

function xmlFormat(text: string): FileFormat {
  const root = /<(?:\w[\w.-]*:)?([A-Za-z_][\w.-]*)/.exec(
    text.replaceAll(/<!--[\s\S]*?(?:-->|$)|<[?!][^>]*(?:>|$)/g, ''),
  )?.[1];
  if (root === 'export') return 'netlist';
  if (root === 'Uos') return 'stpx';
  if (/<transactions[\s>]/.test(text)) return 'pdm';
  throw new FileFault(
    'xml_unknown',
    `XML whose root is "${root ?? '?'}" is not read here: only KiCad netlists, AP242 business objects and exports of SOLIDWORKS PDM.`,
  );
}

/** One object with an array of entities is a payload; a line with an object, and more of them, is a stream of elements. */
function jsonFormat(text: string): FileFormat {
  const [first = ''] = text.split(/\r?\n/, 1);
  try {
    const parsed: unknown = JSON.parse(first);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) && !('entities' in parsed)
      ? 'ndjson'
      : 'json';
  } catch {
    return 'json';
  }
}

/** A workbook, or a packed STEP file or business object model (.stpZ, .stpxZ). */
async function packed(source: FileSource): Promise<Detected> {
  const entries = await openZip(source);
  if (entries.has('[Content_Types].xml')) return { format: 'xlsx', source };
  if (entries.has('content.xml') && entries.has('mimetype')) return { format: 'ods', source };
  const names = [...entries.keys()].filter((name) => !name.endsWith('/'));
  const [first, second] = names.filter((name) =>
    /\.(?:stp|step|p21|stpx|xml|csv|tsv|txt|json|ndjson)$/i.test(name),
  );
  const entry = first === undefined ? undefined : entries.get(first);
  if (first === undefined || entry === undefined) {
    throw new FileFault('zip_unknown', 'The archive holds neither a workbook nor a file that is read here.');
  }
  if (second !== undefined) {
    throw new FileFault(
      'zip_several',
      `The archive holds several files (${first}, ${second} …): unpack the one that is meant.`,
    );
  }
  return detectFormat({
    name: `${source.name}/${first}`,
    size: entry.bytes,
    read: (start = 0, end = entry.bytes) => range(readEntry(source, entry), start, end),
  });
}

/** Its size is not known before it is read to its end. */
async function gunzipped(source: FileSource): Promise<FileSource> {
  const open = () => inflateGzip(source);
  let size = 0;
  for await (const piece of open()) size += piece.length;
  return { name: source.name, size, read: (start = 0, end = size) => range(open(), start, end) };
}

async function* inflateGzip(source: FileSource): AsyncIterable<Uint8Array> {
  const pieces = source.read()[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
  });
  const reader = stream.pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw Object.assign(new FileFault('gzip_damaged', 'The file is damaged: it cannot be unpacked.'), {
      cause: error,
    });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A range of what can only be read from its beginning. */
async function* range(
  pieces: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncIterable<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const from = Math.max(0, start - at);
    const to = Math.min(piece.length, end - at);
    at += piece.length;
    if (to > from) yield piece.subarray(from, to);
    if (at >= end) return;
  }
}
