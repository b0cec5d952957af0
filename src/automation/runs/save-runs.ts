/** Writes the results of runs, many in one statement. */
import { jsonPortions } from '../../db/json-portions.ts';
import type { Tx } from '../../db/transaction.ts';
import type { ScriptError, ScriptResult } from '../sandbox/script-result.ts';
import type { ScriptChange } from '../script-result.schema.ts';
import type { DueRun } from './plan-runs.ts';
import { finishQueued, insertRuns, insertRunsIfNew } from './run.sql.ts';

export interface MadeRun {
  run: DueRun;
  status: 'succeeded' | 'failed' | 'suppressed';
  /** It is null if the script did not run. */
  result: ScriptResult | null;
  error: ScriptError | null;
  changes: readonly ScriptChange[];
  finishedAt: Date;
}

/**
 * The run row is unique for each event, automation and attempt: where one is there already this throws, so that
 * nothing a run wrote can be committed twice. `ifNew` leaves it as it is: for runs that wrote nothing.
 */
export async function saveRuns(tx: Tx, made: readonly MadeRun[], { ifNew = false } = {}): Promise<void> {
  const fresh = made.filter(({ run }) => !run.queued).map((one) => rowOf(tx, one));
  const queued = made.filter(({ run }) => run.queued).map((one) => rowOf(tx, one));
  for (const { json } of jsonPortions(fresh)) await tx.query(ifNew ? insertRunsIfNew : insertRuns, [json]);
  for (const { json } of jsonPortions(queued)) await tx.query(finishQueued, [tx.workspaceId, json]);
}

/** Columns that are empty are absent: most runs log nothing and change nothing. */
function rowOf(tx: Tx, { run, status, result, error, changes, finishedAt }: MadeRun): object {
  const { row, automation, event } = run;
  const durationMs = result?.durationMs ?? 0;
  return {
    workspace_id: tx.workspaceId,
    id: run.id,
    automation_id: automation.id,
    script_version: automation.scriptVersion,
    event_id: event.id,
    event_index: event.index,
    attempt: run.attempt,
    context_type: run.contextType,
    context: run.context,
    event_at: event.at,
    status,
    depth: row.depth,
    cause_run_id: row.cause_run_id,
    ...(result?.result == null ? {} : { result: result.result }),
    ...(error === null ? {} : { error }),
    ...(result === null || result.logs.length === 0 ? {} : { logs: result.logs }),
    ...(result === null || result.apiCalls.length === 0 ? {} : { api_calls: result.apiCalls }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(result === null || result.logs.length + result.apiCalls.length === 0 ? {} : { times: result.times }),
    duration_ms: durationMs,
    cpu_ms: result?.cpuMs ?? 0,
    started_at: new Date(finishedAt.getTime() - durationMs).toISOString(),
    finished_at: finishedAt.toISOString(),
  };
}
