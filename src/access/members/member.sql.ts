/** Statements on members and invitations. $1 is the workspace. */
import { INBOX_LISTENER } from '../../events/outbox.sql.ts';
import { contextTypes } from '../../events/record-events.ts';
import { administers } from '../api-key.sql.ts';

const columns = 'id, name, areas, managed, created_at, ended_at';

export interface MemberRow {
  id: string;
  name: string;
  areas: string[];
  managed: 'hand' | 'groups';
  created_at: Date | string;
  ended_at: Date | string | null;
}

/** $2 the id to go on below or null, $3 rows. */
export const selectMembers = `
  select ${columns} from member where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`;

/** $2 id. */
export const selectMember = `select ${columns} from member where workspace_id = $1 and id = $2`;

/** $2 ids. */
export const selectSeen =
  'select member_id, seen_at from membership where workspace_id = $1 and member_id = any($2)';

/** How many there are, those who have ended among them. */
export const countMembers = 'select count(*)::int as count from member where workspace_id = $1';

/**
 * $2 id, or null. Locks the member and every administrator among the members, in order of id. Keys of administrators are locked before: of
 * two administrators who end each other at once, the second finds that nobody else is left.
 */
export const lockMembers = `
  select ${columns} from member
  where workspace_id = $1 and (id = $2 or ('admin' = any(areas) and ended_at is null))
  order by id for update`;

/**
 * $2 id, $3 name, $4 areas, $5 who manages it. The member is an actor from its first day, and is told of imports of its own that end with
 * errors.
 */
export const insertMember = `
  with acting as (
    insert into actor (workspace_id, id, type, name) values ($1, $2, 'member', $3)
  ), listening as (
    insert into event_listener (workspace_id, context_type, listener_id)
    values ($1, ${contextTypes.importNotClean}, '${INBOX_LISTENER}') on conflict do nothing
  )
  insert into member (workspace_id, id, name, areas, managed) values ($1, $2, $3, $4, $5) returning ${columns}`;

/** $2 id, $3 name, $4 areas, $5 who manages it. History shows the member by its present name, and so its keys. An ended member is active again. */
export const updateMember = `
  with acting as (
    update actor set name = $3 where workspace_id = $1 and id = $2
  ), before as (
    select name from member where workspace_id = $1 and id = $2
  ), keys as (
    update api_key k set name = $3 || substr(k.name, length(b.name) + 1)
    from before b where k.workspace_id = $1 and k.member_id = $2 and starts_with(k.name, b.name)
    returning k.id, k.name
  ), acting_keys as (
    update actor a set name = k.name from keys k where a.workspace_id = $1 and a.id = k.id
  )
  update member set name = $3, areas = $4, managed = $5, ended_at = null where workspace_id = $1 and id = $2 returning ${columns}`;

/** $1 member, $2 its former name, $3 its new one. */
export const renamePersonOfMember = 'select rename_person_of_member($1, $2, $3)';

/** $2 id, $3 who manages it: groups bring nobody back whom somebody has ended. */
export const endMemberStatement = `
  update member set ended_at = now(), managed = $3 where workspace_id = $1 and id = $2 returning ${columns}`;

/** $2 member. Its open links let nobody in any more. */
export const deleteLinksOf = 'delete from invitation where workspace_id = $1 and member_id = $2';

/** $2 member. */
export const selectKeysOfMember = `
  select id, name, permission, areas from api_key
  where workspace_id = $1 and member_id = $2 and revoked_at is null order by id for update`;

/** $2 id, $3 level, $4 areas. */
export const setAreasOfKey =
  'update api_key set permission = $3, areas = $4 where workspace_id = $1 and id = $2';

/**
 * $2 member. Whether somebody with all areas remains without it: another member with a person behind, who has a way to sign in, or a key
 * that belongs to nobody and has no end. Nobody hands on an area that it lacks.
 */
export const selectAdminBeside = `
  select exists (
    select from member m join membership p on p.workspace_id = m.workspace_id and p.member_id = m.id
    where m.workspace_id = $1 and m.id <> $2 and m.ended_at is null and ${administers}
  ) or exists (
    select from api_key k
    where k.workspace_id = $1 and k.permission = 'admin' and k.member_id is null and k.revoked_at is null
      and k.expires_at is null
  ) as remains`;

