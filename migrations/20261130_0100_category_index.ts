/**
 * Entities of a category are found along the index of category and state, state by state. Each new entity had an entry in an index of the
 * category alone too, a quarter of what PostgreSQL needed for its row and its entries together.
 */
import { IndexMigration } from '../src/db/index-migration.ts';

export class CategoryIndex extends IndexMigration {
  override name = '20261130_0100_category_index';

  override up(): void {
    this.addSql('drop index concurrently if exists entity_category');
  }
}
