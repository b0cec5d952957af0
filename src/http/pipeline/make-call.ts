/** Makes the call that a handler sees. */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { IdempotentRequest } from '../../idempotency/idempotency-key.ts';
import type { Caller, LinkCaller } from '../callers.ts';
import { parseTags, versionsOf } from '../entity-tag.ts';
import { identityOf } from '../requests/identify-request.ts';
import type { AnyCall, Machinery } from './exchange.ts';

export interface Given {
  /** The caller; null for a route outside workspaces. */
  caller: Omit<Caller, 'credential'> | Omit<LinkCaller, 'credential'> | null;
  /** Credential that the caller sent. */
  credential: string;
  params: unknown;
  query: unknown;
  body: unknown;
  idempotency: IdempotentRequest | null;
  /** Aborted when the caller has gone, or may not call any more. */
  gone: AbortSignal;
}

export function makeCall(
  machinery: Machinery,
  { caller, credential, params, query, body, idempotency, gone }: Given,
  req: Request,
  res: Response,
): AnyCall {
  const { ctx, draining, closing } = machinery;
  const { requestId, traceparent } = identityOf(req);
  return Object.assign(new CallLog(ctx.log, requestId), {
    ctx,
    requestId,
    traceparent,
    params,
    query,
    body,
    ifMatch: versionsOf(parseTags(req.get('if-match'))),
    idempotency,
    draining,
    closing,
    gone,
    req,
    res,
    ...(caller === null
      ? {}
      : {
          ...('linkId' in caller
            ? { linkId: caller.linkId }
            : {
                actor: caller.actor,
                areas: caller.areas,
                credential,
                sessionToken: caller.isSession ? credential : null,
              }),
          workspace: caller.workspace,
        }),
  });
}

/** A getter of a class, as in src/db/transaction.ts: one in a literal would keep every call until all of the heap is collected. */
class CallLog {
  readonly #of: Logger;
  readonly #requestId: string;
  #log: Logger | null = null;

  constructor(of: Logger, requestId: string) {
    this.#of = of;
    this.#requestId = requestId;
  }

  /** Made at its first use, because most calls log nothing. */
  get log(): Logger {
    this.#log ??= this.#of.child({ requestId: this.#requestId });
    return this.#log;
  }
}
