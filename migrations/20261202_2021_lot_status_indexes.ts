/** Finds the lots that are kept from use, and validates the check of lots. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class LotStatusIndexes extends IndexMigration {
  override name = '20261202_2021_lot_status_indexes';

  override up(): void {
    this.addIndex('stock_lot_status', `on stock_lot (workspace_id, status, id) where status <> 'available'`);
    this.addSql('alter table stock_ledger validate constraint stock_ledger_lot');
  }
}
