/**
 * A migration of indexes on tables that hold rows already. Within a transaction an index shuts writers out of its table for as long as
 * it is made, which is minutes for millions of rows; these are made beside them, each by itself.
 */
import { Migration } from '@mikro-orm/migrations';

export abstract class IndexMigration extends Migration {
  /** An index cannot be made beside writers within one. */
  override isTransactional(): boolean {
    return false;
  }

  /** `definition` begins with `on`. */
  protected addIndex(name: string, definition: string): void {
    // What a run that was cut off has left is no index yet, and would stay so; and what one has made the next makes again.
    this.addSql(`drop index concurrently if exists ${name}`);
    this.addSql(`create index concurrently ${name} ${definition}`);
  }
}
