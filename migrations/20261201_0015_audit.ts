/** The audit trail of a workspace: who changed what, with the state before and after. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Audit extends Migration {
  override name = '20261201_0015_audit';

  override up(): void {
    this.addSql(`
      create table audit_log (
        workspace_id uuid not null,
        id uuid not null,
        recorded_at timestamptz not null default now(),
        actor_id uuid not null,
        action text not null,
        subject_type text not null,
        subject_key text not null,
        before jsonb,
        after jsonb,
        primary key (workspace_id, id)
      )`);
    // One index for each filter of the list. Each ends with the id, which is the order of the pages.
    for (const [name, column] of [
      ['actor', 'actor_id'],
      ['action', 'action'],
      ['subject_type', 'subject_type'],
      ['subject_key', 'subject_key'],
    ])
      this.addSql(`create index audit_log_${name} on audit_log (workspace_id, ${column}, id)`);
    for (const sql of grantTenantTable('audit_log')) this.addSql(sql);
    this.addSql(`revoke update, delete on audit_log from partbook_app, partbook_system`);
  }
}
