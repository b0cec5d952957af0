/** When a run wrote each line of its log and made each call, in milliseconds after its start. */
import { Migration } from '@mikro-orm/migrations';

export class TimesOfRuns extends Migration {
  override name = '20261202_1020_times_of_runs';

  override up(): void {
    this.addSql(`alter table automation_run add column times jsonb`);
  }
}