export const isMemberElsewhere = 'select is_member_elsewhere($1) as elsewhere';
export const endSessionsOfMember = 'select end_sessions_of_member($1)';

const invitationColumns = 'i.id, i.name, i.areas, i.member_id, i.created_at, i.expires_at';

export interface InvitationRow {
  id: string;
  name: string;
  areas: string[];
  member_id: string | null;
  created_at: Date | string;
  expires_at: Date | string;
}

/** A link works as long as the member or the key that made it exists and may still make it. The level `admin` has all areas. */
const isOpen = `
  i.expires_at > now()
  and (exists (
    select from member c where c.workspace_id = i.workspace_id and c.id = i.created_by
      and c.ended_at is null and 'admin' = any(c.areas) and i.areas <@ c.areas)
  or exists (
    select from api_key k where k.workspace_id = i.workspace_id and k.id = i.created_by
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and (k.permission = 'admin' or ('admin' = any(k.areas) and i.areas <@ k.areas))))`;

/** $2 the id to go on below or null, $3 rows. Those that still work. */
export const selectInvitations = `
  select ${invitationColumns} from invitation i
  where i.workspace_id = $1 and ($2::uuid is null or i.id < $2) and ${isOpen}
  order by i.id desc limit $3`;

export const deleteExpired = 'delete from invitation where workspace_id = $1 and expires_at <= now()';
export const countInvitations = 'select count(*)::int as count from invitation where workspace_id = $1';

/** $2 id, $3 member or null, $4 name, $5 areas, $6 hash, $7 who makes it, $8 expiry or null, $9 seconds that it works without. */
export const insertInvitation = `
  insert into invitation as i (workspace_id, id, member_id, name, areas, token_hash, created_by, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, coalesce($8::timestamptz, now() + make_interval(secs => $9)))
  returning ${invitationColumns}`;

/** $2 id. */
export const deleteInvitation = `
  delete from invitation i where i.workspace_id = $1 and i.id = $2 returning ${invitationColumns}`;

/** A sign-in link opens no member that has more areas than when the link was made: its maker may lack them. */
const ofLink = `
  select i.workspace_id, w.slug, w.name as workspace_name, ${invitationColumns}, m.ended_at
  from invitation i join workspace w on w.id = i.workspace_id and w.state = 'active'
  left join member m on m.workspace_id = i.workspace_id and m.id = i.member_id
  where i.token_hash = $1 and ${isOpen} and (m.id is null or m.areas <@ i.areas)`;

export interface LinkRow extends InvitationRow {
  workspace_id: string;
  slug: string;
  workspace_name: string;
  ended_at: Date | string | null;
}

/** $1 hash of the link's secret. In the scope of the instance. */
export const selectLink = ofLink;
/** Finds the link and locks it for its use. */
export const lockLink = `${ofLink} for update of i`;

/** $1 workspace, $2 person. */
export const selectMemberOfPerson = `
  select m.id, m.name, m.areas, m.managed, m.created_at, m.ended_at from membership p
  join member m on m.workspace_id = p.workspace_id and m.id = p.member_id
  where p.workspace_id = $1 and p.person_id = $2 for update of m`;

/** $2 names. Those that active members have. */
export const selectNamesTaken = `
  select lower(name) as name from member
  where workspace_id = $1 and ended_at is null and lower(name) = any (array(select lower(n) from unnest($2::text[]) n))`;

/** $1 workspace, $2 member. */
export const selectPersonOfMember = `
  select p.person_id, exists (
    select from membership o join member m on m.workspace_id = o.workspace_id and m.id = o.member_id and m.ended_at is null
    where o.person_id = p.person_id and o.workspace_id <> $1
  ) as elsewhere
  from membership p where p.workspace_id = $1 and p.member_id = $2`;

/** $1 workspace, $2 member, $3 person. */
export const insertMembership =
  'insert into membership (workspace_id, member_id, person_id) values ($1, $2, $3)';
