/** Recent failures of all workspaces. In all statements $2 is the number of characters of a text. */

/** Selects the newest failed batches of every workspace, $1 of each. `looked` is how many of a workspace were read. */
export const failedBatches = `
  select w.id as workspace_id, w.slug, b.id, null::uuid as parent, b.finished_at as at,
         left(split_part(coalesce(b.failure ->> 'message', 'No reason was stored.'), ' The log has', 1), $2) as text,
         b.request_id, b.profile_name as name, b.looked
  from workspace w cross join lateral (
    select *, count(*) over ()::int as looked
    from (select * from sync_batch where workspace_id = w.id and status = 'failed' order by id desc limit $1) newest) b
  order by b.finished_at desc limit 5000`;

export const failedRuns = `
  select w.id as workspace_id, w.slug, r.id, r.automation_id as parent, r.finished_at as at,
         left(concat_ws(': ', r.error ->> 'name', r.error ->> 'message'), $2) as text, null as request_id,
         (select name from automation where workspace_id = w.id and id = r.automation_id) as name, r.looked
  from workspace w cross join lateral (
    select *, count(*) over ()::int as looked
    from (select * from automation_run where workspace_id = w.id and status = 'failed' order by id desc limit $1) newest) r
  where not exists (
    select from automation_run later
    where later.workspace_id = w.id and later.event_id = r.event_id and later.event_index = r.event_index
      and later.automation_id = r.automation_id and later.attempt > r.attempt)
  order by r.finished_at desc limit 5000`;

export const failedDeliveries = `
  select w.id as workspace_id, w.slug, d.id, h.id as parent, d.last_attempt_at as at,
         left(coalesce(d.last_error, 'No reason was stored.'), $2) as text, null as request_id, h.url as name, d.looked
  from workspace w join webhook h on h.workspace_id = w.id cross join lateral (
    select * from (
      select *, count(*) over ()::int as looked from (
        select * from webhook_delivery where workspace_id = w.id and webhook_id = h.id order by id desc limit $1) n) newest
    where status = 'failed') d
  order by d.last_attempt_at desc limit 5000`;
