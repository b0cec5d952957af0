/**
 * Statements of the overview. Each reads along an index up to a bound, so it costs about the same in a quiet
 * workspace and in one with a million events.
 */

/** Counts the newest $3 batches in the window, without dry runs. $1 workspace, $2 the first id of the window. Hours since 1970. */
export const countBatches = `
  with window_batches as materialized (
    select submitted_at, element_count, counts, dry_run from sync_batch
    where workspace_id = $1 and id >= $2 and status <> 'receiving' order by id desc limit $3
  )
  select floor(extract(epoch from submitted_at) / 3600)::int as hour, count(*)::int as batches,
         sum(element_count)::float8 as elements, sum(coalesce((counts ->> 'created')::int, 0))::float8 as created,
         sum(coalesce((counts ->> 'updated')::int, 0))::float8 as updated,
         (select count(*) from window_batches)::int as counted
  from window_batches where not dry_run group by 1`;

/** Entries of each type, a range of stock_ledger_all each. $1 workspace, $2 the first id, $3 movement type[], $4 counted at most. */
export const countMovements = `
  select wanted.movement_type as "movementType", n.count::int as count
  from unnest($3::text[]) with ordinality as wanted (movement_type, place)
  cross join lateral (
    select count(*) as count from (
      select from stock_ledger where workspace_id = $1 and movement_type = wanted.movement_type and id >= $2
      limit $4 + 1) as counted) as n
  where n.count > 0 order by wanted.place`;

/**
 * The newest batches of the window that failed, along sync_batch_status; who has one retried takes it out of them.
 * $1 workspace, $2 the first id, $3 counted at most, $4 rows, $5 characters of a message.
 */
export const selectFailedBatches = `
  with failed as materialized (
    select id, profile_name, finished_at, failure from sync_batch
    where workspace_id = $1 and status >= 'failed' and status <= 'failed' and id >= $2
      and failure ->> 'code' is distinct from 'plan_stale'
    order by status desc, id desc limit $3
  )
  select id as "batchId", profile_name as "profileName", finished_at as "failedAt",
         left(split_part(failure ->> 'message', ' The log has', 1), $5) as message,
         (select count(*) from failed)::int as counted
  from failed order by id desc limit $4`;

/**
 * The line of batches, along sync_batch_line, with the one that stands first. A line may be longer than what is counted of it: whether
 * it is full is looked at where it would end. $1 workspace, $2 counted at most, $3 how many it may have, less
 * one, or null where that is further than is looked, $4 seconds after which the first stands still.
 */
export const selectWaitingBatches = `
  with line as materialized (
    select id, submitted_at, progressed_at, accepted_order from sync_batch
    where workspace_id = $1 and status in ('queued', 'processing') order by accepted_order limit $2
  )
  select id as "batchId", submitted_at as "submittedAt", progressed_at as "movedAt",
         progressed_at < clock_timestamp() - make_interval(secs => $4) as "standsStill",
         (select count(*) from line)::int as counted,
         case when $3::integer is not null and (select count(*) from line) >= least($2, $3 + 1) then exists (
           select from sync_batch where workspace_id = $1 and status in ('queued', 'processing')
           order by accepted_order offset $3 limit 1) else false end as "isFull"
  from line order by accepted_order limit 1`;

/** Selects what the operator has paused. $1 workspace. */
export const selectPaused = `
  select work, paused_at as since from operator_pause where workspace_id = $1 order by work`;

/**
 * The newest failed runs of the window by automation, along automation_run_status, as in run.sql.ts; what was run again
 * since is left out, as it is where failed runs are retried.
 * $1 workspace, $2 the first id, $3 runs at most, $4 automations at most, $5 characters of a message.
 */
export const countFailedRuns = `
  with failed as materialized (
    select id, automation_id from (
      select id, automation_id, event_id, event_index, attempt from automation_run
      where workspace_id = $1 and status >= 'failed' and status <= 'failed' and id >= $2
      order by status desc, id desc limit $3) newest
    where not exists (
      select from automation_run later
      where later.workspace_id = $1 and later.event_id = newest.event_id and later.event_index = newest.event_index
        and later.automation_id = newest.automation_id and later.attempt > newest.attempt)
  )
  select f.automation_id as "automationId", a.name, f.failed::int, f.last as "lastRunId",
         r.finished_at as "lastFailedAt", left(r.error ->> 'message', $5) as message,
         (select count(*) from failed)::int as counted
  from (
    -- There is no max of ids.
    select automation_id, count(*) as failed, (array_agg(id order by id desc))[1] as last from failed
    group by automation_id order by count(*) desc, automation_id limit $4) f
  cross join lateral (select name from automation where workspace_id = $1 and id = f.automation_id offset 0) a
  cross join lateral (
    select finished_at, error from automation_run where workspace_id = $1 and id = f.last offset 0) r
  order by f.failed desc, f.automation_id`;

