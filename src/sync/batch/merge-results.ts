/**
 * Chunks are cut by GUID, so each holds results from all over the payload. A page in payload order is a
 * merge of theirs; it is made in a thread, because a large batch has many.
 */
import { csvLine } from '../../http/csv-line.ts';
import { fits, type ResultFilter } from '../elements/filter-results.ts';
import { unpackJson } from '../elements/payload-codec.ts';
import type { SyncResult } from '../elements/sync-result.ts';

export type ResultFormat = 'json' | 'ndjson' | 'csv';

export interface MergeRequest {
  /** Packed results, one document per chunk, each ordered by index. */
  documents: Uint8Array[];
  /** Only results behind this index; -1 for all. */
  after: number;
  limit: number;
  /** Of the text of several results; one that is larger is a page by itself. */
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
  const results = documents
    .flatMap((document) => unpackJson<SyncResult[]>(document))
    .filter((result) => result.index > after && fits(result, filter))
    .sort((a, b) => a.index - b.index)
    .slice(0, limit);
  const written: Buffer[] = [];
  let bytes = 0;
  for (const result of results) {
    const text = Buffer.from(`${written.length > 0 && format === 'json' ? ',' : ''}${write(result, format)}`);
    if (written.length > 0 && bytes + text.length > bytesMax) break;
    bytes += text.length;
    written.push(text);
  }
  return {
    bytes: Buffer.concat(written),
    count: written.length,
    last: results[written.length - 1]?.index ?? after,
    cut: written.length < results.length,
  };
}

function write(result: SyncResult, format: ResultFormat): string {
  if (format === 'csv') return resultLine(result);
  return format === 'json' ? JSON.stringify(result) : `${JSON.stringify(result)}\n`;
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
