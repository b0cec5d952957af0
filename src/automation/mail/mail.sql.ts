/** Mails of automations. `next_attempt_at` is null once a mail has been sent or given up. */
import { waitingWorkspaces } from '../../db/turns/waiting-workspaces.sql.ts';

/** Mails of a workspace are counted one after the other. Held to the end of the transaction. $1 workspace. */
export const lockMails = `select pg_advisory_xact_lock(hashtextextended('automation-mails:' || $1, 0))`;

/** Returns how many addresses may still be written to: of $2 within 24 hours. $1 workspace. */
export const selectMailsLeft = `
  select $2::int - coalesce(sum(cardinality(recipients)), 0)::int as count from (
    select recipients from automation_mail
    where workspace_id = $1 and created_at > now() - interval '24 hours' and automation_id is not null
    order by workspace_id, created_at desc limit $2::int) as counted`;

/** $1 workspace, $2 id, $3 run or null, $4 automation or null, $5 address[], $6 subject, $7 text, $8 address that stops such mails or null. */
export const insertMail = `
  insert into automation_mail (workspace_id, id, run_id, automation_id, recipients, subject, body, stop_url)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

/**
 * Due mails, a few of each workspace, the longest due first: a workspace with many does not keep the others waiting. Workspaces are found
 * by skipping from one to the next in the index of mails that wait. $1 of each workspace, $2 altogether.
 */
export const selectDueMails = `
  with recursive ${waitingWorkspaces('automation_mail', 'next_attempt_at is not null')}
  select w.workspace_id, m.id from waiting w
  cross join lateral (
    select id, next_attempt_at from automation_mail
    where workspace_id = w.workspace_id and next_attempt_at <= clock_timestamp()
    order by next_attempt_at limit $1) m
  where not exists (select from operator_pause p where p.workspace_id = w.workspace_id and p.work = 'automation')
  order by m.next_attempt_at limit $2`;

/** Takes a due mail for $3 seconds, if nobody else has it. $1 workspace, $2 id. */
export const takeMail = `
  update automation_mail m
  set attempts = attempts + 1, next_attempt_at = clock_timestamp() + make_interval(secs => $3)
  where ctid = any (array(
    select ctid from automation_mail
    where workspace_id = $1 and id = $2 and next_attempt_at <= clock_timestamp() for update skip locked))
  returning id, recipients, subject, body, stop_url, attempts`;

/** $1 workspace, $2 id, $3 milliseconds to the next attempt or null, $4 status, $5 error or null. */
export const noteMail = `
  update automation_mail
  set status = $4, error = $5, next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000),
      sent_at = case when $4 = 'sent' then clock_timestamp() end
  where workspace_id = $1 and id = $2`;

/** Mails of a run. $1 workspace, $2 run, $3 rows. */
export const selectMailsOfRun = `
  select id, recipients, subject, status, attempts, error, created_at, sent_at from automation_mail
  where workspace_id = $1 and run_id = $2 order by id limit $3`;

/** Mails that were made $1 days ago and wait no longer, $2 at most. */
export const pruneMails = `
  delete from automation_mail where ctid = any (array(
    select ctid from automation_mail
    where created_at < now() - make_interval(days => $1) and next_attempt_at is null limit $2 for update skip locked
  )) returning 1`;
