/**
 * The end of an import, once: in the transaction that ends the batch, or accepts one that has nothing in it. *Import completed* is for
 * every completed one, *import not clean* for one that failed, was cancelled, or has errors.
 */
import type { Tx } from '../db/transaction.ts';
import { listeningSlugs, recordEvents } from './record-events.ts';

export interface EndedImport {
  batchId: string;
  profileName: string;
  counts: { created: number; updated: number; error: number };
  status?: 'completed' | 'cancelled' | 'failed';
  /** Why it failed. */
  failure?: { code: string; message: string } | null;
}

export async function recordImportEnded(
  tx: Tx,
  { batchId, profileName, counts, status = 'completed', failure = null }: EndedImport,
): Promise<void> {
  const isCompleted = status === 'completed';
  const isClean = isCompleted && counts.error === 0;
  const [ofCompleted, ofNotClean] = await listeningSlugs(tx, ['importCompleted', 'importNotClean']);
  const event = {
    batchId,
    profileName,
    insertCount: counts.created,
    updateCount: counts.updated,
    errorCount: counts.error,
  };
  if (isCompleted && ofCompleted != null)
    await recordEvents(tx, 'importCompleted', [{ ...event, workspaceSlug: ofCompleted }]);
  if (!isClean && ofNotClean != null) {
    const shown = failure === null ? null : { code: failure.code, message: failure.message };
    await recordEvents(tx, 'importNotClean', [
      { ...event, status, failure: shown, workspaceSlug: ofNotClean },
    ]);
  }
}
