/**
 * Serves declared routes on Express. Every convention of the API (contract §1) is a step of one pipeline that all routes pass;
 * routes hold none of it.
 */
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../errors.ts';
import { refuse } from '../answers/refuse.ts';
import { sendAnswer } from '../answers/send-answer.ts';
import { notesOf } from '../requests/log-requests.ts';
import type { AnyRoute, Method } from '../route.ts';
import { admit } from './admit.ts';
import { answer } from './answer.ts';
import { authorise } from './authorise.ts';
import { answerEarly, expectCaller } from './early-read.ts';
import { Exchange, type Machinery, type Serve, type Wrapper } from './exchange.ts';
import { handle } from './handle.ts';
import { answerAgain, claimKey } from './idempotency.ts';
import { limit, limitBody } from './limit.ts';
import { readLong } from './long-read.ts';
import { PathMatcher } from './match-path.ts';
import { prepare } from './prepare.ts';
import { readCall } from './read-call.ts';
import { readStale } from './stale-read.ts';
import { takeTurn } from './take-turn.ts';
import { openTransaction } from './transaction.ts';

/** The steps that a call passes on its way in, and its answer in reverse; `inside` stands around what makes the answer. */
const pipeline = (inside: Wrapper): readonly Wrapper[] => [
  answer,
  takeTurn,
  expectCaller,
  authorise,
  limit,
  admit,
  readCall,
  limitBody,
  inside,
  answerEarly,
  readLong,
  readStale,
  answerAgain,
  openTransaction,
  claimKey,
];

const nothing: Wrapper = (inner) => inner;

/** Serves all of the routes; of two paths that fit, the one with the literal segment wins. */
export function mountRoutes(
  machinery: Machinery,
  routes: readonly AnyRoute[],
  inside: Wrapper = nothing,
): RequestHandler {
  const paths = new PathMatcher<PathRoutes>();
  for (const [path, siblings] of Map.groupBy(routes, (route) => route.path)) {
    const byMethod = new Map(siblings.map((route) => [route.method, serveOf(route, machinery, inside)]));
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
    const { path, byMethod, allow } = found.value;
    notesOf(req).route = path;
    const method = req.method === 'HEAD' ? 'get' : (req.method.toLowerCase() as Method);
    const serve = byMethod.get(method);
    return serve === undefined ? serveNone(req, res, allow) : serve(new Exchange(req, res));
  };
}

function serveOf(route: AnyRoute, machinery: Machinery, inside: Wrapper): Serve {
  const prepared = prepare(route);
  const innermost: Serve = ({ call, tx }) => handle(route, call, tx);
  return pipeline(inside).reduceRight((inner, wrap) => wrap(inner, prepared, machinery), innermost);
}

interface PathRoutes {
  path: string;
  byMethod: ReadonlyMap<Method, Serve>;
  allow: string;
}

/** Answers OPTIONS, and refuses a method that the path does not take. */
async function serveNone(req: Request, res: Response, allow: string): Promise<void> {
  const headers = { Allow: allow };
  if (req.method === 'OPTIONS') sendAnswer(req, res, { status: 204, headers });
  else
    await refuse(
      req,
      res,
      new AppError('method_not_allowed', { detail: `This path takes ${allow}.`, headers }),
    );
}

function allowOf(methods: Method[]): string {
  const names = methods.map((method) => method.toUpperCase());
  if (names.includes('GET')) names.push('HEAD');
  return [...names, 'OPTIONS'].join(', ');
}
