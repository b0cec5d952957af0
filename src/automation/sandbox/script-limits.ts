/** The limits of one run of a script. Reaching a limit ends the run with an error that names it; it is final. */

export interface ScriptLimits {
  /** Time the thread itself computes; waiting for the host costs none. Past it the run ends, by its thread if need be. */
  cpuMs: number;
  /** From start to end, waits included. The thread is killed `killGraceMs` after it. */
  wallMs: number;
  killGraceMs: number;
  /** The engine asks for no more than this; QuickJS then throws "out of memory". At least 16 MiB. */
  memoryBytes: number;
  /** Past this the run ends at the engine's next poll, while there is still room to say so. */
  memorySoftBytes: number;
  stackBytes: number;
  sourceBytes: number;
  logLines: number;
  logBytes: number;
  hostCalls: number;
  /** Arguments of one host call, and its answer, as JSON. */
  hostCallBytes: number;
  /** The value that the script returns, as JSON. */
  resultBytes: number;
}

export const defaultScriptLimits: Readonly<ScriptLimits> = Object.freeze({
  cpuMs: 500,
  wallMs: 5000,
  killGraceMs: 500,
  memoryBytes: 64 * 1024 * 1024,
  memorySoftBytes: 48 * 1024 * 1024,
  stackBytes: 256 * 1024,
  sourceBytes: 64 * 1024,
  logLines: 200,
  logBytes: 64 * 1024,
  hostCalls: 200,
  hostCallBytes: 256 * 1024,
  resultBytes: 256 * 1024,
});

/** The text of a `CpuLimitError`, whoever ended the run: the engine or the pool. */
export function cpuLimitMessage(cpuMs: number): string {
  return `The script computed for more than ${cpuMs} ms`;
}
