/** The outbox: what happened, written in the transaction in which it happened, and read by automations and webhooks. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Events extends Migration {
  override name = '20261201_0011_events';

  override up(): void {
    // depth, cause_run_id and root_id say which run caused the events and how long the chain before it is. target_run_id: the events
    // are meant for one automation alone. Each reader has its mark: the next event of the row, and whether it is done with the row.
    this.addSql(`
      create table outbox (
        workspace_id uuid not null,
        id uuid not null,
        context_type smallint not null,
        events bytea not null,
        event_count integer not null,
        recorded_at timestamptz not null default now(),
        depth smallint not null default 0,
        cause_run_id uuid,
        root_id uuid,
        target_run_id uuid,
        automation_next integer not null default 0,
        automation_done boolean not null default false,
        webhook_next integer not null default 0,
        webhook_done boolean not null default false,
        traceparent text,
        primary key (workspace_id, id)
      )`);
    this.addSql(`create index outbox_for_automations on outbox (workspace_id, id) where not automation_done`);
    this.addSql(`create index outbox_for_webhooks on outbox (workspace_id, id) where not webhook_done`);
    this.addSql(`create index outbox_age on outbox (recorded_at) where automation_done and webhook_done`);

    // Each automation and webhook has a row for each context type that it listens to. Nothing is written to the outbox for a
    // context type that nobody listens to.
    this.addSql(`
      create table event_listener (
        workspace_id uuid not null,
        context_type smallint not null,
        listener_id uuid not null default '00000000-0000-0000-0000-000000000000',
        primary key (workspace_id, context_type, listener_id)
      )`);

    // One row for each workspace and reader. Its lock admits one job at a time; its turn tells the job that is due from one that was
    // lost or came twice.
    this.addSql(`
      create table event_lane (
        workspace_id uuid not null,
        reader text not null check (reader in ('automation', 'webhook')),
        turn bigint not null default 0,
        announced_at timestamptz,
        slow boolean,
        failures smallint not null default 0,
        careful smallint not null default 0,
        primary key (workspace_id, reader)
      ) with (fillfactor = 50)`);
    this.addSql(
      `comment on column event_lane.slow is 'Whether its runs take long; null before its first turn.'`,
    );

    // How many runs one row of the outbox has caused in the end: the width of a chain is limited as its depth is.
    this.addSql(`
      create table event_chain (
        workspace_id uuid not null,
        root_id uuid not null,
        runs integer not null,
        updated_at timestamptz not null default now(),
        primary key (workspace_id, root_id)
      )`);
    this.addSql(`create index event_chain_age on event_chain (updated_at)`);

    for (const table of ['outbox', 'event_listener', 'event_lane', 'event_chain'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
  }
}
