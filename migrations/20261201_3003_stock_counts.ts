/** Counts of positions: who counted what and when. A count that agrees with On Hand has no ledger entry, and stands here alone. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class StockCounts extends Migration {
  override name = '20261201_3003_stock_counts';

  override up(): void {
    this.addSql(`
      create table stock_count (
        workspace_id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        id uuid not null,
        counted_at timestamptz not null,
        counted numeric(15, 6) not null check (counted >= 0),
        on_hand_before numeric(15, 6) not null check (on_hand_before >= 0),
        actor_id uuid not null,
        primary key (workspace_id, item_id, location_id, id)
      )`);
    this.addSql(`comment on column stock_count.id is
      'UUIDv7 of counted_at: the last count of a position is the last in the order of the key.'`);
    for (const sql of grantTenantTable('stock_count')) this.addSql(sql);
    this.addSql('revoke update, delete on stock_count from partbook_app, partbook_system');
  }
}
