/** Goods that were sent from one location to another and have not arrived yet: one row for each transferred line. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class StockInTransit extends Migration {
  override name = '20261204_2100_stock_in_transit';

  override up(): void {
    this.addSql(`
      create table stock_transit (
        workspace_id uuid not null,
        id uuid not null,
        item_id uuid not null,
        from_id uuid not null,
        to_id uuid not null,
        lot text collate "C",
        note text check (octet_length(note) <= 8000),
        quantity numeric(15, 6) not null check (quantity > 0),
        received numeric(15, 6) not null default 0 check (received >= 0),
        in_transit numeric(15, 6) not null check (in_transit between 0 and quantity),
        sent_at timestamptz not null default now(),
        closed_at timestamptz,
        primary key (workspace_id, id),
        check ((closed_at is null) = (in_transit > 0))
      )`);
    this.addSql(`comment on column stock_transit.id is
      'The booking of its entries: what left, what is on order at the destination, what arrived, and the difference.'`);
    this.addSql(
      `create index stock_transit_open on stock_transit (workspace_id, id) where closed_at is null`,
    );
    this.addSql(
      `create index stock_transit_item on stock_transit (workspace_id, item_id, id) where closed_at is null`,
    );
    for (const sql of grantTenantTable('stock_transit')) this.addSql(sql);
  }
}
