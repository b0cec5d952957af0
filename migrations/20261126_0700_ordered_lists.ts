/**
 * Indexes in the order of the lists that they serve: the requirements of a project, whose other index goes by item, and the
 * deliveries of a webhook that have one status, of which there may be few among very many.
 */
import { IndexMigration } from '../src/db/index-migration.ts';

export class OrderedLists extends IndexMigration {
  override name = '20261126_0700_ordered_lists';

  override up(): void {
    this.addIndex(
      'material_requirement_project_id',
      'on material_requirement (workspace_id, project_id, id) where project_id is not null',
    );
    this.addIndex('webhook_delivery_status', 'on webhook_delivery (workspace_id, webhook_id, status, id)');
  }
}
