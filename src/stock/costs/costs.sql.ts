/** Reads and writes what stock cost, under the locks of its positions. A layer, a use and a step are only ever added. */
import { LOWEST_ID } from '../entries/ledger-entry.ts';

/** Selects the last step of each position, and the last standard cost of its item. $1 workspace, $2 item[], $3 location[]. */
export const selectLastSteps = `
  select w.item_id, w.location_id, s.layers::text, s.on_hand::text, s.known::text, s.value::text, c.id as standard_id, c.cost::text as standard
  from unnest($2::uuid[], $3::uuid[]) as w (item_id, location_id)
  left join lateral (
    select layers, on_hand, known, value from cost_step
    where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id
    order by id desc limit 1) s on true
  left join lateral (
    select id, cost from standard_cost where workspace_id = $1 and item_id = w.item_id order by id desc limit 1) c on true`;

const openColumns = 'origin_id, layer::text, entry_id, line_id, quantity::text, cost::text';

/**
 * Selects layers of each position behind one, in the order in which they are used. $1 workspace, $2 item[], $3 location[], $4 origin[] and
 * $5 layer[] behind which, $6 whether only those without a cost, $7 layers of each.
 */
export const selectOpenLayers = `
  select w.item_id, w.location_id, o.*
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[]) with ordinality as w (item_id, location_id, origin_id, layer, place)
  cross join lateral (
    select ${openColumns} from cost_open
    where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id
      and (origin_id, layer) > (w.origin_id, w.layer) and (not $6::boolean or cost is null)
    order by origin_id, cost_open.layer limit $7) o
  order by w.place, o.origin_id, o.layer::bigint`;

/**
 * Selects layers that a line brought to each position, behind one, in the order in which they are used. $1 workspace, $2 item[],
 * $3 location[], $4 line[], $5 origin[] and $6 layer[] behind which, $7 whether only those without a cost, $8 layers of each.
 */
export const selectLayersOfLines = `
  select w.item_id, w.location_id, w.line_id as key, o.*
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[])
    with ordinality as w (item_id, location_id, line_id, origin_id, layer, place)
  cross join lateral (
    select ${openColumns} from cost_open
    where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id and line_id = w.line_id
      and (origin_id, layer) > (w.origin_id, w.layer) and (not $7::boolean or cost is null)
    order by origin_id, cost_open.layer limit $8) o
  order by w.place, o.origin_id, o.layer::bigint`;

/**
 * Selects what is left of the layers that an entry brought to each position, as above with $4 entry[]. The layers of an entry are found by
 * its index, and each of them in what is left by its key.
 */
export const selectLayersOfEntries = `
  select w.item_id, w.location_id, w.entry_id as key, o.*
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[])
    with ordinality as w (item_id, location_id, entry_id, origin_id, layer, place)
  cross join lateral (
    select l.* from (
      select origin_id, layer from cost_layer
      where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id and entry_id = w.entry_id
        and (origin_id, layer) > (w.origin_id, w.layer) offset 0) b
    cross join lateral (
      select ${openColumns} from cost_open
      where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id and origin_id = b.origin_id
        and cost_open.layer = b.layer and (not $7::boolean or cost is null) limit 1) l
    order by b.origin_id, b.layer limit $8) o
  order by w.place, o.origin_id, o.layer::bigint`;

/** Selects what is left of layers by their numbers, as above with $4 number[]; 0: the average. */
export const selectLayersOfNumbers = `
  select w.item_id, w.location_id, w.number::text as key, o.*
  from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::uuid[], $6::bigint[])
    with ordinality as w (item_id, location_id, number, origin_id, layer, place)
  cross join lateral (
    select ${openColumns} from cost_open
    where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id
      and origin_id = coalesce((
        select origin_id from cost_layer
        where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id and layer = w.number), '${LOWEST_ID}'::uuid)
      and cost_open.layer = w.number and (origin_id, layer) > (w.origin_id, w.layer) and (not $7::boolean or cost is null)
    limit $8) o
  order by w.place, o.origin_id, o.layer::bigint`;

