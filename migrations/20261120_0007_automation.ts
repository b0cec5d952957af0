/**
 * Automations with their scripts' versions and runs, webhooks with their deliveries, and what the outbox needs
 * to be read by both: a mark for each, the cause of an event, and one line per workspace and reader.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Automation extends Migration {
  override name = '20261120_0007_automation';

  override up(): void {
    // Who listens, one row each: an automation or a webhook keeps its own rows and need not know the others'.
    this.addSql(`alter table event_listener
      add listener_id uuid not null default '00000000-0000-0000-0000-000000000000'`);
    this.addSql(`alter table event_listener drop constraint event_listener_pkey`);
    this.addSql(`alter table event_listener add primary key (workspace_id, context_type, listener_id)`);

    // Where an event comes from: the run that caused it, how long the chain before it is, and, where it is
    // meant for one automation alone, the run that waits for it.
    this.addSql(`alter table outbox
      add depth smallint not null default 0,
      add cause_run_id uuid,
      add root_id uuid,
      add target_run_id uuid,
      add automation_next integer not null default 0,
      add automation_done boolean not null default false,
      add webhook_next integer not null default 0,
      add webhook_done boolean not null default false`);
    this.addSql(`drop index outbox_unrelayed`);
    this.addSql(`create index outbox_for_automations on outbox (workspace_id, id) where not automation_done`);
    this.addSql(`create index outbox_for_webhooks on outbox (workspace_id, id) where not webhook_done`);
    this.addSql(`create index outbox_age on outbox (recorded_at) where automation_done and webhook_done`);
    this.addSql(`alter table outbox drop column relayed_at`);

    // One line per workspace and reader: its lock admits one job at a time, its turn tells the job that is due
    // from one that was lost or came twice.
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

    // How many runs have come of a row of the outbox in the end: chains end in width as they do in depth.
    this.addSql(`
      create table event_chain (
        workspace_id uuid not null,
        root_id uuid not null,
        runs integer not null,
        updated_at timestamptz not null default now(),
        primary key (workspace_id, root_id)
      )`);
    this.addSql(`create index event_chain_age on event_chain (updated_at)`);

    this.addSql(`
      create table automation (
        workspace_id uuid not null,
        id uuid not null,
        name text not null,
        description text not null default '',
        context_type smallint not null check (context_type between 1 and 5),
        script text not null,
        script_version integer not null default 1,
        enabled boolean not null,
        enabled_at timestamptz,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create table automation_script (
        workspace_id uuid not null,
        automation_id uuid not null,
        version integer not null,
        script text not null,
        created_at timestamptz not null default now(),
        created_by uuid not null,
        primary key (workspace_id, automation_id, version)
      )`);
    this.addSql(`
      create table automation_run (
        workspace_id uuid not null,
        id uuid not null,
        automation_id uuid not null,
        script_version integer not null,
        event_id uuid not null,
        event_index integer not null,
        attempt smallint not null default 1,
        context_type smallint not null,
        context jsonb not null,
        event_at timestamptz not null,
        status text not null check (status in ('queued', 'succeeded', 'failed', 'suppressed')),
        depth smallint not null,
        cause_run_id uuid,
        retry_of uuid,
        result jsonb,
        error jsonb,
        logs jsonb,
        api_calls jsonb,
        changes jsonb,
        duration_ms real,
        cpu_ms real,
        started_at timestamptz,
        finished_at timestamptz,
        primary key (workspace_id, id)
      )`);
    this.addSql(`create unique index automation_run_once
      on automation_run (workspace_id, event_id, event_index, automation_id, attempt)`);
    this.addSql(`create index automation_run_history on automation_run (workspace_id, automation_id, id)`);
    this.addSql(`create index automation_run_cause on automation_run (workspace_id, cause_run_id)
      where cause_run_id is not null`);
    this.addSql(`create index automation_run_age on automation_run (finished_at)`);

    // Events name entity versions, and scripts look them up by it.
    this.addSql(`create index entity_version on entity (workspace_id, version_id)`);

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
        primary key (workspace_id, webhook_id, id)
      ) with (fillfactor = 70)`);
    this.addSql(`create index webhook_delivery_due on webhook_delivery (workspace_id, webhook_id, next_attempt_at)
      where status = 'pending'`);
    this.addSql(`create index webhook_delivery_age on webhook_delivery (created_at)`);

    for (const table of [
      'event_lane',
      'event_chain',
      'automation',
      'automation_script',
      'automation_run',
      'webhook',
      'webhook_delivery',
    ]) {
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    }
    this.addSql(`revoke update on automation_script from partbook_app, partbook_system`);
  }
}
