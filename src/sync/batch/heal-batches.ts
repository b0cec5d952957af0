/**
 * Announces again what is accepted in PostgreSQL and may be missing from the queue, and sweeps up bodies
 * that never arrived whole. Losing Redis loses nothing: at worst it costs one period of this.
 */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import { headsOfArrived, idleHeadsOfLine, sweepReceiving } from '../chunk/batch.sql.ts';
import type { SyncWorker } from './advance-batch.ts';

const ARRIVALS_MS = 1000;
/** Longer than a worker may be away while another one starts. */
const ARRIVED_SECONDS = 60;

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

/** Announces batches of workspaces that were moved here or stay after all, once for each move. */
async function announceArrived({ db, queues }: Pick<SyncWorker, 'db' | 'queues'>): Promise<void> {
  const heads = await inTransaction(
    db,
    'instance',
    (tx) =>
      tx.query<{ workspace_id: string; id: string; arrival: string }>(headsOfArrived, [ARRIVED_SECONDS]),
    { glance: true },
  );
  for (const { workspace_id: workspaceId, id: batchId, arrival } of heads)
    await queues.announce(
      'sync.advance',
      { workspaceId, batchId },
      { jobId: `arrived-${batchId}-${arrival}` },
    );
}

/** Heals at once, because the worker before may have died of it, and then every SYNC_HEAL_SECONDS until `close`. */
export function startHealing(worker: SyncWorker): PeriodicLoop {
  const periodMs = worker.config.SYNC_HEAL_SECONDS * 1000;
  let isFirst = true;
  const arrivals = startPeriodic({
    periodMs: ARRIVALS_MS,
    first: 'at random',
    run: () => announceArrived(worker),
    failure: { log: worker.log, message: 'batches of workspaces that were moved have to wait' },
  });
  const healing = startPeriodic({
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
  return {
    close: async () => {
      await Promise.all([arrivals.close(), healing.close()]);
    },
  };
}
