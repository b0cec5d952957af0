/**
 * The rate limit of a key: a token bucket in Redis, shared by all web processes. It protects the service
 * from a client's mistake, not from an attack: when Redis is away, requests pass.
 */
import type { Response } from 'express';
import type { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors.ts';

export interface RateLimitOptions {
  /** The bucket's size, and what flows into it in a window. */
  requests: number;
  windowSeconds: number;
  prefix: string;
}

/** Counts one request of that key; throws `rate_limited`. */
export type LimitRate = (key: string, res: Response) => Promise<void>;

const REDIS_PATIENCE_MS = 250;
/** After Redis has not answered in time it is not asked for a while: requests shall not wait one by one. */
const REDIS_REST_MS = 5_000;

// The library counts in fixed windows, which lets twice the limit through around a window's end. Its script
// can be replaced: this one keeps the time at which the bucket is full again (GCRA) and answers in the
// form that the library expects, { points taken, ms }: ms until full, or until the next token when refused.
const TOKEN_BUCKET = `
local limit, window = tonumber(ARGV[3]), tonumber(ARGV[4]) * 1000
local interval = window / limit
local time = redis.call('time')
local now = time[1] * 1000 + time[2] / 1000
local full = math.max(tonumber(redis.call('get', KEYS[1]) or '0'), now) + ARGV[1] * interval
local wait = full - now - window
if wait > 0.01 then return { limit + 1, math.ceil(wait) } end
redis.call('set', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now))
return { math.ceil((full - now) / interval - 0.001), math.ceil(full - now) }`;

/**
 * The only maker of limiters on Redis: the library defines its script as a command of the client, so two
 * limiters with two scripts on one client would run the same one.
 */
export function openBucket(
  redis: Redis,
  options: RateLimitOptions,
  insuranceLimiter?: RateLimiterAbstract,
): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: options.prefix,
    points: options.requests,
    duration: options.windowSeconds,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: TOKEN_BUCKET,
    ...(insuranceLimiter === undefined ? {} : { insuranceLimiter }),
  });
}

export function openRateLimit(redis: Redis | null, options: RateLimitOptions): LimitRate {
  if (redis === null) return async () => {};
  const limiter = openBucket(redis, options);
  const policy = `"key";q=${options.requests};w=${options.windowSeconds}`;

  let restsUntil = 0;
  return async (key, res) => {
    if (performance.now() < restsUntil) return;
    const state = await outcomeOf(limiter, key);
    if (state === 'late') restsUntil = performance.now() + REDIS_REST_MS;
    if (state === 'late' || state === 'away') return;
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    res.setHeader('RateLimit-Policy', policy);
    res.setHeader('RateLimit', `"key";r=${state.remainingPoints};t=${seconds}`);
    if (state.consumedPoints > options.requests) {
      throw new AppError('rate_limited', {
        detail: `This key has used its ${options.requests} requests per ${options.windowSeconds} s.`,
        headers: { 'Retry-After': String(seconds) },
      });
    }
  };
}

/** What the limiter says, allowed or refused; or that Redis is away, or says nothing in time. */
async function outcomeOf(limiter: RateLimiterRedis, key: string): Promise<RateLimiterRes | 'away' | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), REDIS_PATIENCE_MS);
  });
  const asked = limiter
    .consume(key)
    .catch((refused: unknown) => (refused instanceof RateLimiterRes ? refused : ('away' as const)));
  try {
    return await Promise.race([asked, patience]);
  } finally {
    clearTimeout(timer);
  }
}
