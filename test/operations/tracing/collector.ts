/** Takes what an exporter of OpenTelemetry sends (OTLP over HTTP as JSON) and keeps the spans. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status?: { code?: number };
}

export interface Collector {
  endpoint: string;
  spans: CollectedSpan[];
  /** All that was received, as text. */
  received(): string;
  close(): Promise<void>;
}

interface Export {
  resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[];
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  let received = '';
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const piece of req.setEncoding('utf8')) text += piece;
    if (req.url !== '/v1/traces') {
      res.writeHead(404).end();
      return;
    }
    received += text;
    for (const { scopeSpans } of (JSON.parse(text) as Export).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    received: () => received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
