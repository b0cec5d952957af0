/**
 * Chunks are cut by GUID and results are read in payload order, so a chunk's results are stored in portions:
 * one for each range of indexes. A page is then a merge of one range, wherever in the batch it is.
 */

import type { Tx } from '../../db/transaction.ts';
import { byteaArray, int4Array, textArray, uuidArray } from '../../db/wire/array-parameter.ts';
import { digestResults } from '../elements/digest-results.ts';
import { factsOf } from '../elements/filter-results.ts';
import { nameGuids } from '../elements/name-guids.ts';
import { packBytes, packJson, unpackJson } from '../elements/payload-codec.ts';
import { countResults, type SyncResult } from '../elements/sync-result.ts';
import { insertResults, RANGE_INDEXES, selectChunkResults, selectRejectedAmong } from './save-results.sql.ts';
import type { BatchRef } from './thread-context.ts';

/** Stores a chunk's results over those it had, with the commit; `results` is all of them. */
export function saveResults(
  tx: Tx,
  { workspaceId, batchId }: BatchRef,
  chunk: number,
  results: readonly SyncResult[],
): void {
  const saving = tx.query(insertResults, [workspaceId, batchId, chunk, ...packResults(results)]);
  tx.withCommit(saving);
}

/** The parameters of `insertResults` behind the chunk, in their order. */
function packResults(results: readonly SyncResult[]): unknown[] {
  const byRange = groupByRange(results);
  // Before they are sorted by their places: those of one entity stand together.
  const named = nameGuids([...byRange.values()]);
  const ranges = [...byRange].map(([range, members]) => ({
    range,
    counts: countResults(members),
    facts: factsOf(members).join(','),
    results: packJson(members.sort(byIndex)),
  }));
  const digest = digestResults(results);
  return [
    int4Array(ranges.map((one) => one.range)),
    int4Array(ranges.map((one) => one.counts.created)),
    int4Array(ranges.map((one) => one.counts.updated)),
    int4Array(ranges.map((one) => one.counts.skipped)),
    int4Array(ranges.map((one) => one.counts.error)),
    byteaArray(ranges.map((one) => one.results)),
    digest === null ? null : packJson(digest),
    ranges.map((one) => one.facts),
    uuidArray(named.guids),
    int4Array(named.broughtFrom),
    int4Array(named.refusedFrom),
    int4Array(named.refusedEnd),
  ];
}

function groupByRange(results: readonly SyncResult[]): Map<number, SyncResult[]> {
  const byRange = new Map<number, SyncResult[]>();
  for (let i = 0; i < results.length; i++) {
    const result = results[i] as SyncResult;
    const range = Math.floor(result.index / RANGE_INDEXES);
    const known = byRange.get(range);
    if (known === undefined) byRange.set(range, [result]);
    else known.push(result);
  }
  return byRange;
}

export interface PackedResults {
  /** In payload order. */
  json: Buffer;
  /** The last four of `insertApplied`. */
  columns: [results: Buffer, facts: Buffer, brought: Buffer, refused: Buffer | null];
  digest: Buffer | null;
}

/** All results of a batch that are one portion. */
export function packPortion(results: SyncResult[]): PackedResults {
  if (results.length > RANGE_INDEXES) throw new Error('More results than a portion has');
  const { guids, refusedFrom } = nameGuids([results]);
  const brought = (refusedFrom[0] as number) - 1;
  const refused = guids.slice(brought);
  const digest = digestResults(results);
  const facts = textArray(factsOf(results));
  const json = jsonOf(results);
  return {
    json,
    columns: [
      packBytes(json),
      facts,
      uuidArray(guids.slice(0, brought)),
      refused.length === 0 ? null : uuidArray(refused),
    ],
    digest: digest === null ? null : packJson(digest),
  };
}

const byIndex = (a: SyncResult, b: SyncResult) => a.index - b.index;

/** Sorts them, too. */
function jsonOf(results: SyncResult[]): Buffer {
  return Buffer.from(JSON.stringify(results.sort(byIndex)));
}

/** Returns those of the GUIDs whose elements were rejected in this batch, as far as its chunks are planned. */
export async function rejectedAmong(
  tx: Tx,
  { workspaceId, batchId }: BatchRef,
  guids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (guids.length === 0) return new Set();
  const rows = await tx.query<{ guid: string }>(selectRejectedAmong, [
    workspaceId,
    batchId,
    uuidArray(guids),
  ]);
  return new Set(rows.map(({ guid }) => guid));
}

/** Returns the results that earlier passes have stored for a chunk. */
export async function readChunkResults(
  tx: Tx,
  { workspaceId, batchId }: BatchRef,
  chunk: number,
): Promise<SyncResult[]> {
  const rows = await tx.query<{ results: Buffer }>(selectChunkResults, [workspaceId, batchId, chunk]);
  return rows.flatMap((row) => unpackJson<SyncResult[]>(row.results));
}
