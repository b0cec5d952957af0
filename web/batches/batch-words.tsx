/** Labels of an import: its status and its results. */
import type { SyncBatch } from '../client/operations.ts';
import { StatusWord, type Tone } from '../components/words.tsx';

const tones: Readonly<Record<SyncBatch['status'], Tone>> = {
  queued: 'live',
  processing: 'live',
  completed: 'good',
  cancelled: 'quiet',
  failed: 'bad',
};

/** A completed import with rejected items says so. */
export function BatchStatus({
  batch: { status, counts, stillRejected },
}: {
  batch: Pick<SyncBatch, 'status' | 'counts' | 'stillRejected'>;
}) {
  if (status === 'completed' && counts.error > 0) {
    if (stillRejected === 0) return <StatusWord tone="quiet">errors fixed</StatusWord>;
    return <StatusWord tone={stillRejected === undefined ? 'warn' : 'bad'}>with errors</StatusWord>;
  }
  return <StatusWord tone={tones[status]}>{status}</StatusWord>;
}

export function isRunning({ status }: Pick<SyncBatch, 'status'>): boolean {
  return !['completed', 'cancelled', 'failed'].includes(status);
}

/** One word for one thing: an item is rejected, and an unchanged one is unchanged. */
export function resultText(result: string): string {
  if (result === 'error') return 'rejected';
  return result === 'skipped' ? 'unchanged' : result;
}

export function resultTone(result: string): Tone {
  if (result === 'error') return 'bad';
  return result === 'skipped' ? 'quiet' : result === 'created' ? 'good' : 'accent';
}
