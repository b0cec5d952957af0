/** Finds what was scrapped and disassembled of a manufacturing line. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class BuildsIndexes extends IndexMigration {
  override name = '20261201_4011_builds_indexes';

  override up(): void {
    this.addIndex(
      'stock_ledger_line_adjustment',
      `on stock_ledger (workspace_id, line_id, id) where line_id is not null and movement_type = 'Adjustment'`,
    );
  }
}