/** Selects what entries took, the last first, and how much came back of each. $1 workspace, $2 item[], $3 location[], $4 entry[]. */
export const selectTaken = `
  select w.entry_id as key, u.origin_id, u.quantity::text, u.cost::text, coalesce(b.quantity, 0)::numeric(15, 6)::text as gone
  from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as w (item_id, location_id, entry_id)
  cross join lateral (
    select number, origin_id, quantity, cost from cost_use
    where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id and entry_id = w.entry_id offset 0) u
  left join lateral (
    select sum(on_hand_delta) as quantity from stock_ledger
    where workspace_id = $1 and reverses_id = w.entry_id offset 0) b on true
  order by w.entry_id, u.number desc`;

/** Selects what left with the bookings of transfers, and how much of it arrived. $1 workspace, $2 booking[]. */
export const selectOnTheWay = `
  select w.booking_id as key, u.origin_id, u.quantity::text, u.cost::text, coalesce(a.quantity, 0)::numeric(15, 6)::text as gone
  from unnest($2::uuid[]) as w (booking_id)
  cross join lateral (
    select id, item_id, location_id from stock_ledger
    where workspace_id = $1 and booking_id = w.booking_id and movement_type in ('TransferOut', 'TransferIn') and on_hand_delta < 0 offset 0) l
  cross join lateral (
    select number, origin_id, quantity, cost from cost_use
    where workspace_id = $1 and item_id = l.item_id and location_id = l.location_id and entry_id = l.id offset 0) u
  left join lateral (
    select sum(on_hand_delta) as quantity from stock_ledger
    where workspace_id = $1 and booking_id = w.booking_id and movement_type in ('TransferOut', 'TransferIn') and on_hand_delta > 0 offset 0) a
    on true
  order by w.booking_id, l.id, u.number`;

/** Selects what the layers cost that entries brought. $1 workspace, $2 item[], $3 location[], $4 entry[]. */
export const selectBrought = `
  select w.entry_id as key, l.quantity::text, l.cost::text
  from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as w (item_id, location_id, entry_id)
  cross join lateral (
    select sum(quantity)::numeric(15, 6) as quantity, case when bool_and(cost is not null) then sum(cost) end as cost from cost_layer
    where workspace_id = $1 and item_id = w.item_id and location_id = w.location_id and entry_id = w.entry_id
    having count(*) > 0) l`;

/** The sum of what entry `e` took; null where a part is unknown. $1 workspace. */
const usesOfEntry = `
  cross join lateral (
    select case when sum(quantity) = -e.on_hand_delta and bool_and(cost is not null) then sum(cost) end as cost from cost_use
    where workspace_id = $1 and item_id = e.item_id and location_id = e.location_id and entry_id = e.id) c`;

/** The sum of what entry `e` brought, at a standard cost what that would have cost without it; null where a part is unknown. $1 workspace. */
const layersOfEntry = `
  cross join lateral (
    select case when sum(quantity) = e.on_hand_delta and bool_and(own is not null) then sum(own) end as cost from (
      select quantity, case when standard is null then cost else paid end as own from cost_layer
      where workspace_id = $1 and item_id = e.item_id and location_id = e.location_id and entry_id = e.id) l) c`;

/** A cost with its sign: what entry `e` took, or the opposite of what it brought. $1 workspace. */
const signedCost = (from: string) => `
  select e.booking_id, c.cost from ${from} ${usesOfEntry} where e.on_hand_delta < 0
  union all
  select e.booking_id, -c.cost from ${from} ${layersOfEntry} where e.on_hand_delta > 0`;

const entriesOf = (of: string, where: string) => `(
    select id, item_id, location_id, booking_id, on_hand_delta from stock_ledger
    where workspace_id = $1 and ${of} and ${where} and on_hand_delta <> 0 offset 0) e`;

const issued = `(
    select id from material_requirement where workspace_id = $1 and line_id = w.line_id offset 0) r
  cross join lateral ${entriesOf('requirement_id = r.id', "movement_type = 'MRIssue'")}`;
