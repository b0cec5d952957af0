/**
 * Says when the clock of PostgreSQL is behind its ledger. It was ahead then and has been set back: entries of positions that
 * moved meanwhile are dated one microsecond after the other until it has caught up, and what is asked for as of a time in
 * between is wrong that long. Nobody sees it in the entries alone.
 */
import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../process/start-periodic.ts';
import { ledgerAhead } from '../telemetry/signals.ts';
import { selectAhead } from './watch-clock.sql.ts';

export interface ClockWatchOptions {
  db: Db;
  log: Pick<Logger, 'warn'>;
}

const PERIOD_MS = 60_000;
/** Less is what transactions of one moment need to be dated one after the other. */
const SECONDS_TOLD = 1;

/** Returns how many seconds the newest entry of all ledgers is ahead of the clock; 0 if none is. */
export async function readLedgerAhead(db: Db): Promise<number> {
  const [row] = await inTransaction(db, 'instance', (tx) => tx.query<{ seconds: number }>(selectAhead), {
    readOnly: true,
  });
  return row?.seconds ?? 0;
}

export function startClockWatch({ db, log }: ClockWatchOptions): PeriodicLoop {
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at once',
    run: async () => {
      const seconds = await readLedgerAhead(db);
      ledgerAhead.send(() => ({ seconds }));
      if (seconds > SECONDS_TOLD)
        log.warn(
          { seconds: Math.round(seconds) },
          'the clock of PostgreSQL is behind its ledger: it was set back',
        );
    },
    failure: { log, message: 'the clock of the ledger could not be looked at' },
  });
}
