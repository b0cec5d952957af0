/** Ends a batch whose chunks are all done, with its counts and, unless it was a dry run, its event. */
import type { Tx } from '../db/transaction.ts';
import { completeBatch as completeBatchSql } from './batch.sql.ts';
import { recordImportCompleted } from './record-changes.ts';
import type { BatchRef } from './thread-context.ts';

/** Whether the batch has been completed just now; false when chunks are left or it had ended already. */
export async function completeBatch(tx: Tx, ref: BatchRef): Promise<boolean> {
  const [ended] = await tx.query<{
    dry_run: boolean;
    profile_name: string;
    counts: { created: number; updated: number; error: number };
  }>(completeBatchSql, [ref.workspaceId, ref.batchId]);
  if (ended === undefined) return false;
  if (!ended.dry_run) await recordImportCompleted(tx, ref, ended);
  return true;
}
