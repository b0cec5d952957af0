/**
 * Chunks are cut by GUID, so each holds results from all over the payload. A page in payload order is a
 * merge of theirs; it is made in a thread, because a large batch has many.
 */
import { csvLine } from '../../http/csv-line.ts';
import { unpackJson } from '../elements/payload-codec.ts';
import type { ResultKind, SyncResult } from '../elements/sync-result.ts';

export type ResultFormat = 'json' | 'ndjson' | 'csv';

export interface MergeRequest {
  /** Packed results, one document per chunk, each ordered by index. */
  documents: Uint8Array[];
  /** Only results behind this index; -1 for all. */
  after: number;
  limit: number;
  kind: ResultKind | null;
  format: ResultFormat;
}

/** The page: for `json` the elements of an array without its brackets, for the others whole lines. */
export function mergeResults(request: MergeRequest): { bytes: Uint8Array; count: number } {
  const { documents, after, limit, kind, format } = request;
  const results = documents
    .flatMap((document) => unpackJson<SyncResult[]>(document))
    .filter((result) => result.index > after && (kind === null || result.result === kind))
    .sort((a, b) => a.index - b.index)
    .slice(0, limit);
  return { bytes: Buffer.from(write(results, format)), count: results.length };
}

function write(results: readonly SyncResult[], format: ResultFormat): string {
  switch (format) {
    case 'json':
      return results.map((result) => JSON.stringify(result)).join(',');
    case 'ndjson':
      return results.map((result) => `${JSON.stringify(result)}\n`).join('');
    case 'csv':
      return results.map(resultLine).join('');
  }
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
