/** Automations that run by the clock, with the time at which they run next. */
import { Migration } from '@mikro-orm/migrations';

export class AutomationSchedules extends Migration {
  override name = '20261201_8730_automation_schedules';

  override up(): void {
    this.addSql(`alter table automation add column schedule json, add column next_run_at timestamptz`);
  }
}
