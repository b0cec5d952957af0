/**
 * Looks up what nobody counts: lines, backlogs, queues, connections. By its own clock and not when it is asked, so that
 * scrapes cost PostgreSQL and Redis nothing and are answered while both are away; the last look has its time beside it.
 */
import type { Logger } from 'pino';
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Reader } from '../../events/outbox.sql.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import type { Queues } from '../../queue/queues.ts';
import {
  selectClock,
  selectOldestDue,
  selectOldestSchedule,
  selectOldestUnread,
  selectSyncState,
} from './state.sql.ts';
import type { StateGauges } from './state-gauges.ts';

const PERIOD_MS = 15_000;
/** A look that takes longer is left: the server is away, and other metrics say so. */
const LOOK_MS_MAX = 10_000;
const CLOCK_SKEW_SECONDS_MAX = 60;
const readers: readonly Reader[] = ['automation', 'webhook'];

export interface Sampled {
  db: Db;
  queues: Queues;
  log: Logger;
  state: StateGauges;
}

export function startSampling(sampled: Sampled): PeriodicLoop[] {
  const { log, state, db } = sampled;
  const looked = (source: string, look: () => Promise<void>) =>
    startPeriodic({
      periodMs: PERIOD_MS,
      first: 'at once',
      runMsMax: LOOK_MS_MAX,
      isIncidental: true,
      run: async () => {
        await look();
        state.sampled.setToCurrentTime({ source });
      },
      failure: { log, message: `the metrics of the ${source} could not be looked up` },
    });
  state.pool.reset();
  return [
    looked('database', () => sampleDatabase(sampled)),
    looked('queues', () => sampleQueues(sampled)),
    startPeriodic({
      periodMs: 1_000,
      first: 'at once',
      isIncidental: true,
      failure: null,
      run: () => {
        const { open, idle, waiting } = db.connections();
        state.pool.set({ state: 'idle' }, idle);
        state.pool.set({ state: 'used' }, open - idle);
        state.poolWaiting.set(waiting);
      },
    }),
  ];
}

async function sampleDatabase({ db, log, state }: Sampled): Promise<void> {
  await inTransaction(
    db,
    'instance',
    async (tx) => {
      const before = Date.now();
      const [clock] = await tx.query<{ now: number }>(selectClock);
      const skew = (clock?.now ?? 0) - (before + Date.now()) / 2000;
      state.clockSkew.set(skew);
      if (Math.abs(skew) > CLOCK_SKEW_SECONDS_MAX)
        log.warn({ seconds: Math.round(skew) }, 'the clock of PostgreSQL and that of this process differ');
      const [sync] = await tx.query<{ idle: number; unfinished: number }>(selectSyncState);
      state.syncOldestIdle.set(sync?.idle ?? 0);
      state.syncUnfinished.set(sync?.unfinished ?? 0);
      for (const reader of readers) {
        const [unread] = await tx.query<{ age: number }>(selectOldestUnread(reader));
        state.outboxOldest.set({ reader }, unread?.age ?? 0);
      }
      const [due] = await tx.query<{ age: number }>(selectOldestDue);
      state.webhookOldestDue.set(due?.age ?? 0);
      const [schedule] = await tx.query<{ age: number }>(selectOldestSchedule);
      state.scheduleOldestDue.set(schedule?.age ?? 0);
    },
    { readOnly: true },
  );
}

async function sampleQueues({ queues, state }: Sampled): Promise<void> {
  for (const [queue, one] of Object.entries(queues.byName)) {
    const counts = await one.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
    for (const [name, jobs] of Object.entries(counts)) state.queueJobs.set({ queue, state: name }, jobs);
    const [oldest] = await one.getJobs(['waiting'], 0, 0, true);
    state.queueOldest.set({ queue }, oldest === undefined ? 0 : (Date.now() - oldest.timestamp) / 1000);
  }
}
