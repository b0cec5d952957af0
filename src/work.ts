/** The worker role: consumers, the threads behind them, and healing. */
import type { Resources } from './context.ts';
import { handlersOf } from './jobs.ts';
import { openConsumers } from './queue/queues.ts';
import { startHealing } from './sync/heal-batches.ts';
import { openSyncPool } from './sync/sync-pool.ts';

export interface RunningWorker {
  /** Takes no new job, lets those under way finish, and ends the threads. */
  close(): Promise<void>;
}

export function startWorker(resources: Resources): RunningWorker {
  const { config, log, db, databaseUrl, queues } = resources;
  const pool = openSyncPool(config, databaseUrl);
  const worker = { config, log, db, queues, pool };
  // One job more than threads: while chunks keep these busy, the next job's look at its batch need not wait.
  const consumers = openConsumers(queues.server, handlersOf(worker), { sync: config.SYNC_THREADS + 1 }, log);
  const healing = startHealing(worker);
  return {
    close: async () => {
      await healing.close();
      await consumers.close();
      await pool.close();
    },
  };
}
