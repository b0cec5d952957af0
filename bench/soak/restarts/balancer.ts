/**
 * A balancer as small as it can be: round robin over the webs that say that they are ready, keep-alive on both sides, no
 * call tried twice. What a real one would hide by trying again is a failed call here.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CHECK_MS = 50;
const CHECK_MS_MAX = 2_000;

interface Backend {
  port: number;
  agent: Agent;
  isReady: boolean;
  /** What its last check said where that was not "ready". */
  said: string;
}

export interface Balancer {
  readonly url: string;
  add(port: number): void;
  remove(port: number): void;
  /** Resolves when the web on this port gets calls. */
  untilReady(port: number): Promise<void>;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<number, Backend>();
  let turn = 0;
  const next = (): Backend | undefined => {
    const ready = [...backends.values()].filter(({ isReady }) => isReady);
    return ready.length === 0 ? undefined : ready[turn++ % ready.length];
  };
  const why = () => [...backends.values()].map(({ port, said }) => `${port} ${said}`).join('; ');
  const server = createServer((req, res) => {
    const backend = next();
    if (backend === undefined) res.writeHead(502).end(`no web is ready: ${why()}`);
    else forward(req, res, backend);
  });
  // It is never the one that closes: what fails then fails because of the service.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const waiting = new Set<() => void>();
  let isClosed = false;
  const check = async (backend: Backend): Promise<void> => {
    while (!isClosed && backends.get(backend.port) === backend) {
      backend.said = await askReady(backend.port);
      backend.isReady = backend.said === '';
      for (const look of waiting) look();
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (port) => {
      const backend = { port, agent: new Agent({ keepAlive: true }), isReady: false, said: 'not asked yet' };
      backends.set(port, backend);
      void check(backend);
    },
    remove: (port) => {
      backends.get(port)?.agent.destroy();
      backends.delete(port);
    },
    untilReady: (port) =>
      new Promise((resolve) => {
        const look = () => {
          if (backends.get(port)?.isReady !== true) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      isClosed = true;
      for (const { agent } of backends.values()) agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** On a connection of its own, as the checks of balancers are. Empty where it is ready. */
function askReady(port: number): Promise<string> {
  return new Promise((resolve) => {
    const check = request({
      host: '127.0.0.1',
      port,
      path: '/health/ready',
      agent: false,
      timeout: CHECK_MS_MAX,
    });
    check.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => resolve(answer.statusCode === 200 ? '' : `${answer.statusCode} ${text}`));
      answer.on('error', (error) => resolve(String(error)));
    });
    check.on('timeout', () => check.destroy(new Error(`no answer in ${CHECK_MS_MAX} ms`)));
    check.on('error', (error) => resolve(String(error)));
    check.end();
  });
}

/** Of HTTP/1.1 (RFC 9110, section 7.6.1): what concerns one connection alone goes no further. */
const ofOneConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);

function forward(req: IncomingMessage, res: ServerResponse, { port, agent }: Backend): void {
  const headers = Object.fromEntries(
    Object.entries(req.headers).filter(([name]) => !ofOneConnection.has(name)),
  );
  const onward = request({ host: '127.0.0.1', port, agent, method: req.method, path: req.url, headers });
  onward.on('response', (answer) => {
    const passed = Object.entries(answer.headers).filter(([name]) => !ofOneConnection.has(name));
    res.writeHead(answer.statusCode as number, Object.fromEntries(passed));
    answer.pipe(res);
    answer.on('error', () => res.destroy());
  });
  onward.on('error', (error) => {
    if (res.headersSent) res.destroy();
    else res.writeHead(502).end(String(error));
  });
  req.pipe(onward);
}
