/** Opens a session for the holder of a key. */
import type { Actor } from '../../actor.ts';
import { type Area, areasOfPermission, permissionOf } from '../../areas.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { findKey } from '../authenticate.ts';
import { hashKey } from '../key-text.ts';
import { makeToken } from '../session-cookie.ts';
import type { Session } from './session.schema.ts';
import {
  insertSession,
  type SessionRow,
  selectMemberSession,
  selectSession,
  trimSessions,
} from './session.sql.ts';

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
    return readKeySession(tx, keyId, token);
  });
  return { session, token };
}

/** Returns the session of a caller, of a key or of a member. */
export async function readSession(
  tx: Tx,
  { actor, areas, sessionToken }: { actor: Actor; areas: readonly Area[]; sessionToken: string | null },
): Promise<Session> {
  if (actor.type !== 'member') return readKeySession(tx, actor.id, sessionToken);
  const [row] = await tx.query<SessionRow>(selectMemberSession, [tx.workspaceId, actor.id]);
  if (row === undefined) throw new Error('the member of a caller is gone');
  return showSession(row, { ...actor, name: row.key_name }, areas);
}

/** The session of that token; without one, what the key alone gives. */
async function readKeySession(tx: Tx, keyId: string, token: string | null): Promise<Session> {
  const [row] = await tx.query<SessionRow>(selectSession, [
    tx.workspaceId,
    keyId,
    token === null ? null : hashKey(token),
  ]);
  if (row === undefined) throw new Error('the key of a caller is gone');
  const areas = row.areas ?? areasOfPermission[row.permission ?? 'read'];
  return showSession(row, { type: 'apiKey', id: keyId, name: row.key_name }, areas);
}

function showSession(row: SessionRow, actor: Actor, areas: readonly Area[]): Session {
  return {
    workspace: { slug: row.slug, name: row.workspace_name },
    actor,
    areas: [...areas],
    keyId: row.key_id,
    keyName: row.key_name,
    permission: permissionOf(areas),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
  };
}