/** Webhooks that fail, or were switched off because they did. There are few in a workspace. $1 workspace, $2 rows. */
export const selectFailingWebhooks = `
  select id as "webhookId", url, enabled, failing_since as "failingSince", disabled_reason as "disabledReason",
         count(*) over ()::int as counted
  from webhook where workspace_id = $1 and (failing_since is not null or disabled_reason is not null)
  order by id limit $2`;

/** Schedules and thresholds that do not run. There are few automations in a workspace. $1 workspace, $2 seconds, $3 rows. */
export const selectLateSchedules = `
  select id as "automationId", name, next_run_at as "nextRunAt", threshold_status ->> 'error' as message,
         count(*) over ()::int as counted
  from automation a
  where workspace_id = $1 and enabled and (threshold_status ->> 'error' is not null or schedule is not null
    and (next_run_at is null or next_run_at < clock_timestamp() - make_interval(secs => $2)
      and not exists (select from operator_pause p where p.workspace_id = a.workspace_id and p.work = 'automation')))
  order by next_run_at, id limit $3`;

/** The newest mails of the window that were given up. $1 workspace, $2 the first id, $3 counted at most, $4 characters of a message. */
export const countFailedMails = `
  with failed as materialized (
    select id, run_id, error from automation_mail
    where workspace_id = $1 and status = 'failed' and id >= $2 and automation_id is not null order by id desc limit $3
  )
  select run_id as "lastRunId", left(error, $4) as message, (select count(*) from failed)::int as counted
  from failed order by id desc limit 1`;

/**
 * Requirements with an open order line that is due after the required date, those required first before the others. Of
 * the oldest $2 lines in that state, as above; requirements that `selectOverdue` finds already are left out. $1 workspace,
 * $3 rows, $4 the lines' state, $5 behaviours of their categories. If there is none, one row without an id says how many lines
 * were read.
 */
export const selectOrderedLate = `
  with open as materialized (
    select e.id from category c
    cross join lateral (
      select id from entity
      where workspace_id = $1 and category = c.key and state >= $4 and state <= $4
      order by category, state, id limit $2) e
    where c.workspace_id = $1 and c.behaviour = any ($5::text[])
    order by e.id limit $2
  ), late as (
    select r.id, r.required_by, max(n.required_by) as ordered_for from open
    cross join lateral (
      select requirement_id, required_by from stock_line where workspace_id = $1 and id = open.id offset 0) n
    cross join lateral (
      select id, required_by from material_requirement
      where workspace_id = $1 and id = n.requirement_id offset 0) r
    cross join lateral (select state from entity where workspace_id = $1 and id = r.id offset 0) e
    where n.required_by > r.required_by and e.state in ('Open', 'Covered')
      and not (e.state = 'Open' and r.required_by < (now() at time zone 'UTC')::date)
    group by r.id, r.required_by
  )
  select id, ordered_for::text as "orderedFor", (select count(*) from late)::int as overdue,
         (select count(*) from open)::int as open
  from (select) one
  left join (select id, required_by, ordered_for from late order by required_by, id limit $3) first on true
  order by required_by, id`;

/**
 * Requirements or lines of a state whose day is past, the longest overdue first: of the oldest $2 in that state. As in requirements.sql.ts:
 * they are found along entity_state. $1 workspace, $3 rows, $4 state, $5 behaviours of their categories. Where none is overdue one row
 * without an id says how many were looked at.
 */
export const selectOverdue = (of: 'material_requirement' | 'stock_line') => `
  with open as materialized (
    select r.id, r.required_by from (
      select e.id from category c
      cross join lateral (
        select id from entity
        where workspace_id = $1 and category = c.key and state >= $4 and state <= $4
        order by category, state, id limit $2) e
      where c.workspace_id = $1 and c.behaviour = any ($5::text[])
      order by e.id limit $2) found
    cross join lateral (
      select id, required_by from ${of} where workspace_id = $1 and id = found.id offset 0) r
  ), overdue as (
    select id, required_by from open where required_by < (now() at time zone 'UTC')::date
  )
  select id, (select count(*) from overdue)::int as overdue, (select count(*) from open)::int as open
  from (select) one left join (select id, required_by from overdue order by required_by, id limit $3) oldest on true
  order by required_by, id`;
