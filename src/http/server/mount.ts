/**
 * Puts declared routes to work on Express: every convention of the API (contract §1) is kept here, once, in
 * the order authorise, limit, validate, transact, answer. Routes hold none of it.
 */
import type { Request, RequestHandler, Response } from 'express';
import { credentialOf } from '../../access/authenticate.ts';
import { csvLinkToken, withoutLinkSecrets } from '../../access/csv-link-caller.ts';
import { tokenOf } from '../../access/session-cookie.ts';
import type { Context } from '../../context.ts';
import type { StandbyReads } from '../../db/standby-reads.ts';
import { inTransaction, type Scope } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { firstAnswer } from '../../idempotency/first-answer.ts';
import {
  claimIdempotencyKey,
  type IdempotentRequest,
  readIdempotencyKey,
  recordAnswer,
  withBody,
} from '../../idempotency/idempotency-key.ts';
import type { Answer } from '../answer.ts';
import { checkAnswer, checkRefusal } from '../answers/check-answer.ts';
import { encodeAnswer, sendAnswer } from '../answers/send-answer.ts';
import { isServerFault, sendProblem, toAppError } from '../answers/send-problem.ts';
import { serialiseAnswer } from '../answers/serialise-answer.ts';
import { discardBody } from '../bodies/read-body.ts';
import { type Authorised, authorise, callerOf, countedAs } from '../guards/authorise.ts';
import type { Machinery } from '../guards/machinery.ts';
import { goneOf } from '../requests/caller-gone.ts';
import { clientAddress } from '../requests/client-address.ts';
import { identityOf } from '../requests/identify-request.ts';
import { notesOf } from '../requests/log-requests.ts';
import { STALE_OK, takesStale } from '../requests/takes-stale.ts';
import type { AnyRoute, Call, Method } from '../route.ts';
import { inputOf, makeCall, type Prepared, prepare } from './make-call.ts';
import { PathMatcher } from './match-path.ts';
import { type EarlyRead, readEarly } from './read-early.ts';
import { bodyOf } from './read-json-body.ts';

/** Serves all of the routes; of two paths that fit, the one with the literal segment wins. */
export function mountRoutes(machinery: Machinery, routes: readonly AnyRoute[]): RequestHandler {
  const paths = new PathMatcher<PathRoutes>();
  for (const [path, siblings] of Map.groupBy(routes, (route) => route.path)) {
    const byMethod = new Map(siblings.map((route) => [route.method, prepare(route)]));
    if (byMethod.size < siblings.length) throw new Error(`${path} declares a method twice`);
    paths.add(path, { path, byMethod, allow: allowOf([...byMethod.keys()]) });
  }
  return (req, res, next) => {
    // What cannot be decoded throws, which Express hands on.
    const found = paths.match(req.path);
    if (found === null) {
      next();
      return;
    }
    req.params = found.params;
    notesOf(req).route = found.value.path;
    return serveOf(machinery, found.value, req, res).catch((error: unknown) => refuse(req, res, error));
  };
}

interface PathRoutes {
  path: string;
  byMethod: ReadonlyMap<Method, Prepared>;
  allow: string;
}

async function serveOf(
  machinery: Machinery,
  { byMethod, allow }: PathRoutes,
  req: Request,
  res: Response,
): Promise<void> {
  const method = req.method === 'HEAD' ? 'get' : (req.method.toLowerCase() as Method);
  const route = byMethod.get(method);
  if (route !== undefined) await serve(machinery, route, req, res);
  else if (req.method === 'OPTIONS') sendAnswer(req, res, { status: 204, headers: { Allow: allow } });
  else {
    throw new AppError('method_not_allowed', {
      detail: `This path takes ${allow}.`,
      headers: { Allow: allow },
    });
  }
}

