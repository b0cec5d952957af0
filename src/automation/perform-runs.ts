/**
 * Makes runs that are due, in their order, until there are none or the turn's time is used up: together in the
 * transaction of the turn, and each with what it wrote behind a savepoint of its own.
 */
import type { Config } from '../config.ts';
import type { Tx } from '../db/transaction.ts';
import { setCause } from '../events/cause.ts';
import { openScriptCalls, type ScriptCalls } from './open-script-calls.ts';
import type { DueRun } from './plan-runs.ts';
import type { ScriptError } from './sandbox/script-result.ts';
import { type MadeRun, saveRuns } from './save-runs.ts';
import type { ScriptPool } from './script-pool.ts';

export interface TurnLimits {
  ms: number;
  runs: number;
  /** How many runs go to a thread together at first; then as many as the time left is good for. */
  firstRuns: number;
}

export interface Performed {
  /** The first run that was not made; null when there is none left. */
  next: DueRun | null;
  runs: number;
  ms: number;
}

/** Of one workspace, they share an instance of the engine; a thread has its own share of time in between. */
const TOGETHER_MAX = 64;

export async function performRuns(
  tx: Tx,
  due: Iterator<DueRun>,
  { config, scripts }: { config: Config; scripts: ScriptPool },
  limits: TurnLimits,
): Promise<Performed> {
  const startedAt = performance.now();
  let next = takeNext(due);
  let runs = 0;
  let together = limits.firstRuns;
  while (next !== null && runs < limits.runs) {
    const portion: DueRun[] = [];
    for (; next !== null && portion.length < together; next = takeNext(due)) portion.push(next);
    const portionAt = performance.now();
    await performPortion(tx, portion, config, scripts);
    runs += portion.length;
    const now = performance.now();
    const left = limits.ms - (now - startedAt);
    if (left <= 0) break;
    const each = Math.max((now - portionAt) / portion.length, 0.01);
    together = Math.max(1, Math.min(TOGETHER_MAX, limits.runs - runs, Math.floor(left / each)));
  }
  return { next, runs, ms: performance.now() - startedAt };
}

function takeNext(due: Iterator<DueRun>): DueRun | null {
  const step = due.next();
  return step.done === true ? null : step.value;
}

async function performPortion(
  tx: Tx,
  portion: readonly DueRun[],
  config: Config,
  scripts: ScriptPool,
): Promise<void> {
  const chainMax = config.AUTOMATION_CHAIN_MAX;
  const made: MadeRun[] = portion
    .filter((run) => run.row.depth >= chainMax)
    .map((run) => ({ ...withoutRun(run, chainError(chainMax)), status: 'suppressed' }));
  const live = portion.filter((run) => run.row.depth < chainMax);
  const calls = new Map<number, ScriptCalls>();
  const callsOf = (at: number): ScriptCalls => {
    const run = live[at] as DueRun;
    const known = calls.get(at);
    const { id, name } = run.automation;
    const opened = known ?? openScriptCalls({ tx, actor: { type: 'automation', id, name }, config });
    calls.set(at, opened);
    setCause(tx, { runId: run.id, depth: run.row.depth + 1 });
    return opened;
  };
  if (live.length > 0)
    await scripts.runScripts({
      runs: live.map((run) => ({
        source: run.automation.script,
        context: run.context,
        now: new Date(run.event.at),
        // The same event gives the same run again, whichever attempt it is.
        seed: `${run.event.id} ${run.event.index} ${run.automation.id}`,
      })),
      hostCalls: (at) => (method, args, signal) => callsOf(at).call(method, args, signal),
      onResult: async (at, result) => {
        const own = calls.get(at);
        if (result.ok) await own?.keep();
        else await own?.undo();
        calls.delete(at);
        setCause(tx, null);
        const { error } = result;
        const status = result.ok ? 'succeeded' : 'failed';
        const changes = own?.changes ?? [];
        made.push({ run: live[at] as DueRun, status, result, error, changes, finishedAt: new Date() });
      },
    });
  await saveRuns(tx, made);
}

/** A run that was not made, and why. */
export function withoutRun(run: DueRun, error: ScriptError): MadeRun {
  return { run, status: 'failed', result: null, error, changes: [], finishedAt: new Date() };
}

export function hostError(name: string, message: string): ScriptError {
  return { kind: 'runtime', name, message, line: null, column: null, snippet: null, stack: null };
}

function chainError(chainMax: number): ScriptError {
  return hostError(
    'ChainLimitError',
    `Automations have set one another off ${chainMax} times in a row: this run was not made. Its chain shows by what.`,
  );
}
