/** How the stock of an item or at a location was at points of time. */
import { below } from '../../entities/locations.sql.ts';
import type { Side } from '../positions/positions.sql.ts';

/** The positions, with a location also those at all that lie in it where $4 says so. $1 to $3 as below. */
const positions = (side: Side) =>
  side === 'location'
    ? `select p.item_id, p.location_id from below b cross join lateral (
         select item_id, location_id from stock_position
         where workspace_id = $1 and location_id = b.id and ($3::uuid is null or item_id = $3) offset 0) p`
    : `select item_id, location_id from stock_position
       where workspace_id = $1 and item_id = $2 and ($3::uuid is null or location_id in (select id from below))`;
const locations = (side: Side) =>
  `with recursive ${below(side === 'location' ? '$2::uuid' : '$3::uuid', '$4::boolean')}`;

/**
 * How many positions there are, up to $5. $1 workspace, $2 the entity, $3 the other side's id or null for all, $4 whether what lies in the
 * location counts too.
 */
export function countPositions(side: Side): string {
  return `
    ${locations(side)}
    select count(*)::int as count from (select from (${positions(side)}) s limit $5) as p`;
}

/**
 * Selects the balance before each of these entry ids: one probe of stock_ledger_time for each position, so a chart
 * costs its points and not the entries between them. $1 to $4 as above, $5 ids, in order.
 */
export function selectHistory(side: Side): string {
  return `
    ${locations(side)}
    select t.place::int as place, coalesce(sum(e.on_hand_after), 0)::text as on_hand,
           coalesce(sum(e.reserved_after), 0)::text as reserved, coalesce(sum(e.on_order_after), 0)::text as on_order
    from unnest($5::uuid[]) with ordinality as t (before, place)
    left join lateral (
      select l.on_hand_after, l.reserved_after, l.on_order_after
      from (${positions(side)}) as p
      cross join lateral (
        select on_hand_after, reserved_after, on_order_after from stock_ledger
        where workspace_id = $1 and item_id = p.item_id and location_id = p.location_id and id < t.before
        order by id desc limit 1
      ) as l
    ) as e on true
    group by t.place order by t.place`;
}
