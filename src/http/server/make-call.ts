/** What a route is given of a request: its input, checked, and the call that its handler sees. */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Caller } from '../../access/authenticate.ts';
import type { LinkCaller } from '../../access/csv-link-caller.ts';
import type { IdempotentRequest } from '../../idempotency/idempotency-key.ts';
import { validateInput } from '../bodies/validate-input.ts';
import { parseTags } from '../entity-tag.ts';
import type { Machinery } from '../guards/machinery.ts';
import { queryOfRoute, takeFormat } from '../requests/format-query.ts';
import { identityOf } from '../requests/identify-request.ts';
import { queryOf } from '../requests/query-of.ts';
import {
  type AnyRoute,
  type Call,
  type CsvLinkCall,
  honoursIdempotencyKey,
  type WorkspaceCall,
} from '../route.ts';

/** A route with what follows from its declaration alone. */
export interface Prepared {
  route: AnyRoute;
  params: z.ZodObject;
  query: z.ZodObject;
  honoursKey: boolean;
}

const noFields = z.strictObject({});

export function prepare(route: AnyRoute): Prepared {
  const query: z.ZodObject = queryOfRoute(route) ?? noFields;
  return {
    route,
    params: route.params ?? noFields,
    // A misspelt filter must not list everything: unknown parameters are refused unless the schema says otherwise.
    query: query.def.catchall === undefined ? query.strict() : query,
    honoursKey: honoursIdempotencyKey(route),
  };
}

/** The parameters of path and query. Throws what is wrong with them. */
export function inputOf({ params, query }: Prepared, path: Record<string, string>, req: Request) {
  const given = {
    params: validateInput(params, path, 'path'),
    query: validateInput(query, queryOf(req), 'query'),
  };
  const accept = takeFormat(given.query);
  if (accept !== null) req.headers.accept = accept;
  return given;
}

export interface Given {
  /** Null for a route of no workspace. */
  caller: Omit<Caller, 'credential'> | Omit<LinkCaller, 'credential'> | null;
  /** What the caller showed. */
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
): Call & Partial<WorkspaceCall> & Partial<CsvLinkCall> {
  const { ctx, draining, closing } = machinery;
  const { requestId, traceparent } = identityOf(req);
  return Object.assign(new CallLog(ctx.log, requestId), {
    ctx,
    requestId,
    traceparent,
    params,
    query,
    body,
    ifMatch: parseTags(req.get('if-match')),
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
                permission: caller.permission,
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

  /** Made when it is asked for: most calls say nothing. */
  get log(): Logger {
    this.#log ??= this.#of.child({ requestId: this.#requestId });
    return this.#log;
  }
}
