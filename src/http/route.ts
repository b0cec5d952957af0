/**
 * A route is declared once, as data: from the declaration follow validation, the handler's types,
 * authorisation, the transaction, idempotency and the OpenAPI entry. `pipeline/mount.ts` serves it.
 */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Actor, Workspace } from '../actor.ts';
import type { Area, NeededArea } from '../areas.ts';
import type { Context } from '../context.ts';
import type { InstanceTx, Tx } from '../db/transaction.ts';
import type { ErrorCode } from '../errors.ts';
import type { IdempotentRequest } from '../idempotency/idempotency-key.ts';
import type { Answer } from './answer.ts';

/** Maximum of bodies with many values or long texts. */
export const LARGE_BODY_BYTES = 2 * 1024 * 1024;

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Callers of the route: a caller of the workspace with that area, a CSV link by the secret in its path (`{token}`), the operator, or
 * anybody. Of several areas the caller needs one, and the handler requires the right one with `requireArea` when it knows what the
 * call concerns. Paths below `/api/wid/{slug}` take a caller of the workspace or a link; `operator` and `public` are outside.
 */
export type Access = NeededArea | 'csvLink' | 'operator' | 'public';

/** Argument of every handler, whatever its route. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  ctx: Context;
  /** Carries the request id into every line. */
  log: Logger;
  requestId: string;
  /** The caller's W3C trace context where it is valid, to be passed on; null otherwise. */
  traceparent: string | null;
  params: Params;
  query: Query;
  body: Body;
  /** The tags of `If-Match` without quotes, `'*'`, or null when the header is absent (see `requireMatch`). */
  ifMatch: readonly string[] | '*' | null;
  /**
   * The Idempotency-Key with all that makes the request the same one; null without the header. With
   * `transaction: 'write'` the helper has dealt with it; with `none` the handler calls
   * `claimIdempotencyKey` and `recordAnswer` in its own transaction.
   */
  idempotency: IdempotentRequest | null;
  /** Aborted when the service begins to stop: balancers are to look elsewhere, and what comes is done as ever. */
  draining: AbortSignal;
  /** Aborted when it takes nothing new: whatever waits or streams ends then of its own accord. */
  closing: AbortSignal;
  /**
   * Aborted when the caller has gone before it was answered, or may not make this call any more, which is asked about while it goes
   * on (admissions.ts): whatever is done for the answer alone ends then. The reason is what the caller is refused with.
   */
  gone: AbortSignal;
  /** The raw request and response: only for what streams. */
  req: Request;
  res: Response;
}

/** Inside a workspace: the caller and the workspace are known. */
export interface WorkspaceCall<Params = unknown, Query = unknown, Body = unknown>
  extends Call<Params, Query, Body> {
  actor: Actor;
  /** The areas of the caller; ask `mayDo` and `requireArea` of src/areas.ts. */
  areas: readonly Area[];
  workspace: Workspace;
  /** The key, or the token of the session, as the caller showed it. */
  credential: string;
  /** The token of the caller's session; null where it showed a key. */
  sessionToken: string | null;
}

/** Call by a CSV link: only the link is known, and only reading is possible. */
export interface CsvLinkCall<Params = unknown, Query = unknown, Body = unknown>
  extends Call<Params, Query, Body>,
    Pick<WorkspaceCall, 'workspace'> {
  linkId: string;
}

type CallOf<A extends Access, P, Q, B> = A extends 'csvLink'
  ? CsvLinkCall<P, Q, B>
  : A extends NeededArea
    ? WorkspaceCall<P, Q, B>
    : Call<P, Q, B>;
type TxFor<A extends Access, T extends Transaction> = T extends 'none'
  ? null
  : A extends NeededArea | 'csvLink'
    ? Tx
    : InstanceTx;

/**
 * `write`: the handler runs in one transaction of its workspace (or of the instance, for the operator),
 * and an Idempotency-Key's record commits with it. `read`: the same, read only, and all of its statements see the database as
 * it was at the first, so that a page and the place where it ends fit together. `glance`: read only, and no more of a
 * transaction than what is sent together is by itself (`TransactionOptions`). `none`: the handler opens its own, because
 * it streams, waits, or combines callers.
 */
export type Transaction = 'none' | 'read' | 'glance' | 'write';

