/** Tells listeners that a planning run has ended, once: in the transaction that ends it. */
import type { Tx } from '../../db/transaction.ts';
import { causeOf, setCause } from '../../events/cause.ts';
import { listeningSlug, recordEvents } from '../../events/record-events.ts';
import { type RunRow, showRun } from './find-run.ts';
import { endRun } from './planning-runs.sql.ts';

/** Ends a run that has not ended, and returns it; null if it has. */
export async function endPlanningRun(
  tx: Tx,
  id: string,
  status: 'cancelled' | 'failed',
  failure: RunRow['failure'] = null,
): Promise<RunRow | null> {
  const stored = failure === null ? null : JSON.stringify(failure);
  const [row] = await tx.query<RunRow>(endRun, [tx.workspaceId, id, status, stored]);
  if (row === undefined) return null;
  await recordRunEnded(tx, row);
  return row;
}

/** An event of a run that an automation has started counts in the limits of its chain. */
export async function recordRunEnded(tx: Tx, row: RunRow): Promise<void> {
  const workspaceSlug = await listeningSlug(tx, 'planningFinished');
  if (workspaceSlug === null) return;
  const { id, status, isWhatIf, day, actions, exceptions, isTruncated, failure } = showRun(row);
  const event = {
    planningRunId: id,
    status,
    isWhatIf,
    day,
    actions,
    exceptions,
    isTruncated,
    failure,
    workspaceSlug,
  };
  const before = causeOf(tx);
  const { cause_run_id: runId, cause_root_id: rootId, depth } = row;
  setCause(tx, runId === null || rootId === null ? null : { runId, rootId, depth });
  await recordEvents(tx, 'planningFinished', [event], { actorId: row.actor_id });
  setCause(tx, before);
}
