/** Gives every request its id, its trace context and the headers that every response carries. */
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

export const API_VERSION = '2026-11-01';

export interface RequestIdentity {
  requestId: string;
  /** The span of the request where it is traced, otherwise the caller's W3C trace context if it is valid, or null. */
  traceparent: string | null;
}

/**
 * Property of a request with its identity. A `WeakMap` of requests would be scanned at each collection of the young
 * generation, with all requests since the last full collection (ADR 81).
 */
const IDENTITY = Symbol('identity');

interface Identified {
  [IDENTITY]?: RequestIdentity;
}

const visibleAscii = /^[\x21-\x7e]{1,128}$/;
const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export function identifyRequest(req: Request, res: Response, next: NextFunction): void {
  const given = req.get('x-request-id');
  const requestId = given !== undefined && visibleAscii.test(given) ? given : randomUUID();
  const trace = req.get('traceparent');
  (req as Identified)[IDENTITY] = {
    requestId,
    traceparent: trace !== undefined && traceparentForm.test(trace) ? trace : null,
  };
  res.setHeader('X-Request-Id', requestId);
  res.setHeader('X-Api-Version', API_VERSION);
  next();
}

/** Assigns the request's work to the span of this process. */
export function continueTrace(req: Request, traceparent: string): void {
  (req as Identified)[IDENTITY] = { ...identityOf(req), traceparent };
}

export function identityOf(req: Request): RequestIdentity {
  const identity = (req as Identified)[IDENTITY];
  if (identity === undefined) throw new Error('identifyRequest must run first');
  return identity;
}
