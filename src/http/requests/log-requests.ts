/**
 * Writes one log line for each request: method, route pattern, status, time, ids. It never contains a key, a body
 * or a query: paths are logged as the matching pattern, so a line contains nothing that a caller chose.
 */
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { withFaultFields } from '../../log.ts';
import { callEnded } from '../../telemetry/signals.ts';
import { traceIdOf } from '../../telemetry/tracing.ts';
import type { Refusal } from '../callers.ts';
import { identityOf } from './identify-request.ts';

/** Facts that become known while a request is handled. */
export interface RequestNotes {
  route?: string;
  workspace?: string;
  batchId?: string;
  actorId?: string;
  refusal?: Refusal;
  code?: string;
  err?: unknown;
}

/** Property of a request with its notes, like its identity (identify-request.ts). */
const NOTES = Symbol('notes');

interface Noted {
  [NOTES]?: RequestNotes;
}

export function notesOf(req: Request): RequestNotes {
  const noted: Noted = req as Noted;
  noted[NOTES] ??= {};
  return noted[NOTES];
}

export function logRequests(log: Logger): (req: Request, res: Response, next: NextFunction) => void {
  return (req, res, next) => {
    const startedAt = performance.now();
    res.once('close', () => {
      const { requestId, traceparent } = identityOf(req);
      const ms = performance.now() - startedAt;
      const { route, ...noted } = notesOf(req);
      callEnded.send(() => ({
        method: req.method,
        route: route ?? '',
        status: res.statusCode,
        seconds: ms / 1000,
      }));
      const line = {
        method: printable(req.method),
        route: route ?? '(none)',
        status: res.statusCode,
        ms: Math.round(ms * 10) / 10,
        requestId,
        ...(traceparent === null ? {} : { traceparent, trace_id: traceIdOf(traceparent) }),
        ...noted,
      };
      if (!res.writableFinished) log.info({ ...line, aborted: true }, 'request aborted');
      else if (noted.err !== undefined) log.error(line, 'request failed');
      else if (route === '/health/live' || route === '/health/ready') log.debug(line, 'request');
      else log.info(line, 'request');
    });
    withFaultFields(() => whatIsAsked(req), next);
  };
}

function whatIsAsked(req: Request): object {
  const { requestId } = identityOf(req);
  const { route = '(none)', workspace, batchId } = notesOf(req);
  return { requestId, method: printable(req.method), route, workspace, batchId };
}

/** Without control characters, and of bounded length: for anything a caller chose that must be logged. */
export function printable(text: string): string {
  return text.slice(0, 256).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '');
}
