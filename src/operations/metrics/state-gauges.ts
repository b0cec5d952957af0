/** The gauges of what is looked up: in the database, in the queues, in the pool of connections. */
import { Gauge, type Registry } from 'prom-client';

/** Gauges that are looked up instead of counted. */
export interface StateGauges {
  queueJobs: Gauge<'queue' | 'state'>;
  queueOldest: Gauge<'queue'>;
  syncOldestIdle: Gauge;
  syncUnfinished: Gauge;
  outboxOldest: Gauge<'reader'>;
  scheduleOldestDue: Gauge;
  webhookOldestDue: Gauge;
  pool: Gauge<'state'>;
  poolWaiting: Gauge;
  clockSkew: Gauge;
  sampled: Gauge<'source'>;
}

export function stateGauges(registers: Registry[]): StateGauges {
  return {
    queueJobs: new Gauge({
      name: 'partbook_queue_jobs',
      help: 'Jobs in a queue by state. All processes see the same queues: take the maximum.',
      labelNames: ['queue', 'state'],
      registers,
    }),
    queueOldest: new Gauge({
      name: 'partbook_queue_oldest_waiting_seconds',
      help: 'Age of the job that is next in a queue; 0 without one.',
      labelNames: ['queue'],
      registers,
    }),
    syncOldestIdle: new Gauge({
      name: 'partbook_sync_oldest_idle_seconds',
      help: "For how long the batch that is first in its workspace's line has not moved; of all lines the longest.",
      registers,
    }),
    syncUnfinished: new Gauge({
      name: 'partbook_sync_batches_unfinished',
      help: 'Batches that are accepted and have not ended.',
      registers,
    }),
    outboxOldest: new Gauge({
      name: 'partbook_outbox_oldest_unread_seconds',
      help: 'Age of the oldest event that automations or webhooks have not read.',
      labelNames: ['reader'],
      registers,
    }),
    scheduleOldestDue: new Gauge({
      name: 'partbook_schedule_oldest_due_seconds',
      help: 'For how long the schedule of an automation that is latest should have run.',
      registers,
    }),
    webhookOldestDue: new Gauge({
      name: 'partbook_webhook_oldest_due_seconds',
      help: 'For how long the delivery that has waited longest has been due.',
      registers,
    }),
    pool: new Gauge({
      name: 'partbook_db_pool_connections',
      help: 'Connections of this process to PostgreSQL by state; those of its threads are not among them.',
      labelNames: ['state'],
      registers,
    }),
    poolWaiting: new Gauge({
      name: 'partbook_db_pool_waiting',
      help: 'Who waits for a connection of this process.',
      registers,
    }),
    clockSkew: new Gauge({
      name: 'partbook_db_clock_skew_seconds',
      help: 'By how much the clock of PostgreSQL is ahead of that of this process.',
      registers,
    }),
    sampled: new Gauge({
      name: 'partbook_sampled_timestamp_seconds',
      help: 'When what is looked up was last looked up: in the database, in the queues.',
      labelNames: ['source'],
      registers,
    }),
  };
}
