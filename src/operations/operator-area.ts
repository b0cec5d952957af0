/**
 * The gate before the pages of the operator: in by Bearer token, or through a sign-in page that sets a session cookie for
 * all of `/admin`. What changes something must come from a page of this very origin.
 */
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { authenticateOperator, credentialOf, sameSecret } from '../access/authenticate.ts';
import { provePersonSession } from '../access/persons/person.sql.ts';
import { readPerson } from '../access/persons/read-me.ts';
import { personOfPassword } from '../access/persons/sign-in.routes.ts';
import { comesFromAnotherSite } from '../access/session-cookie.ts';
import { type Actor, OPERATOR } from '../actor.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { readBody, readingFor, wantBody } from '../http/bodies/read-body.ts';
import { requireMediaType } from '../http/bodies/require-media-type.ts';
import { clientAddress } from '../http/requests/client-address.ts';
import { notesOf } from '../http/requests/log-requests.ts';
import type { Call } from '../http/route.ts';
import { findPersonHere, type PersonHere } from './operator-person.ts';
import { endSession, findSession, openSession } from './operator-session.ts';
import { signInPage } from './sign-in-page.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** Path of the cookie. */
export const COOKIE_PATH = '/admin';
const FORM_BYTES_MAX = 4096;

export type Refused = (req: Request, res: Response, error: unknown) => Promise<void>;

/** A router below `path` that lets nobody but the operator through; `headers` come with every answer. */
export function operatorArea(
  ctx: Call['ctx'],
  path: string,
  headers: RequestHandler,
  refused: Refused,
): Router {
  const area = Router();
  area.use((req, _res, next) => {
    notesOf(req).route = path;
    next();
  });
  area.use(headers);
  area.post('/sign-in', (req, res) => {
    signIn(ctx, req, res, path).catch((error: unknown) => refused(req, res, error));
  });
  area.all('/sign-out', (req, res) => {
    const ending = endSession(ctx, req, res, COOKIE_PATH);
    whileDatabaseAnswers(ctx.readiness, ending, { mayBeDone: true }).then(
      () => res.redirect(303, path),
      (error: unknown) => refused(req, res, error),
    );
  });
  area.use((req, res, next) => {
    admit(ctx, req, res, { path, next }).catch((error: unknown) => refused(req, res, error));
  });
  return area;
}

/** Returns who acts in a call behind the gate: the person, or whoever has shown the token. */
export function actorOf(res: Response): Actor {
  return (res.locals.operator as Actor | undefined) ?? OPERATOR;
}

/** The fields of a form; of one that is too large, or no form, it throws. */
export async function readForm(ctx: Call['ctx'], req: Request, res: Response): Promise<URLSearchParams> {
  requireMediaType(req, ['application/x-www-form-urlencoded']);
  wantBody(req, res);
  const bytes = await readBody(req, FORM_BYTES_MAX, ctx.config.BODY_TIMEOUT_SECONDS * 1000, readingFor(ctx));
  return new URLSearchParams(bytes.toString());
}

/** Lets the operator in; shows a browser the sign-in page and everybody else a 401. */
async function admit(
  ctx: Call['ctx'],
  req: Request,
  res: Response,
  { path, next }: { path: string; next: NextFunction },
): Promise<void> {
  res.setHeader('Cache-Control', 'no-store');
  if (req.headers.authorization === undefined && req.headers['x-api-key'] === undefined) {
    const operator = await whileDatabaseAnswers(ctx.readiness, findSession(ctx, req));
    if (operator !== null) {
      // The cookie is same-site; this keeps pages of a sibling subdomain, and of another port, out too.
      if (req.method !== 'GET' && comesFromAnotherSite({ headers: req.headers, host: req.host }))
        throw new AppError('forbidden', 'The request comes from another site.');
      res.locals.operator = operator;
      next();
      return;
    }
    const opensPage = req.method === 'GET' && req.accepts(['json', 'html']) === 'html';
    if (opensPage) {
      const person = await whileDatabaseAnswers(ctx.readiness, findOperatorHere(ctx, req));
      sendPage(req, res, { status: 401, path, complaint: null, person });
      return;
    }
  }
  const look = async () => {
    authenticateOperator(ctx.operatorToken, req.headers, (why) => {
      notesOf(req).refusal = why;
    });
  };
  const shown = credentialOf(req.headers);
  await (shown === null ? look() : ctx.guesses.check(clientAddress(req), shown, look));
  next();
}

