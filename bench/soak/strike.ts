/** Does what is planned to go wrong in a round, as long as there is work that it can disturb. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { System } from '../system.ts';
import type { Fault, PlannedStrike } from './plan-round.ts';
import { selectBackends } from './stored.sql.ts';
import type { Database } from './verify-stored.ts';

export interface Strike {
  fault: Fault;
  /** After the first submission had begun. */
  atMs: number;
}

export interface Target {
  system: System;
  redis: Redis;
  database: Database;
}

/** Adds each strike to `struck` before it is made. Those that are still due when `over` fires are left out. */
export async function strikeAll(
  target: Target,
  planned: readonly PlannedStrike[],
  over: AbortSignal,
  struck: Strike[],
): Promise<void> {
  const startedAt = performance.now();
  for (const { fault, gapMs, share } of planned) {
    await delay(gapMs, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return;
    struck.push({ fault, atMs: Math.round(performance.now() - startedAt) });
    await strike(target, fault, share);
  }
}

async function strike({ system, redis, database }: Target, fault: Fault, share: number): Promise<void> {
  if (fault === 'redis') await redis.flushall();
  else if (fault === 'postmaster') await system.restartPostgres();
  else if (fault === 'backend') await killBackend(database, share);
  else await system[fault].restart();
}

/** One of the service's; the one that looks for them where there is none. */
async function killBackend(database: Database, share: number): Promise<void> {
  const backends = await database.read<{ pid: number }>(selectBackends);
  const { pid } = backends[Math.floor(share * backends.length)] as { pid: number };
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
