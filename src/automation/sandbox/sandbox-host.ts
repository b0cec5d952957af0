/** The input of a run and the host that it calls. */
import type { Outcome, ScriptLog } from './script-result.ts';

export interface ScriptInput {
  source: string;
  /** JSON text; becomes `context`. */
  contextJson: string;
  /** The present time of `Date`, in milliseconds since 1970. */
  nowMs: number;
  /** Any text; the same text gives the same `Math.random`. */
  seed: string;
}

/**
 * Answer to a host call: JSON text ('' for undefined), or a refusal that the script can catch. `writes`: what the call wrote is locked
 * until all runs of the task have ended.
 */
export type HostAnswer =
  | { ok: true; json: string; writes: boolean }
  | { ok: false; code: string; message: string };

export interface SandboxHost {
  /** Whether this run, or one before it in its task, keeps others waiting by what it wrote, and has not computed for long since. */
  readonly isHurried: boolean;
  log(entry: ScriptLog): void;
  /** Rejects only when the run shall end without an outcome: `evaluateScript` then rejects with the same. */
  call(method: string, argsJson: string, line: number | null): Promise<HostAnswer>;
}

export interface Evaluation {
  outcome: Outcome;
  /** Whether the instance may serve another run of the same workspace: nothing abnormal happened in this one. */
  reusable: boolean;
}
