/** Exit codes of the process, for scripts and schedulers. */

import { FileFault } from '../readers/findings.ts';
import { ApiError, ConnectionError } from '../typescript/errors.ts';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  planHasChanges: 3,
  key: 4,
  elementErrors: 5,
  planStale: 6,
  tryLater: 75,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The caller asked for what cannot be. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Ended by the person at the keyboard. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

/** Ends with that code; what was to be said has been said. */
export class Ended extends Error {
  override name = 'Ended';
  readonly exitCode: ExitCode;
  constructor(exitCode: ExitCode) {
    super('');
    this.exitCode = exitCode;
  }
}

/** An error of one file of several. */
export class OfFile extends Error {
  override name = 'OfFile';
  readonly file: string;
  override readonly cause: FileFault | ApiError;
  constructor(file: string, cause: FileFault | ApiError) {
    super(cause.message);
    this.file = file;
    this.cause = cause;
  }
}

/** Faults of the file, its own or found by the service, are named with it; all else is of the whole call. */
export async function ofFile<Answer>(file: string, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    const isOfFile =
      error instanceof FileFault || (error instanceof ApiError && [400, 413, 422].includes(error.status));
    throw isOfFile ? new OfFile(file, error) : error;
  }
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof OfFile) return exitCodeOf(error.cause);
  if (error instanceof Ended) return error.exitCode;
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof Interrupted) return exitCodes.interrupted;
  if (error instanceof Error && error.name === 'AbortError') return exitCodes.interrupted;
  if (error instanceof ConnectionError) return exitCodes.tryLater;
  if (error instanceof FileFault) return exitCodes.failed;
  if (error instanceof ApiError) {
    if (error.status === 401 || error.status === 403) return exitCodes.key;
    if (error.code === 'plan_stale') return exitCodes.planStale;
    if ([408, 425, 429, 502, 503, 504].includes(error.status)) return exitCodes.tryLater;
  }
  return exitCodes.failed;
}