/** Answers an error, whatever it is; `send` in another form than the interface's own. */
export async function refuse(
  req: Request,
  res: Response,
  error: unknown,
  send: (error: AppError, instance: string, requestId: string) => void = (...known) =>
    sendProblem(res, ...known),
): Promise<void> {
  const known = toAppError(error);
  const notes = notesOf(req);
  notes.code = known.code;
  if (isServerFault(known)) notes.err = known.cause ?? known;
  // The client went away in the middle: there is nobody to answer.
  if (req.socket.destroyed) return;
  if (!res.headersSent) await discardBody(req, res);
  const instance = withoutLinkSecrets(req.originalUrl.replace(/\?.*/s, ''));
  send(known, instance, identityOf(req).requestId);
}

/** In its turn among the calls of its workspace, where it is of one. */
function serve(machinery: Machinery, prepared: Prepared, req: Request, res: Response): Promise<void> {
  const { access } = prepared.route;
  if (access === 'public' || access === 'operator') return serveNow(machinery, prepared, req, res, () => {});
  const credential =
    access === 'csvLink'
      ? csvLinkToken(String(req.params.token))
      : (credentialOf(req.headers) ?? tokenOf(req) ?? '');
  return machinery.ctx.callsInHand.run({ credential, from: clientAddress(req) }, (know) =>
    serveNow(machinery, prepared, req, res, know),
  );
}

async function serveNow(
  machinery: Machinery,
  prepared: Prepared,
  req: Request,
  res: Response,
  know: (workspaceId: string) => void,
): Promise<void> {
  const { route } = prepared;
  const { slug = '', ...path } = req.params as Record<string, string>;
  const left = goneOf(req, res);
  const gone = left.signal;
  // Who asks is looked up where it is known at once who may no longer.
  const { standby } = machinery.ctx;
  const stale = standby !== null && takesStale(route, req) ? standby : null;
  const early = stale === null ? readEarly(machinery, prepared, { slug, path, gone }, req, res) : null;
  const access = await authorise(machinery, route, { req, slug, find: early?.find }, res).catch(
    (error: unknown) => {
      early?.forget();
      throw error;
    },
  );
  const asked = { path, access, early, stale, gone };
  if (access.caller === null) return answerCall(machinery, prepared, asked, req, res);
  know(access.caller.workspace.id);
  machinery.ctx.costs.called(access.caller.workspace.id);
  const leave = machinery.admissions.watch(
    () => callerOf(machinery, route, { req, slug }),
    (refusal) => left.abort(refusal),
  );
  try {
    await answerCall(machinery, prepared, asked, req, res);
  } finally {
    leave();
  }
}

interface Asked {
  path: Record<string, string>;
  access: Authorised;
  early: EarlyRead | null;
  /** Where it may be read from instead, as it was a moment ago. */
  stale: StandbyReads | null;
  gone: AbortSignal;
}

/** For a caller who has been let in. */
async function answerCall(
  machinery: Machinery,
  prepared: Prepared,
  { path, access, early, stale, gone }: Asked,
  req: Request,
  res: Response,
): Promise<void> {
  const { ctx } = machinery;
  const { route } = prepared;
  const { params, query } = early?.input ?? inputOf(prepared, path, req);
  let idempotency = prepared.honoursKey ? idempotencyOf(ctx, access, req) : null;
  const workspaceId = access.caller?.workspace.id;
  const reading = { route, workspaceId, wantsDigest: idempotency !== null, gone };
  const { body, digest } = await bodyOf(ctx, reading, req, res);
  const more = (route.requests?.(body) ?? 1) - 1;
  if (access.caller !== null && more > 0) await machinery.limitRate(countedAs(access.caller, more), res);
  if (idempotency !== null && digest !== null) idempotency = withBody(idempotency, digest);

  const call = makeCall(machinery, { ...access, params, query, body, idempotency, gone }, req, res);
  // A stream answers HEAD with its headers, and is not begun.
  if (req.method === 'HEAD') res.flushHeaders = () => void res.end();

  let answer: Answer | null;
  try {
    const plain = () => inTurn({ ctx, route, stale }, call, access.caller);
    const { caller } = access;
    answer =
      early === null || caller === null || 'linkId' in caller
        ? await plain()
        : await early.answer(caller, plain);
  } catch (error) {
    if (ctx.config.NODE_ENV === 'test' && !call.gone.aborted) checkRefusal(route, error);
    throw error;
  }
  if (answer === null) return;
  if (route.method === 'get') gone.throwIfAborted();
  if (ctx.config.NODE_ENV === 'test') checkAnswer(route, answer);
  const bytes = sendAnswer(req, res, answer);
  if (access.caller !== null && route.method === 'get') {
    ctx.longReads.note({ workspaceId: access.caller.workspace.id, operationId: route.operationId }, bytes);
  }
}

