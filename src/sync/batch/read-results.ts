/** Reads results in payload order: range by range, each a merge of its chunks' portions. */
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { RANGE_INDEXES } from '../chunk/save-results.sql.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import type { ResultKind } from '../elements/sync-result.ts';
import type { ResultFormat } from './merge-results.ts';
import { selectPortions, selectRanges } from './read-batches.sql.ts';
import type { WebPool } from './web-pool.ts';

export interface ResultReader {
  db: Db;
  webPool: WebPool;
}

export interface ResultQuery {
  /** Only results of this kind; null for all. */
  kind: ResultKind | null;
  /** Only results behind this index; -1 for all. */
  after: number;
  format: ResultFormat;
}

/** Ranges looked up at once. */
const RANGES_MAX = 50;

/**
 * The results asked for, in portions of at most one range and of `limit` in all: bytes to be joined (for
 * `json` by commas) and how many results they hold.
 */
export async function* readResults(
  { db, webPool }: ResultReader,
  ref: BatchRef,
  { kind, after, format }: ResultQuery,
  limit: number,
): AsyncGenerator<{ bytes: Uint8Array; count: number }> {
  let left = limit;
  let range = Math.floor((after + 1) / RANGE_INDEXES);
  for (;;) {
    const ranges = await inTransaction(
      db,
      { workspaceId: ref.workspaceId },
      (tx) =>
        tx.query<{ range: number }>(selectRanges, [ref.workspaceId, ref.batchId, kind, range, RANGES_MAX]),
      { readOnly: true },
    );
    for (const next of ranges) {
      const portions = await inTransaction(
        db,
        { workspaceId: ref.workspaceId },
        (tx) =>
          tx.query<{ results: Buffer }>(selectPortions, [ref.workspaceId, ref.batchId, kind, next.range]),
        { readOnly: true },
      );
      const documents = portions.map((portion) => portion.results);
      const page = await webPool.merge({ documents, after, limit: left, kind, format });
      if (page.count > 0) yield page;
      left -= page.count;
      range = next.range + 1;
      if (left <= 0) return;
    }
    if (ranges.length < RANGES_MAX) return;
  }
}

/** A page as a JSON array. */
export async function readResultPage(
  reader: ResultReader,
  ref: BatchRef,
  query: Omit<ResultQuery, 'format'>,
  limit: number,
): Promise<Buffer> {
  const parts: Uint8Array[] = [Buffer.from('[')];
  for await (const { bytes } of readResults(reader, ref, { ...query, format: 'json' }, limit)) {
    if (parts.length > 1) parts.push(Buffer.from(','));
    parts.push(bytes);
  }
  parts.push(Buffer.from(']'));
  return Buffer.concat(parts);
}
