/** Uses of an item as a substitute in a planning run. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class SubstitutesOfActionsIndex extends IndexMigration {
  override name = '20261211_2002_substitutes_of_actions_index';

  override up(): void {
    this.addIndex(
      'planning_action_substitute',
      'on planning_action (workspace_id, run_id, substitute_id) where substitute_id is not null',
    );
  }
}
