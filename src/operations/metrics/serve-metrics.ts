/**
 * `/metrics` for Prometheus, on a port of its own: what an installation does is nobody's business who may call its
 * interface, and a scraper needs no token that could do more. By default it listens on loopback alone; in a network of
 * containers METRICS_HOST opens it to that network. Loaded only where METRICS_PORT is set.
 */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { listenOn } from '../../process/listen-on.ts';
import type { Queues } from '../../queue/queues.ts';
import { countSignals } from './count-signals.ts';
import { startSampling } from './sample-state.ts';

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

export interface MetricsOptions {
  config: Config;
  log: Logger;
  db: Db;
  queues: Queues;
  role: string;
}

const CONNECTIONS_MAX = 32;
const ANSWER_MS_MAX = 10_000;

export async function serveMetrics({
  config,
  log,
  db,
  queues,
  role,
}: MetricsOptions): Promise<MetricsServer> {
  const metrics = countSignals(role, readVersion());
  const sampling = startSampling({ db, queues, log, state: metrics.state });
  let written: Promise<string> | null = null;
  // Scrapes that come together share what is written once.
  const write = (): Promise<string> => {
    written ??= metrics.registry.metrics().finally(() => {
      written = null;
    });
    return written;
  };
  const server = createServer(
    { headersTimeout: ANSWER_MS_MAX, requestTimeout: ANSWER_MS_MAX, keepAliveTimeout: 65_000 },
    (req, res) => {
      if (req.url !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) {
        res.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is only GET /metrics.\n');
        return;
      }
      void write().then(
        (text) => answer(res, metrics.registry.contentType, text),
        (error: unknown) => {
          log.warn({ err: error }, 'the metrics could not be written');
          res.writeHead(500).end();
        },
      );
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  await listenOn(server, {
    port: config.METRICS_PORT ?? 0,
    host: config.METRICS_HOST,
    variables: { port: 'METRICS_PORT', host: 'METRICS_HOST' },
  });
  const { port } = server.address() as AddressInfo;
  log.info({ host: config.METRICS_HOST, port }, 'metrics ready');
  return {
    port,
    close: async () => {
      await Promise.all(sampling.map((loop) => loop.close()));
      metrics.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(res: ServerResponse, contentType: string, text: string): void {
  res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}

function readVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
