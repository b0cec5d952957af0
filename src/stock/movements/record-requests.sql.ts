/** The writer's two statements. */

/**
 * $1 workspace, $2 item[], $3 location[], in order of the key: the lock on the position is what puts writers
 * in a row, and taken in that order two writers cannot meet crosswise. Lateral, because a locking subquery
 * is never flattened: always a loop over the primary key in the order given, however the plan came about
 * (a cached plan from when the table was small would scan it). The clock is the server's: those of several
 * web processes need not agree.
 */
export const lockPositionsOf = (wanted: string) => positionsOf(wanted, 'for update');

const positionsOf = (wanted: string, locking: string) => `
  select p.* from ${wanted} as wanted (item_id, location_id)
  cross join lateral (
    select item_id, location_id, on_hand, reserved, on_order, sequence, hash,
           (extract(epoch from updated_at) * 1000000)::bigint as updated_us,
           (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us
    from stock_position
    where workspace_id = $1 and item_id = wanted.item_id and location_id = wanted.location_id
    ${locking}
  ) p`;

export const lockPositions = lockPositionsOf('unnest($2::uuid[], $3::uuid[])');

/** The same without locks: a position that is named twice comes twice. */
export const selectNamedPositions = positionsOf('unnest($2::uuid[], $3::uuid[])', '');

/** Where no position was there to be locked. */
export const selectClock = 'select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us';

/**
 * Positions and entries in one statement and one round trip (measured: 16 k single adjustments a second
 * against 8 k for two statements; as arrays for a group 46 to 104 k). An upsert of the balances as they will
 * be: it needs no join, whose plan could go wrong, and does for new positions as well. The guard: a position
 * only goes forward, no entry is appended unless all of them did, and the key of the ledger admits no
 * sequence twice, so that a position which appeared meanwhile fails the statement: nobody need look at an answer.
 * $1 workspace; positions in order of the key: $2 item[], $3 location[], $4 sequence[], $5 on hand[],
 * $6 reserved[], $7 on order[], $8 hash[]; $9 recorded in microseconds; entries: $10 id[], $11 item[],
 * $12 location[], $13 sequence[], $14 type[], $15 quantity[], $16 to $18 deltas[], $19 to $21 after[],
 * $22 note[], $23 line[], $24 order[], $25 requirement[], $26 actor[], $27 hash[].
 */
export const writeMovements = `
  with moved as (
    insert into stock_position as p (workspace_id, item_id, location_id, sequence, on_hand, reserved, on_order, hash,
                                     updated_at)
    select $1, v.*, timestamptz 'epoch' + $9::float8 * interval '1 microsecond'
    from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::numeric[], $6::numeric[], $7::numeric[], $8::bytea[]) as v
    on conflict (workspace_id, item_id, location_id) do update
    set sequence = excluded.sequence, on_hand = excluded.on_hand, reserved = excluded.reserved,
        on_order = excluded.on_order, hash = excluded.hash, updated_at = excluded.updated_at
    where p.sequence < excluded.sequence
    returning 1
  ), appended as (
    insert into stock_ledger (workspace_id, recorded_at, id, item_id, location_id, sequence, movement_type, quantity,
                              on_hand_delta, reserved_delta, on_order_delta, on_hand_after, reserved_after,
                              on_order_after, note, line_id, order_id, requirement_id, actor_id, hash)
    select $1, timestamptz 'epoch' + $9::float8 * interval '1 microsecond', e.*
    from unnest($10::uuid[], $11::uuid[], $12::uuid[], $13::bigint[], $14::text[], $15::numeric[],
                $16::numeric[], $17::numeric[], $18::numeric[], $19::numeric[], $20::numeric[], $21::numeric[],
                $22::text[], $23::uuid[], $24::uuid[], $25::uuid[], $26::uuid[], $27::bytea[]) as e
    where (select count(*) from moved) = cardinality($2::uuid[])
  )
  select case when (select count(*) from moved) = cardinality($2::uuid[]) then true else raise_stock_race() end`;

/** $1 workspace, $2 id[], $3 type[], $4 name[]. Keys are actors from their first day; automations become one here. */
export const ensureActors = `
  insert into actor (workspace_id, id, type, name)
  select $1, * from unnest($2::uuid[], $3::text[], $4::text[])
  on conflict (workspace_id, id) do nothing`;
