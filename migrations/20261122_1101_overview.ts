/** What the ledger of a whole workspace is read by, newest first, by movement type or all of them. */
import { Migration } from '@mikro-orm/migrations';

export class Overview extends Migration {
  override name = '20261122_1101_overview';

  override up(): void {
    // As for items and locations: a range for each movement type, merged, costs a page for all types and for one.
    this.addSql(`create index stock_ledger_all on stock_ledger (workspace_id, movement_type, id)`);
  }
}
