/** Compares goods in transit with the entries of their bookings. */

/** The booking at which a look ends; no row where there are no more. $1 workspace, $2 booking behind which, $3 entries. */
export const selectTransitsEnd = `
  select booking_id as id from stock_ledger where workspace_id = $1 and booking_id > $2
  order by booking_id, id offset $3 - 1 limit 1`;

/**
 * Selects bookings of transfers of which something left and did not arrive, where that is not what is kept as in transit. In one
 * statement, so that what is written meanwhile is in both or in neither. $1 workspace, $2 booking behind which, $3 booking up to which,
 * $4 shown at most.
 */
export const selectWrongTransits = `
  select id, coalesce(kept.item_id, summed.item_id) as item_id, coalesce(kept.to_id, summed.location_id) as location_id,
         (count(*) over ())::int as count
  from (
    select booking_id as id, min(item_id::text)::uuid as item_id, min(location_id::text)::uuid as location_id,
           -sum(quantity) as in_transit
    from stock_ledger
    where workspace_id = $1 and booking_id > $2 and booking_id <= $3 and movement_type in ('TransferOut', 'TransferIn')
    group by booking_id having sum(quantity) <> 0) as summed
  full join (
    select id, item_id, to_id, in_transit from stock_transit
    where workspace_id = $1 and id > $2 and id <= $3 and in_transit <> 0) as kept using (id)
  where summed.in_transit is distinct from kept.in_transit
  order by id limit $4`;
