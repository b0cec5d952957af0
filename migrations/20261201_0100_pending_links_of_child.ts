/**
 * The links of one child that wait, in the order of the GUIDs that they wait for: a page of them is read without sorting all, of which
 * one payload may leave a hundred thousand.
 */
import { IndexMigration } from '../src/db/index-migration.ts';

export class PendingLinksOfChild extends IndexMigration {
  override name = '20261201_0100_pending_links_of_child';

  override up(): void {
    this.addIndex('pending_link_child_parent', 'on pending_link (workspace_id, child_id, parent_guid)');
    // The new one holds all that this one does.
    this.addSql('drop index concurrently if exists pending_link_child');
  }
}
