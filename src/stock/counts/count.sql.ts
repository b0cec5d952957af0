/**
 * $1 workspace, $2 numbers. A probe of entity_number each; of those that share a number the first ten, among which one
 * is of the role that is meant, or it is not clear anyway.
 */
export const selectIdsByNumber = `
  select n.number, array_agg(e.id::text) as ids from unnest($2::text[]) as n (number)
  cross join lateral (
    select id from entity where workspace_id = $1 and number >= n.number and number <= n.number
    order by number, id limit 10) as e
  group by n.number`;
