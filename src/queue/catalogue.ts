/**
 * The job catalogue: every job's name, its queue and the shape of its data. Producers and `jobs.ts` take
 * their types from here. Jobs carry ids, never entities: what they name lies in PostgreSQL.
 */
import { z } from 'zod';

const BatchRef = z.object({ workspaceId: z.uuid(), batchId: z.uuid() });

export const jobs = {
  /** Takes the next steps of one batch: a lane that claims chunk after chunk. */
  'sync.advance': { queue: 'sync', data: BatchRef },
} as const satisfies Record<string, { queue: string; data: z.ZodType }>;

export type JobName = keyof typeof jobs;
export type JobData<N extends JobName> = z.infer<(typeof jobs)[N]['data']>;
export type QueueName = (typeof jobs)[JobName]['queue'];
export const queueNames = [...new Set(Object.values(jobs).map((job) => job.queue))] as QueueName[];
