/**
 * `/api/wid/{slug}/mcp` serves agents over HTTP, with the tools of `partbook mcp`. A tool calls the interface of this process
 * with the agent's key, so that an agent may do exactly what its key may do and every limit applies to it.
 */
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { comesFromAnotherSite } from '../access/session-cookie.ts';
import { AppError } from '../errors.ts';
import { Slices } from '../fairness/slices.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';

const BODY_BYTES_MAX = 1024 * 1024;
const BATCH_MAX = 100;
const TRY_MS = 60_000;

const Message = z.looseObject({});
const Messages = z.union([Message, z.array(Message).min(1).max(BATCH_MAX)]);
type Messages = z.output<typeof Messages>;

/** Loads the libraries when the first agent connects: many processes never serve one, and would start later. */
async function loadMachinery() {
  const [{ toNodeHandler }, { createMcpHandler }, { makeServer }, { connect }] = await Promise.all([
    import('@modelcontextprotocol/node'),
    import('@modelcontextprotocol/server'),
    import('../../clients/mcp/make-server.ts'),
    import('../../clients/typescript/connect.ts'),
  ]);
  return { toNodeHandler, createMcpHandler, makeServer, connect };
}

const serveAgent = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/mcp',
  operationId: 'serveAgent',
  tag: 'Agents',
  summary: 'Serve an agent by the Model Context Protocol',
  access: 'read',
  transaction: 'none',
  query: z.object({ writes: z.enum(['allowed']).optional() }),
  body: Messages,
  bodyBytesMax: BODY_BYTES_MAX,
  requests: (messages: Messages) => (Array.isArray(messages) ? messages.length : 1),
  answers: { 200: { description: 'Messages of JSON-RPC.' } },
  handle: async ({ ctx, req, res, body, query, workspace, areas, credential, sessionToken, gone }) => {
    if (comesFromAnotherSite(req)) throw new AppError('forbidden', 'This page is of another origin.');
    if (sessionToken !== null)
      throw new AppError('unauthorized', {
        detail: 'Agents show an API key as a Bearer token.',
        headers: { 'WWW-Authenticate': 'Bearer realm="partbook"' },
      });
    const { toNodeHandler, createMcpHandler, makeServer, connect } = await loadMachinery();
    // This process listens where the agent's connection came in.
    const { localAddress = '127.0.0.1', localPort: port } = req.socket;
    const address = localAddress.replace(/^::ffff:/, '');
    const host = address.includes(':') ? `[${address}]` : address;
    const partbook = connect({
      url: `http://${host}:${port}`,
      workspace: workspace.slug,
      key: credential,
      retries: 0,
      timeoutMs: TRY_MS,
    });
    // The address must allow writes too: a key alone must not be enough for an agent to change anything.
    const allowsWrites = areas.length > 1 && query.writes === 'allowed';
    const handler = createMcpHandler(() => makeServer({ partbook, allowsWrites, areas, signal: gone }), {
      maxRequestBodySize: BODY_BYTES_MAX,
      onerror: (error) => ctx.log.debug({ err: error }, 'an agent was refused'),
    });
    try {
      await toNodeHandler(inSlices(handler, new Slices(gone)))(req, res, body);
      if (!res.writableEnded && !res.closed)
        await new Promise<void>((done) => res.once('close', () => done()));
    } finally {
      await handler.close();
    }
    return null;
  },
});

/** Answers the messages of a batch one by one, so that other calls of the process have their turn between any two. */
function inSlices(handler: McpHttpHandler, slices: Slices): Pick<McpHttpHandler, 'fetch'> {
  return {
    fetch: async (request, options) => {
      const { parsedBody: messages } = options ?? {};
      if (!Array.isArray(messages)) return handler.fetch(request, options);
      const { url, headers } = request;
      const events: string[] = [];
      for (const message of messages) {
        if (slices.areDue) await slices.next();
        const single = new Request(url, { method: 'POST', headers, body: '{}' });
        events.push(await eventsOf(await handler.fetch(single, { ...options, parsedBody: message })));
      }
      const text = events.join('');
      if (text === '') return new Response(null, { status: 202 });
      return new Response(text, { headers: { 'Content-Type': 'text/event-stream' } });
    },
  };
}

/** A notification is answered without a body; a refusal is JSON and becomes an event here. */
async function eventsOf(response: Response): Promise<string> {
  const text = await response.text();
  const isEvents = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
  return isEvents || text === '' ? text : `event: message\ndata: ${text}\n\n`;
}

export const agentRoutes: readonly AnyRoute[] = [serveAgent];
