/** Reads and writes the lots that reservations hold, under the locks of their positions. */
import { heldOf } from '../entries/held.sql.ts';

/** Selects what all holders hold of lots at locations. $1 workspace, $2 item[], $3 location[], $4 lot[]. */
export const selectHeldOfLots = `
  select w.place::int, coalesce(h.held, 0)::text as held
  from unnest($2::uuid[], $3::uuid[], $4::text[]) with ordinality as w (item_id, location_id, lot, place)
  cross join lateral (
    select sum(quantity) as held from stock_lot_hold
    where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id and lot = w.lot) h`;

/**
 * Selects what lines and requirements have reserved at locations, and the lots that they hold there. $1 workspace, $2 item[],
 * $3 location[], $4 holder[].
 */
export const selectHoldsOfHolders = `
  select w.place::int, (coalesce(n.reserved, 0) + coalesce(r.reserved, 0))::text as reserved, h.lots, h.quantities
  from unnest($2::uuid[], $3::uuid[], $4::uuid[]) with ordinality as w (item_id, location_id, holder_id, place)
  left join lateral (
    select reserved from stock_line_total
    where workspace_id = $1 and line_id = w.holder_id and item_id = w.item_id and location_id = w.location_id offset 0) n on true
  left join lateral (
    select ${heldOf('t')} as reserved from stock_requirement_total t
    where workspace_id = $1 and requirement_id = w.holder_id and item_id = w.item_id and location_id = w.location_id offset 0) r on true
  cross join lateral (
    select coalesce(array_agg(lot order by lot), '{}') as lots, coalesce(array_agg(quantity::text order by lot), '{}') as quantities
    from stock_lot_hold
    where workspace_id = $1 and holder_id = w.holder_id and item_id = w.item_id and location_id = w.location_id) h`;

/**
 * Writes holds; those that have ended are removed. $1 workspace, $2 item[], $3 location[], $4 lot[], $5 line[], $6 requirement[],
 * $7 quantity[].
 */
export const writeLotHolds = `
  with given as (
    select *, coalesce(requirement_id, line_id) as holder_id
    from unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::numeric[])
      as v (item_id, location_id, lot, line_id, requirement_id, quantity)
  ), ended as (
    delete from stock_lot_hold h using given v
    where v.quantity = 0 and h.workspace_id = $1 and h.item_id = v.item_id and h.location_id = v.location_id and h.lot = v.lot
      and h.holder_id = v.holder_id
  )
  insert into stock_lot_hold as h (workspace_id, item_id, location_id, lot, holder_id, line_id, requirement_id, quantity)
  select $1, item_id, location_id, lot, holder_id, line_id, requirement_id, quantity from given where quantity <> 0
  on conflict (workspace_id, item_id, location_id, lot, holder_id) do update set quantity = excluded.quantity`;

/**
 * Selects available lots that reservations hold at positions, the first to expire first. $1 workspace, $2 item[], $3 location[],
 * $4 holds for each position.
 */
export const selectHeldChoices = `
  select w.place::int, p.lot, p.holder_id, p.quantity::text as quantity
  from unnest($2::uuid[], $3::uuid[]) with ordinality as w (item_id, location_id, place)
  cross join lateral (
    select h.lot, h.holder_id, h.quantity, l.expires_on, l.id
    from stock_lot_hold h
    cross join lateral (
      select expires_on, id, status from stock_lot where workspace_id = $1 and item_id = h.item_id and number = h.lot offset 0) l
    where h.workspace_id = $1 and h.item_id = w.item_id and h.location_id = w.location_id
      and l.status = 'available' and (l.expires_on is null or l.expires_on >= (now() at time zone 'UTC')::date)
    order by l.expires_on nulls last, l.id limit $4) p
  order by w.place, p.expires_on nulls last, p.id`;
