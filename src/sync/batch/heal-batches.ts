/**
 * Announces again what is accepted in PostgreSQL and may be missing from the queue, and sweeps up bodies
 * that never arrived whole. Losing Redis loses nothing: at worst it costs one period of this.
 */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../../start-periodic.ts';
import { idleHeadsOfLine, sweepReceiving } from '../chunk/batch.sql.ts';
import type { SyncWorker } from './advance-batch.ts';

/**
 * Announces the first batch in line of every workspace that has not moved for so long, and returns how many.
 * Several workers heal in turn: within one `round` a batch is announced once.
 */
export async function healBatches(
  { db, queues, config }: Pick<SyncWorker, 'db' | 'queues' | 'config'>,
  round: string,
  idleSeconds: number,
): Promise<number> {
  const heads = await inTransaction(db, 'instance', async (tx) => {
    await tx.query(sweepReceiving, [2 * config.REQUEST_TIMEOUT_SECONDS]);
    return tx.query<{ workspace_id: string; id: string }>(idleHeadsOfLine, [idleSeconds]);
  });
  for (const { workspace_id: workspaceId, id: batchId } of heads) {
    await queues.announce('sync.advance', { workspaceId, batchId }, { jobId: `heal-${batchId}-${round}` });
  }
  return heads.length;
}

/** Heals at once, because the worker before may have died of it, and then every SYNC_HEAL_SECONDS until `close`. */
export function startHealing(worker: SyncWorker): PeriodicLoop {
  const periodMs = worker.config.SYNC_HEAL_SECONDS * 1000;
  let isFirst = true;
  return startPeriodic({
    periodMs,
    first: 'at once',
    run: async () => {
      const round = isFirst ? randomUUID() : String(Math.floor(Date.now() / periodMs));
      const idleSeconds = isFirst ? 0 : worker.config.SYNC_HEAL_SECONDS;
      isFirst = false;
      await healBatches(worker, round, idleSeconds);
    },
    failure: { log: worker.log, message: 'healing has to wait' },
  });
}
