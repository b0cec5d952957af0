/**
 * Makes runs that are due, in their order, until there are none or the turn's time is used up: together in the
 * transaction of the turn, and each with what it wrote behind a savepoint of its own.
 */
import type { Actor } from '../../actor.ts';
import { areas } from '../../areas.ts';
import type { Config } from '../../config.ts';
import { setActor } from '../../db/acting.ts';
import type { Tx } from '../../db/transaction.ts';
import type { MoverOf } from '../../entities/transition-entity.ts';
import { setCause } from '../../events/cause.ts';
import { scriptEnded } from '../../telemetry/signals.ts';
import type { ScriptPool, ScriptRuns } from '../conductor/script-pool.ts';
import type { ScriptError, ScriptResult } from '../sandbox/script-result.ts';
import { countChains, suppressedRuns } from './limit-chains.ts';
import { openScriptCalls, type ScriptCalls } from './open-script-calls.ts';
import type { DueRun, RunPlan } from './plan-runs.ts';
import { actingFor } from './run-caller.ts';
import { type MadeRun, saveRuns } from './save-runs.ts';
import { traceRuns } from './trace-runs.ts';

export interface RunsWorker {
  config: Config;
  scripts: ScriptPool;
  moverOf: MoverOf;
}

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
  /** The time that the scripts took, without their waiting for a thread. */
  scriptMs: number;
  /** The CPU time that they used in it. */
  cpuMs: number;
}

/** Runs that go to a thread together: they belong to one workspace and share an instance of the engine. */
const TOGETHER_MAX = 64;
/** A turn that has taken so many times its time is cut short in the middle of what goes to a thread together. */
const OVERRUN = 2;

export async function performRuns(
  tx: Tx,
  { runs: due, chains }: Pick<RunPlan, 'runs' | 'chains'>,
  worker: RunsWorker,
  limits: TurnLimits,
): Promise<Performed> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const takeNext = async (): Promise<DueRun | null> => {
    const step = await due.next();
    return step.done === true ? null : step.value;
  };
  let next = await takeNext();
  let runs = 0;
  let scriptMs = 0;
  let cpuMs = 0;
  let together = limits.firstRuns;
  while (next !== null && runs < limits.runs) {
    const portion: DueRun[] = [];
    for (; next !== null && portion.length < together; next = await takeNext()) portion.push(next);
    const portionAt = elapsed();
    const made = await performPortion(tx, portion, chains, worker, () => elapsed() > limits.ms * OVERRUN);
    runs += made.length;
    for (const { result } of made) {
      scriptMs += result?.durationMs ?? 0;
      cpuMs += result?.cpuMs ?? 0;
    }
    const undone = portion[made.length];
    if (undone !== undefined) return { next: undone, runs, scriptMs, cpuMs };
    const left = limits.ms - elapsed();
    if (left <= 0) break;
    const each = Math.max((elapsed() - portionAt) / made.length, 0.01);
    together = Math.max(1, Math.min(TOGETHER_MAX, limits.runs - runs, Math.floor(left / each)));
  }
  return { next, runs, scriptMs, cpuMs };
}

/**
 * Returns those that are made, from the first on. Where runs take much longer than those before them the
 * thread is taken away from the rest: they are not begun, or what they began is undone.
 */
async function performPortion(
  tx: Tx,
  portion: readonly DueRun[],
  chains: Map<string, number>,
  { config, scripts, moverOf }: RunsWorker,
  isLate: () => boolean,
): Promise<MadeRun[]> {
  const suppressed = suppressedRuns(portion, chains, config);
  const live = portion.filter((run) => !suppressed.has(run));
  const made = new Map<DueRun, MadeRun>();
  const late = new AbortController();
  const calls = new Map<DueRun, ScriptCalls>();
  const causeBy = (run: DueRun) =>
    setCause(tx, { runId: run.id, depth: run.row.depth + 1, rootId: run.row.root_id });
  const callsOf = (run: DueRun): ScriptCalls => {
    const { automation, caller, context, id: runId } = run;
    const { id: automationId, name } = automation;
    const actor: Actor =
      caller === null ? { type: 'automation', id: automationId, name } : actingFor(automation, caller);
    const rights = caller?.areas ?? areas;
    const opened =
      calls.get(run) ??
      openScriptCalls({
        tx,
        actor,
        mover: moverOf(actor),
        areas: rights,
        automationId,
        config,
        context,
        runId,
      });
    calls.set(run, opened);
    setActor(tx, actor.id);
    causeBy(run);
    return opened;
  };
  const runAt = (at: number) => live[at] as DueRun;
  const trace = traceRuns(tx, live);
  const job: ScriptRuns = {
    runs: live.map((run) => ({
      source: run.automation.script,
      context: run.context,
      now: new Date(run.event.at),
      // The same event gives the same run again, whichever attempt it is.
      seed: `${run.event.id} ${run.event.index} ${run.automation.id}`,
    })),
    hostCalls: (at) => (method, args, signal) =>
      trace.around(() => callsOf(runAt(at)).call(method, args, signal)),
    onResult: async (at, result) => {
      const run = runAt(at);
      const own = calls.get(run);
      calls.delete(run);
      if (own !== undefined) causeBy(run);
      await trace.around(async () => (result.ok ? own?.keep() : own?.undo()));
      setCause(tx, null);
      const status = result.ok ? 'succeeded' : 'failed';
      trace.end(outcomeOf(result));
      scriptEnded.send(() => ({ outcome: outcomeOf(result), seconds: result.durationMs / 1000 }));
      const changes = own?.changes ?? [];
      made.set(run, { run, status, result, error: result.error, changes, finishedAt: new Date() });
      if (made.size < live.length && isLate()) late.abort();
    },
    signal: late.signal,
  };
  try {
    if (live.length > 0) await scripts.runScripts(job);
  } catch (error) {
    if (!late.signal.aborted || error !== late.signal.reason) throw error;
    for (const begun of calls.values()) await begun.undo();
    setCause(tx, null);
  } finally {
    trace.close();
  }
  const first = portion.findIndex((run) => !suppressed.has(run) && !made.has(run));
  const done = first < 0 ? portion : portion.slice(0, first);
  const saved = done.flatMap((run): MadeRun[] => {
    const error = suppressed.get(run);
    if (error !== undefined) return [{ ...withoutRun(run, error), status: 'suppressed' }];
    const one = made.get(run);
    return one === undefined ? [] : [one];
  });
  await saveRuns(tx, saved);
  await countChains(
    tx,
    done.filter((run) => made.has(run)),
    chains,
  );
  return saved;
}

/** Tells runs that a limit ended from runs that failed by themselves. */
function outcomeOf({ ok, error }: ScriptResult): 'succeeded' | 'failed' | 'killed' {
  if (ok) return 'succeeded';
  return error?.kind === 'timeout' || error?.kind === 'memory' ? 'killed' : 'failed';
}

/** A run that was not made, and why. */
export function withoutRun(run: DueRun, error: ScriptError): MadeRun {
  return { run, status: 'failed', result: null, error, changes: [], finishedAt: new Date() };
}
