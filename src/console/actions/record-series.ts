/** Records the figures of the console's charts, every five minutes for the five minutes before. */
import type { Logger } from 'pino';
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import { pruneSeries, recordSeries } from './console.sql.ts';

export const PERIOD_SECONDS = 300;
/** Number of workspaces of each kind of work; over the days, some hundred thousand small rows at most. */
const WORKSPACES_MAX = 50;
const DAYS_KEPT = 7;
const PRUNED_MAX = 20_000;
const LOOK_MS = 60_000;

export async function recordPeriod(db: Db, now: Date): Promise<void> {
  const periodMs = PERIOD_SECONDS * 1000;
  const to = Math.floor(now.getTime() / periodMs) * periodMs;
  const [from, until] = [new Date(to - periodMs).toISOString(), new Date(to).toISOString()];
  await inTransaction(db, 'instance', async (tx) => {
    await tx.query(recordSeries, [from, until, WORKSPACES_MAX]);
    await tx.query(pruneSeries, [DAYS_KEPT, PRUNED_MAX]);
  });
}

export function startRecording(db: Db, log: Logger): PeriodicLoop {
  let recorded = 0;
  return startPeriodic({
    periodMs: LOOK_MS,
    first: 'at random',
    run: async () => {
      const period = Math.floor(Date.now() / (PERIOD_SECONDS * 1000));
      if (period === recorded) return;
      await recordPeriod(db, new Date());
      recorded = period;
    },
    failure: { log, message: 'the figures of the console could not be recorded' },
  });
}
