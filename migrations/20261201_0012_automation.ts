/** Automations with the versions of their scripts and their runs. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Automation extends Migration {
  override name = '20261201_0012_automation';

  override up(): void {
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
    // An event runs an automation once for each attempt.
    this.addSql(`create unique index automation_run_once
      on automation_run (workspace_id, event_id, event_index, automation_id, attempt)`);
    this.addSql(`create index automation_run_history on automation_run (workspace_id, automation_id, id)`);
    this.addSql(`create index automation_run_cause on automation_run (workspace_id, cause_run_id)
      where cause_run_id is not null`);
    this.addSql(`create index automation_run_age on automation_run (finished_at)`);
    this.addSql(`create index automation_run_status on automation_run (workspace_id, status, id)`);

    for (const table of ['automation', 'automation_script', 'automation_run'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    this.addSql(`revoke update on automation_script from partbook_app, partbook_system`);
  }
}
