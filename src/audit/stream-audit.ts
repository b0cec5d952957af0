/** The whole audit trail as NDJSON or CSV, page by page: no long transaction, no more in memory than a page. */
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { csvLine } from '../http/csv-line.ts';
import type { AuditEntry } from './audit.schema.ts';
import { type AuditPage, type AuditWanted, readAudit } from './read-audit.ts';

const PAGE_ROWS = 200;

export type AuditFormat = 'csv' | 'ndjson';

const columns: [name: string, value: (entry: AuditEntry) => string | boolean][] = [
  ['id', (entry) => entry.id],
  ['recordedAt', (entry) => entry.recordedAt],
  ['actorType', (entry) => entry.actor.type],
  ['actorId', (entry) => entry.actor.id],
  ['actorName', (entry) => entry.actor.name],
  ['action', (entry) => entry.action],
  ['subjectType', (entry) => entry.subjectType],
  ['subjectKey', (entry) => entry.subjectKey],
  ['before', (entry) => (entry.before === null ? '' : JSON.stringify(entry.before))],
  ['after', (entry) => (entry.after === null ? '' : JSON.stringify(entry.after))],
  ['redacted', (entry) => entry.redacted],
];

/** Newest first from that id down, in portions of text, until its reader has gone; what is recorded meanwhile is not in it. */
export async function* streamAudit(
  db: Db,
  workspaceId: string,
  wanted: AuditWanted,
  belowId: string | null,
  { format, gone }: { format: AuditFormat; gone: AbortSignal },
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(columns.map(([name]) => name));
  const line = (entry: AuditEntry) =>
    format === 'csv' ? csvLine(columns.map(([, value]) => value(entry))) : `${JSON.stringify(entry)}\n`;
  for (let below = belowId; ; ) {
    const behind: string | null = below;
    const { rows: entries, nextBelow }: AuditPage = await inTransaction(
      db,
      { workspaceId },
      (tx) => readAudit(tx, wanted, behind, PAGE_ROWS),
      { readOnly: true, gone },
    );
    if (entries.length > 0) yield entries.map(line).join('');
    if (nextBelow === null) return;
    below = nextBelow;
  }
}
