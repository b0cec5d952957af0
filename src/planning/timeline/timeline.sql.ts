/** Statements of timelines of planned items. */

/** Numbers of entities. $1 workspace, $2 ids. */
export const selectNumbers = `
  select e.id, e.number from unnest($2::uuid[]) as i (id)
  cross join lateral (select id, number from entity where workspace_id = $1 and id = i.id offset 0) e`;

/** Components of items by their current structures, each once. $1 workspace, $2 parent[], $3 rows. */
export const selectComponents = `
  select distinct k.child_id as id from unnest($2::uuid[]) as i (id)
  cross join lateral (select child_id from entity_link where workspace_id = $1 and parent_id = i.id offset 0) k
  order by k.child_id limit $3`;
