/** Ends a batch that has nothing left to do, with its counts and, unless it was a dry run, its event. */
import type { Tx } from '../../db/transaction.ts';
import { recordImportEnded } from '../../events/record-import-ended.ts';
import { completeBatch as completeBatchSql, holdBatch } from './batch.sql.ts';
import { settleNumbers } from './settle-numbers.ts';
import { settlePlaces } from './settle-places.ts';
import { type BatchRef, pair } from './thread-context.ts';

/** Ends the batch. Returns its final status, or null when chunks are left or the batch had ended already. */
export async function completeBatch(tx: Tx, ref: BatchRef): Promise<'completed' | 'cancelled' | null> {
  const [ended] = await tx.query<{
    status: 'completed' | 'cancelled';
    dry_run: boolean;
    profile_name: string;
    counts: { created: number; updated: number; error: number };
  }>(completeBatchSql, pair(ref));
  if (ended === undefined) return null;
  const { status, dry_run, profile_name: profileName, counts } = ended;
  if (!dry_run) await recordImportEnded(tx, { ...ref, profileName, counts, status });
  return status;
}

/** Ends a batch of many chunks, as `completeBatch` does, when it is settled what they say of each other. */
export async function completeChunks(tx: Tx, ref: BatchRef): Promise<'completed' | 'cancelled' | null> {
  await tx.query(holdBatch, pair(ref));
  await settleNumbers(tx, ref);
  await settlePlaces(tx, ref);
  return completeBatch(tx, ref);
}
