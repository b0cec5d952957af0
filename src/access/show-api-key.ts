/** A key's row as the interface shows it, and its entity tag. */
import { createHash } from 'node:crypto';
import { areasOfPermission } from '../areas.ts';
import type { ApiKey } from './api-key.schema.ts';
import type { ApiKeyRow } from './api-key.sql.ts';

export function showApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    permission: row.permission,
    areas: [...(row.areas ?? areasOfPermission[row.permission])],
    memberId: row.member_id,
    prefix: row.prefix,
    createdAt: timeOf(row.created_at),
    expiresAt: row.expires_at === null ? null : timeOf(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : timeOf(row.last_used_at),
    revokedAt: row.revoked_at === null ? null : timeOf(row.revoked_at),
  };
}

/**
 * Returns the entity tag of the fields that people change: use of a key must not fail the If-Match of somebody who
 * edits its name.
 */
export function apiKeyTag({ name, areas, memberId, expiresAt, revokedAt }: ApiKey): string {
  return createHash('sha256')
    .update(JSON.stringify([name, areas, memberId, expiresAt, revokedAt]))
    .digest('base64url')
    .slice(0, 22);
}

function timeOf(value: Date | string): string {
  return new Date(value).toISOString();
}
