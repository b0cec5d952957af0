/**
 * The client of a Redis that is one server, one that sentinels watch, or a cluster. In a cluster the keys of one command must
 * lie together: those of a queue do by a name in braces, which all of them begin with.
 */
import { Cluster, Redis } from 'ioredis';
import { type RedisNode, redisTarget } from '../server-urls/redis-target.ts';

export type RedisClient = Redis | Cluster;

export interface RedisClientOptions {
  maxRetriesPerRequest: number | null;
  enableReadyCheck?: boolean;
}

const RETRY_MS_MAX = 2000;
const retryStrategy = (attempt: number) => Math.min(50 * 2 ** attempt, RETRY_MS_MAX);
/** Error of a master that has become a replica: the next connection finds the new master. */
const DEMOTED = /^(READONLY|UNBLOCKED)/;

export function openRedis(url: string, options: RedisClientOptions): RedisClient {
  const target = redisTarget(url);
  const { kind, nodes, group, username, password, sentinelPassword, database, tls } = target;
  const shared = {
    ...options,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
  };
  if (kind === 'cluster') {
    return new Cluster(nodes, {
      clusterRetryStrategy: retryStrategy,
      redisOptions: shared,
      // A certificate names the host, which a look-up would replace by its address.
      ...(tls ? { dnsLookup: (address, found) => found(null, address) } : {}),
    });
  }
  const single = {
    ...shared,
    db: database,
    retryStrategy,
    // 2: connect anew, and send what was refused again.
    reconnectOnError: (error: Error) => (DEMOTED.test(error.message) ? (2 as const) : false),
  };
  if (kind === 'single') return new Redis({ ...single, ...(nodes[0] as RedisNode) });
  return new Redis({
    ...single,
    sentinels: nodes,
    name: group as string,
    sentinelRetryStrategy: retryStrategy,
    failoverDetector: true,
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
    ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
  });
}

/** Returns the prefix of a queue's keys: in a cluster a name in braces, which puts them in one slot. */
export function queuePrefix(url: string, prefix: string, queue: string): string {
  return redisTarget(url).kind === 'cluster' ? `{${prefix}-${queue}}` : prefix;
}
