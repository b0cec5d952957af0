/** Finds the schedules of all workspaces that are due. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class AutomationSchedulesIndex extends IndexMigration {
  override name = '20261201_8731_automation_schedules_index';

  override up(): void {
    this.addIndex('automation_next_run', 'on automation (next_run_at) where next_run_at is not null');
  }
}
