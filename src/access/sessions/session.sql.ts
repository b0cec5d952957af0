/** The statements on sessions. Who a session is, is asked by `authenticateWebSession` of authenticate.sql.ts. */
import type { Area, Permission } from '../../areas.ts';

/** $1 workspace, $2 hash of the token, $3 key, $4 hours. Answers with when it ends. */
export const insertSession = `
  insert into web_session (workspace_id, token_hash, key_id, expires_at)
  values ($1, $2, $3, now() + make_interval(hours => $4)) returning expires_at`;

/**
 * $1 workspace, $2 key, $3 how many stay. A key signs in as often as it likes; its oldest sessions give way, so
 * that nobody fills the table. One range of web_session_key.
 */
export const trimSessions = `
  delete from web_session where workspace_id = $1 and token_hash in (
    select token_hash from web_session where workspace_id = $1 and key_id = $2
    order by created_at desc, token_hash offset $3
  )`;

/** $1 workspace, $2 hash of the token. */
export const deleteSession = `delete from web_session where workspace_id = $1 and token_hash = $2`;

/** $1 workspace, $2 hash of the token, $3 seconds. Says whether the key was shown since. */
export const isSessionNew = `
  select exists (select from web_session
    where workspace_id = $1 and token_hash = $2 and created_at > now() - make_interval(secs => $3)) as proved`;

/**
 * $1 workspace, $2 key, $3 hash of the session's token, or null where the key itself was shown. A session that
 * would outlive its key ends with it.
 */
export const selectSession = `
  select w.slug, w.name as workspace_name, k.id as key_id, k.name as key_name, k.permission, k.areas,
         least(s.expires_at, k.expires_at) as expires_at
  from api_key k
  join workspace w on w.id = k.workspace_id
  left join web_session s on s.workspace_id = k.workspace_id and s.token_hash = $3
  where k.workspace_id = $1 and k.id = $2`;

/** $1 workspace, $2 member. */
export const selectMemberSession = `
  select w.slug, w.name as workspace_name, null::uuid as key_id, m.name as key_name, null::timestamptz as expires_at
  from member m join workspace w on w.id = m.workspace_id
  where m.workspace_id = $1 and m.id = $2`;

/** $1 rows at most. In the scope of the instance; one range of web_session_age. */
export const pruneSessions = `
  delete from web_session where ctid = any (array(
    select ctid from web_session where expires_at < now() order by expires_at limit $1 for update skip locked
  )) returning 1`;

export interface SessionRow {
  slug: string;
  workspace_name: string;
  key_id: string | null;
  key_name: string;
  permission?: Permission;
  areas?: Area[] | null;
  expires_at: Date | string | null;
}
