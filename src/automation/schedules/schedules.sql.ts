/** Schedules, and views of thresholds, that are due. */

/** Workspaces that move, or have moved, would fill the limit for as long as they rest. */
const mayRun = `
  exists (select from workspace w where w.id = a.workspace_id and w.state = 'active')
  and not exists (select from operator_pause p where p.workspace_id = a.workspace_id and p.work = 'automation')`;

/** The longest due first, except in workspaces that rest, or whose automations the operator has paused. $1 rows. */
export const selectDue = `
  select workspace_id, id from automation a
  where next_run_at <= clock_timestamp() and schedule is not null and ${mayRun}
  order by next_run_at limit $1`;

/** The longest due view of each workspace, with the same exceptions. $1 rows, $2 workspaces that are left out. */
export const selectDueViews = `
  select distinct on (workspace_id) workspace_id, id from automation a
  where next_run_at <= clock_timestamp() and schedule is null and workspace_id <> all ($2::uuid[]) and ${mayRun}
  order by workspace_id, next_run_at limit $1`;

/** Locks an automation if its view is still due and nobody has it. $1 workspace, $2 automation. */
export const lockDueView = `
  select script_version, threshold, (select slug from workspace where id = $1) as slug, clock_timestamp() as now
  from automation
  where workspace_id = $1 and id = $2 and enabled and threshold is not null and next_run_at <= clock_timestamp()
  for update skip locked`;

/** $1 workspace, $2 automation, $3 status, $4 seconds until the next count. */
export const setCounted = `
  update automation set threshold_status = $3::json, next_run_at = clock_timestamp() + make_interval(secs => $4)
  where workspace_id = $1 and id = $2`;

/** Locks a schedule if it is still due and nobody has it. $1 workspace, $2 automation. */
export const lockDue = `
  select name, script_version, schedule, next_run_at, clock_timestamp() as now from automation
  where workspace_id = $1 and id = $2 and enabled and next_run_at <= clock_timestamp() for update skip locked`;

/** $1 workspace, $2 automation, $3 time or null. */
export const setNextRun = `update automation set next_run_at = $3 where workspace_id = $1 and id = $2`;
