/** Reads results in payload order: range by range, each a merge of its chunks' portions. */
import type { Db } from '../../db/connect.ts';
import { PAGE_BYTES_MAX } from '../../db/read-page.sql.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { RANGE_INDEXES } from '../chunk/save-results.sql.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import { everyResult, factsWanted, type ResultFilter } from '../elements/filter-results.ts';
import type { MergedResults, ResultFormat } from './merge-results.ts';
import { selectFewPortions, selectNextPortions } from './read-batches.sql.ts';
import type { SyncBatch } from './sync.schema.ts';
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
  behind?: (tx: Tx) => Promise<unknown>;
}

/** Few statements that probe, and go out together. */
const aLook = { glance: true, keepsPlans: true };

/**
 * The results asked for, in portions of at most one range and a megabyte, and of `limit` in all: bytes to be joined (for
 * `json` by commas) and how many results they hold. `behind` is asked with each range, behind it.
 */
export async function* readResults(
  { db, webPool }: ResultReader,
  ref: BatchRef,
  { filter, after, format, gone, behind = async () => {} }: ResultQuery,
  limit: number,
): AsyncGenerator<MergedResults> {
  const wanted = [ref.workspaceId, ref.batchId, filter.kind, factsWanted(filter)];
  let left = limit;
  let last = after;
  let range = Math.floor((after + 1) / RANGE_INDEXES);
  for (;;) {
    const from = range;
    const [portions] = await inTransaction(
      db,
      { workspaceId: ref.workspaceId },
      (tx) => Promise.all([tx.queryPrepared<Portion>(selectNextPortions, [...wanted, from]), behind(tx)]),
      { ...aLook, gone },
    );
    const [first] = portions;
    if (first === undefined) return;
    const documents = portions.map((portion) => portion.results);
    for (let hasMore = true; hasMore; ) {
      const page = await webPool.merge({
        documents,
        after: last,
        limit: left,
        bytesMax: PAGE_BYTES_MAX,
        filter,
        format,
      });
      if (page.count > 0) yield page;
      left -= page.count;
      last = page.last;
      hasMore = page.cut;
    }
    range = first.range + 1;
    if (left <= 0 || !first.more) return;
  }
}

interface Portion {
  range: number;
  results: Buffer;
  /** Whether there are ranges behind it. */
  more: boolean;
}

/** A page as a JSON array, how many results it has, and whether there are more; it ends with the piece that passes `bytesMax`. */
export async function readResultPage(
  reader: ResultReader,
  ref: BatchRef,
  query: Omit<ResultQuery, 'format'>,
  { limit, bytesMax }: { limit: number; bytesMax: number },
): Promise<{ bytes: Buffer; count: number; last: number; cut: boolean }> {
  const parts: Uint8Array[] = [Buffer.from('[')];
  let [written, count, last] = [0, 0, query.after];
  let isCut = false;
  for await (const page of readResults(reader, ref, { ...query, format: 'json' }, limit)) {
    // What is read on is the proof that there are more.
    isCut = written > 0 && written + page.bytes.length > bytesMax;
    if (isCut) break;
    if (parts.length > 1) parts.push(Buffer.from(','));
    parts.push(page.bytes);
    written += page.bytes.length;
    count += page.count;
    last = page.last;
  }
  parts.push(Buffer.from(']'));
  return { bytes: Buffer.concat(parts), count, last, cut: isCut };
}

/** A batch of at most so many elements, and what there is of its results as a JSON array: null where that is more than `bytesMax`. */
export async function readFewResults(
  { db, webPool }: ResultReader,
  { workspaceId, batchId }: BatchRef,
  { read, gone, elementsMax, bytesMax }: FewResults,
): Promise<{ batch: SyncBatch; results: Buffer | null }> {
  const [batch, portions] = await inTransaction(
    db,
    { workspaceId },
    // In this order: what is read of a batch that has ended is all of it.
    (tx) =>
      Promise.all([
        read(tx),
        tx.queryPrepared<FewPortion>(selectFewPortions, [workspaceId, batchId, elementsMax]),
      ]),
    { ...aLook, gone },
  );
  if (batch.counts.total > elementsMax || batch.resultsGone === true) return { batch, results: null };
  // They went between the two statements: what is left of them must not pass as all of them.
  if (portions[0]?.kept !== true) return { batch: { ...batch, resultsGone: true }, results: null };
  const documents = portions.flatMap(({ results }) => (results === null ? [] : [results]));
  if (documents.length === 0) return { batch, results: Buffer.from('[]') };
  const page = { after: -1, limit: elementsMax, bytesMax, filter: everyResult, format: 'json' as const };
  const { bytes, cut } = await webPool.merge({ documents, ...page });
  if (cut || bytes.length > bytesMax) return { batch, results: null };
  return { batch, results: Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')]) };
}

interface FewPortion {
  kept: boolean;
  results: Buffer | null;
}

interface FewResults {
  read(tx: Tx): Promise<SyncBatch>;
  gone: AbortSignal;
  elementsMax: number;
  bytesMax: number;
}
