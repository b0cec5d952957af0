/**
 * Decides which runs are not made. Automations that trigger one another end after so many runs in a row, and after so many from one
 * cause altogether, because each run can cause many events. A run for a caller that has ended is not made either.
 */
import type { Config } from '../../config.ts';
import type { Tx } from '../../db/transaction.ts';
import { countChainRuns } from '../../events/outbox.sql.ts';
import { hostError, type ScriptError } from '../sandbox/script-result.ts';
import type { DueRun } from './plan-runs.ts';
import { faultOf } from './run-caller.ts';

export type ChainLimits = Pick<Config, 'AUTOMATION_CHAIN_MAX' | 'AUTOMATION_CHAIN_RUNS_MAX'>;

/** Returns the runs that must not be made, with the reason. `chains` has the number of runs that each root has led to so far. */
export function suppressedRuns(
  runs: readonly DueRun[],
  chains: ReadonlyMap<string, number>,
  { AUTOMATION_CHAIN_MAX: inARowMax, AUTOMATION_CHAIN_RUNS_MAX: runsMax }: ChainLimits,
): Map<DueRun, ScriptError> {
  const suppressed = new Map<DueRun, ScriptError>();
  const led = new Map(chains);
  for (const run of runs) {
    const fault = run.caller === null ? null : faultOf(run.caller);
    if (fault !== null) suppressed.set(run, hostError('CallerEndedError', fault.message));
    const { depth, root_id: root } = run.row;
    if (depth === 0) continue;
    const before = led.get(root) ?? 0;
    if (depth >= inARowMax) suppressed.set(run, chainError(`${inARowMax} times in a row`));
    else if (before >= runsMax) suppressed.set(run, chainError(`${runsMax} times from one cause`));
    else led.set(root, before + 1);
  }
  return suppressed;
}

/** Adds runs that were made to their chains, here and in the database. */
export async function countChains(
  tx: Tx,
  made: readonly DueRun[],
  chains: Map<string, number>,
): Promise<void> {
  const roots = Map.groupBy(
    made.filter((run) => run.row.depth > 0),
    (run) => run.row.root_id,
  );
  if (roots.size === 0) return;
  const added = [...roots].map(([root, runs]) => [root, runs.length] as const);
  await tx.query(countChainRuns, [
    tx.workspaceId,
    added.map(([root]) => root),
    added.map(([, runs]) => runs),
  ]);
  for (const [root, runs] of added) chains.set(root, (chains.get(root) ?? 0) + runs);
}

function chainError(times: string): ScriptError {
  return hostError(
    'ChainLimitError',
    `Automations have set one another off ${times}: this run was not made. Its chain shows by what.`,
  );
}
