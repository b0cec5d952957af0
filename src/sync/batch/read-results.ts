/** Reads results in payload order: range by range, each a merge of its chunks' portions. */
import type { Db } from '../../db/connect.ts';
import { PAGE_BYTES_MAX } from '../../db/read-page.sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { RANGE_INDEXES, selectPortions } from '../chunk/save-results.sql.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import { factsWanted, type ResultFilter } from '../elements/filter-results.ts';
import type { MergedResults, ResultFormat } from './merge-results.ts';
import { selectRanges } from './read-batches.sql.ts';
import type { WebPool } from './web-pool.ts';

export interface ResultReader {
  db: Db;
  webPool: WebPool;
}

export interface ResultQuery {
  filter: ResultFilter;
  /** Only results behind this index; -1 for all. */
  after: number;
  format: ResultFormat;
  /** Aborted when nobody waits for them any more. */
  gone: AbortSignal;
}

/** Ranges looked up at once. */
const RANGES_MAX = 50;

/**
 * The results asked for, in portions of at most one range and a megabyte, and of `limit` in all: bytes to be joined (for
 * `json` by commas) and how many results they hold.
 */
export async function* readResults(
  { db, webPool }: ResultReader,
  ref: BatchRef,
  { filter, after, format, gone }: ResultQuery,
  limit: number,
): AsyncGenerator<MergedResults> {
  const wanted = [ref.workspaceId, ref.batchId, filter.kind, factsWanted(filter)];
  let left = limit;
  let behind = after;
  let range = Math.floor((after + 1) / RANGE_INDEXES);
  for (;;) {
    const ranges = await inTransaction(
      db,
      { workspaceId: ref.workspaceId },
      (tx) => tx.query<{ range: number }>(selectRanges, [...wanted, range, RANGES_MAX]),
      { readOnly: true, gone },
    );
    for (const next of ranges) {
      const portions = await inTransaction(
        db,
        { workspaceId: ref.workspaceId },
        (tx) => tx.query<{ results: Buffer }>(selectPortions, [...wanted, next.range]),
        { readOnly: true, gone },
      );
      const documents = portions.map((portion) => portion.results);
      for (let hasMore = true; hasMore; ) {
        const page = await webPool.merge({
          documents,
          after: behind,
          limit: left,
          bytesMax: PAGE_BYTES_MAX,
          filter,
          format,
        });
        if (page.count > 0) yield page;
        left -= page.count;
        behind = page.last;
        hasMore = page.cut;
      }
      range = next.range + 1;
      if (left <= 0) return;
    }
    if (ranges.length < RANGES_MAX) return;
  }
}

/** A page as a JSON array, and whether there are more results; it ends with the piece that passes `bytesMax`. */
export async function readResultPage(
  reader: ResultReader,
  ref: BatchRef,
  query: Omit<ResultQuery, 'format'>,
  { limit, bytesMax }: { limit: number; bytesMax: number },
): Promise<{ bytes: Buffer; cut: boolean }> {
  const parts: Uint8Array[] = [Buffer.from('[')];
  let written = 0;
  let isCut = false;
  for await (const { bytes } of readResults(reader, ref, { ...query, format: 'json' }, limit)) {
    // What is read on is the proof that there are more.
    isCut = written > 0 && written + bytes.length > bytesMax;
    if (isCut) break;
    if (parts.length > 1) parts.push(Buffer.from(','));
    parts.push(bytes);
    written += bytes.length;
  }
  parts.push(Buffer.from(']'));
  return { bytes: Buffer.concat(parts), cut: isCut };
}
