/**
 * Reads how an item is tracked for a writer that finds no position to lock. A change of tracking waits for such writers, and they for it.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

export class TrackingOfItem extends Migration {
  override name = '20261202_2010_tracking_of_item';

  override up(): void {
    // Volatile, so that the second statement sees what was committed while the first one waited. One lock for a workspace, because a
    // call may open thousands of positions.
    this.addSql(`
      create function stock_tracking_of(of_workspace uuid, of_item uuid) returns text language plpgsql volatile as $$
      begin
        perform pg_advisory_xact_lock_shared(hashtextextended('tracking in:' || of_workspace::text, 0));
        return (select tracking from stock_tracking where workspace_id = of_workspace and item_id = of_item);
      end $$`);
    this.addSql(grantFunction('stock_tracking_of', 'partbook_app', 'partbook_system'));
  }
}
