/** Words for a batch, as in the web app. JSON output has the words of the API. */
import type { SyncBatch } from '../typescript/generated/types.ts';
import { countOf } from './count-of.ts';
import { plain, shown } from './output.ts';

/** Names a completed batch with errors, and one whose rejected elements were all accepted later. */
export function stateWord({
  status,
  counts,
  stillRejected,
}: Pick<SyncBatch, 'status' | 'counts' | 'stillRejected'>): string {
  if (status !== 'completed' || counts.error === 0) return status;
  return stillRejected === 0 ? 'errors fixed' : 'with errors';
}

/** Describes a batch that has ended, in one line. */
export function outcomeText(batch: Pick<SyncBatch, 'status' | 'counts'>): string {
  const { created, updated, skipped, error, warnings } = batch.counts;
  const warned = warnings === 0 ? '' : `, ${countOf(warnings, 'warning')}`;
  return `${stateWord(batch)}: ${created} created, ${updated} updated, ${skipped} skipped, ${countOf(error, 'error')}${warned}`;
}

/** Says who cancelled a batch, and why, because the sender may not know. */
export function cancelledBy(cancellation: NonNullable<SyncBatch['cancellation']>): string {
  return `It was cancelled ${whoCancelled(cancellation)}\nWhat was done stays; the rest is not taken up again: send it anew.`;
}

export function whoCancelled({ by, reason }: NonNullable<SyncBatch['cancellation']>): string {
  const who = by.type === 'operator' ? 'the operator of the installation' : `the key "${shown(by.name)}"`;
  return `by ${who}${reason === null ? '.' : `: ${plain(reason)}`}`;
}
