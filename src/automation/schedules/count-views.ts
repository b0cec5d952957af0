/**
 * Counts the views of thresholds about once a minute, and runs an automation when the count crosses its threshold. The count, the crossing,
 * the run and the time of the next count commit together. A pass counts one view of each workspace, so that many costly views of one
 * do not delay the others. The views of one workspace together are counted for at most a share of the time (`CountingTime`), so that they
 * cannot keep a connection busy.
 */
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { workInTurn } from '../../db/turns/work-in-turn.ts';
import { countView } from '../../entities/views/count-view.ts';
import { AppError } from '../../errors.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import { forgetCrossings, insertCrossings, selectCrossings } from '../crossings.sql.ts';
import { queueRun } from '../runs/queue-run.ts';
import { isBeyond, type Threshold, type ThresholdStatus } from '../threshold.schema.ts';
import type { Scheduling } from './fire-schedules.ts';
import { lockDueView, selectDueViews, setCounted } from './schedules.sql.ts';

const PERIOD_MS = 1000;
const WORKSPACES_MAX = 100;
/** Between two counts of a view. */
const COUNT_SECONDS_MIN = 60;
/** A view is counted for at most this share of the time. */
const COUNT_SHARE = 0.01;
/** All views of a workspace together are counted for at most this share of the time of a process. */
const WORKSPACE_SHARE = 0.05;
/** A workspace may use the share of so much time at once. */
const BURST_MS = 2000;

interface DueRow {
  workspace_id: string;
  id: string;
}

interface LockedRow {
  script_version: number;
  threshold: Threshold;
  slug: string;
  now: string;
}

/** Says which workspaces have used their share of the time for counting views. */
export class CountingTime {
  readonly #now: () => number;
  /** The time at which each workspace will have earned the time that it has used. */
  readonly #paidAt = new Map<string, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  charge(workspaceId: string, ms: number): void {
    const now = this.#now();
    this.#paidAt.set(workspaceId, Math.max(now, this.#paidAt.get(workspaceId) ?? now) + ms / WORKSPACE_SHARE);
  }

  /** The workspaces that wait before their next count. */
  waiting(): string[] {
    const now = this.#now();
    for (const [workspaceId, paidAt] of this.#paidAt) if (paidAt <= now) this.#paidAt.delete(workspaceId);
    return [...this.#paidAt]
      .filter(([, paidAt]) => paidAt > now + BURST_MS)
      .map(([workspaceId]) => workspaceId);
  }
}

/** Returns how many views were counted. */
function countViews({ db, log }: Scheduling, time: CountingTime, signal: AbortSignal): Promise<number> {
  return workInTurn({
    db,
    log,
    signal,
    find: (tx) => tx.query<DueRow>(selectDueViews, [WORKSPACES_MAX, time.waiting()]),
    work: async ({ workspace_id: workspaceId, id }) => {
      const startedAt = performance.now();
      try {
        return await inTransaction(db, { workspaceId }, (tx) => count(tx, id));
      } finally {
        time.charge(workspaceId, performance.now() - startedAt);
      }
    },
    failure: 'the view of a threshold could not be counted',
  });
}

/** Returns how many views were counted. */
async function count(tx: Tx, id: string): Promise<number> {
  const [row] = await tx.query<LockedRow>(lockDueView, [tx.workspaceId, id]);
  const view = row?.threshold.view;
  if (row === undefined || view === undefined) return 0;
  const startedAt = performance.now();
  const [crossing] = await tx.query(selectCrossings, [tx.workspaceId, [id], [view]]);
  const wasCrossed = crossing !== undefined;
  const found = await tryCount(tx, row.threshold, wasCrossed);
  const status: ThresholdStatus = {
    count: found.count,
    isCrossed: found.isCrossed,
    at: new Date(row.now).toISOString(),
    error: found.error,
  };
  const seconds = Math.max(COUNT_SECONDS_MIN, (performance.now() - startedAt) / 1000 / COUNT_SHARE);
  await tx.query(setCounted, [tx.workspaceId, id, JSON.stringify(status), seconds]);
  if (found.isCrossed === wasCrossed) return 1;
  const change = found.isCrossed ? insertCrossings : forgetCrossings;
  await tx.query(change, [tx.workspaceId, [id], [view]]);
  if (!found.isCrossed) return 1;
  const { below = null, above = null } = row.threshold;
  const context = {
    entityId: null,
    entityNumber: null,
    automationId: id,
    viewId: view,
    viewName: found.name,
    figure: 'count',
    value: found.count,
    below,
    above,
    workspaceSlug: row.slug,
  };
  await queueRun(tx, {
    automationId: id,
    scriptVersion: row.script_version,
    contextType: 'thresholdCrossed',
    context,
  });
  return 1;
}

interface Found {
  name: string;
  count: number | null;
  isCrossed: boolean;
  error: string | null;
}

/** A view that cannot be counted changes nothing but the status. */
async function tryCount(tx: Tx, threshold: Threshold, wasCrossed: boolean): Promise<Found> {
  const failed = (error: string): Found => ({ name: '', count: null, isCrossed: wasCrossed, error });
  try {
    const { name, count: value, isAtLeast } = await countView(tx, threshold.view ?? '');
    const isCrossed = isBeyond(threshold, value, wasCrossed);
    // More entities leave a count above the threshold where it is.
    if (!isAtLeast || (threshold.above !== undefined && isCrossed))
      return { name, count: value, isCrossed, error: null };
    return failed(
      `The view ${JSON.stringify(name)} may have more entities than are counted. Narrow it down by category, or by a filterable property.`,
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return failed(
      error.code === 'view_not_found'
        ? 'The saved view was deleted, or shows another list. Choose another view.'
        : `The saved view cannot be counted. ${error.message}`,
    );
  }
}

export function startCountingViews(scheduling: Scheduling): PeriodicLoop {
  const time = new CountingTime();
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at once',
    run: (signal) => countViews(scheduling, time, signal),
    failure: { log: scheduling.log, message: 'views of thresholds have to wait' },
  });
}
