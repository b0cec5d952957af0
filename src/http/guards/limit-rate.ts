/**
 * The rate limit of a key and of its workspace: two token buckets in Redis, shared by all web processes. They protect
 * the service from a client's mistake, not from an attack: when Redis is away, requests pass.
 */
import type { Response } from 'express';
import type { Cluster, Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible';
import { AppError } from '../../errors.ts';

export interface RateLimitOptions {
  /** The bucket's size, and what flows into it in a window. */
  requests: number;
  windowSeconds: number;
  prefix: string;
}

export interface RateLimits {
  windowSeconds: number;
  prefix: string;
  /** A Redis that takes longer counts as away, and is not asked for a while. */
  patienceMs: number;
  /** Requests in a window, of one key and of all keys of a workspace. */
  key: number;
  workspace: number;
}

export interface Counted {
  keyId: string;
  workspaceId: string;
  /** How many requests the call counts as; 1 where it is unset. */
  requests?: number;
}

/** Counts a call of that key, in its workspace; throws `rate_limited`. */
export type LimitRate = (counted: Counted, res: Response) => Promise<void>;

/**
 * How long a process may admit requests ahead of asking Redis. While both buckets are well filled, it admits some
 * of the next requests of a key and takes them with the next query or after this time. They are such a small part
 * of what is left that even many processes cannot admit more than there is; near the end of a bucket it is none,
 * and every request asks. If others empty the bucket meanwhile, the requests admitted ahead are not taken any more:
 * at most that much more for each further process.
 */
const AHEAD_MS = 1000;
const AHEAD_PART = 64;
const AHEAD_MAX = 32;

/** How long Redis is not asked after it did not answer in time, so that requests do not wait one after the other. */
export const REDIS_REST_MS = 5_000;

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
if full <= now then
  redis.call('del', KEYS[1])
  return { 0, 0 }
end
redis.call('set', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now))
return { math.ceil((full - now) / interval - 0.001), math.ceil(full - now) }`;

/**
 * The only maker of limiters on Redis: the library defines its script as a command of the client, so two
 * limiters with two scripts on one client would run the same one.
 */
export function openBucket(
  redis: Redis | Cluster,
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

// The same for two buckets at once, and for several requests that came together: a request that either refuses is taken
// from neither, so that a key which has used its own up leaves the workspace's to the others. Answers with the number of
// those that are let in, and { over, left, ms } for each bucket as it is behind them.
const BOTH_BUCKETS = `
local window, wanted = tonumber(ARGV[1]) * 1000, tonumber(ARGV[2])
local time = redis.call('time')
local now = time[1] * 1000 + time[2] / 1000
local full, interval, wait, refused, taken = {}, {}, {}, false, 0
for i, name in ipairs(KEYS) do
  interval[i] = window / tonumber(ARGV[i + 2])
  full[i] = math.max(tonumber(redis.call('get', name) or '0'), now)
end
while taken < wanted and not refused do
  for i in ipairs(KEYS) do
    wait[i] = full[i] + interval[i] - now - window
    refused = refused or wait[i] > 0.01
  end
  if not refused then
    taken = taken + 1
    for i in ipairs(KEYS) do full[i] = full[i] + interval[i] end
  end