const made = entriesOf('line_id = w.line_id', "movement_type in ('MOReceipt', 'Adjustment')");

/**
 * Selects for each manufacturing line what components cost that were issued and not taken into what it made, and how much it has still to make.
 * Lines that took all their components as they made something have none. $1 workspace, $2 line[].
 */
export const selectInWork = `
  select w.line_id as key, work.cost::text, coalesce(t.open, 0)::numeric(15, 6)::text as open
  from unnest($2::uuid[]) as w (line_id)
  cross join lateral (
    select case when bool_and(cost is not null) then sum(cost) end as cost from (
      select i.cost from (${signedCost(issued)}) i
      union all
      select m.cost from (${signedCost(made)}) m) every
    having (select bool_or(i.booking_id is null or not exists (
              select from stock_ledger where workspace_id = $1 and booking_id = i.booking_id and line_id = w.line_id offset 0))
            from (${signedCost(issued)}) i)
  ) work
  left join lateral (
    select sum(on_order) as open from stock_line_total where workspace_id = $1 and line_id = w.line_id) t on true`;

/** Selects what goods cost that sales lines shipped. $1 workspace, $2 line[]. */
export const selectShipped = `
  select w.line_id as key, s.quantity::text, s.cost::text
  from unnest($2::uuid[]) as w (line_id)
  cross join lateral (
    select sum(-e.on_hand_delta)::numeric(30, 6) as quantity, case when bool_and(c.cost is not null) then sum(c.cost) end as cost
    from ${entriesOf('line_id = w.line_id', "movement_type = 'SOShipment' and on_hand_delta < 0")} ${usesOfEntry}
    having count(*) > 0) s`;

/** $1 workspace, then an array for each column. */
export const insertLayers = `
  insert into cost_layer (workspace_id, item_id, location_id, layer, entry_id, origin_id, kind, line_id, quantity, cost, price, currency,
                          standard, paid)
  select $1, * from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::uuid[], $6::uuid[], $7::text[], $8::uuid[], $9::numeric[],
                           $10::numeric[], $11::numeric[], $12::text[], $13::numeric[], $14::numeric[])`;

/** $1 workspace, then an array for each column. */
export const insertUses = `
  insert into cost_use (workspace_id, item_id, location_id, entry_id, number, layer, origin_id, quantity, cost)
  select $1, * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::bigint[], $7::uuid[], $8::numeric[], $9::numeric[])`;

/** $1 workspace, then an array for each column. */
export const insertSteps = `
  insert into cost_step (workspace_id, item_id, location_id, id, method, layers, on_hand, known, value, standard_id)
  select $1, * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::bigint[], $7::numeric[], $8::numeric[],
                           $9::numeric[], $10::uuid[])`;

/** $1 workspace, then an array for each column. */
export const saveOpenLayers = `
  insert into cost_open (workspace_id, item_id, location_id, origin_id, layer, entry_id, line_id, quantity, cost)
  select $1, * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[], $6::uuid[], $7::uuid[], $8::numeric[], $9::numeric[])
  on conflict (workspace_id, item_id, location_id, origin_id, layer) do update
  set quantity = excluded.quantity, cost = excluded.cost`;

/** $1 workspace, $2 item[], $3 location[], $4 origin[], $5 layer[]. */
export const removeOpenLayers = `
  delete from cost_open o using unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[]) as w (item_id, location_id, origin_id, layer)
  where o.workspace_id = $1 and o.item_id = w.item_id and o.location_id = w.location_id and o.origin_id = w.origin_id
    and o.layer = w.layer`;

/** Removes the layers that have become an average. $1 workspace, $2 item[], $3 location[], $4 which of them have one. */
export const removePooledLayers = `
  delete from cost_open o using unnest($2::uuid[], $3::uuid[], $4::boolean[]) as w (item_id, location_id, has_pool)
  where o.workspace_id = $1 and o.item_id = w.item_id and o.location_id = w.location_id
    and (o.layer = 0 and not w.has_pool or o.layer > 0 and o.cost is not null)`;
