/**
 * Keeps what the planner believes within what is safe (see the migration on planner statistics): tables that were counted
 * at an unlucky moment are taken for unknown ones again, before the next batch is planned by it.
 */
import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../start-periodic.ts';

const PERIOD_MS = 5_000;

/** Returns how many tables there was something to settle of. */
export function settleStatistics(db: Db): Promise<number> {
  return inTransaction(db, 'instance', async (tx) => {
    const [row] = await tx.query<{ settled: number }>('select settle_statistics() as settled');
    return row?.settled ?? 0;
  });
}

export function startSettling(db: Db, log: Pick<Logger, 'warn'>): PeriodicLoop {
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at random',
    run: () => settleStatistics(db),
    failure: { log, message: 'statistics have to wait' },
  });
}
