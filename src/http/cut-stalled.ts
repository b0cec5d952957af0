/**
 * Cuts off a client that takes nothing of its answer: what is sent and not read is held for it, as long as it likes. An
 * answer that is only long in coming, or a slow reader, is waited for. What the client sends meanwhile is no sign of reading.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Progress {
  mark: string;
  since: number;
}

/** What Node has and its types lack: of one large write, only this says how far it has got. */
interface WithHandle {
  _handle?: { writeQueueSize?: number } | null;
}

/** Looks at every answer under way, so often that none stalls for much longer than it may. Returns what ends it. */
export function cutStalled(server: Server, stallMs: number): () => void {
  const open = new Map<ServerResponse, Progress>();
  const follow = (_req: unknown, res: ServerResponse) => {
    open.set(res, { mark: '', since: performance.now() });
    res.once('close', () => open.delete(res));
  };
  server.on('request', follow);
  server.on('checkContinue', follow);
  const sweep = setInterval(
    () => {
      const now = performance.now();
      for (const [res, progress] of open) {
        const { socket } = res;
        if (socket === null) continue;
        const mark = markOf(socket);
        if (socket.writableLength > 0 && mark === progress.mark) {
          if (now - progress.since >= stallMs) socket.destroy();
        } else {
          progress.mark = mark;
          progress.since = now;
        }
      }
    },
    Math.min(stallMs / 4, 5000),
  );
  sweep.unref();
  return () => clearInterval(sweep);
}

function markOf(socket: Socket): string {
  const left = (socket as WithHandle)._handle?.writeQueueSize ?? 0;
  return `${socket.bytesWritten} ${left}`;
}
