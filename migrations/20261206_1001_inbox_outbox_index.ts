/** The rows of the outbox that the inbox has not read. Rows that nobody follows are never among them. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class InboxOutboxIndex extends IndexMigration {
  override name = '20261206_1001_inbox_outbox_index';

  override up(): void {
    this.addIndex('outbox_for_inbox', 'on outbox (workspace_id, id) where not inbox_done');
  }
}
