/** A link's row as the interface shows it, and its entity tag. */
import { createHash } from 'node:crypto';
import { type CsvLink, CsvTable } from './csv-link.schema.ts';
import type { CsvLinkRow } from './csv-links.sql.ts';

export function showCsvLink(row: CsvLinkRow): CsvLink {
  return {
    id: row.id,
    name: row.name,
    table: CsvTable.parse(row.list),
    prefix: row.prefix,
    createdAt: timeOf(row.created_at),
    createdBy: { id: row.created_by, name: row.created_by_name },
    expiresAt: row.expires_at === null ? null : timeOf(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : timeOf(row.last_used_at),
    revokedAt: row.revoked_at === null ? null : timeOf(row.revoked_at),
  };
}

/** The entity tag covers what people change: fetching a link must not fail the If-Match of its revocation. */
export function csvLinkTag({ id, revokedAt }: CsvLink): string {
  return createHash('sha256')
    .update(JSON.stringify([id, revokedAt]))
    .digest('base64url')
    .slice(0, 22);
}

function timeOf(value: Date | string): string {
  return new Date(value).toISOString();
}
