/**
 * Reads the rows of a page, bounded twice: by the rows that were asked for and by bytes, because a thousand rows may
 * be a thousand notes or a thousand entities of four megabytes. What is beyond the bound is neither unpacked by the
 * database nor sent: a page may be shorter than its limit, and says that there are more.
 */

import { beginSum, boundedPage, PAGE_BYTES_MAX, selectSum } from './read-page.sql.ts';
import type { AnyTx } from './transaction.ts';

/** Made by `readPage`, and by `pageOfSome` for what is in memory: `pageOf` takes nothing else. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Whether there are further rows behind them. */
  readonly more: boolean;
}

export interface PageWanted {
  limit: number;
  /** Columns that can be long, such as names, notes and JSON. They are counted; the others are a constant. */
  long: readonly string[];
  /** Columns to read; all if absent. */
  columns?: string;
  /** Whether the statement is prepared; see `queryPrepared`. */
  isPrepared?: boolean;
}

/**
 * The rows of `sql`, a constant which reads up to `limit + 1` rows in the order of the page. The sum over the rows
 * lies in a setting of the transaction, so that a row behind the bound is dropped before its columns are looked at:
 * a window function would have unpacked all of them first.
 */
export async function readPage<Row>(
  tx: AnyTx,
  sql: string,
  params: readonly unknown[],
  { limit, long, columns = '*', isPrepared = false }: PageWanted,
): Promise<RowPage<Row>> {
  // One round trip: they are sent together.
  const beginning = tx.queryPrepared(beginSum);
  const bounded = boundedPage(sql, long, columns);
  const reading = isPrepared ? tx.queryPrepared<Row>(bounded, params) : tx.query<Row>(bounded, params);
  const counting = tx.queryPrepared<{ bytes: string }>(selectSum);
  const [rows, [counted]] = await Promise.all([reading, counting, beginning]);
  const cut = Number(counted?.bytes) > PAGE_BYTES_MAX;
  return { rows: rows.slice(0, limit), more: cut || rows.length > limit };
}

/** A page of what is in memory, in order, and small. */
export function pageOfSome<Row>(all: readonly Row[], limit: number): RowPage<Row> {
  return { rows: all.slice(0, limit), more: all.length > limit };
}
