/** How the stock of an item or at a location was at points of time. */
import { otherSide, type Side } from '../positions/positions.sql.ts';

/** How many positions there are, up to $4. $1 workspace, $2 the entity, $3 the other side's id or null for all. */
export function countPositions(side: Side): string {
  return `
    select count(*)::int as count from (
      select from stock_position
      where workspace_id = $1 and ${side}_id = $2 and ($3::uuid is null or ${otherSide(side)}_id = $3) limit $4) as p`;
}

/**
 * Selects the balance before each of these entry ids: one probe of stock_ledger_time for each position, so a chart
 * costs its points and not the entries between them. $1 to $3 as above, $4 ids, in order.
 */
export function selectHistory(side: Side): string {
  return `
    select t.place::int as place, coalesce(sum(e.on_hand_after), 0)::text as on_hand,
           coalesce(sum(e.reserved_after), 0)::text as reserved, coalesce(sum(e.on_order_after), 0)::text as on_order
    from unnest($4::uuid[]) with ordinality as t (before, place)
    left join lateral (
      select l.on_hand_after, l.reserved_after, l.on_order_after
      from (
        select item_id, location_id from stock_position
        where workspace_id = $1 and ${side}_id = $2 and ($3::uuid is null or ${otherSide(side)}_id = $3)
      ) as p
      cross join lateral (
        select on_hand_after, reserved_after, on_order_after from stock_ledger
        where workspace_id = $1 and item_id = p.item_id and location_id = p.location_id and id < t.before
        order by id desc limit 1
      ) as l
    ) as e on true
    group by t.place order by t.place`;
}
