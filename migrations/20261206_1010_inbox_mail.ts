/** Mails of the inbox: how each member wants them. The mails themselves wait in the queue of mails, with those of automations. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class InboxMail extends Migration {
  override name = '20261206_1010_inbox_mail';

  override up(): void {
    // A mail without an automation is one of an inbox.
    this.addSql(`alter table automation_mail alter column automation_id drop not null`);
    // code_hash: until the address is confirmed. told_to: the time of the newest line of the last mail. next_at: null while nothing is due.
    this.addSql(`
      create table inbox_mail (
        workspace_id uuid not null,
        member_id uuid not null,
        mode text not null check (mode in ('none', 'atOnce', 'daily')),
        address text not null,
        confirmed boolean not null,
        code_hash bytea,
        code_tries smallint not null default 0,
        code_at timestamptz,
        told_to timestamptz not null default now(),
        mailed_at timestamptz,
        next_at timestamptz,
        primary key (workspace_id, member_id)
      )`);
    this.addSql(
      `create index inbox_mail_due on inbox_mail (workspace_id, next_at) where next_at is not null`,
    );
    for (const sql of grantTenantTable('inbox_mail')) this.addSql(sql);
  }
}