export interface AnswerDeclaration {
  description: string;
  /** The JSON body; leave out for 204. */
  schema?: z.ZodType;
  /** Other media types that `Accept` can choose, each with a sentence on its form. */
  alternatives?: Record<string, string>;
  /** Schema of an item of a sequence: a line of NDJSON, a Server-Sent Event. For the document. */
  alternativeSchemas?: Record<string, z.ZodType>;
}

export interface Route<
  A extends Access = Access,
  T extends Transaction = Transaction,
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** With `{name}` parameters, such as `/api/wid/{slug}/entities/{id}`. */
  path: string;
  /** verbNoun, unique: becomes the method name of generated clients. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  access: A;
  transaction: T;
  /** Path parameters other than `slug`. */
  params?: P;
  query?: Q;
  /** Validated JSON body. A route that reads the body itself leaves it out and sets `rawBody`. */
  body?: B;
  /**
   * The media types a route reads by itself, each with a sentence on its form: it calls `wantBody` when it
   * is ready for the body, and `decodedBody` for its bytes (read-body.ts).
   */
  rawBody?: Record<string, string>;
  /** The shape of a body that the route reads by itself, by media type: for the document and for clients; not checked here. */
  rawSchemas?: Record<string, z.ZodType>;
  /** Request headers that are this route's own: for the document. */
  headers?: z.ZodObject;
  /**
   * Whether `Idempotency-Key` is honoured: by default on every POST with transaction `write`. A POST with
   * transaction `none` that honours it by itself says so here, and the API reference shows the header. With `ownForm` the handler keeps
   * something else than its answer under the key, and answers anew.
   */
  idempotent?: boolean | 'ownForm';
  /** Messages sent later to the address that a call of this route names: by name, each a schema with an id. */
  messages?: Readonly<Record<string, z.ZodType>>;
  /** Bytes of the (decompressed) JSON body at most; BODY_BYTES_MAX where it is unset. */
  bodyBytesMax?: number;
  /** How many requests the call counts as in the rate limit, where its body holds several; 1 where it is unset. */
  requests?(body: z.output<B>): number;
  answers: Record<number, AnswerDeclaration>;
  /** The codes of refusals that are this route's own; the common ones are added. */
  errors?: readonly ErrorCode[];
  /** Answers at once, however many calls wait: for probes. */
  waitsForNobody?: boolean;
  /** Goes through much of what is stored: a workspace has one of these at a time (long-reads.ts). */
  readsMuch?: boolean;
  /**
   * With `glance`: it looks at one thing, by few statements that read little. It is read together with who asks, and with
   * what others of the workspace ask in that turn (read-early.ts); the handler does nothing else, since it may run for nothing.
   */
  readsOne?: boolean;
  /** With `read`: whether this call is read by statements that all go out together. Then it is read as with `glance`. */
  isGlance?(query: z.output<Q>): boolean;
  /**
   * Runs before the transaction of `write` or `read` is opened: for whatever waits for anything but the database, which
   * nothing may do inside. What comes again with its Idempotency-Key has been answered before.
   */
  before?(call: CallOf<A, z.output<P>, z.output<Q>, z.output<B>>): Promise<void>;
  /** Answers, or returns null when it has written the response itself. */
  handle(call: CallOf<A, z.output<P>, z.output<Q>, z.output<B>>, tx: TxFor<A, T>): Promise<Answer | null>;
}

/** A route with its types closed over, as `api.ts` lists them. */
// biome-ignore lint/suspicious/noExplicitAny: the handler's own types are checked where the route is declared
export type AnyRoute = Route<any, any, any, any, any>;

/** Declares a route; the identity function, for inference. */
export function defineRoute<
  const A extends Access,
  const T extends Transaction,
  P extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Q extends z.ZodObject = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
>(route: Route<A, T, P, Q, B>): Route<A, T, P, Q, B> {
  return route;
}

/** Whether a route is called within a workspace, by a key or a link. */
export function isOfWorkspace({ access }: AnyRoute): boolean {
  return access !== 'public' && access !== 'operator';
}

/** Whether a route takes an Idempotency-Key, by the helper or by itself. */
export function honoursIdempotencyKey(route: AnyRoute): boolean {
  return (route.idempotent ?? (route.method === 'post' && route.transaction === 'write')) !== false;
}
