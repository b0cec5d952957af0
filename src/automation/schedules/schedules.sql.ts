/** Schedules that are due. */

/** The longest due first, except in workspaces whose automations the operator has paused. $1 rows. */
export const selectDue = `
  select workspace_id, id from automation a
  where next_run_at <= clock_timestamp()
    and not exists (
      select from operator_pause p where p.workspace_id = a.workspace_id and p.work = 'automation')
  order by next_run_at limit $1`;

/** Locks a schedule if it is still due and nobody has it. $1 workspace, $2 automation. */
export const lockDue = `
  select name, script_version, schedule, next_run_at, clock_timestamp() as now from automation
  where workspace_id = $1 and id = $2 and enabled and next_run_at <= clock_timestamp() for update skip locked`;

/** $1 workspace, $2 automation, $3 time or null. */
export const setNextRun = `update automation set next_run_at = $3 where workspace_id = $1 and id = $2`;
