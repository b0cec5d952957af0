/** The audit trail by the sort of change alone, such as all that was deleted; ends with the id, as its other indexes do. */
import { Migration } from '@mikro-orm/migrations';

export class AuditAction extends Migration {
  override name = '20261124_0101_audit_action';

  override up(): void {
    this.addSql(`create index audit_log_action on audit_log (workspace_id, action, id)`);
  }
}
