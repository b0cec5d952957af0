/** Asks a thread of its own what a file is and what it becomes by a definition. */
import type { FileFormat } from '../../clients/readers/detect-format.ts';
import type { ImportMapping } from '../client/operations.ts';

/** The first rows of one table in the file. */
export interface TableLook {
  /** What a definition for it says beside its columns. */
  about: Pick<ImportMapping, 'encoding' | 'delimiter' | 'sheet'>;
  rows: string[][];
}

export interface FileLook {
  format: FileFormat;
  /** None where the file is no table. */
  tables: TableLook[];
}

/** GUIDs by key. */
export type KnownGuids = ReadonlyMap<string, string>;

export interface FileReading {
  /** As NDJSON: what is sent. */
  elements: Blob;
  totals: { elements: number; parts: number; links: number };
  /** The totals in sentences: parts, quantities, assemblies. */
  summary: readonly string[];
  /** Of text that is not UTF-8. */
  encoding: string | null;
  errors: number;
  warnings: number;
  /** The first of them, each with its place. */
  findings: readonly { severity: string; message: string }[];
  /** What was left out by rule. */
  notes: readonly string[];
  /** The numbers for which a GUID was made, and which. */
  made: KnownGuids;
}

export type FileQuestion =
  | { ask: 'look'; file: File }
  | { ask: 'read'; file: File; mapping: ImportMapping; guids: KnownGuids; known: ReadonlySet<string> };

export type FileAnswer =
  | { look: FileLook }
  | { reading: FileReading }
  | { progress: number }
  | { fault: string };

const FILE_BYTES_MAX = 500_000_000;

export async function lookAtFile(file: File): Promise<FileLook> {
  if (file.size > FILE_BYTES_MAX) {
    throw new Error('A file of more than 500 MB is sent with the command line: partbook sync.');
  }
  const answer = await askThread({ ask: 'look', file });
  return (answer as { look: FileLook }).look;
}

export interface ReadOptions {
  /** GUIDs that parts have in the workspace. */
  guids: KnownGuids;
  /** Keys of parts that the workspace has. */
  known: ReadonlySet<string>;
  signal: AbortSignal;
  onProgress: (elements: number) => void;
}

export async function readFile(
  file: File,
  mapping: ImportMapping,
  { guids, known, signal, onProgress }: ReadOptions,
): Promise<FileReading> {
  const answer = await askThread({ ask: 'read', file, mapping, guids, known }, signal, onProgress);
  return (answer as { reading: FileReading }).reading;
}

/** Throws what is wrong with the file, in the reader's words. */
async function askThread(
  question: FileQuestion,
  signal?: AbortSignal,
  onProgress?: (elements: number) => void,
): Promise<FileAnswer> {
  const worker = new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<FileAnswer>();
  worker.onmessage = ({ data }: MessageEvent<FileAnswer>) => {
    if ('progress' in data) onProgress?.(data.progress);
    else if ('fault' in data) reject(new Error(data.fault));
    else resolve(data);
  };
  // Without a word of its own: the code of the thread did not come, as a call that found nobody.
  worker.onerror = (event) =>
    reject(event.message ? new Error(event.message) : new TypeError('The reader of files did not come.'));
  const stop = () => reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    worker.postMessage(question);
    return await promise;
  } finally {
    signal?.removeEventListener('abort', stop);
    worker.terminate();
  }
}
