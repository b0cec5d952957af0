/**
 * The job catalogue: every job's name, its queue and the shape of its data. Producers and `jobs.ts` take
 * their types from here. Jobs carry ids, never entities: what they name lies in PostgreSQL.
 */
import { z } from 'zod';

const BatchRef = z.object({ workspaceId: z.uuid(), batchId: z.uuid() });
/** A turn of a workspace at its events; a turn that has been taken is ignored. */
const TurnRef = z.object({ workspaceId: z.uuid(), turn: z.string() });

export const jobs = {
  /** Takes the next steps of one batch: a job that claims chunk after chunk. */
  'sync.advance': { queue: 'sync', data: BatchRef },
  /** Job for batches whose next step is long: it never uses the threads of the others. */
  'sync.advanceLong': { queue: 'sync-long', data: BatchRef },
  /** Runs automations for the next events of a workspace. */
  'automation.turn': { queue: 'automation', data: TurnRef },
  /** Job for a workspace whose scripts are slow or unknown: it never uses all threads. */
  'automation.slowTurn': { queue: 'automation-slow', data: TurnRef },
  /** Writes the deliveries of the next events of a workspace; in a queue of its own: it waits for no receiver. */
  'webhook.expand': { queue: 'webhook-expand', data: TurnRef },
  /** Sends what is due for one webhook. */
  'webhook.deliver': { queue: 'webhook', data: TurnRef.extend({ webhookId: z.uuid() }) },
  /** Tells members of the next events of a workspace that they follow. */
  'inbox.tell': { queue: 'inbox', data: TurnRef },
} as const satisfies Record<string, { queue: string; data: z.ZodType }>;

export type JobName = keyof typeof jobs;
export type JobData<N extends JobName> = z.infer<(typeof jobs)[N]['data']>;
export type QueueName = (typeof jobs)[JobName]['queue'];
export const queueNames = [...new Set(Object.values(jobs).map((job) => job.queue))] as QueueName[];
