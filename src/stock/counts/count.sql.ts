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

/**
 * Records who counted what. The positions are locked. $1 workspace, $2 item[], $3 location[], $4 id[], $5 counted[], $6 on hand before[],
 * $7 actor, $8 time, $9 lot[].
 */
export const insertCounts = `
  insert into stock_count (workspace_id, item_id, location_id, id, counted, on_hand_before, lot, actor_id, counted_at)
  select $1, c.*, $7, $8::timestamptz
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::numeric[], $6::numeric[], $9::text[]) as c`;
