/**
 * Cuts off a client that takes nothing of its answer: what is sent and not read is held for it, as long as it likes. An
 * answer that is only long in coming, or a slow reader, is waited for. What the client sends meanwhile is no sign of reading.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LinkedSet } from '../../fairness/linked-set.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';

const SWEEP_MS_MAX = 5000;

interface Progress {
  readonly res: ServerResponse;
  mark: string;
  since: number;
}

/** Property of Node that its types lack: only it tells how far a large write has got. */
interface WithHandle {
  _handle?: { writeQueueSize?: number } | null;
}

/** Looks at every answer under way, so often that none stalls for much longer than it may. */
export function cutStalled(server: Server, stallMs: number): PeriodicLoop {
  const open = new LinkedSet<Progress>();
  const follow = (_req: unknown, res: ServerResponse) => {
    res.once('close', open.add({ res, mark: '', since: performance.now() }));
  };
  server.on('request', follow);
  server.on('checkContinue', follow);
  const sweep = () => {
    const now = performance.now();
    for (const progress of open.values()) {
      const { socket } = progress.res;
      if (socket === null) continue;
      const mark = markOf(socket);
      if (socket.writableLength > 0 && mark === progress.mark) {
        if (now - progress.since >= stallMs) socket.destroy();
      } else {
        progress.mark = mark;
        progress.since = now;
      }
    }
  };
  return startPeriodic({
    periodMs: Math.min(stallMs / 4, SWEEP_MS_MAX),
    first: 'after a period',
    run: sweep,
    failure: null,
    isIncidental: true,
  });
}

function markOf(socket: Socket): string {
  const left = (socket as WithHandle)._handle?.writeQueueSize ?? 0;
  return `${socket.bytesWritten} ${left}`;
}
