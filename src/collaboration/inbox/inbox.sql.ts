/**
 * Inboxes. $1 is the workspace. A turn of the fan-out writes lines in the order of their unique index; whoever marks lines as read locks them
 * in the order of their ids, for one statement, and nothing else.
 */
import { parentsOf } from '../../entities/links/entity-links.sql.ts';

/** Whether anybody follows something with everything below it, and whether anybody follows a saved view. */
export const anyBelow = `
  select exists (select from subscription where workspace_id = $1 and below) as below,
         exists (select from subscription where workspace_id = $1 and subject_type = 'view') as views`;

/** Saved views of entities that members follow, a probe for each view. $2 rows. */
export const selectFollowedViews = `
  select v.id, v.shared, v.owner_id, v.settings from saved_view v
  where v.workspace_id = $1 and v.list = 'entities' and exists (
    select from subscription where workspace_id = $1 and subject_type = 'view' and subject_key = v.id::text offset 0)
  order by v.id limit $2`;

/** The entities whose ids, or ids of versions, these are. $2 id[]. */
export const selectEntityIds = `
  select i.id as ref, coalesce(
    (select v.id from entity v where v.workspace_id = $1 and v.id = i.id offset 0),
    (select v.id from entity v where v.workspace_id = $1 and v.version_id = i.id and v.version_id <> v.id offset 0),
    (select v.entity_id from entity_revision v where v.workspace_id = $1 and v.version_id = i.id offset 0)) as id
  from unnest($2::uuid[]) as i (id)`;

/**
 * The followed entities that these lie below, in the structure and in locations. Each way up is walked once for each entity, up to $3
 * places altogether. $2 id[].
 */
export const selectFollowedAbove = `
  with recursive above (origin, id) as (
    select i.id, i.id from unnest($2::uuid[]) as i (id)
    union
    select a.origin, p.parent_id from above a cross join lateral (
      select u.parent_id from (${parentsOf('a.id')}) as u
      union all
      (select parent_location_id from entity where workspace_id = $1 and id = a.id and parent_location_id is not null offset 0)
      offset 0) as p
  )
  select w.origin, w.id from (select origin, id from above limit $3) w
  where w.origin <> w.id and exists (
    select from subscription s
    where s.workspace_id = $1 and s.subject_type = 'entity' and s.subject_key = w.id::text and s.below offset 0)`;

/**
 * Members who follow these subjects: of each subject the first $5 behind a member. $2 types, $3 keys, $4 member to go on behind or null.
 */
export const selectFollowers = `
  select k.type, k.key, s.member_id, s.below, s.stock, s.muted, s.created_at
  from unnest($2::text[], $3::text[]) as k (type, key)
  cross join lateral (
    select member_id, below, stock, muted, created_at from subscription
    where workspace_id = $1 and subject_type = k.type and subject_key = k.key and ($4::uuid is null or member_id > $4)
    order by member_id limit $5) s`;

/** The members that these actors are, or whose keys they are. $2 id[]. */
export const selectMembersOfActors = `
  select i.id as actor_id, coalesce(
    (select k.member_id from api_key k where k.workspace_id = $1 and k.id = i.id offset 0), i.id) as member_id
  from unnest($2::uuid[]) as i (id)`;

/** $2 batch[]. */
export const selectSubmitters = `
  select b.id, b.submitted_by from unnest($2::uuid[]) as i (id)
  cross join lateral (select id, submitted_by from sync_batch where workspace_id = $1 and id = i.id offset 0) b`;

const lineColumns = `
  id uuid, member_id uuid, kind text, subject_type text, subject_key text, entity_id uuid, batch_id uuid, comment_id uuid,
  actor_id uuid, detail text, events integer, first_at timestamptz, last_at timestamptz`;
const lineNames = [...lineColumns.matchAll(/(\w+) \w+(?:,|$)/g)].map(([, name]) => name).join(', ');

/** Adds to lines that are unread, and writes the others. $2 lines as a JSON array. Returns the members that have new lines. */
export const addLines = `
  insert into inbox_line (workspace_id, ${lineNames})
  select $1, ${lineNames} from jsonb_to_recordset($2::jsonb) as l (${lineColumns})
  order by member_id, kind, subject_type, subject_key
  on conflict (workspace_id, member_id, kind, subject_type, subject_key) where read_at is null
  do update set events = inbox_line.events + excluded.events, last_at = greatest(inbox_line.last_at, excluded.last_at),
    entity_id = excluded.entity_id, batch_id = excluded.batch_id, comment_id = excluded.comment_id,
    actor_id = excluded.actor_id, detail = excluded.detail, told_at = now()
  returning member_id, xmax = 0 as is_new`;

