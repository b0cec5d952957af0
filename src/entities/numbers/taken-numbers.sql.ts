/** SQL that finds numbers which entities have already. */

/** Lets one transaction of the workspace at a time give numbers that no other entity may have. $1 workspace. */
export const lockNumbers = `select pg_advisory_xact_lock(hashtextextended('numbers:' || $1::uuid, 0))`;

/** The given numbers that entities have. $1 workspace, $2 number[]. */
export const selectTakenNumbers = `
  select distinct i.number from unnest($2::text[]) as i (number)
  cross join lateral (select from entity where workspace_id = $1 and number = i.number limit 1) as e`;

/**
 * The GUIDs of at most two entities of each number, which tells whether the number is one entity's. A number that no entity has may be that
 * of a merged one. $1 workspace, $2 number[].
 */
export const selectGuidsOfNumbers = `
  select i.number, e.guid from unnest($2::text[]) as i (number)
  cross join lateral (
    select guid from entity where workspace_id = $1 and number >= i.number and number <= i.number
    order by number, id limit 2) as e
  union all
  select i.number, e.guid from unnest($2::text[]) as i (number)
  cross join lateral (
    select distinct entity_id from (
      select entity_id from entity_alias where workspace_id = $1 and number >= i.number and number <= i.number
      order by number, id limit 100) as given limit 2) as a
  cross join lateral (select guid from entity where workspace_id = $1 and id = a.entity_id offset 0) as e
  where not exists (
    select from entity where workspace_id = $1 and number >= i.number and number <= i.number order by number, id limit 1)`;
