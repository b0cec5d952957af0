/** The batches that resend elements of a batch. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class ResendsOfBatch extends IndexMigration {
  override name = '20261201_0500_resends_of_batch';

  override up(): void {
    this.addIndex('sync_batch_resend', 'on sync_batch (workspace_id, resend_of) where resend_of is not null');
  }
}
