/** bull-board on the real queues, for the operator alone: queues are shared by all workspaces. */
import type { Express } from 'express';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { isServerFault, toAppError } from '../http/answers/send-problem.ts';
import { pageHeaders } from '../http/guards/security-headers.ts';
import { QueueSilentError, withPatience } from '../queue/queues.ts';
import { operatorArea, type Refused } from './operator-area.ts';

const PATH = '/admin/queues';
/** So long a queue server may take to say anything before whoever looks is told that it hangs; the page asks every five seconds. */
const PATIENCE_MS = 3000;

/** `refused` answers whoever is not let in, or cannot be told now. */
export function mountQueueDashboard(app: Express, ctx: Context, refused: Refused): void {
  const area = operatorArea(ctx, PATH, pageHeaders, refused);
  let board: Promise<Express> | null = null;
  area.use('/api', (_req, res, next) => {
    requireAnswer(ctx).then(next, (error: unknown) => {
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

/** A server that hangs would keep whoever asks for its queues waiting for as long as it hangs, and each question one more command. */
async function requireAnswer({ queues }: Context): Promise<void> {
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
async function boardOf(ctx: Context): Promise<Express> {
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

/** What an engine of express is, and where it keeps them. */
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
function tellOf(ctx: Context, error: unknown) {
  const known = unreadable(error) ?? toAppError(error);
  if (isServerFault(known)) ctx.log.error({ err: error }, 'queue dashboard failed');
  return { status: known.status as 500, body: { error: known.title, message: known.message } };
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
