/** The items, or the view, that are beyond the threshold of an automation. */

/** $1 workspace, $2 automation[], $3 item[]. */
export const selectCrossings = `
  select c.automation_id, c.entity_id from unnest($2::uuid[]) as a (id) cross join unnest($3::uuid[]) as i (id)
  cross join lateral (
    select automation_id, entity_id from threshold_crossing
    where workspace_id = $1 and automation_id = a.id and entity_id = i.id offset 0) c`;

/** $1 workspace, $2 automation[], $3 item[] beside it. */
export const insertCrossings = `
  insert into threshold_crossing (workspace_id, automation_id, entity_id)
  select $1, automation_id, entity_id from unnest($2::uuid[], $3::uuid[]) as c (automation_id, entity_id)
  on conflict do nothing`;

/** $1 workspace, $2 automation[], $3 item[] beside it. */
export const forgetCrossings = `
  delete from threshold_crossing t using unnest($2::uuid[], $3::uuid[]) as c (automation_id, entity_id)
  where t.workspace_id = $1 and t.automation_id = c.automation_id and t.entity_id = c.entity_id`;

/** All of an automation. $1 workspace, $2 automation. */
export const forgetCrossingsOf =
  'delete from threshold_crossing where workspace_id = $1 and automation_id = $2';
