/** Statements of timelines of planned items. */

/** Numbers of entities. $1 workspace, $2 ids. */
export const selectNumbers = `
  select e.id, e.number from unnest($2::uuid[]) as i (id)
  cross join lateral (select id, number from entity where workspace_id = $1 and id = i.id offset 0) e`;
