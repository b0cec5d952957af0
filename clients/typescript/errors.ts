/** Classes of errors of a call. An abort by the caller is passed on unchanged. */
import type { Problem } from './generated/types.ts';

export class PartbookError extends Error {
  override name = 'PartbookError';
}

/** The call was not made: an argument cannot stand in its path. */
export class ArgumentError extends PartbookError {
  override name = 'ArgumentError';
}

/** The service refused, in its own words. */
export class ApiError<Code extends string = string> extends PartbookError {
  override name = 'ApiError';
  readonly status: number;
  /** Stable; for programs. Which ones there are is a part of the operation's type. */
  readonly code: Code;
  readonly requestId: string;
  readonly problem: Problem;
  /** When to come back, where the service says so. */
  readonly retryAfterMs: number | null;

  constructor(problem: Problem, retryAfterMs: number | null = null) {
    super(problem.detail || problem.title);
    this.status = problem.status;
    this.code = problem.code as Code;
    this.requestId = problem.requestId;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** There was no answer: whether the call had its effect is not known. With the same Idempotency-Key it can be made again. */
export class ConnectionError extends PartbookError {
  override name = 'ConnectionError';
}

export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}
