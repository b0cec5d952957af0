/** Reads entries of the audit trail, newest first, as much of each as the caller may see. */
import { type RowPage, readPage } from '../db/read-page.ts';
import type { Tx } from '../db/transaction.ts';
import type { AuditEntry } from './audit.schema.ts';
import { selectAuditPage } from './audit.sql.ts';

export interface AuditWanted {
  /** Whether the caller may read API keys: of others their entries show who did what, and not the keys. */
  showsKeys: boolean;
}

interface Row {
  id: string;
  /** As the driver gives it: text with microseconds. */
  recorded_at: string;
  action: AuditEntry['action'];
  subject_type: string;
  subject_key: string;
  before: unknown;
  after: unknown;
  redacted: boolean;
  actor_id: string;
  actor_type: AuditEntry['actor']['type'];
  actor_name: string;
}

/** Up to `limit` entries below that id, and whether there are more; the newest where it is null. */
export async function readAudit(
  tx: Tx,
  { showsKeys }: AuditWanted,
  below: string | null,
  limit: number,
): Promise<RowPage<AuditEntry>> {
  const wanted = [tx.workspaceId, below, limit + 1, showsKeys];
  const { rows, more } = await readPage<Row>(tx, selectAuditPage, wanted, {
    limit,
    long: ['subject_key', 'before', 'after'],
  });
  const entries = rows.map((row) => ({
    id: row.id,
    recordedAt: new Date(row.recorded_at).toISOString(),
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subjectType: row.subject_type,
    subjectKey: row.subject_key,
    before: row.before,
    after: row.after,
    redacted: row.redacted,
  }));
  return { rows: entries, more };
}
