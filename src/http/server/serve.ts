/** The listening server: time limits against slow clients, and a stop that finishes what is under way. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ApiOptions, createApp } from '../../api.ts';
import type { Context } from '../../context.ts';
import { cutStalled } from './cut-stalled.ts';

export interface RunningServer {
  port: number;
  /** Takes nothing new, finishes requests under way for most of SHUTDOWN_SECONDS, then ends the rest. */
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES_MAX = 32 * 1024;
/** How often Node looks for connections past their time. */
const TIMEOUT_CHECK_MS = 1_000;

const IDLE_SWEEP_MS = 50;
const RESPONSE_LISTENERS_MAX = 20;
/** Of SHUTDOWN_SECONDS: the rest is for what is said last, and for pools and queues to close. */
const DRAIN_SHARE = 0.8;
const LAST_WORDS_MS = 200;

export async function startServer(
  ctx: Context,
  options: Pick<ApiOptions, 'routes' | 'webFolder'> = {},
): Promise<RunningServer> {
  const { config } = ctx;
  const closing = new AbortController();
  const api = createApp(ctx, { ...options, closing: closing.signal });
  const server = createServer(
    {
      headersTimeout: config.HEADERS_TIMEOUT_SECONDS * 1000,
      requestTimeout: config.REQUEST_TIMEOUT_SECONDS * 1000,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Longer than the usual idle time of balancers: they close first, and never meet a closing socket.
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      noDelay: true,
    },
    api.app,
  );
  const open = new Set<ServerResponse>();
  server.prependListener('request', (_req, res) => {
    open.add(res);
    // Log, limits, streams, pipes and this set each wait for its end: more than the ten that Node takes for a leak.
    res.setMaxListeners(RESPONSE_LISTENERS_MAX);
    res.once('close', () => open.delete(res));
  });
  // The body is asked for when the caller is known to be welcome (read-body.ts).
  server.on('checkContinue', api.app);
  server.on('clientError', answerClientError);
  const cutting = cutStalled(server, config.ANSWER_STALL_SECONDS * 1000);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      closing.abort();
      await drain(server, open, config.SHUTDOWN_SECONDS * 1000 * DRAIN_SHARE);
      await cutting.close();
      await api.close();
    },
  };
}

async function drain(server: Server, open: ReadonlySet<ServerResponse>, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Connections that are kept alive become idle one by one, as what they wait for is answered.
  server.prependListener('request', (_req, res) => {
    res.shouldKeepAlive = false;
  });
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  let cut: NodeJS.Timeout | undefined;
  const end = setTimeout(() => {
    for (const res of open) endUnfinished(res);
    cut = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS);
  }, patienceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
  clearTimeout(cut);
}

/**
 * Whoever has not been answered is told to come back. Half an answer ends with a reset, so that it never passes for a
 * whole one, not even where the end of the connection would be its end.
 */
function endUnfinished(res: ServerResponse): void {
  if (res.writableEnded) return;
  if (res.headersSent) {
    res.socket?.resetAndDestroy();
    return;
  }
  for (const name of res.getHeaderNames())
    if (/^(content-|etag$|location$)/.test(name)) res.removeHeader(name);
  const title = 'Temporarily unavailable';
  const detail = 'The service is stopping, and could not finish this in time. Try again.';
  const problem = {
    type: 'urn:partbook:problem:unavailable',
    title,
    status: 503,
    detail,
    code: 'unavailable',
  };
  const bytes = Buffer.from(JSON.stringify({ ...problem, requestId: res.getHeader('X-Request-Id') }));
  res.writeHead(503, {
    'Content-Type': 'application/problem+json',
    'Content-Length': bytes.length,
    'Retry-After': '5',
    Connection: 'close',
  });
  res.end(bytes);
}

const clientErrors: Record<string, [status: number, code: string, title: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'Request Timeout'],
};

/** What cannot be read as HTTP is answered in the same form as every other error. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, title] = clientErrors[error.code ?? ''] ?? [400, 'invalid_request', 'Bad Request'];
  const body = JSON.stringify({ type: `urn:partbook:problem:${code}`, title, status, code });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
