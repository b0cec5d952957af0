/** Announces webhooks that have something to deliver: at most one job for each. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { type PeriodicLoop, startPeriodic } from '../process/start-periodic.ts';
import type { Queues } from '../queue/queues.ts';
import { claimWebhooks } from './webhook.sql.ts';

export interface Announcing {
  config: Config;
  log: Logger;
  db: Db;
  queues: Queues;
}

const PERIOD_MS = 500;

export type Leasing = Pick<Config, 'WEBHOOK_TIMEOUT_MS' | 'EVENT_HEAL_SECONDS'>;

/** Longer than the deliveries of one turn can take. */
export function leaseSeconds(config: Leasing): number {
  return Math.ceil((4 * config.WEBHOOK_TIMEOUT_MS) / 1000) + config.EVENT_HEAL_SECONDS;
}

/** Announces deliveries of one workspace or of all, as many at a time as each may hold. */
export async function announceDeliveries(
  { db, queues, config }: Pick<Announcing, 'db' | 'queues' | 'config'>,
  { workspaceId, healSeconds = leaseSeconds(config) }: { workspaceId?: string; healSeconds?: number } = {},
): Promise<void> {
  const scope = workspaceId === undefined ? 'instance' : { workspaceId };
  const values = [healSeconds, config.WEBHOOK_SHARE, ...(workspaceId === undefined ? [] : [workspaceId])];
  const due = await inTransaction(db, scope, (tx) =>
    tx.query<{ workspace_id: string; id: string; turn: string }>(
      claimWebhooks(workspaceId === undefined ? 'instance' : 'workspace'),
      values,
    ),
  );
  for (const { workspace_id, id: webhookId, turn } of due) {
    await queues.announce('webhook.deliver', { workspaceId: workspace_id, webhookId, turn: String(turn) });
  }
}

/** Looks for what has become due; at once for all, because the worker before may have died of it. */
export function startAnnouncing(worker: Announcing): PeriodicLoop {
  let isFirst = true;
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at once',
    run: async () => {
      const all = isFirst ? { healSeconds: 0 } : {};
      isFirst = false;
      await announceDeliveries(worker, all);
    },
    failure: { log: worker.log, message: 'deliveries have to wait' },
  });
}
