/** Look-ups of the metrics, in the scope of the instance. Each is some probes per workspace, whatever its backlog. */
import { waitingWorkspaces } from '../../db/turns/waiting-workspaces.sql.ts';
import type { Reader } from '../../events/outbox.sql.ts';

/**
 * Selects how long the first batch of each line has not progressed, and the number of batches in all lines, except
 * lines that the operator has paused.
 */
export const selectSyncState = `
  select coalesce(extract(epoch from clock_timestamp() - min(progressed_at) filter (where place = 1)), 0)::float8 as idle,
         count(*)::int as unfinished
  from (
    select progressed_at, row_number() over (partition by workspace_id order by accepted_order) as place
    from sync_batch b where status in ('queued', 'processing')
      and not exists (select from operator_pause p where p.workspace_id = b.workspace_id and p.work = 'batch')
  ) lines`;

/** The age of the oldest unread event of all workspaces, which are found by skipping from one to the next. */
export const selectOldestUnread = (reader: Reader) => `
  with recursive ${waitingWorkspaces('outbox', `not ${reader}_done`)}
  select coalesce(extract(epoch from clock_timestamp() - min(first.recorded_at)), 0)::float8 as age
  from waiting w cross join lateral (
    select recorded_at from outbox
    where workspace_id = w.workspace_id and not ${reader}_done order by id limit 1) first`;

/** For how long the delivery that has waited longest has been due, of webhooks that are enabled. What is not due yet is not gone through. */
export const selectOldestDue = `
  select coalesce(extract(epoch from clock_timestamp() - min(first.since)), 0)::float8 as age
  from webhook w cross join lateral (
    select next_attempt_at as since from webhook_delivery
    where workspace_id = w.workspace_id and webhook_id = w.id and status = 'pending'
    order by next_attempt_at limit 1) first
  where w.enabled and first.since <= clock_timestamp()`;

/** For how long the schedule that is latest should have run, except in workspaces whose automations the operator has paused. */
export const selectOldestSchedule = `
  select coalesce(extract(epoch from clock_timestamp() - min(next_run_at)), 0)::float8 as age from automation a
  where next_run_at <= clock_timestamp()
    and not exists (select from operator_pause p where p.workspace_id = a.workspace_id and p.work = 'automation')`;

export const selectClock = `select extract(epoch from clock_timestamp())::float8 as now`;
