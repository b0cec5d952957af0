/** Statements about the cost of items. */

/** The values of a numeric property, as texts. $1 workspace, $2 item[], $3 key. */
export const selectValues = `
  select i.id, e.value from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select properties ->> $3 as value from entity where workspace_id = $1 and id = i.id offset 0) e
  where e.value is not null`;
