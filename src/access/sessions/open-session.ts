/** Opens a session for whoever showed a key. */
import { areasOfPermission } from '../../areas.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { findKey } from '../authenticate.ts';
import { hashKey } from '../key-text.ts';
import { makeToken } from '../session-cookie.ts';
import type { Session } from './session.schema.ts';
import { insertSession, type SessionRow, selectSession, trimSessions } from './session.sql.ts';

/**
 * A session in the workspace that the key belongs to, with its token, which is stored nowhere; null when the key
 * opens nothing. A key that is revoked in the meantime makes a session that is refused on its first use.
 */
export async function openSession(
  db: Db,
  key: string,
  limits: { hours: number; perKey: number },
): Promise<{ session: Session; token: string } | null> {
  const found = await findKey(db, key);
  if (found === null) return null;
  const { workspaceId, keyId } = found;
  const token = makeToken();
  const session = await inTransaction(db, { workspaceId }, async (tx) => {
    tx.withCommit(tx.query(insertSession, [workspaceId, hashKey(token), keyId, limits.hours]));
    tx.withCommit(tx.query(trimSessions, [workspaceId, keyId, limits.perKey]));
    return readSession(tx, keyId, token);
  });
  return { session, token };
}

/** The session of that token; without one, what the key alone gives. */
export async function readSession(tx: Tx, keyId: string, token: string | null): Promise<Session> {
  const [row] = await tx.query<SessionRow>(selectSession, [
    tx.workspaceId,
    keyId,
    token === null ? null : hashKey(token),
  ]);
  if (row === undefined) throw new Error('the key of a caller is gone');
  return {
    workspace: { slug: row.slug, name: row.workspace_name },
    keyId: row.key_id,
    keyName: row.key_name,
    permission: row.permission,
    areas: [...(row.areas ?? areasOfPermission[row.permission])],
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
  };
}
