/** Saved views: named filters, order and columns of a list. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class SavedViews extends Migration {
  override name = '20261203_4000_saved_views';

  override up(): void {
    // "settings" has filters, sort, order and columns as the interface shows them.
    this.addSql(`
      create table saved_view (
        workspace_id uuid not null,
        id uuid not null,
        name text not null,
        list text not null,
        shared boolean not null,
        settings json not null,
        owner_id uuid not null,
        owner_name text not null,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (workspace_id, id)
      )`);
    for (const sql of grantTenantTable('saved_view')) this.addSql(sql);
  }
}
