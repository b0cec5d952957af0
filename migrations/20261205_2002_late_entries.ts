/** Finds entries that happened before the day on which they were recorded, in the order in which they were recorded. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class LateEntries extends IndexMigration {
  override name = '20261205_2002_late_entries';

  override up(): void {
    this.addIndex('stock_ledger_late', 'on stock_ledger (workspace_id, id) where effective_on is not null');
  }
}
