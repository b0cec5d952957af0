/**
 * Deletes what has become old: payloads, results and rows of batches, runs, read events, deliveries, kept answers,
 * outdated search lines. It works in portions, so that nobody waits for it.
 */
import type { Logger } from 'pino';
import { pruneSignIns } from './access/persons/person.sql.ts';
import { pruneStrangers } from './access/provider/identity.sql.ts';
import { pruneSessions } from './access/sessions/session.sql.ts';
import { pruneMails } from './automation/mail/mail.sql.ts';
import { pruneRuns } from './automation/runs/run.sql.ts';
import { pruneBlobs } from './blobs/store-blob.ts';
import { pruneBulkEditResults, pruneBulkEdits } from './cleanup/bulk-edits/bulk-edits.sql.ts';
import { pruneInbox } from './collaboration/inbox/inbox.sql.ts';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import { type InstanceTx, inTransaction } from './db/transaction.ts';
import { dropAllStaleLines } from './entities/lists/drop-stale-lines.ts';
import { pruneChains, pruneOutbox } from './events/outbox.sql.ts';
import { pruneIdempotencyKeys } from './idempotency/idempotency-key.ts';
import { prunePlanningActions } from './planning/runs/planning-actions.sql.ts';
import { prunePlanningRuns } from './planning/runs/planning-runs.sql.ts';
import { type PeriodicLoop, startPeriodic } from './process/start-periodic.ts';
import { pruneCountTasks } from './stock/count-tasks/count-tasks.sql.ts';
import {
  forgetOldResults,
  pruneBatches,
  prunePayloads,
  pruneResults,
} from './sync/batch/control-batch.sql.ts';
import { pruneDeliveries } from './webhooks/webhook.sql.ts';

const PERIOD_MS = 600_000;
const ROWS_MAX = 5000;
/** Each can have hundreds of megabytes. */
const BATCHES_MAX = 100;
/** Rows of results, of up to some tens of kilobytes each. */
const RESULTS_MAX = 1000;
/** With up to 14 megabytes each. */
const BLOBS_MAX = 50;
/** With their chunks, of which a large one has thousands. */
const BARE_BATCHES_MAX = 10;
/** A clock that is further from ours is not believed: by one that is ahead everything would be old. */
const CLOCK_SECONDS_OFF_MAX = 3600;
/** Advisory lock that lets one process at a time delete. */
const RETENTION_LOCK = 7_278_623_002;

/** Deletion of one kind: a portion at a time, until one is not full. */
interface Prune {
  portion: number;
  prune(tx: InstanceTx): Promise<number>;
}

export interface RetentionOptions {
  db: Db;
  log: Logger;
  config: Config;
}

/**
 * Returns how many rows went; all that is old, however many portions that takes, unless it is told to end. What cannot go, because
 * somebody holds a lock on it for long, keeps nothing else: rows are passed over, and where that is no row each kind fails alone. Throws
 * when all others are done.
 */
export async function pruneOld(
  { db, config }: Pick<RetentionOptions, 'db' | 'config'>,
  signal?: AbortSignal,
): Promise<number> {
  const by = (sql: string, days: number, portion = ROWS_MAX) => ({
    portion,
    prune: async (tx: InstanceTx) => (await tx.query(sql, [days, portion])).length,
  });
  const prunes: Prune[] = [
    by(prunePayloads, config.SYNC_RETENTION_DAYS, BATCHES_MAX),
    by(forgetOldResults, config.SYNC_RESULT_RETENTION_DAYS, BATCHES_MAX),
    {
      portion: RESULTS_MAX,
      prune: async (tx: InstanceTx) => {
        const [piece] = await tx.query<{ rows: number }>(pruneResults, [RESULTS_MAX]);
        // The next batch may have some, however few this one had.
        return piece === undefined ? 0 : RESULTS_MAX;
      },
    },
    by(pruneBatches, config.SYNC_BATCH_RETENTION_DAYS, BARE_BATCHES_MAX),
    by(pruneBulkEditResults, config.BULK_EDIT_RETENTION_DAYS),
    by(pruneBulkEdits, config.BULK_EDIT_RETENTION_DAYS),
    by(prunePlanningActions, config.PLANNING_RETENTION_DAYS),
    by(prunePlanningRuns, config.PLANNING_RETENTION_DAYS),
    by(pruneRuns, config.AUTOMATION_RUN_RETENTION_DAYS),
    by(pruneMails, config.AUTOMATION_RUN_RETENTION_DAYS),
    by(pruneOutbox, config.OUTBOX_RETENTION_DAYS),
    by(pruneChains, config.OUTBOX_RETENTION_DAYS),
    by(pruneDeliveries, config.WEBHOOK_RETENTION_DAYS),
    by(pruneInbox, config.INBOX_RETENTION_DAYS),
    by(pruneCountTasks, config.COUNT_TASK_RETENTION_DAYS),
    {
      portion: ROWS_MAX,
      prune: async (tx: InstanceTx) => (await tx.query(pruneSessions, [ROWS_MAX])).length,
    },
    {
      portion: ROWS_MAX,
      prune: async (tx: InstanceTx) => (await tx.query(pruneSignIns, [ROWS_MAX])).length,
    },
    {
      portion: ROWS_MAX,
      prune: async (tx: InstanceTx) => (await tx.query(pruneStrangers, [ROWS_MAX])).length,
    },
    {
      portion: ROWS_MAX,
      prune: (tx: InstanceTx) => pruneIdempotencyKeys(tx, config.IDEMPOTENCY_RETENTION_DAYS, ROWS_MAX),
    },
    {
      portion: BLOBS_MAX,
      prune: (tx: InstanceTx) => pruneBlobs(tx, config.PICTURE_RETENTION_DAYS, BLOBS_MAX),
    },
  ];
  await requireClock(db);
  const kinds = [
    ...prunes.map((one) => () => pruneKind(db, one, signal)),
    () => dropAllStaleLines(db, signal),
  ];
  let total = 0;
  const failures: unknown[] = [];
  for (const kind of kinds) {
    if (signal?.aborted === true) break;
    try {
      total += await kind();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not all that is old could be removed');
  return total;
}

async function pruneKind(db: Db, { portion, prune }: Prune, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (let gone = portion; gone === portion; total += gone) {
    if (signal?.aborted === true) return total;
    gone = await inTransaction(db, 'instance', async (tx) => {
      const [lock] = await tx.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [
        RETENTION_LOCK,
      ]);
      return lock?.held === true ? prune(tx) : 0;
    });
  }
  return total;
}

/** Throws where the clocks of PostgreSQL and of this process differ too much to say what is old. */
async function requireClock(db: Db): Promise<void> {
  const [clock] = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ now: number }>('select extract(epoch from clock_timestamp())::float8 as now'),
  );
  const ahead = (clock?.now ?? 0) - Date.now() / 1000;
  if (Math.abs(ahead) > CLOCK_SECONDS_OFF_MAX)
    throw new Error(
      `The clock of PostgreSQL is ${Math.round(ahead)} seconds ahead of ours: nothing is removed by it`,
    );
}

export function startRetention(options: RetentionOptions): PeriodicLoop {
  const { log } = options;
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at random',
    run: async (signal) => {
      const rows = await pruneOld(options, signal);
      if (rows > 0) log.info({ rows }, 'pruned what was past its retention');
    },
    failure: { log, message: 'retention has to wait' },
  });
}
