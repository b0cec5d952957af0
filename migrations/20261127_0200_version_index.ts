/**
 * The first version of an entity has its entity's id, by which it is found: the index of versions holds only the others. Each
 * new entity had an entry in it, and most never get a second version. Those that were made with two ids stay in it.
 */
import { IndexMigration } from '../src/db/index-migration.ts';

export class VersionIndex extends IndexMigration {
  override name = '20261127_0200_version_index';

  override up(): void {
    this.addIndex('entity_further_version', 'on entity (workspace_id, version_id) where version_id <> id');
    this.addSql('drop index concurrently if exists entity_version');
  }
}
