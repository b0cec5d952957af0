/** Thresholds of automations, and the items that are below them. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Thresholds extends Migration {
  override name = '20261201_8740_thresholds';

  override up(): void {
    this.addSql(`alter table automation add column threshold json`);
    this.addSql(`
      create table threshold_crossing (
        workspace_id uuid not null,
        automation_id uuid not null,
        entity_id uuid not null,
        crossed_at timestamptz not null default now(),
        primary key (workspace_id, automation_id, entity_id)
      )`);
    for (const sql of grantTenantTable('threshold_crossing')) this.addSql(sql);
  }
}
