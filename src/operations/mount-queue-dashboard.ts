/** bull-board on the real queues, for the operator alone: queues are shared by all workspaces. */
import type { Express, Request, Response } from 'express';
import { AppError } from '../errors.ts';
import { Slices } from '../fairness/slices.ts';
import { isServerFault, toAppError } from '../http/answers/send-problem.ts';
import { parseJson } from '../http/bodies/parse-json.ts';
import { announcesBody, readBody, readingFor, wantBody } from '../http/bodies/read-body.ts';
import { requireMediaType } from '../http/bodies/require-media-type.ts';
import { pageHeaders } from '../http/guards/security-headers.ts';
import type { Call } from '../http/route.ts';
import { QueueSilentError, withPatience } from '../queue/queues.ts';
import { operatorArea, type Refused } from './operator-area.ts';

const PATH = '/admin/queues';
/** Maximum time to wait for the queue server before the page says that it hangs; the page asks every five seconds. */
const PATIENCE_MS = 3000;
const BODY_BYTES_MAX = 100 * 1024;

/** `refused` answers callers who are refused or cannot be checked now. */
export function mountQueueDashboard(app: Express, ctx: Call['ctx'], refused: Refused): void {
  const area = operatorArea(ctx, PATH, pageHeaders, refused);
  let board: Promise<Express> | null = null;
  area.use('/api', (_req, res, next) => {
    requireAnswer(ctx).then(next, (error: unknown) => {
      const { status, body } = tellOf(ctx, error);
      res.status(status).json(body);
    });
  });
  area.use((req, res, next) => {
    takeBody(ctx, req, res).then(next, (error: unknown) => {
      const { status, body } = tellOf(ctx, error);
      res.status(status).json(body);
    });
  });
  area.use((req, res, next) => {
    board ??= boardOf(ctx);
    board.then((show) => show(req, res, next), next);
  });
  app.use(PATH, area);
}

/** Reads a body as every other call's, with a bound and a time limit; bull-board's own parser has no time limit, and then sees no body. */
async function takeBody(ctx: Call['ctx'], req: Request, res: Response): Promise<void> {
  if (!announcesBody(req)) return;
  requireMediaType(req, ['application/json']);
  wantBody(req, res);
  const timeoutMs = ctx.config.BODY_TIMEOUT_SECONDS * 1000;
  const bytes = await readBody(req, BODY_BYTES_MAX, timeoutMs, readingFor(ctx));
  req.body = bytes.length === 0 ? undefined : (await parseJson(bytes, new Slices())).value;
  delete req.headers['content-length'];
  delete req.headers['transfer-encoding'];
}

/** A server that hangs would keep whoever asks for its queues waiting for as long as it hangs, and each question one more command. */
async function requireAnswer({ queues }: Call['ctx']): Promise<void> {
  try {
    await withPatience(queues.byName.sync.getJobCounts('waiting'), PATIENCE_MS);
  } catch (error) {
    if (!(error instanceof QueueSilentError)) throw error;
    throw new AppError(
      'unavailable',
      'The queue server does not answer; what stands in its queues cannot be read.',
    );
  }
}

/** Loaded when an operator first looks: many a process is never looked into. */
async function boardOf(ctx: Call['ctx']): Promise<Express> {
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/express'),
  ]);
  const adapter = new ExpressAdapter();
  adapter.setBasePath(PATH);
  createBullBoard({
    queues: Object.values(ctx.queues.byName).map((queue) => new BullMQAdapter(queue)),
    serverAdapter: adapter,
    options: {
      uiConfig: {
        boardTitle: 'Partbook queues',
        miscLinks: [
          { text: 'Console', url: '/admin' },
          { text: 'Sign out', url: `${PATH}/sign-out` },
        ],
      },
    },
  });
  // bull-board's own handler shows messages and stacks.
  adapter.setErrorHandler((error) => tellOf(ctx, error));
  const board = adapter.getRouter() as Express;
  askNothingOutside(board);
  return board;
}

/** Express's template engine, and where express stores it. */
type Engine = (path: string, options: object, done: (error: unknown, text?: string) => void) => void;
interface WithEngines {
  engines: Record<string, Engine | undefined>;
}

const outsideLink = /<link\b[^>]*\bhref="(?:https?:)?\/\/[^>]*>\s*/g;

/** bull-board's page asks another host for its typeface: the policy refuses it, and a console of errors is one in which none is seen. */
function askNothingOutside(board: Express): void {
  const render = (board as unknown as WithEngines).engines['.ejs'];
  if (render === undefined) throw new Error('bull-board makes its page by another engine than ejs.');
  board.engine('ejs', (path, options, done) =>
    render(path, options, (error, text) => done(error, text?.replaceAll(outsideLink, ''))),
  );
}

/** In the shape that bull-board's page shows. */
function tellOf(ctx: Call['ctx'], error: unknown) {
  const known = toAppError(error);
  if (isServerFault(known)) ctx.log.error({ err: error }, 'queue dashboard failed');
  return { status: known.status as 500, body: { error: known.title, message: known.message } };
}
