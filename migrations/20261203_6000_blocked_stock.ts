/** Positions have a figure for the stock of lots that are in quarantine or rejected. It stays a part of Reserved. */
import { Migration } from '@mikro-orm/migrations';

export class BlockedStock extends Migration {
  override name = '20261203_6000_blocked_stock';

  override up(): void {
    // A column with a constant default needs no rewrite. The check is validated in the next migration, beside writers.
    this.addSql(`
      alter table stock_position
        add column blocked numeric(15, 6) not null default 0,
        add constraint stock_position_blocked check (blocked between 0 and reserved) not valid`);
    this.addSql(`comment on column stock_position.blocked is
      'How much of reserved is stock of lots that are not available: the sum of the LotStatus entries.'`);
    this.addSql(`
      update stock_position p set blocked = l.blocked
      from (
        select s.workspace_id, s.item_id, s.location_id, sum(s.on_hand) as blocked
        from stock_lot k
        join stock_lot_position s on s.workspace_id = k.workspace_id and s.item_id = k.item_id and s.lot = k.number
        where k.status <> 'available' and s.on_hand > 0
        group by 1, 2, 3) l
      where p.workspace_id = l.workspace_id and p.item_id = l.item_id and p.location_id = l.location_id`);
  }
}
