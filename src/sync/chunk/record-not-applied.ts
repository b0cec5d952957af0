/** Records the event of a batch that was cancelled or has failed, with the counts of what it wrote. */
import type { Tx } from '../../db/transaction.ts';
import { listeningSlug } from '../../events/record-events.ts';
import { recordImportEnded } from '../../events/record-import-ended.ts';
import { selectWritten } from './record-not-applied.sql.ts';
import { type BatchRef, pair } from './thread-context.ts';

interface Written {
  dry_run: boolean;
  profile_name: string;
  created: number;
  updated: number;
  error: number;
}

export async function recordNotApplied(
  tx: Tx,
  ref: BatchRef,
  status: 'cancelled' | 'failed',
  failure: { code: string; message: string } | null = null,
): Promise<void> {
  if ((await listeningSlug(tx, 'importNotClean')) === null) return;
  const [written] = await tx.query<Written>(selectWritten, pair(ref));
  if (written === undefined || written.dry_run) return;
  const { profile_name: profileName, created, updated, error } = written;
  await recordImportEnded(tx, { ...ref, profileName, counts: { created, updated, error }, status, failure });
}