/** The answer, written; at once, but for reads that are long: these wait for the others of their workspace. */
function inTurn(
  { ctx, route, stale }: { ctx: Context; route: AnyRoute; stale: StandbyReads | null },
  call: Call,
  caller: Authorised['caller'],
): Promise<Answer | null> {
  const work = async () => {
    const read =
      stale === null || caller === null ? null : await readStale(stale, route, call, caller.workspace.id);
    const answer = read === null ? await perform(ctx, route, call, caller) : read.answer;
    return answer === null ? null : serialiseAnswer(answer, new Slices(call.gone));
  };
  const isLong = route.readsMuch === true;
  if (caller === null || !(isLong || (route.method === 'get' && route.transaction === 'read'))) return work();
  const read = {
    workspaceId: caller.workspace.id,
    operationId: route.operationId,
    isLong,
    isSent: route.transaction === 'none',
  };
  return ctx.longReads.run(read, work, call.gone);
}

/** As it was a moment ago; null where it has to be asked for as it is. */
async function readStale(
  standby: StandbyReads,
  route: AnyRoute,
  call: Call,
  workspaceId: string,
): Promise<{ answer: Answer | null } | null> {
  const read = await standby.read(workspaceId, (tx) => route.handle(call, tx), call.gone);
  if (read === null || read.value === null) return read && { answer: null };
  const told = { 'Preference-Applied': STALE_OK, Age: String(Math.ceil(read.ageMs / 1000)) };
  return { answer: { ...read.value, headers: { ...read.value.headers, ...told } } };
}

async function perform(
  ctx: Context,
  route: AnyRoute,
  call: Call,
  caller: Authorised['caller'],
): Promise<Answer | null> {
  if (route.transaction === 'none') return route.handle(call, null);
  const scope: Scope = caller === null ? 'instance' : { workspaceId: caller.workspace.id };
  const { idempotency } = call;
  if (route.before !== undefined) {
    const first = await firstAnswer(ctx.db, scope, idempotency);
    if (first !== null) return first;
    await route.before(call);
  }
  const isGlance = route.transaction === 'glance' || route.isGlance?.(call.query) === true;
  const isRead = route.transaction === 'read' && !isGlance;
  return inTransaction(
    ctx.db,
    scope,
    async (tx) => {
      const first = idempotency === null ? null : await claimIdempotencyKey(tx, idempotency);
      if (first !== null) return first;
      const answer = await route.handle(call, tx);
      if (idempotency === null || answer === null) return answer;
      const written = await serialiseAnswer(answer, new Slices());
      recordAnswer(tx, idempotency, encodeAnswer(written));
      return written;
    },
    {
      readOnly: isRead,
      snapshot: isRead,
      glance: isGlance,
      gone: call.gone,
    },
  );
}

function idempotencyOf(ctx: Context, access: Authorised, req: Request): IdempotentRequest | null {
  return readIdempotencyKey(req.get('idempotency-key'), {
    workspaceId: access.caller?.workspace.id ?? null,
    actorId: access.caller !== null && 'actor' in access.caller ? access.caller.actor.id : null,
    credential: access.credential,
    target: `${req.method} ${req.originalUrl}`,
    retentionDays: ctx.config.IDEMPOTENCY_RETENTION_DAYS,
  });
}

function allowOf(methods: Method[]): string {
  const names = methods.map((method) => method.toUpperCase());
  if (names.includes('GET')) names.push('HEAD');
  return [...names, 'OPTIONS'].join(', ');
}
