/** How members want mails of their inboxes, and which mails are due. $1 is the workspace. */
import { waitingWorkspaces } from '../../db/turns/waiting-workspaces.sql.ts';

const DAY = `interval '1 day'`;
const HOUR = `interval '1 hour'`;

/** $2 member. */
export const selectMailSetting = `
  select mode, address, confirmed, code_hash, code_tries, case when codes_from > now() - ${DAY} then codes else 0 end as codes,
         code_at > now() - interval '1 minute' as is_fresh, code_at < now() - ${DAY} as is_old,
         case when resends_from > now() - ${HOUR} then resends else 0 end as resends
  from inbox_mail where workspace_id = $1 and member_id = $2`;

/** $2 member. */
export const lockMailSetting = `${selectMailSetting} for update`;

/** Codes of a workspace are mailed one after the other, so that their number stays within its limit. */
export const lockCodes = `select pg_advisory_xact_lock(hashtextextended('inbox codes:' || $1::uuid::text, 0))`;

/** Codes that were mailed for all members, each within a day. */
export const countCodes = `
  select coalesce(sum(codes), 0)::int as count from inbox_mail where workspace_id = $1 and codes_from > now() - ${DAY}`;

/** An address that changes is confirmed anew. $2 member, $3 mode, $4 address, $5 hash of the code, $6 whether it is mailed again. */
export const saveMailAddress = `
  insert into inbox_mail as m (workspace_id, member_id, mode, address, confirmed, code_hash, code_at, codes, resends)
  values ($1, $2, $3, $4, false, $5, now(), 1, 0)
  on conflict (workspace_id, member_id) do update
  set mode = excluded.mode, address = excluded.address, confirmed = false, code_hash = excluded.code_hash, code_at = now(),
      code_tries = 0, next_at = null,
      codes = case when m.codes_from > now() - ${DAY} then m.codes + 1 else 1 end,
      codes_from = case when m.codes_from > now() - ${DAY} then m.codes_from else now() end,
      resends = case when m.resends_from > now() - ${HOUR} then m.resends else 0 end + $6::boolean::int,
      resends_from = case when m.resends_from > now() - ${HOUR} then m.resends_from else now() end`;

/** Begins with what happens from now on if there were no mails before. $2 member, $3 mode. */
export const changeMailMode = `
  update inbox_mail set mode = $3, told_to = case when mode = 'none' then now() else told_to end, next_at = null
  where workspace_id = $1 and member_id = $2`;

/** $2 member. */
export const confirmMail = `
  update inbox_mail set confirmed = true, code_hash = null, told_to = now() where workspace_id = $1 and member_id = $2`;

/** $2 member. */
export const countCodeTry = `
  update inbox_mail set code_tries = code_tries + 1 where workspace_id = $1 and member_id = $2`;

/** Members with a mail that is due, a few of each workspace, the longest due first. $1 of each workspace, $2 altogether. */
export const selectDueInboxes = `
  with recursive ${waitingWorkspaces('inbox_mail', 'next_at is not null')}
  select w.workspace_id, m.member_id from waiting w
  cross join lateral (
    select member_id, next_at from inbox_mail
    where workspace_id = w.workspace_id and next_at <= clock_timestamp() order by next_at limit $1) m
  order by m.next_at limit $2`;

/** Takes the setting if its mail is still due and nobody else has it. $2 member. */
export const takeDueInbox = `
  select m.address, m.stop_key, m.told_to::text as told_to, w.slug, w.name
  from inbox_mail m join workspace w on w.id = m.workspace_id
  where m.workspace_id = $1 and m.member_id = $2 and m.next_at <= clock_timestamp() and m.confirmed and m.mode <> 'none'
    and exists (select from member a where a.workspace_id = $1 and a.id = $2 and a.ended_at is null)
  for update of m skip locked`;

/**
 * Leaves a setting with which somebody else was faster, and for which another mail is due meanwhile. $2 member, $3 when the
 * last of the mailed lines was told, or null where there was none.
 */
export const noteInboxMailed = `
  update inbox_mail
  set next_at = null, failures = 0, told_to = coalesce($3::timestamptz, told_to),
      mailed_at = case when $3::timestamptz is null then mailed_at else now() end
  where workspace_id = $1 and member_id = $2 and next_at <= clock_timestamp()`;

/** After a failure the inbox waits for a minute, and then twice as long each time, up to about four hours. $2 member. */
export const deferInboxMail = `
  update inbox_mail
  set failures = least(failures + 1, 8), next_at = clock_timestamp() + interval '1 minute' * 2 ^ least(failures, 8)
  where workspace_id = $1 and member_id = $2 and next_at <= clock_timestamp()`;

/** In the scope of the instance. $2 member. */
export const selectStopKey = `
  select stop_key, address from inbox_mail where workspace_id = $1 and member_id = $2 and confirmed`;

/** $2 member, $3 address, which may have changed meanwhile. */
export const stopMails = `
  update inbox_mail set mode = 'none', next_at = null where workspace_id = $1 and member_id = $2 and address = $3`;

/** Unread lines that were told since, the newest first. $2 member, $3 time, $4 rows. */
export const selectUnmailed = `
  select l.kind, l.events, l.detail, max(l.told_at) over ()::text as told_to, l.subject_type, l.subject_key,
         coalesce(e.number, e.name) as entity, a.name as actor_name
  from (
    select * from inbox_line
    where workspace_id = $1 and member_id = $2 and read_at is null and told_at > $3::timestamptz
    order by last_at desc, id desc limit $4) l
  left join lateral (select number, name from entity where workspace_id = $1 and id = l.entity_id offset 0) e on true
  left join lateral (select name from actor where workspace_id = $1 and id = l.actor_id offset 0) a on true
  order by l.last_at desc`;
