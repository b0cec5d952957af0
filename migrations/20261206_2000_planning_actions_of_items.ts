/** Finds the actions of an item in a planning run. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class PlanningActionsOfItems extends IndexMigration {
  override name = '20261206_2000_planning_actions_of_items';

  override up(): void {
    this.addIndex('planning_action_item', 'on planning_action (workspace_id, run_id, item_id)');
  }
}
