/**
 * A migration that adds indexes to tables that already hold rows. CREATE INDEX in a transaction keeps writers out of the table until it
 * is done, which takes minutes for millions of rows. These indexes are built beside the writers, one after the other.
 */
import { Migration } from '@mikro-orm/migrations';

export abstract class IndexMigration extends Migration {
  /** CREATE INDEX CONCURRENTLY does not run in a transaction. */
  override isTransactional(): boolean {
    return false;
  }

  /** `definition` begins with `on`. */
  protected addIndex(name: string, definition: string): void {
    // A run that was interrupted leaves an invalid index, which is built anew.
    this.addSql(`drop index concurrently if exists ${name}`);
    this.addSql(`create index concurrently ${name} ${definition}`);
  }
}
