/**
 * What a batch, an event and a delivery are continued by, as W3C Trace Context has it: a job is a hint and may be lost, so
 * that a trace goes from the call to the webhook by way of the tables. Null where nobody traces.
 */
import { Migration } from '@mikro-orm/migrations';

export class Traceparent extends Migration {
  override name = '20261122_1200_traceparent';

  override up(): void {
    for (const table of ['sync_batch', 'outbox', 'webhook_delivery'])
      this.addSql(`alter table ${table} add column traceparent text`);
  }
}
