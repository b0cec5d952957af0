/** Finds the automations that act for a caller, and the runs that a caller has triggered. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class ActingIndexes extends IndexMigration {
  override name = '20261205_1000_acting_indexes';

  override up(): void {
    this.addIndex('actor_acting', 'on actor (workspace_id, acts_for, id) where acts_for is not null');
    this.addIndex(
      'automation_run_caller',
      'on automation_run (workspace_id, triggered_by, id) where triggered_by is not null',
    );
  }
}
