/** Finds the planning runs that share the actions of another. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class SharedPlans extends IndexMigration {
  override name = '20261206_2011_shared_plans';

  override up(): void {
    this.addIndex(
      'planning_run_shared',
      'on planning_run (workspace_id, stored_run_id) where stored_run_id is not null',
    );
  }
}
