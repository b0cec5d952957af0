/** The entities that are marked so, of each workspace. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class NewerTextsIndex extends IndexMigration {
  override name = '20261126_0702_newer_texts_index';

  override up(): void {
    this.addIndex('entity_text_newer', 'on entity_text (workspace_id, id) where is_newer');
  }
}
