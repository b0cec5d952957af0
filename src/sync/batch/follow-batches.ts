/**
 * Following batches while they run: one statement a look for all streams of a process, however many follow how many
 * batches. A look that takes long is followed by a pause that is longer still.
 */
import type { BatchRef } from '../chunk/thread-context.ts';
import type { SyncBatch } from './sync.schema.ts';

export interface FollowedBatch extends BatchRef {
  slug: string;
}

export interface BatchFollower {
  /** The batch at the next read; null if it was deleted or cannot be read now. */
  next(batch: FollowedBatch, ended: AbortSignal): Promise<SyncBatch | null | 'ended'>;
  close(): void;
}

const PERIOD_MS = 500;
/** At most a fifth of the time one connection is busy with it. */
const PAUSE_PER_LOOK = 4;

/** `look` resolves to what there is of these batches, by their ids. */
export function followBatches(
  look: (batches: readonly FollowedBatch[]) => Promise<ReadonlyMap<string, SyncBatch>>,
): BatchFollower {
  let following = new Map<
    string,
    { batch: FollowedBatch; waiting: Set<(seen: SyncBatch | null | 'ended') => void> }
  >();
  let timer: NodeJS.Timeout | null = null;
  let isLooking = false;
  let tookMs = 0;
  let isClosed = false;

  const schedule = () => {
    if (timer !== null || isLooking || following.size === 0) return;
    timer = setTimeout(tick, Math.max(PERIOD_MS, PAUSE_PER_LOOK * tookMs));
  };

  const tick = async () => {
    timer = null;
    isLooking = true;
    const looked = following;
    following = new Map();
    const startedAt = performance.now();
    try {
      const seen = await look([...looked.values()].map(({ batch }) => batch));
      for (const [id, { waiting }] of looked) for (const tell of waiting) tell(seen.get(id) ?? null);
    } catch {
      // PostgreSQL is away, or busy: the clients come back, and are told then.
      for (const { waiting } of looked.values()) for (const tell of waiting) tell('ended');
    } finally {
      tookMs = performance.now() - startedAt;
      isLooking = false;
      schedule();
    }
  };

  return {
    next: (batch, ended) =>
      new Promise((resolve) => {
        if (ended.aborted || isClosed) return resolve('ended');
        const one = following.get(batch.batchId) ?? { batch, waiting: new Set() };
        following.set(batch.batchId, one);
        const onEnded = () => tell('ended');
        const tell = (seen: SyncBatch | null | 'ended') => {
          ended.removeEventListener('abort', onEnded);
          one.waiting.delete(tell);
          if (one.waiting.size === 0 && following.get(batch.batchId) === one) following.delete(batch.batchId);
          resolve(seen);
        };
        one.waiting.add(tell);
        ended.addEventListener('abort', onEnded);
        schedule();
      }),
    close: () => {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      for (const { waiting } of [...following.values()]) for (const tell of [...waiting]) tell('ended');
    },
  };
}
