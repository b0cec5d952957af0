/**
 * A closed-loop HTTP client that costs as little as it can: it shares the cores with what it measures. Raw
 * keep-alive sockets, one request in flight on each, requests made beforehand as bytes.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** The next request of a connection, whole. */
  next(connection: number): Buffer;
}

export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers by status. */
  statuses: Record<string, number>;
}

export async function load({ port, connections, seconds, next }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    sockets.map((socket, connection) =>
      loop(
        socket,
        () => next(connection),
        end,
        (status, ms) => {
          latencies.push(ms);
          statuses[status] = (statuses[status] ?? 0) + 1;
        },
      ),
    ),
  );
  const elapsed = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    requests: latencies.length,
    perSecond: latencies.length / elapsed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    statuses,
  };
}

function loop(
  socket: Socket,
  next: () => Buffer,
  end: number,
  done: (status: string, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = performance.now();
    let chunks: Buffer[] = [];
    let have = 0;
    let want = 0;
    let status = '';
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      have += chunk.length;
      if (want === 0) {
        const text = (chunks.length === 1 ? chunk : Buffer.concat(chunks)).toString('latin1', 0, 4096);
        const head = text.indexOf('\r\n\r\n');
        if (head === -1) return;
        status = text.slice(9, 12);
        want = head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      }
      if (have < want) return;
      const now = performance.now();
      done(status, now - sent);
      chunks = [];
      have = 0;
      want = 0;
      if (now >= end) {
        socket.destroy();
        resolve();
        return;
      }
      sent = now;
      socket.write(next());
    });
    socket.write(next());
  });
}
