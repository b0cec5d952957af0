/** What the ledger of a whole workspace is read by when somebody asks who moved what: by caller, newest first, by movement type or all of them. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class LedgerActor extends IndexMigration {
  override name = '20261130_0600_ledger_actor';

  override up(): void {
    // As for items and locations: a range for each movement type, merged, costs a page for all types and for one.
    this.addIndex('stock_ledger_actor', 'on stock_ledger (workspace_id, actor_id, movement_type, id)');
  }
}
