/**
 * Attempts at a secret, limited by where they come from. Without Redis, and while it says nothing, each process counts for itself:
 * who has to mend it must be able to sign in.
 */
import type { Cluster, Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { inTime, openBucket, REDIS_REST_MS } from './limit-rate.ts';

export interface Attempts {
  /** Counts one; the seconds to wait where there were too many, null where it may be made. */
  begin(from: string): Promise<number | null>;
  /** Takes the last one back, because it succeeded. Failed attempts before it still count: a caller's own success opens no room for guesses. */
  takeBack(from: string): Promise<void>;
}

export interface AttemptLimit {
  prefix: string;
  requests: number;
  windowSeconds: number;
  /** A Redis that takes longer counts as away, and is not asked for a while. */
  patienceMs: number;
}

export function openAttempts(redis: Redis | Cluster | null, limit: AttemptLimit): Attempts {
  const memory = new RateLimiterMemory({
    keyPrefix: limit.prefix,
    points: limit.requests,
    duration: limit.windowSeconds,
  });
  const shared = redis === null ? null : openBucket(redis, limit, memory);
  let restsUntil = 0;
  const ask = async <T>(work: (of: RateLimiterAbstract) => Promise<T>): Promise<T> => {
    if (shared === null || performance.now() < restsUntil) return work(memory);
    const answer = await inTime(work(shared), limit.patienceMs);
    if (answer !== 'late' && answer !== 'away') return answer;
    if (answer === 'late') restsUntil = performance.now() + REDIS_REST_MS;
    return work(memory);
  };
  return {
    begin: (from) => ask((limiter) => countOne(limiter, from)),
    takeBack: async (from) => {
      await ask((limiter) => limiter.reward(from).catch(() => null));
    },
  };
}

/** The seconds to wait, or null. */
function countOne(limiter: RateLimiterAbstract, from: string): Promise<number | null> {
  return limiter.consume(from).then(
    () => null,
    (reason: unknown) => {
      if (reason instanceof RateLimiterRes) return Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
      throw reason;
    },
  );
}
