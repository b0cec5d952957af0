/** Reads and writes lots under the locks of their positions. */

/**
 * Selects lots at locations, whether their items are tracked, and where a serial number is in stock. $1 workspace, $2 item[],
 * $3 location[], $4 lot[].
 */
export const selectNamedLots = `
  select w.place::int, t.tracking, l.kind, l.expires_on::text as expires_on, l.supplier_lot, l.status,
         coalesce(p.on_hand, 0)::text as on_hand, e.location_id as elsewhere
  from unnest($2::uuid[], $3::uuid[], $4::text[]) with ordinality as w (item_id, location_id, lot, place)
  left join lateral (
    select tracking from stock_tracking where workspace_id = $1 and item_id = w.item_id offset 0) t on true
  left join lateral (
    select kind, expires_on, supplier_lot, status from stock_lot
    where workspace_id = $1 and item_id = w.item_id and number = w.lot offset 0) l on true
  left join lateral (
    select on_hand from stock_lot_position
    where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id and lot = w.lot offset 0) p on true
  left join lateral (
    select location_id from stock_lot_position
    where workspace_id = $1 and item_id = w.item_id and lot = w.lot and is_serial and on_hand > 0 limit 1) e on true`;

/**
 * Creates lots. A lot that somebody else created meanwhile may contradict what was decided, so the transaction runs again. $1 workspace,
 * $2 item[], $3 number[], $4 id[], $5 kind[], $6 expires on[], $7 supplier lot[], $8 properties[], $9 status[], $10 when.
 */
export const insertLots = `
  with made as (
    insert into stock_lot (workspace_id, item_id, number, id, kind, expires_on, supplier_lot, properties, status, created_at)
    select $1, given.*, $10::timestamptz
    from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::date[], $7::text[], $8::jsonb[], $9::text[]) as given
    on conflict (workspace_id, item_id, number) do nothing
    returning 1)
  select case when (select count(*) from made) = cardinality($2) then true else raise_stock_race() end`;

/** Writes lot positions in the order given. $1 workspace, $2 item[], $3 location[], $4 lot[], $5 is serial[], $6 on hand[]. */
export const writeLotPositions = `
  insert into stock_lot_position as p (workspace_id, item_id, location_id, lot, is_serial, on_hand)
  select $1, v.item_id, v.location_id, v.lot, v.is_serial, v.on_hand
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::numeric[]) with ordinality
    as v (item_id, location_id, lot, is_serial, on_hand, place)
  order by v.place
  on conflict (workspace_id, item_id, location_id, lot) do update set on_hand = excluded.on_hand`;

/**
 * Selects available lots of positions that have not expired, with what no reservation holds of them, the first to expire first, those
 * without a date last. $1 workspace, $2 item[],
 * $3 location[], $4 lots for each position.
 */
export const selectFirstExpired = `
  select w.place::int, p.lot, p.on_hand::text as on_hand, p.expires_on::text as expires_on
  from unnest($2::uuid[], $3::uuid[]) with ordinality as w (item_id, location_id, place)
  cross join lateral (
    select s.lot, s.on_hand - h.held as on_hand, l.expires_on, l.id
    from stock_lot_position s
    cross join lateral (
      select expires_on, id, status from stock_lot where workspace_id = $1 and item_id = w.item_id and number = s.lot offset 0) l
    cross join lateral (
      select coalesce(sum(quantity), 0) as held from stock_lot_hold
      where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id and lot = s.lot) h
    where s.workspace_id = $1 and s.item_id = w.item_id and s.location_id = w.location_id and s.on_hand > h.held
      and l.status = 'available' and (l.expires_on is null or l.expires_on >= (now() at time zone 'UTC')::date)
    order by l.expires_on nulls last, l.id limit $4) p
  order by w.place, p.expires_on nulls last, p.id`;

/**
 * Selects all lots in stock at a location, the first to expire first, those without a date last. $1 workspace, $2 item, $3 location, $4 lots.
 */
export const selectLotsAt = `
  select s.lot, s.on_hand::text as on_hand, l.expires_on::text as expires_on
  from stock_lot_position s
  cross join lateral (
    select expires_on, id from stock_lot where workspace_id = $1 and item_id = $2 and number = s.lot offset 0) l
  where s.workspace_id = $1 and s.item_id = $2 and s.location_id = $3 and s.on_hand > 0
  order by l.expires_on nulls last, l.id limit $4`;

/** Selects where lots are in stock. $1 workspace, $2 item[], $3 lot[], $4 locations for each lot. */
export const selectPlacesOfLots = `
  select w.place::int, p.location_id, p.on_hand::text as on_hand
  from unnest($2::uuid[], $3::text[]) with ordinality as w (item_id, lot, place)
  cross join lateral (
    select location_id, on_hand from stock_lot_position
    where workspace_id = $1 and item_id = w.item_id and lot = w.lot and on_hand > 0
    order by location_id limit $4) p
  order by w.place, p.location_id`;
