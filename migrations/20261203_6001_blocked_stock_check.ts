/** Validates the check of blocked stock beside writers. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class BlockedStockCheck extends IndexMigration {
  override name = '20261203_6001_blocked_stock_check';

  override up(): void {
    this.addSql('alter table stock_position validate constraint stock_position_blocked');
  }
}