/** Deletes what is beyond $3 lines of a member: those that are read before others, the oldest first. $2 member[]. */
export const trimLines = `
  delete from inbox_line where workspace_id = $1 and id = any (array(
    select o.id from unnest($2::uuid[]) as m (id)
    cross join lateral (
      select id from inbox_line where workspace_id = $1 and member_id = m.id
      order by read_at is not null, last_at desc offset $3) o))`;

/** The lines of a member with what they name, latest first. $2 member, $3 and $4 time and id to go on behind or null, $5 rows, $6 only unread ones. */
export const selectLines = `
  select l.id, l.kind, l.subject_type, l.subject_key, l.batch_id, l.comment_id, l.detail, l.events, l.first_at, l.last_at,
         l.read_at, to_char(l.last_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place, e.id as entity_id, e.number as entity_number, e.name as entity_name,
         s.id as subject_id, s.number as subject_number, coalesce(s.name, v.name) as subject_name, p.profile_name, c.text as comment_text,
         a.id as actor_id, a.type as actor_type, a.name as actor_name
  from (
    select * from inbox_line
    where workspace_id = $1 and member_id = $2 and (not $6 or read_at is null)
      and ($3::timestamptz is null or (last_at, id) < ($3::timestamptz, $4::uuid))
    order by last_at desc, id desc limit $5) l
  left join lateral (select id, number, name from entity where workspace_id = $1 and id = l.entity_id offset 0) e on true
  left join lateral (
    select id, number, name from entity
    where l.subject_type = 'entity' and workspace_id = $1 and id = l.subject_key::uuid offset 0) s on true
  left join lateral (
    select name from saved_view
    where l.subject_type = 'view' and workspace_id = $1 and id = l.subject_key::uuid offset 0) v on true
  left join lateral (select profile_name from sync_batch where workspace_id = $1 and id = l.batch_id offset 0) p on true
  left join lateral (
    select left(text, 500) as text from comment
    where workspace_id = $1 and id = l.comment_id and deleted_at is null offset 0) c on true
  left join lateral (select id, type, name from actor where workspace_id = $1 and id = l.actor_id offset 0) a on true
  order by l.last_at desc, l.id desc`;

/** Unread lines, counted up to $3. $2 member. */
export const countUnread = `
  select count(*)::int as unread from (
    select from inbox_line where workspace_id = $1 and member_id = $2 and read_at is null limit $3) as counted`;

/** Marks lines as read. $2 member, $3 id[]. */
export const markLinesRead = `
  with chosen as (
    select id from inbox_line
    where workspace_id = $1 and member_id = $2 and id = any ($3::uuid[]) and read_at is null order by id for update)
  update inbox_line l set read_at = now() from chosen c where l.workspace_id = $1 and l.id = c.id`;

/** Marks as read what happened up to a time, of which answers show milliseconds. $2 member, $3 time. */
export const markAllRead = `
  with chosen as (
    select id from inbox_line
    where workspace_id = $1 and member_id = $2 and read_at is null and last_at < $3::timestamptz + interval '1 millisecond' order by id for update)
  update inbox_line l set read_at = now() from chosen c where l.workspace_id = $1 and l.id = c.id`;

/** Lines about which nothing has been told for $1 days, $2 at most. */
export const pruneInbox = `
  delete from inbox_line where ctid = any (array(
    select ctid from inbox_line where last_at < now() - make_interval(days => $1) limit $2 for update skip locked
  )) returning 1`;

/**
 * The next mails of members who were told something: at once, but $3 seconds after the one before, or in the next morning (06:00 UTC).
 * $2 member[].
 */
export const scheduleMails = `
  update inbox_mail
  set next_at = case mode
    when 'daily' then date_trunc('day', now() - interval '6 hours', 'UTC') + interval '30 hours'
    else greatest(now(), mailed_at + make_interval(secs => $3)) end
  where workspace_id = $1 and member_id = any ($2::uuid[]) and confirmed and mode <> 'none' and next_at is null`;
