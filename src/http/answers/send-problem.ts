/**
 * Every error leaves as a problem document (RFC 9457). What the caller may know stands in an `AppError`;
 * of everything else nothing is shown but the request id, which finds it in the log.
 */
import type { Response } from 'express';
import { restingState } from '../../db/resting.ts';
import { isServerAway, lacksRoom } from '../../db/server-away.ts';
import { sqlState } from '../../db/transaction.ts';
import { AppError, awayError, errorCodes, restingError } from '../../errors.ts';
import { ShareError } from '../../fairness/fair-share.ts';
import { roomMissed } from '../../telemetry/signals.ts';
import { compressLong } from './compress-long.ts';

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
const LOCK_RETRY_AFTER_SECONDS = '1';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The caller's fault as it is; a lock that others keep as 409; a workspace that is being moved, a server that is away, or no
 * connection left for the workspace, as 503; anything else as a bare 500.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (sqlState(error) === LOCK_NOT_AVAILABLE) {
    return new AppError('lock_timeout', {
      detail:
        'Another call or batch of this workspace holds what is to be changed here, and did not let it go in time. ' +
        'Nothing was done: send the request again.',
      headers: { 'Retry-After': LOCK_RETRY_AFTER_SECONDS },
      cause: error,
    });
  }
  const resting = restingState(error);
  if (resting !== null) return restingError(resting);
  if (error instanceof ShareError) {
    return new AppError('unavailable', {
      detail:
        'Calls of this workspace use all that it can have at once of what the service has. Nothing was done: ' +
        'send the request again.',
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      extensions: { share: error.share.name },
      cause: error,
    });
  }
  if (isServerAway(error)) {
    if (lacksRoom(error)) roomMissed.send(() => ({}));
    return awayError({ lacksRoom: lacksRoom(error), cause: error });
  }
  return new AppError('internal_error', {
    detail: 'The service made a mistake. Its operators find it by the request id.',
    cause: error,
  });
}

function problemOf(error: AppError, instance: string, requestId: string): Problem {
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
    // What was answered whole stays; half an answer must not look like one.
    if (!res.writableEnded) res.destroy();
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
  compressLong(res, bytes.length);
  res.end(bytes);
}

/** Whether a code is the service's fault and not the caller's. */
export function isServerFault(error: AppError): boolean {
  return errorCodes[error.code][0] >= 500;
}
