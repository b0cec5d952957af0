/** What the audit trail is filtered by: who, which kind of thing, which thing. Each ends with the id, which is the order of the pages. */
import { Migration } from '@mikro-orm/migrations';

export class AuditFilters extends Migration {
  override name = '20261123_0300_audit_filters';

  override up(): void {
    this.addSql(`create index audit_log_actor on audit_log (workspace_id, actor_id, id)`);
    this.addSql(`create index audit_log_subject_type on audit_log (workspace_id, subject_type, id)`);
    this.addSql(`create index audit_log_subject_key on audit_log (workspace_id, subject_key, id)`);
  }
}
