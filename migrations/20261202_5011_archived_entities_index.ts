/** Lists the archived entities and counts them by category and state. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class ArchivedEntitiesIndex extends IndexMigration {
  override name = '20261202_5011_archived_entities_index';

  override up(): void {
    this.addIndex(
      'entity_archived',
      'on entity (workspace_id, id) include (category, state) where archived_at is not null',
    );
  }
}
