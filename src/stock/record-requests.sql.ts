/** The writer's two statements. */

/**
 * $1 workspace, $2 item[], $3 location[]. The lock on the position is what puts writers in a row; taken in
 * order of the key (the sort is below the lock), so that two writers cannot meet crosswise. The clock is the
 * server's: those of several web processes need not agree.
 */
export const lockPositions = `
  select p.item_id, p.location_id, p.on_hand, p.reserved, p.on_order, p.sequence, p.hash,
         (extract(epoch from p.updated_at) * 1000000)::bigint as updated_us,
         (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us
  from unnest($2::uuid[], $3::uuid[]) as wanted (item_id, location_id)
  join stock_position p
    on p.workspace_id = $1 and p.item_id = wanted.item_id and p.location_id = wanted.location_id
  order by p.item_id, p.location_id
  for update of p`;

/** Where no position was there to be locked. */
export const selectClock = 'select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us';

/**
 * Positions and entries in one statement and one round trip (measured: 16 k single adjustments a second
 * against 8 k for two statements; as arrays for a group 46 to 104 k). The guard: a position is updated only
 * as it was when it was decided on, and made only where there is none; unless all of them were, no entry is
 * appended, and the caller, who gets the counts, rolls back.
 * $1 workspace; positions: $2 item[], $3 location[], $4 sequence before[], $5 sequence[], $6 on hand[],
 * $7 reserved[], $8 on order[], $9 hash[]; $10 recorded in microseconds; entries: $11 id[], $12 item[],
 * $13 location[], $14 sequence[], $15 type[], $16 quantity[], $17 to $19 deltas[], $20 to $22 after[],
 * $23 note[], $24 line[], $25 order[], $26 requirement[], $27 actor[], $28 hash[].
 */
export const writeMovements = `
  with at as materialized (
    select timestamptz 'epoch' + $10::float8 * interval '1 microsecond' as recorded_at
  ), position as materialized (
    select * from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::numeric[], $7::numeric[],
                         $8::numeric[], $9::bytea[])
      as v (item_id, location_id, sequence_before, sequence, on_hand, reserved, on_order, hash)
  ), moved as (
    update stock_position p
    set on_hand = v.on_hand, reserved = v.reserved, on_order = v.on_order, sequence = v.sequence, hash = v.hash,
        updated_at = (select recorded_at from at)
    from position v
    where p.workspace_id = $1 and p.item_id = v.item_id and p.location_id = v.location_id
      and p.sequence = v.sequence_before
    returning 1
  ), opened as (
    insert into stock_position (workspace_id, item_id, location_id, on_hand, reserved, on_order, sequence, hash,
                                updated_at)
    select $1, item_id, location_id, on_hand, reserved, on_order, sequence, hash, (select recorded_at from at)
    from position where sequence_before = 0 order by item_id, location_id
    on conflict do nothing
    returning 1
  ), appended as (
    insert into stock_ledger (workspace_id, id, item_id, location_id, sequence, recorded_at, movement_type, quantity,
                              on_hand_delta, reserved_delta, on_order_delta, on_hand_after, reserved_after,
                              on_order_after, note, line_id, order_id, requirement_id, actor_id, hash)
    select $1, e.id, e.item_id, e.location_id, e.sequence, (select recorded_at from at), e.movement_type, e.quantity,
           e.on_hand_delta, e.reserved_delta, e.on_order_delta, e.on_hand_after, e.reserved_after,
           e.on_order_after, e.note, e.line_id, e.order_id, e.requirement_id, e.actor_id, e.hash
    from unnest($11::uuid[], $12::uuid[], $13::uuid[], $14::bigint[], $15::stock_movement[], $16::numeric[],
                $17::numeric[], $18::numeric[], $19::numeric[], $20::numeric[], $21::numeric[], $22::numeric[],
                $23::text[], $24::uuid[], $25::uuid[], $26::uuid[], $27::uuid[], $28::bytea[])
      as e (id, item_id, location_id, sequence, movement_type, quantity, on_hand_delta, reserved_delta,
            on_order_delta, on_hand_after, reserved_after, on_order_after, note, line_id, order_id, requirement_id,
            actor_id, hash)
    where (select count(*) from moved) + (select count(*) from opened) = cardinality($2::uuid[])
  )
  select (select count(*)::int from moved) as moved, (select count(*)::int from opened) as opened`;

/** $1 workspace, $2 id[], $3 type[], $4 name[]. Keys are actors from their first day; automations become one here. */
export const ensureActors = `
  insert into actor (workspace_id, id, type, name)
  select $1, * from unnest($2::uuid[], $3::text[], $4::text[])
  on conflict (workspace_id, id) do nothing`;
