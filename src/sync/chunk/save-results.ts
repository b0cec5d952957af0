/**
 * Chunks are cut by GUID and results are read in payload order, so a chunk's results are stored in portions:
 * one for each range of indexes. A page is then a merge of one range, wherever in the batch it is.
 */
import { byteaArray, int4Array, uuidArray } from '../../db/array-parameter.ts';
import type { Tx } from '../../db/transaction.ts';
import { digestResults } from '../elements/digest-results.ts';
import { factsOf } from '../elements/filter-results.ts';
import { nameGuids } from '../elements/name-guids.ts';
import { packBytes, packJson, unpackJson } from '../elements/payload-codec.ts';
import { countResults, type SyncResult } from '../elements/sync-result.ts';
import { insertResults, RANGE_INDEXES, selectChunkResults } from './save-results.sql.ts';
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

/** The parameters of `insertedResults`, in their order. `told` is given the JSON of each range, in payload order. */
export function packResults(
  results: readonly SyncResult[],
  told: (json: Buffer) => void = () => {},
): unknown[] {
  const byRange = new Map<number, SyncResult[]>();
  for (let i = 0; i < results.length; i++) {
    const result = results[i] as SyncResult;
    const range = Math.floor(result.index / RANGE_INDEXES);
    const known = byRange.get(range);
    if (known === undefined) byRange.set(range, [result]);
    else known.push(result);
  }
  // Before they are sorted by their places: those of one entity stand together.
  const named = nameGuids([...byRange.values()]);
  const ranges = [...byRange].map(([range, members]) => {
    const json = Buffer.from(JSON.stringify(members.sort((a, b) => a.index - b.index)));
    told(json);
    return {
      range,
      counts: countResults(members),
      facts: factsOf(members).join(','),
      results: packBytes(json),
    };
  });
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

/** What an earlier pass has settled for a chunk. */
export async function readChunkResults(
  tx: Tx,
  { workspaceId, batchId }: BatchRef,
  chunk: number,
): Promise<SyncResult[]> {
  const rows = await tx.query<{ results: Buffer }>(selectChunkResults, [workspaceId, batchId, chunk]);
  return rows.flatMap((row) => unpackJson<SyncResult[]>(row.results));
}
