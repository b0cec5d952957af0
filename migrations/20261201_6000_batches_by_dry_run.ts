/** The batches of a workspace with or without dry runs, newest first. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class BatchesByDryRun extends IndexMigration {
  override name = '20261201_6000_batches_by_dry_run';

  override up(): void {
    this.addIndex('sync_batch_dry_run', 'on sync_batch (workspace_id, dry_run, id)');
  }
}
