/**
 * Announces again what is accepted in PostgreSQL and may be missing from the queue, and sweeps up bodies
 * that never arrived whole. Losing Redis loses nothing: at worst it costs one period of this.
 */
import { inTransaction } from '../db/transaction.ts';
import type { SyncWorker } from './advance-batch.ts';
import { allHeadsOfLine, sweepReceiving } from './batch.sql.ts';

const PERIOD_MS = 30_000;

/** Announces the first batch in line of every workspace; returns how many. */
export async function healBatches({
  db,
  queues,
  config,
}: Pick<SyncWorker, 'db' | 'queues' | 'config'>): Promise<number> {
  const heads = await inTransaction(db, 'instance', async (tx) => {
    await tx.query(sweepReceiving, [2 * config.REQUEST_TIMEOUT_SECONDS]);
    return tx.query<{ workspace_id: string; id: string }>(allHeadsOfLine);
  });
  for (const { workspace_id: workspaceId, id: batchId } of heads) {
    await queues.announce('sync.advance', { workspaceId, batchId }, { jobId: `heal-${batchId}-${period()}` });
  }
  return heads.length;
}

/** Several workers heal in turn: one announcement a batch and period is enough. */
function period(): number {
  return Math.floor(Date.now() / PERIOD_MS);
}

/** Heals at once and then every half minute until `close`. */
export function startHealing(worker: SyncWorker): { close(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const heal = () => {
    running = healBatches(worker).catch((error: unknown) => {
      worker.log.warn({ err: error }, 'healing has to wait');
    });
  };
  heal();
  const timer = setInterval(heal, PERIOD_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
