/**
 * The messages that this process is sending. A receiver that takes its time holds a place of its workspace's and none of the
 * queue's: the job of a slow turn ends, and the turn goes on here. So many targets that never answer, of however many
 * workspaces, keep nobody's next delivery from being begun.
 */
import type { Logger } from 'pino';
import type { ResolveName } from './resolve-name.ts';

/** Turns to one host at once, for whoever has one there already; whoever has none may always begin one. */
const HOST_TURNS_MAX = 16;
/** Turns that go on without a job; beyond it a job waits for its turn, so that sockets are bounded. */
const DETACHED_MAX = 1000;

export interface Sending {
  /** Whether a turn of that workspace to that host may begin. */
  hasRoom(workspaceId: string, host: string): boolean;
  /**
   * Makes the turn. Resolves when it has ended or `patienceMs` are over, whichever is first: it then goes on by itself.
   * Rejects only where the turn fails before that; later failures are logged.
   */
  run(workspaceId: string, host: string, patienceMs: number, turn: () => Promise<void>): Promise<void>;
  /** Names of receivers to addresses. */
  readonly resolve: ResolveName;
  /** Aborted when the process stops: what has not been answered then is sent again by the next one. */
  readonly stopping: AbortSignal;
  /** Ends what is under way, and waits until that has been noted. */
  close(): Promise<void>;
}

export function openSending(log: Logger, resolve: ResolveName): Sending {
  const stop = new AbortController();
  const detached = new Set<Promise<unknown>>();
  /** Turns under way by host, and by workspace and host. */
  const turns = new Map<string, number>();
  const count = (key: string, change: 1 | -1) => {
    const now = (turns.get(key) ?? 0) + change;
    if (now === 0) turns.delete(key);
    else turns.set(key, now);
  };
  return {
    resolve,
    stopping: stop.signal,
    hasRoom: (workspaceId, host) =>
      (turns.get(host) ?? 0) < HOST_TURNS_MAX || !turns.has(`${workspaceId} ${host}`),
    run: async (workspaceId, host, patienceMs, turn) => {
      const keys = [host, `${workspaceId} ${host}`];
      for (const key of keys) count(key, 1);
      const running = turn().finally(() => {
        for (const key of keys) count(key, -1);
      });
      if (detached.size >= DETACHED_MAX) return running;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, patienceMs, 'late');
      });
      try {
        if ((await Promise.race([running, late])) !== 'late') return;
      } finally {
        clearTimeout(timer);
      }
      const kept: Promise<void> = running
        .catch((error: unknown) => log.warn({ workspaceId, err: error }, 'deliveries have to wait'))
        .finally(() => detached.delete(kept));
      detached.add(kept);
    },
    close: async () => {
      stop.abort();
      await Promise.all(detached);
    },
  };
}
