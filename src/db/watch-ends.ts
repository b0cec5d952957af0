/**
 * Waits until batches or runs end: one statement every few milliseconds for all that wait in this process,
 * however many they are. PostgreSQL is asked, not Redis: only there a state is certain.
 */
import type { Db } from './connect.ts';
import { inTransaction } from './transaction.ts';

export interface Awaited {
  workspaceId: string;
  id: string;
}

export interface EndWatch {
  /** Resolves when the batch or run has ended or the time is up, whichever is first. */
  untilEnded(awaited: Awaited, timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Waiting {
  workspaceId: string;
  since: number;
  wake: () => void;
}

/**
 * Young waiters are looked after often: most batches are small and end in a few milliseconds. The others in proportion to how long they have
 * waited, so that nobody is told later than by a fortieth of it.
 */
const POLL_MS_MIN = 15;
const POLL_MS_MAX = 150;
const POLLS_PER_WAIT = 40;
/** A poll of many, or of a busy server, is followed by a longer pause: half of a connection at most. */
const PAUSE_PER_POLL = 1;

/** `selectEnded` finds those that have ended. $1 workspace[], $2 id[] beside it. */
export function openEndWatch(db: Db, selectEnded: string): EndWatch {
  const waiting = new Map<string, Set<Waiting>>();
  let timer: NodeJS.Timeout | null = null;
  let tookMs = 0;

  const schedule = () => {
    if (timer !== null || waiting.size === 0) return;
    const now = Date.now();
    let youngest = 0;
    for (const some of waiting.values()) for (const one of some) youngest = Math.max(youngest, one.since);
    const periodMs = Math.min(POLL_MS_MAX, Math.max(POLL_MS_MIN, (now - youngest) / POLLS_PER_WAIT));
    timer = setTimeout(poll, Math.max(periodMs, PAUSE_PER_POLL * tookMs));
  };

  const poll = async () => {
    const startedAt = performance.now();
    try {
      const ids = [...waiting.keys()];
      const workspaceIds = [...waiting.values()].map((some) => [...some][0]?.workspaceId ?? null);
      const ended = await inTransaction(
        db,
        'instance',
        (tx) => tx.queryPrepared<{ id: string }>(selectEnded, [workspaceIds, ids]),
        { glance: true, keepsPlans: true },
      );
      for (const { id } of ended) for (const one of waiting.get(id) ?? []) one.wake();
    } catch {
      // PostgreSQL is away: whoever waits is told what is known when its time is up.
    } finally {
      tookMs = performance.now() - startedAt;
      timer = null;
      schedule();
    }
  };

  return {
    untilEnded: ({ workspaceId, id }, timeoutMs, signal) => {
      if (timeoutMs <= 0 || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const some = waiting.get(id) ?? new Set();
        const one: Waiting = { workspaceId, since: Date.now(), wake: () => done() };
        const deadline = setTimeout(() => done(), timeoutMs);
        const onAbort = () => done();
        const done = () => {
          clearTimeout(deadline);
          signal.removeEventListener('abort', onAbort);
          some.delete(one);
          if (some.size === 0) waiting.delete(id);
          resolve();
        };
        signal.addEventListener('abort', onAbort);
        some.add(one);
        waiting.set(id, some);
        schedule();
      });
    },
    close: () => {
      if (timer !== null) clearTimeout(timer);
      for (const some of [...waiting.values()]) for (const one of [...some]) one.wake();
    },
  };
}
