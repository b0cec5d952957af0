/** Validates the check of lots beside writers. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class LotHoldsCheck extends IndexMigration {
  override name = '20261203_6011_lot_holds_check';

  override up(): void {
    this.addSql('alter table stock_ledger validate constraint stock_ledger_lot');
  }
}
