/**
 * `/api/wid/{slug}/mcp`: agents over HTTP, with the same tools as `partbook mcp`. A tool calls the interface of this process as
 * the agent's key would, so that whatever a key may not do an agent may not do either, and every limit counts.
 */
import type { Express, Request, Response } from 'express';
import { authenticateCaller, credentialOf } from '../access/authenticate.ts';
import { comesFromAnotherSite } from '../access/session-cookie.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { clientAddress } from '../http/requests/client-address.ts';
import { notesOf } from '../http/requests/log-requests.ts';
import { refuse } from '../http/server/mount.ts';

const PATH = '/api/wid/:slug/mcp';
const BODY_BYTES_MAX = 1024 * 1024;
const TRY_MS = 60_000;

/** Loaded when an agent is first let in: many a process never meets one, and each start would be longer and larger for it. */
async function loadMachinery() {
  const [{ toNodeHandler }, { createMcpHandler }, { makeServer }, { connect }] = await Promise.all([
    import('@modelcontextprotocol/node'),
    import('@modelcontextprotocol/server'),
    import('../../clients/mcp/make-server.ts'),
    import('../../clients/typescript/connect.ts'),
  ]);
  return { toNodeHandler, createMcpHandler, makeServer, connect };
}

export function mountMcp(app: Express, ctx: Context): void {
  app.all(PATH, (req, res) => {
    serve(ctx, req, res).catch((error: unknown) => refuse(req, res, error));
  });
}

async function serve(ctx: Context, req: Request, res: Response): Promise<void> {
  notesOf(req).route = PATH;
  // What serves agents takes a request as `fetch` knows them, and `fetch` knows none of these.
  if (req.method === 'TRACE') {
    const allow = 'GET, POST, DELETE';
    throw new AppError('method_not_allowed', {
      detail: `This path takes ${allow}.`,
      headers: { Allow: allow },
    });
  }
  const { slug = '' } = req.params as Record<string, string>;
  if (comesFromAnotherSite(req)) throw new AppError('forbidden', 'This page is of another origin.');
  const key = credentialOf(req.headers);
  const look = () =>
    authenticateCaller(
      ctx.db,
      {
        method: req.method,
        headers: req.headers,
        host: req.host,
        secure: req.secure,
        sessionHours: ctx.config.SESSION_HOURS,
      },
      slug,
      'read',
      (why) => {
        notesOf(req).refusal = why;
      },
    );
  if (key === null)
    throw new AppError('unauthorized', {
      detail: 'Agents show an API key as a Bearer token.',
      headers: { 'WWW-Authenticate': 'Bearer realm="partbook"' },
    });
  const caller = await ctx.guesses.check(clientAddress(req), key, look);
  const { toNodeHandler, createMcpHandler, makeServer, connect } = await loadMachinery();
  // Where the agent came in, this process listens.
  const { localAddress = '127.0.0.1', localPort: port } = req.socket;
  const address = localAddress.replace(/^::ffff:/, '');
  const host = address.includes(':') ? `[${address}]` : address;
  const partbook = connect({
    url: `http://${host}:${port}`,
    workspace: slug,
    key,
    retries: 0,
    timeoutMs: TRY_MS,
  });
  // An agent that may write says so by its address: a key alone must not be enough to change anything.
  const allowsWrites = caller.permission !== 'read' && req.originalUrl.split('?')[1] === 'writes=allowed';
  const handler = createMcpHandler(() => makeServer({ partbook, allowsWrites }), {
    maxRequestBodySize: BODY_BYTES_MAX,
    onerror: (error) => ctx.log.debug({ err: error }, 'an agent was refused'),
  });
  await toNodeHandler(handler, { maxRequestBodySize: BODY_BYTES_MAX })(req, res);
  if (!res.writableEnded) await new Promise<void>((done) => res.once('close', () => done()));
  await handler.close();
}
