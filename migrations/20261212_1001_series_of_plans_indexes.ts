/** Lists the actions of planning runs by their dates, finds what was dismissed, and the runs of a series. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class SeriesOfPlansIndexes extends IndexMigration {
  override name = '20261212_1001_series_of_plans_indexes';

  override up(): void {
    this.addIndex('planning_action_start', 'on planning_action (workspace_id, run_id, starts_on, ordinal)');
    this.addIndex(
      'planning_action_dismissed',
      "on planning_action (workspace_id, run_id, item_id) where status = 'dismissed'",
    );
    this.addIndex(
      'planning_run_series',
      'on planning_run (workspace_id, series_id, generation, id) where series_id is not null',
    );
  }
}