/**
 * Only a wrong token counts as an attempt, so that nobody locks the operator out from behind the same address. The token is too
 * long to be guessed in as many attempts as a service can take.
 */
async function signIn(ctx: Call['ctx'], req: Request, res: Response, path: string): Promise<void> {
  const from = clientAddress(req);
  const form = await readForm(ctx, req, res);
  if (form.get('as') === 'person')
    return signInPerson(ctx, req, res, { path, password: form.get('password') });
  const token = form.get('token');
  if (token === null || !sameSecret(token, ctx.operatorToken)) {
    const seconds = await ctx.operatorSignIns.begin(from);
    ctx.log.warn({ from }, 'operator sign-in refused');
    if (seconds === null) {
      sendPage(req, res, { status: 401, path, complaint: 'That is not the operator token.', person: null });
      return;
    }
    res.setHeader('Retry-After', String(seconds));
    const complaint = 'That is not the operator token, and too many wrong ones came from your address.';
    sendPage(req, res, { status: 429, path, complaint, person: null });
    return;
  }
  const opening = openSession(ctx, req, res, { path: COOKIE_PATH, personTokenHash: null });
  await whileDatabaseAnswers(ctx.readiness, opening);
  ctx.log.info({ from }, 'operator signed in');
  res.redirect(303, path);
}

interface OperatorHere extends PersonHere {
  /** The sign-in name of its password; null where it has none. */
  userName: string | null;
}

async function findOperatorHere(ctx: Call['ctx'], req: Request): Promise<OperatorHere | null> {
  const person = await findPersonHere(ctx, req);
  if (person?.isOperator !== true) return null;
  return { ...person, userName: (await readPerson(ctx.db, person.id)).userName };
}

/** Proves the person's session by its password. Throws `rate_limited`. */
async function prove(
  ctx: Call['ctx'],
  req: Request,
  person: OperatorHere,
  password: string,
): Promise<boolean> {
  const { id, userName, tokenHash } = person;
  if (userName === null) return false;
  if ((await personOfPassword({ ctx, req }, { userName, password }))?.id !== id) {
    ctx.log.warn({ personId: id }, 'proof refused');
    return false;
  }
  await inTransaction(ctx.db, 'instance', (tx) => tx.query(provePersonSession, [tokenHash]));
  return true;
}

/**
 * Opens the console to an operator who signed in to the app in the last minutes, or shows its password again: a stolen cookie must not
 * become one.
 */
async function signInPerson(
  ctx: Call['ctx'],
  req: Request,
  res: Response,
  { path, password }: { path: string; password: string | null },
): Promise<void> {
  const person = await whileDatabaseAnswers(ctx.readiness, findOperatorHere(ctx, req));
  const shown = password === null || password === '' ? null : password;
  const isProved =
    person?.isProved === true ||
    (person !== null && shown !== null && (await prove(ctx, req, person, shown)));
  if (person === null || !isProved) {
    const complaint =
      person !== null && shown !== null
        ? 'That is not your password.'
        : 'Sign in to the app as an operator first, or show the operator token.';
    sendPage(req, res, { status: 401, path, complaint, person });
    return;
  }
  const opening = openSession(ctx, req, res, { path: COOKIE_PATH, personTokenHash: person.tokenHash });
  await whileDatabaseAnswers(ctx.readiness, opening);
  ctx.log.info({ from: clientAddress(req), personId: person.id }, 'operator signed in');
  res.redirect(303, path);
}

interface SignInShown {
  status: number;
  path: string;
  complaint: string | null;
  /** The operator who is signed in to the app. */
  person: OperatorHere | null;
}

function sendPage(req: Request, res: Response, { status, path, complaint, person }: SignInShown): void {
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer realm="partbook"');
  sendAnswer(req, res, {
    status,
    bytes: Buffer.from(
      signInPage(
        `${path}/sign-in`,
        complaint,
        person && { ...person, hasPassword: person.userName !== null },
      ),
    ),
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}
