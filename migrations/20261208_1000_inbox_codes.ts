/** How many codes for addresses were mailed for each member within a day: they go to addresses that nobody has confirmed. */
import { Migration } from '@mikro-orm/migrations';

export class InboxCodes extends Migration {
  override name = '20261208_1000_inbox_codes';

  override up(): void {
    // codes: those since codes_from; a day after it they count no longer.
    this.addSql(`
      alter table inbox_mail
        add column codes smallint not null default 0,
        add column codes_from timestamptz not null default now()`);
  }
}
