/** Finds the reversals of an entry and the entries of a booking, and validates the checks of the facts. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class StatedFactsIndexes extends IndexMigration {
  override name = '20261201_2011_stated_facts_indexes';

  override up(): void {
    this.addIndex(
      'stock_ledger_reverses',
      'on stock_ledger (workspace_id, reverses_id, id) where reverses_id is not null',
    );
    this.addIndex(
      'stock_ledger_booking',
      'on stock_ledger (workspace_id, booking_id, id) where booking_id is not null',
    );
    for (const name of ['stock_ledger_stated', 'stock_ledger_effect'])
      this.addSql(`alter table stock_ledger validate constraint ${name}`);
  }
}
