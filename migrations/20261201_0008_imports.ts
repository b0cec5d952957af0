/** Import definitions: how the files of a tool become elements of a sync. Batches carry the name of theirs as their profile. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Imports extends Migration {
  override name = '20261201_0008_imports';

  override up(): void {
    this.addSql(`
      create table import_definition (
        workspace_id uuid not null,
        name text not null,
        mapping jsonb not null,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (workspace_id, name)
      )`);
    for (const sql of grantTenantTable('import_definition')) this.addSql(sql);
  }
}
