/**
 * The operator's console: sessions, paused work, what the operator did and what came of it, and the figures of the last days. Only
 * operator_pause belongs to workspaces; the other tables belong to the installation.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

const kinds = `check (work in ('batch', 'automation', 'webhook'))`;

export class Console extends Migration {
  override name = '20261201_0016_console';

  override up(): void {
    // A session is valid while its row is there.
    this.addSql(`
      create table operator_session (
        token_hash bytea primary key,
        expires_at timestamptz not null
      )`);
    this.addSql(`create index operator_session_age on operator_session (expires_at)`);
    this.addSql(`grant select, insert, delete on operator_session to partbook_system`);

    // Everybody who does such work reads it; only the operator writes it.
    this.addSql(`
      create table operator_pause (
        workspace_id uuid not null,
        work text not null ${kinds},
        reason text not null,
        paused_at timestamptz not null default now(),
        primary key (workspace_id, work)
      )`);
    for (const sql of grantTenantTable('operator_pause')) this.addSql(sql);
    this.addSql(`revoke insert, update, delete on operator_pause from partbook_app`);

    // These name workspaces by their slug, not by their id: they are read after a workspace is gone.
    this.addSql(`
      create table operator_action (
        id uuid primary key,
        at timestamptz not null default now(),
        action text not null,
        work text not null ${kinds},
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
    this.addSql(`grant select, insert on operator_action, operator_outcome to partbook_system`);
    this.addSql(`
      create table work_series (
        at timestamptz not null,
        work text not null ${kinds},
        workspace text not null,
        done integer not null,
        failed integer not null,
        p95_ms real,
        oldest_seconds real not null,
        primary key (at, work, workspace)
      )`);
    this.addSql(`create index work_series_of_workspace on work_series (workspace, work, at)`);
    this.addSql(`grant select, insert, delete on work_series to partbook_system`);
  }
}
