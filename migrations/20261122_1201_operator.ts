/**
 * What the operator's console keeps: work that is paused, what the operator did and what came of it, and figures of the
 * last days for its pictures.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Operator extends Migration {
  override name = '20261122_1201_operator';

  override up(): void {
    this.addSql(`
      create table operator_pause (
        workspace_id uuid not null,
        work text not null check (work in ('batch', 'automation', 'webhook')),
        reason text not null,
        paused_at timestamptz not null default now(),
        primary key (workspace_id, work)
      )`);
    for (const sql of grantTenantTable('operator_pause')) this.addSql(sql);
    // Whoever does the work looks at it; pausing is the operator's.
    this.addSql(`revoke insert, update, delete on operator_pause from partbook_app`);
    // Names of workspaces and not their ids: it is of the instance, and is read after they are gone.
    this.addSql(`
      create table operator_action (
        id uuid primary key,
        at timestamptz not null default now(),
        action text not null,
        work text not null check (work in ('batch', 'automation', 'webhook')),
        workspace text,
        subject text not null,
        reason text,
        items integer not null default 0
      )`);
    this.addSql(`
      create table operator_outcome (
        action_id uuid not null,
        ordinal integer not null,
        workspace text not null,
        item uuid not null,
        refusal text,
        at timestamptz not null default now(),
        primary key (action_id, ordinal)
      )`);
    this.addSql(`
      create table work_series (
        at timestamptz not null,
        work text not null check (work in ('batch', 'automation', 'webhook')),
        workspace text not null,
        done integer not null,
        failed integer not null,
        p95_ms real,
        oldest_seconds real not null,
        primary key (at, work, workspace)
      )`);
    this.addSql(`create index work_series_of_workspace on work_series (workspace, work, at)`);
    this.addSql(`grant select, insert on operator_action, operator_outcome to partbook_system`);
    this.addSql(`grant select, insert, delete on work_series to partbook_system`);
  }
}
