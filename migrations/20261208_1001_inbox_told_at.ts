/** When an inbox was told of a line, by which mails go on: an event of a long transaction is older than those that were told before it. */
import { Migration } from '@mikro-orm/migrations';

export class InboxToldAt extends Migration {
  override name = '20261208_1001_inbox_told_at';

  override up(): void {
    this.addSql(`alter table inbox_line add column told_at timestamptz not null default now()`);
    this.addSql(
      `comment on column inbox_mail.told_to is 'The latest told_at of the lines that were mailed.'`,
    );
  }
}
