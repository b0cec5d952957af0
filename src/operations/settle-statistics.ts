/**
 * Keeps what the planner believes of the tables within what they are: such as were counted at an unlucky moment, or have
 * outgrown what was counted, are taken for unknown ones, until PostgreSQL counts them by itself (docs/adr/0069-doubtful-counts-are-forgotten.md).
 */
import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../process/start-periodic.ts';

/** How long plans may be made by an outdated row count. A check costs PostgreSQL less than a millisecond. */
const PERIOD_MS = 2000;

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
    failure: { log, message: 'what is known of the tables could not be settled' },
  });
}
