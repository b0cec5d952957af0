/** What a pass leaves of a chunk: its results, their counts, and what the next pass goes by. */
import type { Tx } from '../../db/transaction.ts';
import { countResults, type SyncResult } from '../elements/sync-result.ts';
import { countChunk, saveChunk as saveChunkSql } from './batch.sql.ts';
import { saveResults } from './save-results.ts';
import { type BatchRef, pair } from './thread-context.ts';

export interface SavedChunk {
  phase: 'write' | 'link' | 'done';
  plan?: Buffer | null;
  basis?: Buffer | null;
  structure?: Buffer | null;
  hasLinks?: boolean;
}

/** Stores all results of the chunk, and what the next pass needs where `saved` says it. */
export function saveChunk(
  tx: Tx,
  ref: BatchRef,
  chunk: number,
  results: readonly SyncResult[],
  { phase, plan, basis, structure, hasLinks }: SavedChunk,
): void {
  saveResults(tx, ref, chunk, results);
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
    ]);
    tx.withCommit(saving);
  }
}
