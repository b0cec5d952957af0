/** The table of contents of the background: every job of the catalogue and what handles it. */
import type { Handlers } from './queue/queues.ts';
import { advanceBatch, type SyncWorker } from './sync/advance-batch.ts';

export function handlersOf(worker: SyncWorker): Handlers {
  return {
    'sync.advance': (data) => advanceBatch(worker, data),
  };
}
