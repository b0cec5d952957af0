/** What stands at the other end of a webhook: keeps what comes, and answers as it is told. */
import { createServer, type IncomingHttpHeaders } from 'node:http';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Status of the next answers; the last one stays. Null never answers. */
  answers: (number | null)[];
  /** In their place where it is set: by what has come. */
  answer: ((message: Received) => number | Promise<number>) | null;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: (number | null)[] = [200];
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', async () => {
      const message = { path: req.url ?? '', headers: req.headers, body: Buffer.concat(parts).toString() };
      received.push(message);
      const status =
        (await receiver.answer?.(message)) ?? (answers.length > 1 ? answers.shift() : answers[0]);
      if (status == null) return;
      res.writeHead(status, { Location: '/elsewhere' });
      res.end('x'.repeat(1000));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers,
    answer: null,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
