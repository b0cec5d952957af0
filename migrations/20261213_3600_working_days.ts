/** The settings of stock say which days are worked: weekdays, from Sunday (0), and holidays. */
import { Migration } from '@mikro-orm/migrations';

export class WorkingDays extends Migration {
  override name = '20261213_3600_working_days';

  override up(): void {
    this.addSql(`
      alter table stock_settings
        add column weekdays integer[] not null default '{0,1,2,3,4,5,6}' check (cardinality(weekdays) between 1 and 7),
        add column holidays date[] not null default '{}'`);
  }
}
