/**
 * Counts what uses configuration. Counts stop at a limit, so that no question costs more on ten million
 * entities than on ten thousand; each of them is an index range.
 */

/** $1 workspace, $2 lifecycle. */
export const selectCategoriesOfLifecycle = `
  select key from category where workspace_id = $1 and lifecycle = $2 order by key`;

/**
 * $1 workspace, $2 category, $3 limit. "From the key to the key, in order" rather than "equal": the order is
 * then one that only the index has, so that LIMIT ends the scan. With plain equality the planner took a bitmap
 * of all the category's entries before ANALYZE, and a sequential scan after it.
 */
export const countEntitiesOfCategory = `
  select count(*)::int as entities from (
    select from entity
    where workspace_id = $1 and category >= $2 and category <= $2
    order by category, state, id limit $3
  ) as found`;

/**
 * Whether some entity of a category has stock, as an item or as a location: on hand, reserved or on order. One probe of
 * an index for each of its entities, until one has. $1 workspace, $2 category.
 */
export const findStockedEntity = (side: 'item' | 'location') => `
  select e.number, e.name from entity e
  where e.workspace_id = $1 and e.category >= $2 and e.category <= $2 and exists (
    select from stock_position p
    where p.workspace_id = $1 and p.${side}_id = e.id and (p.on_hand <> 0 or p.reserved <> 0 or p.on_order <> 0)
    offset 0)
  order by e.category, e.state, e.id limit 1`;

/** Selects a location of a category that lies in another one, or in which another one lies. $1 workspace, $2 category. */
export const findPlacedLocation = `
  select e.number, e.name from entity e
  where e.workspace_id = $1 and e.category >= $2 and e.category <= $2
    and (e.parent_location_id is not null
         or exists (select from entity where workspace_id = $1 and parent_location_id = e.id offset 0))
  order by e.category, e.state, e.id limit 1`;

/**
 * $1 workspace, $2 categories, $3 states, $4 limit for each category and state. By entity_state, in the same
 * form for the same reason: the answer "none" must not read every entity (with equality it did: 108 ms on
 * 300 000 rows and growing with them, against 0.1 ms).
 */
export const countEntitiesInStates = `
  select s.state, sum(counted.entities)::int as entities
  from unnest($3::text[]) as s(state)
  cross join unnest($2::text[]) as c(category)
  cross join lateral (
    select count(*) as entities from (
      select from entity e
      where e.workspace_id = $1 and e.category = c.category and e.state >= s.state and e.state <= s.state
      order by e.state, e.id limit $4
    ) as found
  ) as counted
  group by s.state`;

/**
 * $1 workspace, $2 property key, $3 how many of the newest entities to look at, $4 examples wanted. No index
 * knows the keys inside entity.properties (a GIN there takes HOT updates from the sync), so this looks at a
 * bounded number; whether any other entity carries a value is what property_definition.used says.
 */
export const selectCarriersOfProperty = `
  select coalesce(newest.number, newest.name) as label
  from (select number, name, properties from entity where workspace_id = $1 order by id desc limit $3) as newest
  where newest.properties ? $2 limit $4`;

/**
 * $1 workspace, $2 property keys. Rows are locked in key order; a key that is marked already is not written
 * again.
 */
export const markProperties = `
  update property_definition d set used = true
  from (
    select key from property_definition
    where workspace_id = $1 and key = any($2::text[]) and not used
    order by key for no key update
  ) as unused
  where d.workspace_id = $1 and d.key = unused.key
  returning d.key`;
