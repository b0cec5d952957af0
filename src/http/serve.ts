/** The listening server: time limits against slow clients, and a stop that finishes what is under way. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ApiOptions, createApp } from '../api.ts';
import type { Context } from '../context.ts';

export interface RunningServer {
  port: number;
  /** Takes nothing new, finishes requests under way for up to SHUTDOWN_SECONDS, then cuts the rest. */
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES_MAX = 32 * 1024;
/** How often Node looks for connections past their time. */
const TIMEOUT_CHECK_MS = 1_000;

const IDLE_SWEEP_MS = 50;

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
  // The body is asked for when the caller is known to be welcome (read-body.ts).
  server.on('checkContinue', api.app);
  server.on('clientError', answerClientError);
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
      await drain(server, config.SHUTDOWN_SECONDS * 1000);
      await api.close();
    },
  };
}

async function drain(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Connections that are kept alive become idle one by one, as what they wait for is answered.
  server.prependListener('request', (_req, res) => {
    res.shouldKeepAlive = false;
  });
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
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
