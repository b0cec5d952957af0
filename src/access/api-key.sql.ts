/** The statements on API keys. A list is one index range of the primary key: ids are UUIDv7. */
import { type Area, areas, type Permission } from '../areas.ts';

const columns =
  'id, name, permission, areas, member_id, prefix, created_at, expires_at, last_used_at, revoked_at';

export interface ApiKeyRow {
  id: string;
  name: string;
  permission: Permission;
  /** Areas of the key; null if the level gives them. */
  areas: Area[] | null;
  /** Member to whom the key belongs; null for keys of connectors. */
  member_id: string | null;
  prefix: string;
  created_at: Date | string;
  expires_at: Date | string | null;
  last_used_at: Date | string | null;
  revoked_at: Date | string | null;
}

/** $1 workspace, $2 the id to go on below or null, $3 rows. */
export const selectApiKeys = `
  select ${columns} from api_key
  where workspace_id = $1 and ($2::uuid is null or id < $2)
  order by id desc limit $3`;

/** $1 workspace, $2 member whose keys they are, $3 rows. */
export const selectKeysOfOwner = `
  select ${columns} from api_key
  where workspace_id = $1 and member_id = $2 and revoked_at is null order by id desc limit $3`;

/** $1 workspace, $2 id. */
export const selectApiKey = `select ${columns} from api_key where workspace_id = $1 and id = $2`;

/**
 * $1 workspace, $2 id. Locks the key and every admin key with it, in order of id: of two admins who revoke
 * each other at once, the second waits and then finds that it would lock everybody out.
 */
export const lockApiKeys = `
  select ${columns} from api_key
  where workspace_id = $1 and (id = $2 or (permission = 'admin' and revoked_at is null))
  order by id for update`;

/**
 * $1 workspace. Locks every admin key that is not revoked, in order of id. Whoever makes keys waits here for
 * whoever made one at the same time, and then counts them all.
 */
export const lockAdminKeys = `
  select from api_key where workspace_id = $1 and permission = 'admin' and revoked_at is null
  order by id for update`;

/** $1 workspace. */
export const countApiKeys = `
  select count(*)::int as count from api_key where workspace_id = $1 and revoked_at is null`;

/** $1 workspace, $2 how many are counted at most. */
export const countActors = `
  select count(*)::int as count from (select from actor where workspace_id = $1 limit $2) a`;

/**
 * $1 workspace, $2 how many stay. The revoked keys of longest ago go, with the sessions that they opened; history
 * keeps their names, and the audit trail all that was done to them.
 */
export const trimRevokedKeys = `
  with old as (
    select id from api_key where workspace_id = $1 and revoked_at is not null
    order by revoked_at desc, id desc offset $2
  ), sessions as (
    delete from web_session where workspace_id = $1 and key_id in (select id from old)
  )
  delete from api_key where workspace_id = $1 and id in (select id from old)`;

/** $1 workspace, $2 id, $3 name, $4 permission, $5 prefix, $6 hash, $7 expiry, $8 areas or null. The key is an actor from its first day. */
export const insertApiKey = `
  with acting as (
    insert into actor (workspace_id, id, type, name) values ($1, $2, 'apiKey', $3)
  )
  insert into api_key (workspace_id, id, name, permission, prefix, hash, expires_at, areas)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`;

/** $1 workspace, $2 id, $3 name, $4 permission, $5 expiry, $6 areas or null. History shows the key by its present name. */
export const updateApiKey = `
  with acting as (
    update actor set name = $3 where workspace_id = $1 and id = $2
  )
  update api_key set name = $3, permission = $4, expires_at = $5, areas = $6
  where workspace_id = $1 and id = $2 returning ${columns}`;

/** $1 workspace, $2 id. */
export const revokeApiKeyStatement = `
  update api_key set revoked_at = coalesce(revoked_at, now())
  where workspace_id = $1 and id = $2 returning ${columns}`;

/** Whether a member `m` has all areas, and so can give each of them. */
export const administers = `m.areas @> '{${areas.join(',')}}'`;

/**
 * $1 workspace, $2 the key that is about to stop being one, $3 whether the other must have no end. Tells whether another admin
 * key or a member with all areas remains. Keys of members end with them and do not count.
 */
export const selectOtherAdmin = `
  select exists (
    select from api_key
    where workspace_id = $1 and id <> $2 and permission = 'admin' and member_id is null and revoked_at is null
      and (expires_at is null or (not $3 and expires_at > now()))
  ) or exists (
    select from member m join membership p on p.workspace_id = m.workspace_id and p.member_id = m.id
    where m.workspace_id = $1 and m.ended_at is null and ${administers}
  ) as remains`;

/** $1 workspace. Locks the administrators among the members, behind those of the keys. */
export const lockAdminMembers = `
  select from member where workspace_id = $1 and ended_at is null and 'admin' = any(areas) order by id for update`;

/** $1 workspace, $2 key. The member that a key belongs to, with a lock. */
export const lockOwner = `
  select m.areas from api_key k join member m on m.workspace_id = k.workspace_id and m.id = k.member_id
  where k.workspace_id = $1 and k.id = $2 for update of m`;

/** $1 workspace, $2 key, $3 member. */
export const giveKeyToMember = 'update api_key set member_id = $3 where workspace_id = $1 and id = $2';

/** $1 workspace, $2 member. Locks the member, who may not end meanwhile; two who give it keys at once wait for each other. */
export const lockNewOwner =
  'select name, areas from member where workspace_id = $1 and id = $2 and ended_at is null for update';

/** $1 workspace, $2 member. A statement of its own behind the lock, because one that waited still counts what it saw before. */
export const countKeysOfOwner = `
  select count(*)::int as count from api_key where workspace_id = $1 and member_id = $2 and revoked_at is null`;
