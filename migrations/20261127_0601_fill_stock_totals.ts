/**
 * The totals of what was in the ledger before its trigger kept them. Position by position, each in a transaction of its own and
 * under the position's lock alone: nobody waits for longer than the entries of one position take, and nobody for whom this waits.
 * A total is set to what its entries come to, whoever wrote them: cut off, all of it is done again.
 */
import { Migration } from '@mikro-orm/migrations';

export class FillStockTotals extends Migration {
  override name = '20261127_0601_fill_stock_totals';

  /** It commits position by position. */
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    const key = 'workspace_id, item_id, location_id';
    this.addSql(`
      do $do$
      declare place record;
      begin
        select ${key} into place from stock_position order by ${key} limit 1;
        while found loop
          -- Many small commits; what notes that this migration ran is on disk behind all of them.
          perform set_config('synchronous_commit', 'off', true);
          perform remake_stock_totals(place.workspace_id, place.item_id, place.location_id);
          commit;
          select ${key} into place from stock_position
          where (${key}) > (place.workspace_id, place.item_id, place.location_id) order by ${key} limit 1;
        end loop;
      end $do$`);
  }
}
