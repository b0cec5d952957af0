/** Events that an automation leaves out. */
import { Migration } from '@mikro-orm/migrations';

export class AutomationFilters extends Migration {
  override name = '20261201_8720_automation_filters';

  override up(): void {
    this.addSql(`alter table automation add column filter json`);
  }
}
