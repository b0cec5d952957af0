/** Validates the check of covered quantities, beside writers. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class CoveredCheck extends IndexMigration {
  override name = '20261205_2001_covered_check';

  override up(): void {
    this.addSql('alter table stock_ledger validate constraint stock_ledger_covered');
  }
}
