/** Finds entries by the day on which they happened, where that is not the day of recording, and validates the check of entered quantities. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class ItemUnitsIndexes extends IndexMigration {
  override name = '20261202_3001_item_units_indexes';

  override up(): void {
    this.addIndex(
      'stock_ledger_effective',
      'on stock_ledger (workspace_id, item_id, location_id, effective_on) where effective_on is not null',
    );
    this.addSql('alter table stock_ledger validate constraint stock_ledger_entered');
  }
}
