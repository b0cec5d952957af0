/** Finds the imports and planning runs that a member has begun. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class OwnWorkIndexes extends IndexMigration {
  override name = '20261209_1001_own_work_indexes';

  override up(): void {
    this.addIndex(
      'sync_batch_submitter',
      'on sync_batch (workspace_id, submitted_by, id) where finished_at is not null',
    );
    this.addIndex('planning_run_actor', 'on planning_run (workspace_id, actor_id, id)');
  }
}
