/** Reads entries of the audit trail, newest first, as much of each as the caller may see. */

import { firstIdAt } from '../db/ids.ts';
import { type RowPage, readPage } from '../db/read-page.ts';
import type { Tx } from '../db/transaction.ts';
import type { AuditEntry, AuditFilters } from './audit.schema.ts';
import { type AuditPath, selectAuditPage, selectWindowEnd } from './audit.sql.ts';

export interface AuditWanted {
  /** Whether the caller may read API keys: of others their entries show who did what, and not the keys. */
  showsKeys: boolean;
  filters: AuditFilters;
}

interface Row {
  id: string;
  /** The driver's text with microseconds. */
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

/** Entries that a page looks at: filters may pass over all of them. */
const LOOKED_AT_MAX = 5000;

/** The narrowest of the requested filters, and the key with which its index is searched. */
function pathOf({ actorId, subjectType, subjectKey, action }: AuditFilters): [AuditPath, string | null] {
  if (subjectKey !== undefined) return ['subjectKey', subjectKey];
  if (actorId !== undefined) return ['actor', actorId];
  if (subjectType !== undefined) return ['subjectType', subjectType];
  return action === undefined ? ['all', null] : ['action', action];
}

export interface AuditPage extends RowPage<AuditEntry> {
  /** Below which id the next page begins; null where there is none. A page may have few entries, or none, and a next one. */
  nextBelow: string | null;
}

/** Up to `limit` entries below that id; the newest where it is null. */
export async function readAudit(
  tx: Tx,
  { showsKeys, filters }: AuditWanted,
  below: string | null,
  limit: number,
): Promise<AuditPage> {
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
  const highestWanted = below === null || below > highest ? highest : below;
  const [path, value] = pathOf(filters);
  const window = [tx.workspaceId, lowest, highestWanted, LOOKED_AT_MAX, value];
  const wanted = [...window, limit + 1, showsKeys, actorId, subjectType, subjectKey, action, from, to];
  const { rows, more } = await readPage<Row>(tx, selectAuditPage(path), wanted, {
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
  const shown = entries.at(-1)?.id ?? HIGHEST_ID;
  if (more) return { rows: entries, more, nextBelow: shown };
  const [end] = await tx.query<{ id: string }>(selectWindowEnd(path), window);
  if (end === undefined) return { rows: entries, more, nextBelow: null };
  // Entries that were recorded since let the window end above what is shown, which would come again.
  return { rows: entries, more: true, nextBelow: end.id < shown ? end.id : shown };
}
