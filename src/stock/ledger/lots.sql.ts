/** Compares the quantities of lots with the entries that name them. */
import { heldOf } from '../entries/held.sql.ts';

/** The item at which a look ends; no row where there are no more entries. $1 workspace, $2 item behind which, $3 entries that it passes. */
export const selectLotsEnd = `
  select item_id as id from stock_ledger where workspace_id = $1 and item_id > $2 and lot is not null
  order by item_id, lot, id offset $3 - 1 limit 1`;

const keptBy = (status: string) =>
  `coalesce(sum(quantity) filter (where movement_type = 'LotStatus' and reason = '${status}'), 0) as ${status}`;

/**
 * Selects lots whose quantity at a location, or what their status keeps of it from use, is not the sum of their entries, and positions
 * whose quantity in lots, or whose blocked quantity, is not the sum of the lots; and what a reservation holds of a
 * lot where that is not the sum of its entries, or more than it has reserved. In one statement, so that what is written meanwhile is in all tables or in none. $1 workspace, $2 item behind which, $3 item up
 * to which, $4 shown at most.
 */
export const selectWrongLots = `
  select item_id, location_id, lot, (count(*) over ())::int as count
  from (
    select item_id, location_id, lot
    from (
      select item_id, location_id, lot, sum(on_hand_delta) as on_hand, ${keptBy('quarantine')}, ${keptBy('rejected')} from stock_ledger
      where workspace_id = $1 and item_id > $2 and item_id <= $3 and lot is not null
      group by item_id, location_id, lot) as summed
    full join (
      select p.item_id, p.location_id, p.lot, p.on_hand, case when l.status = 'quarantine' then p.on_hand else 0 end as quarantine,
             case when l.status = 'rejected' then p.on_hand else 0 end as rejected
      from stock_lot_position p
      left join stock_lot l on l.workspace_id = $1 and l.item_id = p.item_id and l.number = p.lot
      where p.workspace_id = $1 and p.item_id > $2 and p.item_id <= $3) as kept using (item_id, location_id, lot)
    where (summed.on_hand, summed.quarantine, summed.rejected) is distinct from (kept.on_hand, kept.quarantine, kept.rejected)
    union all
    select p.item_id, p.location_id, null
    from stock_tracking t
    cross join lateral (
      select item_id, location_id, in_lots, blocked from stock_position where workspace_id = $1 and item_id = t.item_id offset 0) p
    cross join lateral (
      select coalesce(sum(s.on_hand), 0) as on_hand, coalesce(sum(s.on_hand) filter (where k.status <> 'available'), 0) as blocked
      from stock_lot_position s
      left join stock_lot k on k.workspace_id = $1 and k.item_id = s.item_id and k.number = s.lot
      where s.workspace_id = $1 and s.item_id = p.item_id and s.location_id = p.location_id) l
    where t.workspace_id = $1 and t.item_id > $2 and t.item_id <= $3 and (coalesce(p.in_lots, 0), p.blocked) <> (l.on_hand, l.blocked)
    union all
    select item_id, location_id, lot
    from (
      select item_id, location_id, lot, coalesce(requirement_id, line_id) as holder_id, sum(quantity) as quantity from stock_ledger
      where workspace_id = $1 and item_id > $2 and item_id <= $3 and movement_type = 'LotHold'
      group by 1, 2, 3, 4 having sum(quantity) <> 0) as summed
    full join (
      select item_id, location_id, lot, holder_id, quantity from stock_lot_hold
      where workspace_id = $1 and item_id > $2 and item_id <= $3) as kept using (item_id, location_id, lot, holder_id)
    where summed.quantity is distinct from kept.quantity
    union all
    select h.item_id, h.location_id, null
    from (
      select item_id, location_id, holder_id, sum(quantity) as quantity from stock_lot_hold
      where workspace_id = $1 and item_id > $2 and item_id <= $3 group by 1, 2, 3) h
    left join stock_line_total n on n.workspace_id = $1 and n.line_id = h.holder_id and n.item_id = h.item_id
      and n.location_id = h.location_id
    left join stock_requirement_total r on r.workspace_id = $1 and r.requirement_id = h.holder_id and r.item_id = h.item_id
      and r.location_id = h.location_id
    where h.quantity > coalesce(n.reserved, 0) + coalesce(${heldOf('r')}, 0)
  ) wrong
  order by item_id, location_id, lot nulls last limit $4`;
