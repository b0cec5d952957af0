/** Automations of further context types: stock moved, order changed, schedule, threshold crossed, import not clean. */
import { Migration } from '@mikro-orm/migrations';

export class MoreContextTypes extends Migration {
  override name = '20261201_8710_more_context_types';

  override up(): void {
    this.addSql(`alter table automation drop constraint automation_context_type_check,
      add constraint automation_context_type_check check (context_type between 1 and 10)`);
  }
}
