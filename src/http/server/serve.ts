/**
 * The listening server: time limits against slow clients, and a stop that finishes what is under way and that no caller
 * notices who comes through a balancer.
 */

import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { LinkedSet } from '../../fairness/linked-set.ts';
import { listenOn } from '../../process/listen-on.ts';
import { roomMissed } from '../../telemetry/signals.ts';
import { cutStalled } from './cut-stalled.ts';

export interface RunningServer {
  port: number;
  /**
   * Is not ready from now on and asks for no further call on any connection, yet takes what comes for DRAIN_SECONDS.
   * Then takes nothing new, finishes requests under way for most of SHUTDOWN_SECONDS, and ends the rest. A caller with less time says so.
   */
  close(ending?: { drainSeconds: number; seconds: number }): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES_MAX = 32 * 1024;
/** How often Node looks for connections past their time. */
const TIMEOUT_CHECK_MS = 1_000;

const IDLE_SWEEP_MS = 50;
const RESPONSE_LISTENERS_MAX = 20;
/** Share of SHUTDOWN_SECONDS for draining: the rest is for last messages and for closing pools and queues. */
const DRAIN_SHARE = 0.8;
const LAST_WORDS_MS = 200;
/** Time in which a client that could not be understood may read why. */
const REFUSED_LINGER_MS = 1_000;
/** How often it is said that connections were refused because there are too many. */
const DROPS_PERIOD_MS = 60_000;

interface Served {
  config: Config;
  log: Logger;
  readiness: { roomMissedAt: Date | null };
}

/** The application that answers, and what it still does when the last request has been answered. */
interface Answering {
  app: RequestListener;
  close(): Promise<void>;
}

/** `draining` is aborted when the service begins to stop, `closing` when it takes nothing new. */
type MakeApi = (signals: { draining: AbortSignal; closing: AbortSignal }) => Answering;

export async function startServer(ctx: Served, makeApi: MakeApi): Promise<RunningServer> {
  const { config } = ctx;
  const draining = new AbortController();
  const closing = new AbortController();
  const stopHearing = roomMissed.listen(() => {
    ctx.readiness.roomMissedAt = new Date();
  });
  const api = makeApi({ draining: draining.signal, closing: closing.signal });
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
  const open = new LinkedSet<ServerResponse>();
  server.prependListener('request', (_req, res) => {
    // Log, limits, streams, pipes and this set each wait for its end: more than the ten that Node takes for a leak.
    res.setMaxListeners(RESPONSE_LISTENERS_MAX);
    res.once('close', open.add(res));
  });
  // read-body.ts asks for the body after the caller is authorised.
  server.on('checkContinue', api.app);
  server.on('clientError', answerClientError);
  server.maxConnections = config.CONNECTIONS_MAX;
  countDrops(server, ctx);
  const silent = followSilent(server);
  const cutting = cutStalled(server, config.ANSWER_STALL_SECONDS * 1000);
  await listenOn(server, {
    port: config.PORT,
    host: config.HOST,
    variables: { port: 'PORT', host: 'HOST' },
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async ({ drainSeconds, seconds } = inConfig(config)) => {
      draining.abort();
      askForNoMore(server, open);
      if (drainSeconds > 0) await delay(drainSeconds * 1000);
      closing.abort();
      await drain(server, open, silent, (seconds - drainSeconds) * 1000 * DRAIN_SHARE);
      await cutting.close();
      await api.close();
      stopHearing();
    },
  };
}

function inConfig({ DRAIN_SECONDS: drainSeconds, SHUTDOWN_SECONDS: seconds }: Config) {
  return { drainSeconds, seconds };
}

/** Every answer that has not begun says that its connection ends with it. */
function askForNoMore(server: Server, open: LinkedSet<ServerResponse>): void {
  const last = (res: ServerResponse) => {
    res.shouldKeepAlive = false;
  };
  for (const res of open.values()) last(res);
  server.prependListener('request', (_req, res) => last(res));
  server.prependListener('checkContinue', (_req, res) => last(res));
}

/** Connections on which nothing was ever sent: to Node they are no idle ones, and a stop would wait for them. */
function followSilent(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  server.on('checkContinue', ({ socket }) => silent.delete(socket));
  return silent;
}

async function drain(
  server: Server,
  open: LinkedSet<ServerResponse>,
  silent: ReadonlySet<Socket>,
  patienceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Connections that are kept alive become idle one by one, as what they wait for is answered.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
  }, IDLE_SWEEP_MS);
  let cut: NodeJS.Timeout | undefined;
  const end = setTimeout(() => {
    for (const res of open.values()) endUnfinished(res);
    cut = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS);
  }, patienceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
  clearTimeout(cut);
}

/**
 * Tells unanswered callers to come back. Half an answer ends with a reset, so that it never looks complete, not
 * even where the end of the connection would be its end.
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

/** Answers input that is not HTTP in the same form as every other error. */
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
  // Only this side has ended. A silent client does not end the other side, and would stay connected forever.
  const linger = setTimeout(() => socket.destroy(), REFUSED_LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
}

/** A flood of connections is a line a minute with their count. */
function countDrops(server: Server, { log, config }: Served): void {
  let dropped = 0;
  server.on('drop', () => {
    if (dropped++ > 0) return;
    setTimeout(() => {
      log.warn(
        { dropped, connectionsMax: config.CONNECTIONS_MAX },
        'connections were refused: too many are open',
      );
      dropped = 0;
    }, DROPS_PERIOD_MS).unref();
  });
}
