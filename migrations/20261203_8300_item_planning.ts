/** The planning of items: by which policy they are reordered. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class ItemPlanning extends Migration {
  override name = '20261203_8300_item_planning';

  override up(): void {
    this.addSql(`
      create table item_planning (
        workspace_id uuid not null,
        item_id uuid not null,
        policy text not null check (policy in ('none', 'demand', 'reorderPoint', 'minMax')),
        reorder_point numeric(15, 6) not null check (reorder_point >= 0),
        maximum numeric(15, 6) check (maximum > 0),
        safety numeric(15, 6) not null check (safety >= 0),
        minimum numeric(15, 6) check (minimum > 0),
        multiple numeric(15, 6) check (multiple > 0),
        make_or_buy text not null check (make_or_buy in ('make', 'buy')),
        lead_time_days integer check (lead_time_days between 0 and 3650),
        supplier_part_id uuid,
        location_id uuid,
        version integer not null default 1,
        primary key (workspace_id, item_id)
      )`);
    this.addSql(
      `comment on table item_planning is 'How an item is reordered. Quantities are in its base unit.'`,
    );
    this.addSql(`comment on column item_planning.location_id is 'Where what is ordered is received.'`);
    this.addSql(
      `create index item_planning_planned on item_planning (workspace_id, item_id) where policy <> 'none'`,
    );
    for (const sql of grantTenantTable('item_planning')) this.addSql(sql);
  }
}
