/** Accepts planning runs, and cancels them. A worker computes them (run-planning.ts). */
import type { Actor } from '../../actor.ts';
import type { Config } from '../../config.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { causeOf } from '../../events/cause.ts';
import {
  type NewPlanningRun,
  type PlanningOptions,
  standardOptions,
} from '../options/planning-options.schema.ts';
import { checkOptions, workingDaysOf } from './check-options.ts';
import { findRun, type RunRow } from './find-run.ts';
import { countUnfinishedRuns, insertRun, lockUnfinishedRuns, shareQueuedRun } from './planning-runs.sql.ts';
import { endPlanningRun } from './record-run-ended.ts';

/** Throws `too_many_planning_runs` and what `checkOptions` throws. */
export async function acceptRun(
  tx: Tx,
  actor: Actor,
  given: NewPlanningRun,
  config: Config,
): Promise<RunRow> {
  const max = config.PLANNING_RUNS_UNFINISHED_MAX;
  await tx.query(lockUnfinishedRuns, [tx.workspaceId]);
  const [unfinished] = await tx.query<{ count: number }>(countUnfinishedRuns, [tx.workspaceId]);
  if ((unfinished?.count ?? 0) >= max)
    throw new AppError('too_many_planning_runs', {
      detail: `The workspace has ${max} planning runs that have not ended. Wait for one, or cancel it.`,
      extensions: { max },
    });
  const options = await checkOptions(tx, given);
  const cause = causeOf(tx);
  const [row] = await tx.query<RunRow>(insertRun, [
    tx.workspaceId,
    newId(),
    JSON.stringify(options),
    given.whatIf != null,
    actor.type,
    actor.id,
    actor.name,
    cause?.depth ?? 0,
    cause?.runId ?? null,
    cause?.rootId ?? null,
  ]);
  return row as RunRow;
}

/**
 * Returns a run with the same options that has not begun, or accepts one. The caller's transaction keeps such a run from beginning before it
 * ends, so that the run sees its changes, too. Throws as `acceptRun`.
 */
export async function acceptOrJoinRun(
  tx: Tx,
  actor: Actor,
  options: Omit<NewPlanningRun, 'whatIf' | 'scope'>,
  config: Config,
): Promise<{ row: RunRow; isNew: boolean }> {
  const stored: PlanningOptions = {
    ...standardOptions,
    ...options,
    ...(await workingDaysOf(tx, options)),
  };
  const [queued] = await tx.query<RunRow>(shareQueuedRun, [tx.workspaceId, JSON.stringify(stored)]);
  if (queued !== undefined) return { row: queued, isNew: false };
  return { row: await acceptRun(tx, actor, options, config), isNew: true };
}

/** Throws `planning_run_not_found`, `planning_run_finished`. */
export async function cancelRun(tx: Tx, id: string): Promise<RunRow> {
  const { status, finished_at: end } = await findRun(tx, id, { lock: true });
  if (end !== null)
    throw new AppError(
      'planning_run_finished',
      `Planning run ${id} is ${status}: there is nothing to cancel.`,
    );
  return (await endPlanningRun(tx, id, 'cancelled')) as RunRow;
}
