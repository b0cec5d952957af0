/** Selects what is new in several workspaces at one look: for the instance, and a bounded number of each. */

/** The newest $2 batches, and $3 of those that wait or are under way. $1 workspace[]. */
export const selectLatestBatches = `
  select w.id as workspace_id, b.id, b.status from unnest($1::uuid[]) as w (id)
  cross join lateral (
    (select id, status from sync_batch
     where workspace_id = w.id and status <> 'receiving' order by id desc limit $2)
    union
    (select id, status from sync_batch
     where workspace_id = w.id and status in ('queued', 'processing') order by accepted_order limit $3)) as b`;

/** The newest $2 runs. $1 workspace[]. */
export const selectLatestRuns = `
  select w.id as workspace_id, r.id, r.automation_id, r.status from unnest($1::uuid[]) as w (id)
  cross join lateral (
    select id, automation_id, status from automation_run where workspace_id = w.id order by id desc limit $2) as r`;

/** The newest $2 planning runs, and $3 of those that wait or are computed. $1 workspace[]. */
export const selectLatestPlans = `
  select w.id as workspace_id, p.id, p.status from unnest($1::uuid[]) as w (id)
  cross join lateral (
    (select id, status from planning_run where workspace_id = w.id order by id desc limit $2)
    union
    (select id, status from planning_run where workspace_id = w.id and finished_at is null order by id limit $3)) as p`;

/** The unread lines of members, counted up to $3, and when the newest line changed. $1 workspace[], $2 member[]. */
export const selectInboxes = `
  select w.id as workspace_id, w.member_id, u.unread, n.latest
  from unnest($1::uuid[], $2::uuid[]) as w (id, member_id)
  cross join lateral (
    select count(*)::int as unread from (
      select from inbox_line where workspace_id = w.id and member_id = w.member_id and read_at is null limit $3) c) u
  left join lateral (
    select last_at::text as latest from inbox_line where workspace_id = w.id and member_id = w.member_id
    order by last_at desc limit 1) n on true`;
