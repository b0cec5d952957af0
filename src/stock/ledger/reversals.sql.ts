/** Reversals in the ledger: how much of an entry is taken back, and whether that can be. */

/**
 * Selects what is already taken back of each of these entries. Exact under the lock of the entry's position, because a reversal
 * belongs to the position of its original. $1 workspace, $2 id[].
 */
export const selectReversed = `
  select r.reverses_id as id, r.quantity::text as quantity, r.reserved::text as reserved, r.covered::text as covered
  from unnest($2::uuid[]) as original (id)
  cross join lateral (
    select reverses_id, sum(quantity) as quantity, sum(reserved_delta) as reserved,
           coalesce(sum(covered_quantity), 0)::numeric(15, 6) as covered
    from stock_ledger
    where workspace_id = $1 and reverses_id = original.id group by reverses_id
  ) r`;

export interface ReversedRow {
  id: string;
  /** Signed: the opposite of the original's. */
  quantity: string;
  reserved: string;
  covered: string;
}

/** Selects the original with which a look ends; no row where there are no more. $1 workspace, $2 behind which, $3 reversals. */
export const selectReversalsEnd = `
  select reverses_id as id from stock_ledger where workspace_id = $1 and reverses_id > $2
  order by reverses_id, id offset $3 - 1 limit 1`;

/**
 * Selects originals of which the reversals cannot be true: the original does not exist at their position, has another type or lot, is a reversal
 * itself, or is smaller than what they take back. $1 workspace, $2 original behind which, $3 up to which, $4 shown at most.
 */
export const selectWrongReversals = `
  select r.reverses_id as id, r.item_id, r.location_id, (count(*) over ())::int as count
  from (
    select reverses_id, item_id, location_id, movement_type, lot, sum(on_hand_delta) as on_hand, sum(reserved_delta) as reserved,
           sum(on_order_delta) as on_order, sum(quantity) as quantity,
           sum(covered_quantity) as covered, min(id::text)::uuid as first
    from stock_ledger where workspace_id = $1 and reverses_id > $2 and reverses_id <= $3
    group by reverses_id, item_id, location_id, movement_type, lot
  ) r
  left join lateral (
    select * from stock_ledger
    where workspace_id = $1 and item_id = r.item_id and location_id = r.location_id and id = r.reverses_id limit 1
  ) o on true
  where o.id is null or o.reverses_id is not null or o.movement_type <> r.movement_type or o.lot is distinct from r.lot
    or o.id >= r.first
    or abs(r.quantity) > abs(o.quantity) or abs(r.on_hand) > abs(o.on_hand_delta)
    or abs(r.reserved) > abs(o.reserved_delta) or abs(r.on_order) > abs(o.on_order_delta)
    or sign(r.quantity) = sign(o.quantity)
    or (r.covered is null) <> (o.covered_quantity is null) or abs(r.covered) > abs(o.covered_quantity)
  order by r.reverses_id limit $4`;
