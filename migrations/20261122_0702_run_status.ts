/** The runs of all automations by status, newest first: what failed is found among any number that did not. */
import { Migration } from '@mikro-orm/migrations';

export class RunStatus extends Migration {
  override name = '20261122_0702_run_status';

  override up(): void {
    this.addSql(`create index automation_run_status on automation_run (workspace_id, status, id)`);
  }
}
