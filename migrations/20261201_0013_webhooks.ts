/** Webhooks and their deliveries. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Webhooks extends Migration {
  override name = '20261201_0013_webhooks';

  override up(): void {
    this.addSql(`
      create table webhook (
        workspace_id uuid not null,
        id uuid not null,
        url text not null,
        description text not null default '',
        events jsonb not null,
        enabled boolean not null,
        enabled_at timestamptz,
        secret bytea not null,
        previous_secret bytea,
        previous_expires_at timestamptz,
        failing_since timestamptz,
        disabled_reason text,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        turn bigint not null default 0,
        announced_at timestamptz,
        primary key (workspace_id, id)
      ) with (fillfactor = 70)`);
    this.addSql(`
      create table webhook_delivery (
        workspace_id uuid not null,
        webhook_id uuid not null,
        id uuid not null,
        type text not null,
        payload text not null,
        status text not null check (status in ('pending', 'delivered', 'failed')),
        attempts smallint not null default 0,
        next_attempt_at timestamptz,
        last_attempt_at timestamptz,
        last_status smallint,
        last_error text,
        last_duration_ms real,
        history jsonb not null default '[]',
        created_at timestamptz not null default now(),
        traceparent text,
        primary key (workspace_id, webhook_id, id)
      ) with (fillfactor = 70)`);
    this.addSql(`create index webhook_delivery_due on webhook_delivery (workspace_id, webhook_id, next_attempt_at)
      where status = 'pending'`);
    this.addSql(
      `create index webhook_delivery_status on webhook_delivery (workspace_id, webhook_id, status, id)`,
    );
    this.addSql(`create index webhook_delivery_age on webhook_delivery (created_at)`);
    // Test messages that still wait are counted before another one is sent.
    this.addSql(`create index webhook_delivery_test on webhook_delivery (workspace_id, webhook_id)
      where status = 'pending' and type = 'webhook.test'`);

    for (const table of ['webhook', 'webhook_delivery'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
  }
}
