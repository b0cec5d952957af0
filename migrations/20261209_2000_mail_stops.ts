/** Mails of inboxes: links that stop them without a sign-in, codes that are mailed again, and inboxes whose mails fail. */
import { Migration } from '@mikro-orm/migrations';

export class MailStops extends Migration {
  override name = '20261209_2000_mail_stops';

  override up(): void {
    // stop_key signs the links that stop the mails. failures: attempts to put a mail in line that failed one after the other.
    // resends: codes that were mailed again to the same address since resends_from; an hour after it they count no longer.
    this.addSql(`
      alter table inbox_mail
        add column stop_key uuid not null default gen_random_uuid(),
        add column failures smallint not null default 0,
        add column resends smallint not null default 0,
        add column resends_from timestamptz not null default now()`);
    this.addSql(`alter table automation_mail add column stop_url text`);
    this.addSql(
      `comment on column automation_mail.stop_url is 'Address by which a mail program stops such mails; null for mails of automations.'`,
    );
  }
}