end
local answer = { taken }
for i, name in ipairs(KEYS) do
  if taken > 0 then redis.call('set', name, string.format('%.3f', full[i]), 'PX', math.ceil(full[i] - now)) end
  local over = refused and wait[i] > 0.01
  answer[#answer + 1] = over and 1 or 0
  answer[#answer + 1] = math.max(0, tonumber(ARGV[i + 2]) - math.ceil((full[i] - now) / interval[i] - 0.001))
  answer[#answer + 1] = math.ceil(over and wait[i] or full[i] - now)
end
return answer`;

interface Bucket {
  name: 'key' | 'workspace';
  requests: number;
  over: boolean;
  left: number;
  seconds: number;
}

/** Result of requests that were counted together. */
interface Taken {
  /** The number of requests, from the first on, that are accepted. */
  taken: number;
  buckets: Bucket[];
}

/** Requests of a key that are accepted without asking Redis, by its last answer about the buckets. */
interface Ahead {
  buckets: Bucket[];
  free: number;
  /** Let in, and not taken yet. */
  used: number;
  until: number;
  timer: NodeJS.Timeout;
}

interface Together {
  wanted: number;
  answer: Promise<Taken | 'away' | 'late'>;
}

export function openRateLimit(redis: Redis | Cluster | null, limits: RateLimits): LimitRate {
  if (redis === null) return async () => {};
  redis.defineCommand('takeFromBuckets', { numberOfKeys: 2, lua: BOTH_BUCKETS });
  const scripted = redis as typeof redis & {
    takeFromBuckets(...given: (string | number)[]): Promise<number[]>;
  };
  const { windowSeconds, prefix, patienceMs } = limits;
  const policy = `"key";q=${limits.key};w=${windowSeconds}, "workspace";q=${limits.workspace};w=${windowSeconds}`;

  const take = async (keyId: string, workspaceId: string, wanted: number): Promise<Taken> => {
    // In a cluster both lie together, by what stands in braces.
    const names = [`${prefix}:{${workspaceId}}:${keyId}`, `${prefix}:{${workspaceId}}`];
    const values = [windowSeconds, wanted, limits.key, limits.workspace];
    const [taken = 0, keyOver, keyLeft, keyMs, over, left, ms] = await scripted.takeFromBuckets(
      ...names,
      ...values,
    );
    const buckets = [
      bucket('key', limits.key, [keyOver, keyLeft, keyMs]),
      bucket('workspace', limits.workspace, [over, left, ms]),
    ];
    return { taken, buckets };
  };
  const together = new Map<string, Together>();
  const aheads = new Map<string, Ahead>();
  /** Requests that all keys of a workspace may admit ahead. */
  const freeOf = new Map<string, number>();
  /** Ends admission ahead: returns the admitted requests that are to be taken now. */
  const endAhead = (keyId: string, workspaceId: string): number => {
    const name = `${workspaceId} ${keyId}`;
    const ahead = aheads.get(name);
    if (ahead === undefined) return 0;
    clearTimeout(ahead.timer);
    aheads.delete(name);
    const free = (freeOf.get(workspaceId) ?? 0) - ahead.free;
    if (free > 0) freeOf.set(workspaceId, free);
    else freeOf.delete(workspaceId);
    return ahead.used;
  };
  const goAhead = (keyId: string, workspaceId: string, { taken, buckets }: Taken, wanted: number): void => {
    const used = endAhead(keyId, workspaceId);
    const parts = buckets.map(({ name, left }) => {
      const part = Math.floor(left / AHEAD_PART);
      return name === 'key' ? part : part - (freeOf.get(workspaceId) ?? 0);
    });
    const free = taken < wanted ? 0 : Math.max(0, Math.min(AHEAD_MAX, ...parts));
    if (used === 0 && free === 0) return;
    const settle = () => {
      const rest = endAhead(keyId, workspaceId);
      if (rest > 0) void inTime(take(keyId, workspaceId, rest), patienceMs);
    };
    // It keeps nobody from ending: what has not been taken then is given.
    const timer = setTimeout(settle, AHEAD_MS).unref();
    const until = performance.now() + AHEAD_MS;
    aheads.set(`${workspaceId} ${keyId}`, { buckets, free, used, until, timer });
    freeOf.set(workspaceId, (freeOf.get(workspaceId) ?? 0) + free);
  };
  const takeAhead = (name: string): Bucket[] | null => {
    const ahead = aheads.get(name);
    if (ahead === undefined || ahead.used >= ahead.free || performance.now() > ahead.until) return null;
    const used = ++ahead.used;
    return ahead.buckets.map((one) => ({ ...one, left: Math.max(0, one.left - used) }));
  };
  /** Takes a call's requests together with whatever else of its key has come in this turn of the event loop. */
  const takeAll = async (
    keyId: string,
    workspaceId: string,
    requests: number,
  ): Promise<Bucket[] | 'away' | 'late'> => {
    const name = `${workspaceId} ${keyId}`;
    let group = together.get(name);
    const known = group === undefined && requests === 1 ? takeAhead(name) : null;
    if (known !== null) return known;
    if (group === undefined) {
      const answer = Promise.withResolvers<Taken | 'away' | 'late'>();
      const made = { wanted: endAhead(keyId, workspaceId), answer: answer.promise };
      group = made;
      together.set(name, made);
      setImmediate(() => {
        together.delete(name);
        void inTime(take(keyId, workspaceId, made.wanted), patienceMs).then(answer.resolve);
      });
    }
    group.wanted += requests;
    const place = group.wanted;
    const answer = await group.answer;
    if (answer === 'away' || answer === 'late') return answer;
    const { taken, buckets } = answer;
    if (place === group.wanted) goAhead(keyId, workspaceId, answer, place);
    if (place > taken) return buckets;
    return buckets.map((one) => ({ ...one, over: false, left: one.left + taken - place }));
  };

  let restsUntil = 0;
  return async ({ keyId, workspaceId, requests = 1 }, res) => {
    // While it is away every request would wait for the next attempt to reach it.
    if (redis.status !== 'ready' || performance.now() < restsUntil) return;
    const buckets = await takeAll(keyId, workspaceId, requests);
    if (buckets === 'late') restsUntil = performance.now() + REDIS_REST_MS;
    if (buckets === 'late' || buckets === 'away') return;
    res.setHeader('RateLimit-Policy', policy);
    res.setHeader(
      'RateLimit',
      buckets.map(({ name, left, seconds }) => `"${name}";r=${left};t=${seconds}`).join(', '),
    );
    const over = buckets.filter((one) => one.over).toSorted((a, b) => b.seconds - a.seconds)[0];
    if (over === undefined) return;
    const who = over.name === 'key' ? 'This key has' : 'The keys of this workspace have together';
    throw new AppError('rate_limited', {
      detail: `${who} used ${over.name === 'key' ? 'its' : 'their'} ${over.requests} requests per ${windowSeconds} s.`,
      headers: { 'Retry-After': String(over.seconds) },
    });
  };
}

function bucket(
  name: Bucket['name'],
  requests: number,
  [over, left = 0, ms = 0]: (number | undefined)[],
): Bucket {
  return { name, requests, over: over === 1, left, seconds: Math.max(1, Math.ceil(ms / 1000)) };
}

/** Returns the answer of Redis, or that it is down or did not answer in time. */
export async function inTime<T>(asked: Promise<T>, patienceMs: number): Promise<T | 'away' | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), patienceMs);
  });
  try {
    return await Promise.race([asked.catch(() => 'away' as const), patience]);
  } finally {
    clearTimeout(timer);
  }
}
