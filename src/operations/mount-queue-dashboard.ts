/**
 * bull-board on the real queues, for the operator alone: queues are shared by all workspaces. In by Bearer
 * token, or through a sign-in page that sets a session cookie.
 */
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { type Express, type NextFunction, type Request, type Response, Router } from 'express';
import { authenticateOperator, credentialOf, sameSecret } from '../access/authenticate.ts';
import { comesFromAnotherSite } from '../access/session-cookie.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { isServerFault, toAppError } from '../http/answers/send-problem.ts';
import { readBody, readingFor, wantBody } from '../http/bodies/read-body.ts';
import { requireMediaType } from '../http/bodies/require-media-type.ts';
import { pageHeaders } from '../http/guards/security-headers.ts';
import { clientAddress } from '../http/requests/client-address.ts';
import { notesOf } from '../http/requests/log-requests.ts';
import { refuse } from '../http/server/mount.ts';
import { endSession, hasSession, openSession } from './operator-session.ts';
import { signInPage } from './sign-in-page.ts';

const PATH = '/admin/queues';
const FORM_BYTES_MAX = 4096;

export function mountQueueDashboard(app: Express, ctx: Context): void {
  const area = Router();
  area.use((req, _res, next) => {
    notesOf(req).route = PATH;
    next();
  });
  area.use(pageHeaders);
  area.post('/sign-in', (req, res) => {
    signIn(ctx, req, res).catch((error: unknown) => refuse(req, res, error));
  });
  area.all('/sign-out', (req, res) => {
    endSession(ctx, req, res, PATH).then(
      () => res.redirect(303, PATH),
      (error: unknown) => refuse(req, res, error),
    );
  });
  area.use((req, res, next) => {
    admit(ctx, req, res, next).catch((error: unknown) => refuse(req, res, error));
  });
  area.use(boardOf(ctx));
  app.use(PATH, area);
}

function boardOf(ctx: Context): Express {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(PATH);
  createBullBoard({
    queues: Object.values(ctx.queues.byName).map((queue) => new BullMQAdapter(queue)),
    serverAdapter: adapter,
    options: {
      uiConfig: {
        boardTitle: 'Partbook queues',
        miscLinks: [{ text: 'Sign out', url: `${PATH}/sign-out` }],
      },
    },
  });
  // bull-board's own handler shows messages and stacks.
  adapter.setErrorHandler((error) => {
    const known = unreadable(error) ?? toAppError(error);
    if (isServerFault(known)) ctx.log.error({ err: error }, 'queue dashboard failed');
    return { status: known.status as 500, body: { error: known.title, message: known.message } };
  });
  return adapter.getRouter() as Express;
}

/** The caller's fault where bull-board's parser could not read a body; null for any other error. */
function unreadable(error: unknown): AppError | null {
  switch ((error as { status?: unknown } | null)?.status) {
    case 400:
      return new AppError('invalid_json', 'The body is not valid JSON.');
    case 413:
      return new AppError('payload_too_large', 'The body is too large.');
    case 415:
      return new AppError(
        'unsupported_media_type',
        'The encoding or the charset of the body is not known here.',
      );
    default:
      return null;
  }
}

/** Lets the operator in; shows a browser the sign-in page and everybody else a 401. */
async function admit(ctx: Context, req: Request, res: Response, next: NextFunction): Promise<void> {
  res.setHeader('Cache-Control', 'no-store');
  if (req.headers.authorization === undefined && req.headers['x-api-key'] === undefined) {
    if (await hasSession(ctx, req)) {
      // The cookie is same-site; this keeps pages of a sibling subdomain, and of another port, out too.
      if (req.method !== 'GET' && comesFromAnotherSite({ headers: req.headers, host: req.host }))
        throw new AppError('forbidden', 'The request comes from another site.');
      next();
      return;
    }
    const opensPage = req.method === 'GET' && req.accepts(['json', 'html']) === 'html';
    if (opensPage) {
      sendPage(req, res, 401, null);
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

async function signIn(ctx: Context, req: Request, res: Response): Promise<void> {
  const from = clientAddress(req);
  const seconds = await ctx.operatorSignIns.begin(from);
  if (seconds !== null) {
    res.setHeader('Retry-After', String(seconds));
    sendPage(req, res, 429, 'Too many attempts. Try again a little later.');
    return;
  }
  const token = await tokenOf(ctx, req, res);
  if (token === null || !sameSecret(token, ctx.operatorToken)) {
    ctx.log.warn({ from }, 'operator sign-in refused');
    sendPage(req, res, 401, 'That is not the operator token.');
    return;
  }
  await ctx.operatorSignIns.forget(from);
  await openSession(ctx, req, res, PATH);
  ctx.log.info({ from }, 'operator signed in');
  res.redirect(303, PATH);
}

/** The token that the form holds; null without one. Throws for a body that is no form, or not to be read. */
async function tokenOf(ctx: Context, req: Request, res: Response): Promise<string | null> {
  requireMediaType(req, ['application/x-www-form-urlencoded']);
  wantBody(req, res);
  const bytes = await readBody(req, FORM_BYTES_MAX, ctx.config.BODY_TIMEOUT_SECONDS * 1000, readingFor(ctx));
  return new URLSearchParams(bytes.toString()).get('token');
}

function sendPage(req: Request, res: Response, status: number, complaint: string | null): void {
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer realm="partbook"');
  sendAnswer(req, res, {
    status,
    bytes: Buffer.from(signInPage(`${PATH}/sign-in`, complaint)),
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}
