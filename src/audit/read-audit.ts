/** Reads entries of the audit trail, newest first, as much of each as the caller may see. */

import { firstIdAt } from '../db/ids.ts';
import { type RowPage, readPage } from '../db/read-page.ts';
import type { Tx } from '../db/transaction.ts';
import type { AuditEntry, AuditFilters } from './audit.schema.ts';
import { type AuditPath, selectAuditPage } from './audit.sql.ts';

export interface AuditWanted {
  /** Whether the caller may read API keys: of others their entries show who did what, and not the keys. */
  showsKeys: boolean;
  filters: AuditFilters;
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

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** An id is dated by the clock of the process, its entry by the database's: so far they may differ and nothing is missed. */
const CLOCKS_APART_MS = 3_600_000;

/** The narrowest of what is asked for. */
function pathOf({ actorId, subjectType, subjectKey }: AuditFilters): AuditPath {
  if (subjectKey !== undefined) return 'subjectKey';
  if (actorId !== undefined) return 'actor';
  return subjectType === undefined ? 'all' : 'subjectType';
}

/** Up to `limit` entries below that id, and whether there are more; the newest where it is null. */
export async function readAudit(
  tx: Tx,
  { showsKeys, filters }: AuditWanted,
  below: string | null,
  limit: number,
): Promise<RowPage<AuditEntry>> {
  const {
    actorId = null,
    subjectType = null,
    subjectKey = null,
    action = null,
    from = null,
    to = null,
  } = filters;
  const lowest = from === null ? LOWEST_ID : firstIdAt(Date.parse(from) - CLOCKS_APART_MS);
  const highest = to === null ? HIGHEST_ID : firstIdAt(Date.parse(to) + CLOCKS_APART_MS);
  const wanted = [
    tx.workspaceId,
    lowest,
    below === null || below > highest ? highest : below,
    limit + 1,
    showsKeys,
    ...[actorId, subjectType, subjectKey, action, from, to],
  ];
  const { rows, more } = await readPage<Row>(tx, selectAuditPage(pathOf(filters)), wanted, {
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
