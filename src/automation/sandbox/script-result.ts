/** The result of a run in the thread: the test result (contract §5.3) without the changes, which the host knows. */

export type LogLevel = 'info' | 'warn' | 'error';

export interface ScriptLog {
  level: LogLevel;
  message: string;
  /** Line of the script that logged it, from 1. */
  line: number | null;
}

export type ScriptErrorKind = 'syntax' | 'runtime' | 'api' | 'timeout' | 'memory';

export interface ScriptError {
  kind: ScriptErrorKind;
  name: string;
  /** The code with which a call of `api` was refused. */
  code?: string;
  message: string;
  /** Line and column from 1; columns count UTF-16 code units, as editors do. Null where nobody knows. */
  line: number | null;
  column: number | null;
  /** The line with its neighbours and a caret below the column. */
  snippet: string | null;
  /** Frames of the script, its own positions, engine frames left out. */
  stack: string | null;
}

/** An entry of the trace of host calls. */
export interface ApiCall {
  method: string;
  line: number | null;
  ms: number;
  ok: boolean;
}

/** When each line of the log was written and each call was made, in milliseconds after the start. */
export interface RunTimes {
  logs: number[];
  calls: number[];
}

export interface ScriptResult {
  ok: boolean;
  /** The value that the script returned; null if it returned nothing or failed. */
  result: unknown;
  logs: ScriptLog[];
  error: ScriptError | null;
  apiCalls: ApiCall[];
  times: RunTimes;
  durationMs: number;
  cpuMs: number;
}

/** The thread's part of the result. The host, which outlives the thread, has the logs and the host calls already. */
export interface Outcome {
  resultJson: string | null;
  error: ScriptError | null;
  durationMs: number;
  cpuMs: number;
}

/** An error of a run that is not its script's, in the form of one. */
export function hostError(name: string, message: string): ScriptError {
  return { kind: 'runtime', name, message, line: null, column: null, snippet: null, stack: null };
}
