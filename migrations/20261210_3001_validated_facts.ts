/** Validates the check of stated facts, beside writers. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class ValidatedFacts extends IndexMigration {
  override name = '20261210_3001_validated_facts';

  override up(): void {
    this.addSql('alter table stock_ledger validate constraint stock_ledger_facts');
  }
}
