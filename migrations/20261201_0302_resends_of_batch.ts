/** Finds the batches that send elements of another one again. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class ResendsOfBatch extends IndexMigration {
  override name = '20261201_0302_resends_of_batch';

  override up(): void {
    this.addIndex(
      'sync_batch_resend_of',
      'on sync_batch (workspace_id, resend_of) where resend_of is not null',
    );
  }
}
