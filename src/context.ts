/** The resources of a process, made once at start and handed down; tests put their own in. */
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import type { Queues } from './queue/queues.ts';

export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly queues: Queues;
  /** For the rate limiter; null where BullMQ runs on PostgreSQL because no Redis could be had. */
  readonly redis: Redis | null;
  /** The operator's token: configured, or made at the first embedded start. */
  readonly operatorToken: string;
}
