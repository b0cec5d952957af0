/**
 * Computes the planning runs of all workspaces in a thread of the worker, one of each workspace in turn. PostgreSQL has all of their state:
 * each worker looks for what is left every second, after a crash too.
 */
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { Piscina } from 'piscina';
import { type Config, threadNice, wireOf } from '../../config.ts';
import type { Db, DbOptions } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { workInTurn } from '../../db/turns/work-in-turn.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import type { PlanningLimits, RunRef } from './plan-workspace.ts';
import { beginRun, selectFirstRuns, selectRun, tryLockPlanning } from './planning-runs.sql.ts';
import { endPlanningRun } from './record-run-ended.ts';

const PERIOD_MS = 1000;
const WORKSPACES_MAX = 1000;
const ATTEMPTS_MAX = 5;
/** How often it is looked whether the run was cancelled. */
const WATCH_MS = 1000;
const THREAD_IDLE_MS = 1000;
/** Each run has a bound of its own; a timer holds no more. */
const RUN_MS_MAX = 2 ** 31 - 1;

export interface PlanningTask {
  ref: RunRef;
}

export interface PlanningThreadOptions extends Pick<DbOptions, 'url' | 'applicationName' | 'poolMax'> {
  wire: NonNullable<DbOptions['wire']>;
  limits: PlanningLimits;
}

export interface Planning {
  db: Db;
  databaseUrl: string;
  config: Config;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** The thread; it starts with the first run, and ends soon after the last. */
export function openPlanningThread({ databaseUrl: url, config }: Planning): Piscina<PlanningTask, void> {
  const thread = new Piscina<PlanningTask, void>({
    filename: fileURLToPath(new URL('../../../workers/plan.ts', import.meta.url)),
    workerData: {
      url,
      applicationName: 'partbook planning',
      poolMax: 2,
      wire: wireOf(config),
      limits: {
        itemsMax: config.PLANNING_ITEMS_MAX,
        linksMax: config.PLANNING_LINKS_MAX,
        actionsMax: config.PLANNING_ACTIONS_MAX,
        retentionDays: config.PLANNING_RETENTION_DAYS,
      },
    } satisfies PlanningThreadOptions,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: THREAD_IDLE_MS,
    atomics: 'disabled',
    niceIncrement: threadNice(config),
    resourceLimits: { maxOldGenerationSizeMb: config.PLANNING_THREAD_HEAP_MIB },
  });
  // An idle thread that ends: end-at-fault.ts logs it, and the next run gets another.
  thread.on('error', () => {});
  return thread;
}

export function startPlanning(planning: Planning): PeriodicLoop {
  const thread = openPlanningThread(planning);
  const loop = startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at random',
    run: (signal) => computeRuns(planning, thread, signal),
    runMsMax: RUN_MS_MAX,
    failure: { log: planning.log, message: 'planning runs have to wait' },
  });
  return {
    close: async () => {
      await loop.close();
      await thread.destroy();
    },
  };
}

/** Computes until nothing is left that no other worker does. */
export async function computeRuns(
  planning: Planning,
  thread: Piscina<PlanningTask, void>,
  signal?: AbortSignal,
): Promise<void> {
  await workInTurn({
    db: planning.db,
    log: planning.log,
    signal,
    find: (tx) => tx.query<{ workspace_id: string; id: string }>(selectFirstRuns, [WORKSPACES_MAX]),
    work: async ({ workspace_id: workspaceId, id }) =>
      (await computeRun(planning, thread, { ref: { workspaceId, id }, signal })) ? 1 : 0,
    failure: 'a planning run failed',
  });
}

/** Returns whether the run has ended. One that fails again and again ends with the reason, so that the next in line begins. */
async function computeRun(
  planning: Planning,
  thread: Piscina<PlanningTask, void>,
  { ref, signal }: { ref: RunRef; signal: AbortSignal | undefined },
): Promise<boolean> {
  const { db, config } = planning;
  const attempts = await begin(db, ref);
  if (attempts === null) return false;
  if (attempts > ATTEMPTS_MAX) {
    await fail(db, ref, 'internal_error', `It failed ${ATTEMPTS_MAX} times; the log says why.`);
    return true;
  }
  const seconds = config.PLANNING_RUN_SECONDS_MAX;
  const tooLong = AbortSignal.timeout(seconds * 1000);
  const ended = new AbortController();
  const watch = setInterval(() => {
    void endedMeanwhile(db, ref).then(
      (has) => has && ended.abort(),
      () => {},
    );
  }, WATCH_MS);
  try {
    const signals = [tooLong, ended.signal, ...(signal === undefined ? [] : [signal])];
    await thread.run({ ref }, { name: 'plan', signal: AbortSignal.any(signals) });
  } catch (error) {
    if (ended.signal.aborted) return true;
    if (signal?.aborted === true) return false;
    if (!tooLong.aborted) throw error;
    await fail(db, ref, 'planning_too_large', `It was not done after ${seconds} seconds.`);
    return true;
  } finally {
    clearInterval(watch);
  }
  return endedMeanwhile(db, ref);
}

/** Returns how often the run was begun; null if it has ended, or if another worker computes one of the workspace. */
function begin(db: Db, ref: RunRef): Promise<number | null> {
  return inTransaction(db, ref, async (tx) => {
    const [lock] = await tx.query<{ is_locked: boolean }>(tryLockPlanning, [tx.workspaceId]);
    if (lock?.is_locked !== true) return null;
    const [row] = await tx.query<{ attempts: number }>(beginRun, [tx.workspaceId, ref.id]);
    return row?.attempts ?? null;
  });
}

function endedMeanwhile(db: Db, ref: RunRef): Promise<boolean> {
  return inTransaction(
    db,
    ref,
    async (tx) => {
      const [run] = await tx.query<{ finished_at: string | null }>(selectRun, [tx.workspaceId, ref.id]);
      return run === undefined || run.finished_at !== null;
    },
    { readOnly: true },
  );
}

async function fail(db: Db, ref: RunRef, code: string, message: string): Promise<void> {
  await inTransaction(db, ref, (tx) => endPlanningRun(tx, ref.id, 'failed', { code, message }));
}
