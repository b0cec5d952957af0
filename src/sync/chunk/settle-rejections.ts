/**
 * Marks rejected elements that a resend has brought in, so that an import shows which are still rejected. A resend keeps the places that
 * its elements had in their source, so one range of results is compared at a time.
 */
import type { Tx } from '../../db/transaction.ts';
import { type Digest, digestResults, mergeDigests } from '../elements/digest-results.ts';
import { packJson, unpackJson } from '../elements/payload-codec.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import {
  saveStillRejected,
  selectAccepted,
  selectRejectedRanges,
  selectRejections,
  selectSources,
  updateResults,
} from './settle-rejections.sql.ts';
import { type BatchRef, pair } from './thread-context.ts';

interface Portion {
  chunk: number;
  results: Buffer;
}

/** After a resend has ended: settles what its source rejected, and the source of that one, and so on. */
export async function settleRejections(tx: Tx, resend: BatchRef): Promise<void> {
  const sources = await tx.query<{ id: string }>(selectSources, pair(resend));
  for (const { id } of sources)
    await settleSource(tx, { workspaceId: resend.workspaceId, batchId: id }, resend);
}

async function settleSource(tx: Tx, source: BatchRef, resend: BatchRef): Promise<void> {
  const ranges = await tx.query<{ range: number }>(selectRejectedRanges, pair(source));
  let stillRejected = 0;
  let open: Digest = mergeDigests([]);
  for (const { range } of ranges) {
    const accepted = await acceptedIn(tx, resend, range);
    for (const { chunk, results: packed } of await tx.query<Portion>(selectRejections, [
      ...pair(source),
      range,
    ])) {
      const results = unpackJson<SyncResult[]>(packed);
      let isChanged = false;
      for (const result of results) {
        if (result.result !== 'error' || result.resolvedBy !== undefined || !accepted.has(result.index))
          continue;
        result.resolvedBy = resend.batchId;
        isChanged = true;
      }
      if (isChanged) await tx.query(updateResults, [...pair(source), range, chunk, packJson(results)]);
      const left = results.filter(isStillRejected);
      stillRejected += left.length;
      const digest = digestResults(left);
      if (digest !== null) open = mergeDigests([open, digest]);
    }
  }
  await tx.query(saveStillRejected, [...pair(source), stillRejected, packJson(open)]);
}

/** Places of the elements of this range that the resend has brought in. */
async function acceptedIn(tx: Tx, resend: BatchRef, range: number): Promise<ReadonlySet<number>> {
  const accepted = new Set<number>();
  for (const { results } of await tx.query<Portion>(selectAccepted, [...pair(resend), range]))
    for (const { index, result } of unpackJson<SyncResult[]>(results))
      if (result !== 'error') accepted.add(index);
  return accepted;
}

/** Whether the element was rejected and no resend has brought it in. */
export function isStillRejected({ result, resolvedBy }: SyncResult): boolean {
  return result === 'error' && resolvedBy === undefined;
}
