/** Finds the entries of a lot, and validates the checks of lots. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class LotsIndexes extends IndexMigration {
  override name = '20261201_8401_lots_indexes';

  override up(): void {
    this.addIndex(
      'stock_ledger_lot',
      'on stock_ledger (workspace_id, item_id, lot, id) where lot is not null',
    );
    this.addSql('alter table stock_position validate constraint stock_position_in_lots');
    this.addSql('alter table stock_ledger validate constraint stock_ledger_lot');
  }
}
