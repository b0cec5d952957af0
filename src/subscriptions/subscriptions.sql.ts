/**
 * Statements about what members follow. $1 is the workspace. A subscription that begins holds the lock of listening shared, one that ends exclusively: two
 * transactions could otherwise end the listening that one of them has just begun.
 */
import { INBOX_LISTENER } from '../events/outbox.sql.ts';

const listeningLock = `hashtextextended('subscriptions:' || $1::text, 0)`;
export const shareListening = `select pg_advisory_xact_lock_shared(${listeningLock})`;
export const lockListening = `select pg_advisory_xact_lock(${listeningLock})`;

/** $2 context types. */
export const beginListening = `
  insert into event_listener (workspace_id, context_type, listener_id)
  select $1, context_type, '${INBOX_LISTENER}' from unnest($2::smallint[]) as context_type on conflict do nothing`;

/** Which kinds of subscriptions there are, a probe each. */
export const selectKinds = `
  select exists (select from subscription where workspace_id = $1 and subject_type = 'entity') as entity,
         exists (select from subscription where workspace_id = $1 and stock) as stock,
         exists (select from subscription where workspace_id = $1 and subject_type = 'import') as import,
         exists (select from subscription where workspace_id = $1 and subject_type = 'importProfile') as profile,
         exists (select from subscription where workspace_id = $1 and subject_type = 'view') as view,
         exists (select from member where workspace_id = $1) as member`;

/** Members that are active. $2 members. */
export const selectActive = `
  select id from member where workspace_id = $1 and id = any ($2::uuid[]) and ended_at is null`;

/** How many the member has, counted up to $3. $2 member. */
export const countSubscriptions = `
  select count(*)::int as present from (
    select from subscription where workspace_id = $1 and member_id = $2 limit $3) as counted`;

/** Ends the oldest one of the member that is automatic and not muted. $2 member. */
export const endOldestAutomatic = `
  delete from subscription where workspace_id = $1 and id = (
    select id from subscription
    where workspace_id = $1 and member_id = $2 and automatic and not muted order by id limit 1)`;

/** Leaves a subscription that is there, muted or not, as it is. $2 id, $3 member, $4 subject type, $5 subject key. */
export const insertAutomatic = `
  insert into subscription (workspace_id, id, member_id, subject_type, subject_key, below, stock, muted, automatic)
  values ($1, $2, $3, $4, $5, false, false, false, true)
  on conflict do nothing returning id`;

/** The columns of `SubscriptionRow`, with what the subject is called. */
const shown = (subscriptions: string) => `
  select s.*, e.id as entity_id, e.number as entity_number, e.name as entity_name, v.name as view_name, b.profile_name
  from ${subscriptions} s
  left join lateral (
    select id, number, name from entity
    where s.subject_type = 'entity' and workspace_id = $1 and id = s.subject_key::uuid offset 0) e on true
  left join lateral (
    select name from saved_view
    where s.subject_type = 'view' and workspace_id = $1 and id = s.subject_key::uuid offset 0) v on true
  left join lateral (
    select profile_name from sync_batch
    where s.subject_type = 'import' and workspace_id = $1 and id = s.subject_key::uuid offset 0) b on true`;

/** A page of a member's, newest first. $2 member, $3 id to go on behind or null, $4 rows. */
export const selectSubscriptions = `
  ${shown(`(
    select * from subscription
    where workspace_id = $1 and member_id = $2 and ($3::uuid is null or id < $3) order by id desc limit $4)`)}
  order by s.id desc`;

/** The one about a subject. $2 member, $3 type, $4 key. */
export const selectSubscriptionTo = `
  ${shown('(select * from subscription where workspace_id = $1 and member_id = $2 and subject_type = $3 and subject_key = $4)')}`;

/** $2 id, $3 member, $4 type, $5 key, $6 below, $7 stock, $8 muted. */
export const replaceSubscription = `
  insert into subscription (workspace_id, id, member_id, subject_type, subject_key, below, stock, muted, automatic)
  values ($1, $2, $3, $4, $5, $6, $7, $8, false)
  on conflict (workspace_id, member_id, subject_type, subject_key)
  do update set below = excluded.below, stock = excluded.stock, muted = excluded.muted, automatic = false`;

/** $2 member, $3 id. */
export const endSubscription = `
  delete from subscription where workspace_id = $1 and member_id = $2 and id = $3 returning id`;

/** Moves those to the entity that stays ($3), unless the member follows it already. */
export const moveSubscriptions = `
  with moved as (
    delete from subscription where workspace_id = $1 and subject_type = 'entity' and subject_key = $2::text returning *
  )
  insert into subscription (workspace_id, id, member_id, subject_type, subject_key, below, stock, muted, automatic, created_at)
  select workspace_id, id, member_id, subject_type, $3::text, below, stock, muted, automatic, created_at from moved
  on conflict (workspace_id, member_id, subject_type, subject_key) do nothing`;

/** The member that a caller is: itself, or the one whose key it is. $2 id of the actor. */
export const selectOwnMember = `
  select coalesce((select member_id from api_key where workspace_id = $1 and id = $2),
                  (select id from member where workspace_id = $1 and id = $2)) as id`;
