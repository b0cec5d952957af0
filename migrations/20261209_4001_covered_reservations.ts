/** Validates the check of covered quantities and finds what is held of substitutes by their item, both beside writers. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class CoveredReservations extends IndexMigration {
  override name = '20261209_4001_covered_reservations';

  override up(): void {
    this.addSql('alter table stock_ledger validate constraint stock_ledger_covered');
    // Few requirements hold a substitute at a time.
    this.addIndex(
      'stock_requirement_total_substitutes',
      'on stock_requirement_total (workspace_id, item_id, requirement_id) where substitute_held <> 0',
    );
  }
}
