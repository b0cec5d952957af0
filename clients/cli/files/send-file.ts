/** Makes one file into one batch, for `sync` and `watch`. */
import { createHash } from 'node:crypto';
import type { ImportDefinition } from '../../readers/definition/import-definition.schema.ts';
import { detectFormat } from '../../readers/detect-format.ts';
import type { FileSource } from '../../readers/file-source.ts';
import { FileFault } from '../../readers/findings.ts';
import { jsonAsNdjson } from '../../readers/json-elements.ts';
import type { Reading, ReadingOptions } from '../../readers/read-elements.ts';
import type { Partbook } from '../../typescript/connect.ts';
import { type Batch, sendBatch } from '../../typescript/sync-batch.ts';
import { spoolElements } from './spool-elements.ts';

export interface Prepared {
  /** Null for JSON and NDJSON, which hold elements already. */
  reading: Reading | null;
  /** The digest of the body. */
  sha256: string;
  send(partbook: Partbook, options: SendOptions): Promise<Batch>;
  remove(): void;
}

export interface SendOptions {
  profile?: string | undefined;
  dryRun?: boolean;
  exact?: boolean | undefined;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Fewer elements fit into it than a service takes as JSON: each has at least a GUID. */
const JSON_BYTES_MAX = 4 * 1024 * 1024;

/** Reads the file to its end. Faults of the whole file are thrown; findings stand in `reading`. */
export async function prepareFile(
  file: FileSource,
  definition: ImportDefinition,
  options: ReadingOptions = {},
): Promise<Prepared> {
  const { format, source } = await detectFormat(file);
  if (format === 'json' || format === 'ndjson') {
    const hash = createHash('sha256');
    // A large one goes as NDJSON, of which a service takes more; a small one as it is, so that faults are told by their place in it.
    const isCut = format === 'json' && source.size > JSON_BYTES_MAX;
    if (source.size <= JSON_BYTES_MAX) await requireElements(source);
    const open = isCut ? () => jsonAsNdjson(source.read()) : () => source.read();
    for await (const piece of open()) hash.update(piece);
    const contentType = format === 'json' && !isCut ? 'application/json' : 'application/x-ndjson';
    return {
      reading: null,
      sha256: hash.digest('hex'),
      send: (partbook, options) => sendBatch(partbook, open, { ...options, contentType }),
      remove: () => undefined,
    };
  }
  const spooled = await spoolElements(file, definition, options);
  return {
    reading: spooled.reading,
    sha256: spooled.sha256,
    send: (partbook, options) => sendBatch(partbook, spooled.open, options),
    remove: spooled.remove,
  };
}

/** An object that has neither is a slip of its author's: as an element it would be told what it lacks, which nobody meant to write. */
async function requireElements(source: FileSource): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of source.read()) text += decoder.decode(piece, { stream: true });
  let document: unknown;
  try {
    document = JSON.parse(text + decoder.decode());
  } catch {
    // Several lines, or what the service tells the place of.
    return;
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return;
  if ('entities' in document || 'guid' in document) return;
  throw new FileFault(
    'json_no_entities',
    'The document must be an object with an array "entities", or an element in each line. Nothing was sent.',
  );
}
