/** The connection and the limits that a sync thread keeps between tasks. */
import { connectDb, type Db } from '../../db/connect.ts';
import type { WireOptions } from '../../db/wire/wire.ts';
import type { ElementLimits } from '../elements/read-element.ts';

export interface SyncThreadOptions {
  databaseUrl: string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  poolMax: number;
  /** How long a step waits for a lock that somebody else holds. */
  lockTimeoutMs: number;
  wire: WireOptions;
  /** Links of one transaction, or all of those of one parent. */
  linksPerTransaction: number;
  limits: ElementLimits;
}

export interface SyncThread {
  db: Db;
  linksPerTransaction: number;
  limits: ElementLimits;
}

export const THREAD_SETTINGS = {
  plan_cache_mode: 'force_custom_plan',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // It keeps the rows of a workspace that is taken for small, to go through them once for each of a chunk.
  enable_material: 'off',
};

/**
 * Connects a thread. Its statements are read once a connection, but planned anew for each chunk, because plans that are kept go wrong as tables grow; and its
 * joins are index probes, whatever statistics from before a large batch say: a chunk is small beside its tables.
 */
export async function openSyncThread(options: SyncThreadOptions): Promise<SyncThread> {
  const db = await connectDb({
    url: options.databaseUrl,
    applicationName: options.applicationName,
    poolMax: options.poolMax,
    settings: THREAD_SETTINGS,
    preparesAll: true,
    lockTimeoutMs: options.lockTimeoutMs,
    wire: options.wire,
    log: { warn: () => {} },
  });
  return { db, linksPerTransaction: options.linksPerTransaction, limits: options.limits };
}

export interface BatchRef {
  workspaceId: string;
  batchId: string;
}

/** The batch and the kind of chunk that a step is for. */
export interface StepRef extends BatchRef {
  /** Chunks that are left for later. */
  passedOver?: readonly number[];
  /** Only a chunk that is large, which no step but those in the thread for long steps takes. */
  large: boolean;
  /** The trace that the step's spans belong to, where there is one. */
  traceparent?: string | null;
}

/** How statements name a batch: their first two parameters. */
export function pair({ workspaceId, batchId }: BatchRef): [string, string] {
  return [workspaceId, batchId];
}
