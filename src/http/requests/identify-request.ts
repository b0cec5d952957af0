/** Gives every request its id, its trace context and the headers that every response carries. */
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

export const API_VERSION = '2026-11-01';

export interface RequestIdentity {
  requestId: string;
  /** The span of the request where it is traced, otherwise the caller's W3C trace context if it is valid, or null. */
  traceparent: string | null;
}

const identities = new WeakMap<Request, RequestIdentity>();
const visibleAscii = /^[\x21-\x7e]{1,128}$/;
const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export function identifyRequest(req: Request, res: Response, next: NextFunction): void {
  const given = req.get('x-request-id');
  const requestId = given !== undefined && visibleAscii.test(given) ? given : randomUUID();
  const trace = req.get('traceparent');
  identities.set(req, {
    requestId,
    traceparent: trace !== undefined && traceparentForm.test(trace) ? trace : null,
  });
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('X-Api-Version', API_VERSION);
  next();
}

/** From here on the request's work belongs to the span of this process. */
export function continueTrace(req: Request, traceparent: string): void {
  identities.set(req, { ...identityOf(req), traceparent });
}

export function identityOf(req: Request): RequestIdentity {
  const identity = identities.get(req);
  if (identity === undefined) throw new Error('identifyRequest must run first');
  return identity;
}
