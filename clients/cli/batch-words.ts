/** What is said of a batch: the words that the web app has for it. JSON has what the service says. */
import type { SyncBatch } from '../typescript/generated/types.ts';
import { countOf } from './count-of.ts';
import { plain, shown } from './output.ts';

/** A batch that completed with errors in it did not end well for whoever looks. */
export function stateWord({ status, counts }: Pick<SyncBatch, 'status' | 'counts'>): string {
  return status === 'completed' && counts.error > 0 ? 'with errors' : status;
}

/** Of one that has ended, in a line. */
export function outcomeText(batch: Pick<SyncBatch, 'status' | 'counts'>): string {
  const { created, updated, skipped, error, warnings } = batch.counts;
  const warned = warnings === 0 ? '' : `, ${countOf(warnings, 'warning')}`;
  return `${stateWord(batch)}: ${created} created, ${updated} updated, ${skipped} skipped, ${countOf(error, 'error')}${warned}`;
}

/** Whoever sent it did not do that: who did, and why. */
export function cancelledBy(cancellation: NonNullable<SyncBatch['cancellation']>): string {
  return `It was cancelled ${whoCancelled(cancellation)}\nWhat was done stays; the rest is not taken up again: send it anew.`;
}

export function whoCancelled({ by, reason }: NonNullable<SyncBatch['cancellation']>): string {
  const who = by.type === 'operator' ? 'the operator of the installation' : `the key "${shown(by.name)}"`;
  return `by ${who}${reason === null ? '.' : `: ${plain(reason)}`}`;
}
