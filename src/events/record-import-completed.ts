/** *Import completed*, once: in the transaction that completes the batch, or accepts one that has nothing in it. */
import type { Tx } from '../db/transaction.ts';
import { listeningSlug, recordEvents } from './record-events.ts';

export interface CompletedImport {
  batchId: string;
  profileName: string;
  counts: { created: number; updated: number; error: number };
}

export async function recordImportCompleted(
  tx: Tx,
  { batchId, profileName, counts }: CompletedImport,
): Promise<void> {
  const workspaceSlug = await listeningSlug(tx, 'importCompleted');
  if (workspaceSlug === null) return;
  await recordEvents(tx, 'importCompleted', [
    {
      batchId,
      profileName,
      insertCount: counts.created,
      updateCount: counts.updated,
      errorCount: counts.error,
      workspaceSlug,
    },
  ]);
}
