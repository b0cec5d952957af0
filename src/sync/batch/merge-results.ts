/**
 * Chunks are cut by GUID, so each holds results from all over the payload. A page in payload order is a
 * merge of theirs; it is made in a thread, because a large batch has many.
 */
import { zstdDecompressSync } from 'node:zlib';
import { csvLine } from '../../http/csv-line.ts';
import { everyResult, fits, type ResultFilter } from '../elements/filter-results.ts';
import type { SyncResult } from '../elements/sync-result.ts';

export type ResultFormat = 'json' | 'ndjson' | 'csv';

export interface MergeRequest {
  /** Packed results, one document per chunk, each ordered by index. */
  documents: Uint8Array[];
  /** Only results behind this index; -1 for all. */
  after: number;
  limit: number;
  /** The size of a page in bytes; one larger result is a page by itself. */
  bytesMax: number;
  filter: ResultFilter;
  format: ResultFormat;
}

export interface MergedResults {
  /** For `json` the elements of an array without its brackets, for the others whole lines. */
  bytes: Uint8Array;
  count: number;
  /** Index of the last of them; `after` without any. */
  last: number;
  /** Whether the bound on bytes left results out. */
  cut: boolean;
}

export function mergeResults(request: MergeRequest): MergedResults {
  const { documents, after, limit, bytesMax, filter, format } = request;
  const isWanted = isSame(filter, everyResult) ? () => true : (one: PlacedResult) => fits(read(one), filter);
  const results = documents
    .flatMap((document) => placeResults(zstdDecompressSync(document)))
    .filter((one) => one.index > after && isWanted(one))
    .sort((a, b) => a.index - b.index)
    .slice(0, limit);
  const texts: Piece[] = [];
  let bytes = 0;
  for (const result of results) {
    const text = format === 'csv' ? wholeOf(resultLine(read(result))) : result;
    const more = text.end - text.start + separated(format, texts.length);
    if (texts.length > 0 && bytes + more > bytesMax) break;
    bytes += more;
    texts.push(text);
  }
  return {
    bytes: joined(texts, bytes, format),
    count: texts.length,
    last: results[texts.length - 1]?.index ?? after,
    cut: texts.length < results.length,
  };
}

/** Part of a text. */
interface Piece {
  document: Buffer;
  start: number;
  end: number;
}

/** A result in the text of its document, which is passed on as it is: to parse and write it anew takes twenty times as long. */
interface PlacedResult extends Piece {
  index: number;
}

/** So each result begins, and nothing within one: the quotation marks of a text are escaped, and no part of a result has an index. */
const BEGINNING = '{"index":';

/** The last position at which an index can end. */
const INDEX_END = BEGINNING.length + 10;

function indexAt(text: string, start: number): number {
  return Number.parseInt(text.slice(start + BEGINNING.length, start + INDEX_END), 10);
}

function placeResults(document: Buffer): PlacedResult[] {
  // A byte each, so that places in it are places in the document.
  const text = document.toString('latin1');
  const placed: PlacedResult[] = [];
  for (let start = text.indexOf(BEGINNING); start !== -1; ) {
    const next = text.indexOf(BEGINNING, start + BEGINNING.length);
    placed.push({
      index: indexAt(text, start),
      document,
      start,
      end: (next === -1 ? text.length : next) - 1,
    });
    start = next;
  }
  return placed;
}

/** A page as a JSON array without its last result, and the index of the one before that. */
export function withoutLast(page: Buffer): { bytes: Buffer; last: number } {
  const end = page.lastIndexOf(BEGINNING) - 1;
  const last = page.lastIndexOf(BEGINNING, end - 1);
  if (last === -1) throw new Error('A page of less than two results');
  const bytes = Buffer.concat([page.subarray(0, end), Buffer.from(']')]);
  return { bytes, last: indexAt(page.toString('latin1', last, last + INDEX_END), 0) };
}

function read({ document, start, end }: PlacedResult): SyncResult {
  return JSON.parse(document.toString('utf8', start, end)) as SyncResult;
}

function wholeOf(text: string): Piece {
  const document = Buffer.from(text);
  return { document, start: 0, end: document.length };
}

/** Bytes beside a text before which there are so many. */
function separated(format: ResultFormat, before: number): number {
  return format === 'ndjson' || (format === 'json' && before > 0) ? 1 : 0;
}

function isSame(a: ResultFilter, b: ResultFilter): boolean {
  return a.kind === b.kind && a.code === b.code && a.warning === b.warning && a.changed === b.changed;
}

function joined(texts: readonly Piece[], bytes: number, format: ResultFormat): Buffer {
  const whole = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const { document, start, end } of texts) {
    if (format === 'json' && at > 0) whole[at++] = 0x2c;
    at += document.copy(whole, at, start, end);
    if (format === 'ndjson') whole[at++] = 0x0a;
  }
  return whole;
}

export const CSV_HEADER = 'index,guid,result,entityId,versionId,number,revision,code,message,warnings\r\n';

function resultLine(result: SyncResult): string {
  const warnings = (result.warnings ?? []).map(({ code, message }) => `${code}: ${message}`).join(' ');
  const { index, guid, entityId, versionId, number, revision, code, message } = result;
  return csvLine([
    index,
    guid,
    result.result,
    entityId,
    versionId,
    number,
    revision,
    code,
    message,
    warnings,
  ]);
}
