/** Finds the kept revisions of assemblies that contain an entity. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class ReleasedLinksIndex extends IndexMigration {
  override name = '20261202_6101_released_links_index';

  override up(): void {
    this.addIndex(
      'entity_revision_link_child',
      'on entity_revision_link (workspace_id, child_id, entity_id, revision_number)',
    );
  }
}
