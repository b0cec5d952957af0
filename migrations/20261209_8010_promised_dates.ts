/** The parts of a purchase line that its supplier has promised, each for a day. */
import { Migration } from '@mikro-orm/migrations';

export class PromisedDates extends Migration {
  override name = '20261209_8010_promised_dates';

  override up(): void {
    this.addSql('alter table stock_line add column promises jsonb');
    this.addSql(
      `comment on column stock_line.promises is 'Parts of a purchase line as the supplier promised them, by day: [{ on, quantity }]; the last one is the day of the whole line.'`,
    );
    this.addSql('grant update (promises) on stock_line to partbook_app');
  }
}
