/** Items whose figures have changed and that wait for a look at their reorder point, and those that are below it. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

export class ReorderPoints extends Migration {
  override name = '20261206_5000_reorder_points';

  override up(): void {
    this.addSql(`alter table automation drop constraint automation_context_type_check,
      add constraint automation_context_type_check check (context_type between 1 and 11)`);
    this.addSql(`
      create table reorder_look (
        workspace_id uuid not null,
        item_id uuid not null,
        id uuid not null,
        depth integer not null,
        run_id uuid,
        root_id uuid,
        primary key (workspace_id, item_id, id),
        check ((run_id is null) = (root_id is null))
      )`);
    this.addSql(`comment on table reorder_look is
      'Items that a transaction has changed, where somebody listens to items below their reorder point.'`);
    this.addSql(`comment on column reorder_look.run_id is 'The run of an automation that has changed it.'`);
    this.addSql(`
      create table reorder_crossing (
        workspace_id uuid not null,
        item_id uuid not null,
        crossed_at timestamptz not null default now(),
        primary key (workspace_id, item_id)
      )`);
    this.addSql(
      `comment on table reorder_crossing is 'Items below their reorder point, of which listeners know.'`,
    );
    for (const table of ['reorder_look', 'reorder_crossing'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);

    // The next listener hears of items that are below then. Meanwhile nobody would notice that they have come back.
    this.addSql(`
      create function forget_reorder_crossings() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        if not exists (select from event_listener where workspace_id = old.workspace_id and context_type = 11) then
          delete from reorder_look where workspace_id = old.workspace_id;
          delete from reorder_crossing where workspace_id = old.workspace_id;
        end if;
        return null;
      end $$`);
    this.addSql(grantFunction('forget_reorder_crossings()'));
    this.addSql(`
      create trigger event_listener_ends after delete on event_listener
      for each row when (old.context_type = 11) execute function forget_reorder_crossings()`);
  }
}
