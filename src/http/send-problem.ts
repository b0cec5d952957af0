/**
 * Every error leaves as a problem document (RFC 9457). What the caller may know stands in an `AppError`;
 * of everything else nothing is shown but the request id, which finds it in the log.
 */
import type { Response } from 'express';
import { sqlState } from '../db/transaction.ts';
import { AppError, errorCodes } from '../errors.ts';

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  requestId: string;
  [extension: string]: unknown;
}

const RETRY_AFTER_SECONDS = '5';

/** The caller's fault as it is; a server that is away as 503; anything else as a bare 500. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isServerAway(error)) {
    return new AppError('unavailable', {
      detail: 'A part of the service does not answer at the moment. Try again.',
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      cause: error,
    });
  }
  return new AppError('internal_error', {
    detail: 'The service made a mistake. Its operators find it by the request id.',
    cause: error,
  });
}

export function problemOf(error: AppError, instance: string, requestId: string): Problem {
  return {
    ...error.extensions,
    type: `urn:partbook:problem:${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.message,
    instance,
    code: error.code,
    requestId,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
  };
}

/** Sends the problem, or cuts the connection when an answer has already begun: half of one must not pass as whole. */
export function sendProblem(res: Response, error: AppError, instance: string, requestId: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const name of ['Content-Type', 'Content-Length', 'Content-Encoding', 'ETag', 'Location']) {
    res.removeHeader(name);
  }
  for (const [name, value] of Object.entries(error.headers ?? {})) res.setHeader(name, value);
  const bytes = Buffer.from(JSON.stringify(problemOf(error, instance, requestId)));
  res.statusCode = error.status;
  res.setHeader('Content-Type', 'application/problem+json');
  res.setHeader('Content-Length', bytes.length);
  res.setHeader('Cache-Control', 'no-store');
  res.end(bytes);
}

const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
]);
// admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections; and what remains when the
// retries of inTransaction are used up: serialization_failure, deadlock_detected; and what a server that is
// too busy gives up: query_canceled (statement_timeout), lock_not_available (lock_timeout).
const AWAY_STATES = new Set(['57P01', '57P02', '57P03', '53300', '40001', '40P01', '57014', '55P03']);
// The pool of pg and ioredis say these without a code.
const AWAY_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Connection is closed|Stream isn't writeable|Client has encountered a connection error|Reached the max retries per request)/;

/** Whether PostgreSQL or Redis is away, overloaded or restarting: worth the same request a little later. */
export function isServerAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null && (AWAY_STATES.has(state) || state.startsWith('08'))) return true;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && AWAY_CODES.has(code)) return true;
    if (at.name === 'MaxRetriesPerRequestError' || AWAY_MESSAGES.test(at.message)) return true;
    if (at instanceof AggregateError && at.errors.some(isServerAway)) return true;
  }
  return false;
}

/** Whether a code is the service's fault and not the caller's. */
export function isServerFault(error: AppError): boolean {
  return errorCodes[error.code][0] >= 500;
}
