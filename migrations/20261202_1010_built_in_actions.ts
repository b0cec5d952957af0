/** Built-in actions of automations, and the mails that they send. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class BuiltInActions extends Migration {
  override name = '20261202_1010_built_in_actions';

  override up(): void {
    this.addSql(`alter table automation add column actions json`);
    this.addSql(`
      create table automation_mail (
        workspace_id uuid not null,
        id uuid not null,
        run_id uuid,
        automation_id uuid not null,
        recipients text[] not null,
        subject text not null,
        body text not null,
        status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed')),
        attempts smallint not null default 0,
        next_attempt_at timestamptz default now(),
        error text,
        created_at timestamptz not null default now(),
        sent_at timestamptz,
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create index automation_mail_due on automation_mail (workspace_id, next_attempt_at)
      where next_attempt_at is not null`);
    this.addSql(`create index automation_mail_run on automation_mail (workspace_id, run_id)`);
    this.addSql(`create index automation_mail_created on automation_mail (workspace_id, created_at)`);
    this.addSql(`
      create index automation_mail_old on automation_mail (created_at) where next_attempt_at is null`);
    for (const sql of grantTenantTable('automation_mail')) this.addSql(sql);
  }
}
