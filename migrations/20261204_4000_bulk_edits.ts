/** Bulk edits: changes of all entities that a filter finds, with one row for each entity that was changed or refused. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class BulkEdits extends Migration {
  override name = '20261204_4000_bulk_edits';

  override up(): void {
    this.addSql(`
      create table bulk_edit (
        workspace_id uuid not null,
        id uuid not null,
        status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'cancelled', 'failed')),
        dry_run boolean not null,
        filter json not null,
        change json not null,
        source_id uuid,
        source_use text check (source_use in ('apply', 'undo')),
        reason text,
        expected integer,
        changed integer not null default 0,
        unchanged integer not null default 0,
        refused integer not null default 0,
        place json,
        attempts integer not null default 0,
        failure json,
        actor_type text not null,
        actor_id uuid not null,
        actor_name text not null,
        created_at timestamptz not null default now(),
        started_at timestamptz,
        finished_at timestamptz,
        primary key (workspace_id, id),
        check ((source_id is null) = (source_use is null)),
        check ((finished_at is null) = (status in ('queued', 'running')))
      )`);
    this.addSql(
      `comment on column bulk_edit.place is 'The last entity that was edited; the next step begins behind it.'`,
    );
    this.addSql(`comment on column bulk_edit.source_id is
      'The bulk edit whose changes are applied (a dry run) or undone, in place of a filter.'`);
    this.addSql(
      `create index bulk_edit_unfinished on bulk_edit (workspace_id, id) where finished_at is null`,
    );
    this.addSql(`create index bulk_edit_finished on bulk_edit (finished_at) where finished_at is not null`);
    this.addSql(`
      create table bulk_edit_result (
        workspace_id uuid not null,
        bulk_edit_id uuid not null,
        entity_id uuid not null,
        result text not null check (result in ('changed', 'refused')),
        changes json not null,
        code text,
        message text,
        primary key (workspace_id, bulk_edit_id, entity_id)
      )`);
    this.addSql(`create index bulk_edit_result_refused on bulk_edit_result (workspace_id, bulk_edit_id, entity_id)
      where result = 'refused'`);
    for (const table of ['bulk_edit', 'bulk_edit_result'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
  }
}
