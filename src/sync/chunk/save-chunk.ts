/** Saves the outcome of a pass over a chunk: its results, their counts, and the input of the next pass. */
import type { Tx } from '../../db/transaction.ts';
import { countResults, type SyncResult } from '../elements/sync-result.ts';
import { countChunk, saveChunk as saveChunkSql, waitForNoDisk } from './batch.sql.ts';
import { saveResults } from './save-results.ts';
import { type BatchRef, pair } from './thread-context.ts';

export interface SavedChunk {
  phase: 'write' | 'link' | 'done';
  plan?: Buffer | null;
  basis?: Buffer | null;
  structure?: Buffer | null;
  hasLinks?: boolean;
  /** The chunk creates entities that are outside of structures. */
  createsOutside?: boolean;
  /**
   * Nothing but the chunk itself was written, and nothing was answered: where the server loses it, the step is taken again. So nobody waits
   * for the disk; the end of the batch does, and what was committed before is on the disk by then.
   */
  isRepeatable?: boolean;
}

/** Stores all results of the chunk, and what the next pass needs where `saved` says it. */
export function saveChunk(
  tx: Tx,
  ref: BatchRef,
  chunk: number,
  results: readonly SyncResult[],
  { phase, plan, basis, structure, hasLinks, createsOutside, isRepeatable = false }: SavedChunk,
): void {
  saveResults(tx, ref, chunk, results);
  if (isRepeatable) tx.withCommit(tx.query(waitForNoDisk));
  const { created, updated, skipped, error, warnings } = countResults(results);
  tx.withCommit(
    tx.query(countChunk, [...pair(ref), chunk, phase, created, updated, skipped, error, warnings]),
  );
  if (plan !== undefined || basis !== undefined) {
    const saving = tx.query(saveChunkSql, [
      ...pair(ref),
      chunk,
      plan ?? null,
      basis ?? null,
      hasLinks ?? false,
      structure ?? null,
      createsOutside ?? false,
    ]);
    tx.withCommit(saving);
  }
}
