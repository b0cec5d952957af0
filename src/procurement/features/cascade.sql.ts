/** Selects the entities that follow a parent, and the locks that they need, in the order of transition-effect.ts. */

/** Lines of an order and children in the structure. $1 workspace, $2 parent, $3 rows. */
export const selectFollowers = `
  select f.id, e.number, e.state, f.is_line
  from (
    select id, true as is_line from stock_line where workspace_id = $1 and order_id = $2
    union all
    select child_id, false from entity_link where workspace_id = $1 and parent_id = $2) f
  cross join lateral (select number, state from entity where workspace_id = $1 and id = f.id offset 0) e
  order by f.id limit $3`;

/** Locks in order of the ids: LATERAL over the sorted ids, as in record-requests.sql.ts. $1 workspace, $2 id[]. */
export const lockRows = `
  select e.id from (select id from unnest($2::uuid[]) as i (id) order by id) as i
  cross join lateral (select id from entity where workspace_id = $1 and id = i.id for update) e`;

/** Selects the requirements that the lines serve, and their components. $1 workspace, $2 line[]. */
export const selectRequirementsOfLines = `
  select requirement_id as id from stock_line
  where workspace_id = $1 and id = any($2::uuid[]) and requirement_id is not null
  union
  select id from material_requirement where workspace_id = $1 and line_id = any($2::uuid[])
  order by id`;

/** Locks in order of their key. $1 workspace, $2 line[], $3 requirement[]. */
export const selectPositionsOfLines = `
  select item_id, location_id from stock_line where workspace_id = $1 and id = any($2::uuid[])
  union
  select item_id, location_id from stock_requirement_total where workspace_id = $1 and requirement_id = any($3::uuid[])
  order by item_id, location_id`;
