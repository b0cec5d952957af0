/** Reports elements whose links the link pass does not make, in the results of earlier passes. */
import type { Tx } from '../../db/transaction.ts';
import { saveChunk } from '../chunk/save-chunk.ts';
import { readChunkResults, rejectedAmong } from '../chunk/save-results.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import { ELEMENTS_TOLD_MAX } from '../plan/name-circles.ts';
import type { WantedLink } from '../plan/planned-links.ts';
import { parentPending } from '../plan/report-results.ts';

/**
 * Reports parents that have not arrived, for a chunk that was written in the plan pass, when nobody knew which
 * parents would arrive. A repeated step changes nothing.
 */
export async function reportPending(
  tx: Tx,
  ref: BatchRef,
  chunk: number,
  waiting: readonly WantedLink[],
): Promise<void> {
  const parents = new Map<number, string>();
  for (const { parentGuid, indexes } of waiting) for (const index of indexes) parents.set(index, parentGuid);
  const rejected = await rejectedAmong(tx, ref, [...new Set(parents.values())]);
  const results = await readChunkResults(tx, ref, chunk);
  for (const result of results) {
    const parentGuid = parents.get(result.index);
    if (parentGuid === undefined) continue;
    const warning = parentPending(parentGuid, rejected);
    const said = result.warnings ?? [];
    if (!said.some(({ code }) => code === warning.code)) result.warnings = [...said, warning];
  }
  saveChunk(tx, ref, chunk, results, { phase: 'link' });
}

/** Somebody has turned these links into cycles since they were planned: their elements' data are written, they are not. */
export async function reportClosing(
  tx: Tx,
  ref: BatchRef,
  chunk: number,
  { links, circles }: { links: readonly WantedLink[]; circles: ReadonlyMap<WantedLink, string | null> },
): Promise<void> {
  const indexes = new Map(
    links.flatMap((link) => link.indexes.map((index, place) => [index, { link, place }] as const)),
  );
  const results = (await readChunkResults(tx, ref, chunk)).map((result) => {
    const found = indexes.get(result.index);
    if (found === undefined) return result;
    const { link, place } = found;
    const circle = place < ELEMENTS_TOLD_MAX ? circles.get(link) : null;
    const message =
      circle == null
        ? `The link to parent ${link.parentGuid} would close a cycle with an edit made meanwhile; it was not made.`
        : `The link to parent would close a cycle with an edit made meanwhile, and was not made: ${circle}.`;
    return { ...result, result: 'error' as const, code: 'cycle' as const, message };
  });
  saveChunk(tx, ref, chunk, results, { phase: 'link' });
}
