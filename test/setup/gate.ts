/** A TCP gate in front of a server, which a test can shut: what the service sees when the server is away. */
import { connect, createServer, type Socket } from 'node:net';

export interface Gate {
  /** The URL of the server behind, through the gate. */
  through(url: string): string;
  /** Cuts every connection and lets no new one in. */
  shut(): void;
  open(): void;
  /** Keeps connections, and lets nothing through them any more; `open` does. */
  stall(): void;
  /** Bytes that wait before the stalled gate. */
  held(): number;
  close(): Promise<void>;
}

/** A gate for one server, which the first URL that goes through it names. */
export async function openGate(): Promise<Gate> {
  let target: { host: string; port: number } | null = null;
  let isShut = false;
  let isStalled = false;
  const sockets = new Set<Socket>();
  const links = new Set<{ near: Socket; far: Socket }>();
  const stalled = new Set<{ near: Socket; far: Socket }>();
  const server = createServer((near) => {
    if (isShut || target === null) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    const link = { near, far };
    links.add(link);
    far.pipe(near);
    // Whoever connects to a server that hangs is let in by the system and hears nothing.
    if (isStalled) stalled.add(link);
    else near.pipe(far);
    near.on('close', () => links.delete(link));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    through: (url) => {
      const behind = new URL(url);
      target = { host: behind.hostname, port: Number(behind.port) };
      behind.hostname = '127.0.0.1';
      behind.port = String(port);
      return behind.href;
    },
    shut: () => {
      isShut = true;
      cut();
    },
    open: () => {
      isShut = false;
      isStalled = false;
      for (const { near, far } of stalled) near.pipe(far);
      stalled.clear();
    },
    stall: () => {
      isStalled = true;
      for (const link of links) {
        link.near.unpipe(link.far);
        stalled.add(link);
      }
    },
    held: () => [...stalled].reduce((sum, { near }) => sum + near.readableLength, 0),
    close: async () => {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
