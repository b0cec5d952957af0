/** Attempts at a secret, limited by where they come from. Without Redis each process counts for itself. */
import type { Cluster, Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { openBucket } from './limit-rate.ts';

export interface Attempts {
  /** Counts one; the seconds to wait where there were too many, null where it may be made. */
  begin(from: string): Promise<number | null>;
  /** It succeeded: those before it are forgotten. */
  forget(from: string): Promise<void>;
}

export function openAttempts(
  redis: Redis | Cluster | null,
  limit: { prefix: string; requests: number; windowSeconds: number },
): Attempts {
  const memory = new RateLimiterMemory({
    keyPrefix: limit.prefix,
    points: limit.requests,
    duration: limit.windowSeconds,
  });
  const limiter: RateLimiterAbstract = redis === null ? memory : openBucket(redis, limit, memory);
  return {
    begin: (from) =>
      limiter.consume(from).then(
        () => null,
        (reason: unknown) =>
          reason instanceof RateLimiterRes ? Math.max(1, Math.ceil(reason.msBeforeNext / 1000)) : null,
      ),
    forget: async (from) => {
      await limiter.delete(from).catch(() => {});
    },
  };
}
