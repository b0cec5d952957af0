/**
 * Runs automations by the clock. What is due stands in PostgreSQL; the run and the next time commit together, so that each time runs once,
 * whatever is killed. Times that passed while no worker ran, or while the workspace was paused, are one run that says how many it missed.
 */
import type { Logger } from 'pino';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { workInTurn } from '../../db/turns/work-in-turn.ts';
import { listeningSlug } from '../../events/record-events.ts';
import { Slices } from '../../fairness/slices.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import { MISSED_MAX, nextRun, type Times } from '../next-run.ts';
import { queueRun } from '../runs/queue-run.ts';
import { lockDue, selectDue, setNextRun } from './schedules.sql.ts';

export interface Scheduling {
  db: Db;
  log: Pick<Logger, 'warn' | 'error'>;
}

const PERIOD_MS = 1000;
/** Schedules that one look takes. */
const DUE_MAX = 100;

interface DueRow {
  workspace_id: string;
  id: string;
}

interface LockedRow {
  name: string;
  script_version: number;
  schedule: Times;
  next_run_at: string;
  now: string;
}

/** Returns how many runs were queued. */
export function fireSchedules({ db, log }: Scheduling, signal: AbortSignal): Promise<number> {
  return workInTurn({
    db,
    log,
    signal,
    find: (tx) => tx.queryPrepared<DueRow>(selectDue, [DUE_MAX]),
    work: ({ workspace_id: workspaceId, id }) =>
      inTransaction(db, { workspaceId }, (tx) => fire(tx, id, log)),
    failure: 'a schedule could not be run',
  });
}

/** Returns how many runs were queued. */
async function fire(tx: Tx, id: string, log: Scheduling['log']): Promise<number> {
  const [row] = await tx.query<LockedRow>(lockDue, [tx.workspaceId, id]);
  if (row === undefined) return 0;
  const { name, schedule, script_version: scriptVersion } = row;
  const times = await timesUntil(tx, schedule, new Date(row.next_run_at), new Date(row.now)).catch(
    (error: unknown) => {
      log.error({ workspaceId: tx.workspaceId, automationId: id, err: error }, 'a schedule has no next run');
      return null;
    },
  );
  await tx.query(setNextRun, [tx.workspaceId, id, times?.next?.toISOString() ?? null]);
  const workspaceSlug = await listeningSlug(tx, 'schedule');
  const context = {
    schedule: name,
    scheduledAt: (times?.last ?? new Date(row.next_run_at)).toISOString(),
    timeZone: schedule.timeZone,
    missed: times?.missed ?? 0,
    workspaceSlug,
  };
  await queueRun(tx, { automationId: id, scriptVersion, contextType: 'schedule', context });
  return 1;
}

/** The last time that has passed, how many passed before it, and the next one. */
async function timesUntil(tx: Tx, schedule: Times, first: Date, now: Date) {
  const slices = new Slices(tx.gone);
  let last = first;
  let missed = 0;
  let next = nextRun(schedule, first);
  while (next !== null && next <= now) {
    if (missed >= MISSED_MAX) {
      next = nextRun(schedule, now);
      break;
    }
    missed += 1;
    last = next;
    next = nextRun(schedule, next);
    if (slices.areDue) await slices.next();
  }
  return { last, missed, next };
}

export function startSchedules(scheduling: Scheduling): PeriodicLoop {
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at once',
    run: (signal) => fireSchedules(scheduling, signal),
    failure: { log: scheduling.log, message: 'schedules have to wait' },
  });
}
