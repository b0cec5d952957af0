/** Reads what stock cost in order, to recompute it. */

export interface ProofLayer {
  layer: string;
  kind: string;
  originId: string;
  lineId: string | null;
  quantity: string;
  cost: string | null;
  /** The standard cost of a base unit at which it came in. */
  standard: string | null;
}

export interface ProofUse {
  layer: string;
  originId: string;
  quantity: string;
  cost: string | null;
}

export interface ProofRevaluation {
  layer: string;
  quantity: string;
  before: string | null;
  after: string;
}

export interface StepProofRow {
  item_id: string;
  location_id: string;
  id: string;
  method: 'fifo' | 'average';
  on_hand: string;
  known: string;
  value: string;
  /** The entry of the ledger; null for a revaluation. */
  delta: string | null;
  on_hand_after: string | null;
  reverses_id: string | null;
  line_id: string | null;
  /** Quantity and cost of the layers that the reversed entry brought. */
  own_quantity: string | null;
  own_cost: string | null;
  /** The last standard cost of the item that was set before; its cost is null if it was removed, or is nowhere. */
  standard_id: string | null;
  standard: string | null;
  has_standard: boolean;
  layers: ProofLayer[] | null;
  uses: ProofUse[] | null;
  revaluations: ProofRevaluation[] | null;
}

/**
 * Selects steps with all that they did, by position and time, and no further than so many revaluations, because each has up to thousands of layers. $1
 * workspace, $2 item, $3 location and $4 step behind which, $5 rows, $6 revaluations.
 */
export const selectStepsBehind = `
  select s.item_id, s.location_id, s.id, s.method, s.on_hand::text, s.known::text, s.value::text, s.delta, s.on_hand_after, s.reverses_id,
         s.line_id, o.quantity as own_quantity, o.cost as own_cost, s.standard_id, t.cost::text as standard,
         t.id is not null as has_standard, l.layers, u.uses, r.revaluations
  from (
    select s.*, e.*, count(*) filter (where e.delta is null) over (order by s.item_id, s.location_id, s.id) as revaluations
    from (
      select * from cost_step where workspace_id = $1 and (item_id, location_id, id) > ($2::uuid, $3::uuid, $4::uuid)
      order by item_id, location_id, id limit $5) s
    left join lateral (
      select on_hand_delta::text as delta, on_hand_after::text, reverses_id, line_id from stock_ledger
      where workspace_id = $1 and item_id = s.item_id and location_id = s.location_id and id = s.id limit 1) e on true) s
  left join lateral (
    select sum(quantity)::numeric(15, 6)::text as quantity, case when bool_and(cost is not null) then sum(cost)::text end as cost from cost_layer
    where workspace_id = $1 and item_id = s.item_id and location_id = s.location_id and entry_id >= s.reverses_id and entry_id <= s.reverses_id) o on true
  left join lateral (
    select id, cost from standard_cost where workspace_id = $1 and item_id = s.item_id and id = s.standard_id limit 1) t on true
  cross join lateral (
    select json_agg(json_build_object('layer', layer::text, 'kind', kind, 'originId', origin_id, 'lineId', line_id, 'quantity', quantity::text,
                                      'cost', cost::text, 'standard', standard::text) order by layer) as layers
    from (
      select layer, kind, origin_id, line_id, quantity, cost, standard from cost_layer
      where workspace_id = $1 and item_id = s.item_id and location_id = s.location_id and entry_id >= s.id and entry_id <= s.id
      order by entry_id offset 0) c) l
  cross join lateral (
    select json_agg(json_build_object('layer', layer::text, 'originId', origin_id, 'quantity', quantity::text, 'cost', cost::text)
                    order by number) as uses
    from cost_use where workspace_id = $1 and item_id = s.item_id and location_id = s.location_id and entry_id = s.id) u
  cross join lateral (
    select json_agg(json_build_object('layer', layer::text, 'quantity', quantity::text, 'before', cost_before::text, 'after', cost_after::text)
                    order by layer) as revaluations
    from cost_revaluation where workspace_id = $1 and item_id = s.item_id and location_id = s.location_id and id = s.id) r
  where s.revaluations <= $6
  order by s.item_id, s.location_id, s.id`;

/** The item at which a look ends; no row where there are no more. $1 workspace, $2 item behind which, $3 layers. */
export const selectOpenEnd = `
  select item_id as id from cost_open where workspace_id = $1 and item_id > $2
  order by item_id, location_id, origin_id, layer offset $3 - 1 limit 1`;

/**
 * Selects positions whose last step is not what is left of their layers, or not what is on hand. In one statement, so that what is written
 * meanwhile is in both or in neither. $1 workspace, $2 item behind which, $3 up to which, $4 shown at most.
 */
export const selectWrongOpen = `
  select item_id, location_id, (count(*) over ())::int as count
  from (
    select item_id, location_id, o.on_hand, o.known, o.value
    from (
      select item_id, location_id, sum(quantity) as on_hand, sum(quantity) filter (where cost is not null) as known, sum(cost) as value
      from cost_open where workspace_id = $1 and item_id > $2 and item_id <= $3 group by item_id, location_id) o
    full join (
      select distinct item_id, location_id from cost_step where workspace_id = $1 and item_id > $2 and item_id <= $3) k
      using (item_id, location_id)
    -- The keys of a full join are expressions, which no index compares with.
    offset 0) o
  left join lateral (
    select on_hand, known, value from cost_step
    where workspace_id = $1 and item_id = o.item_id and location_id = o.location_id
    order by id desc limit 1) s on true
  left join lateral (
    select on_hand from stock_position
    where workspace_id = $1 and item_id = o.item_id and location_id = o.location_id limit 1) p
    on true
  where (s.on_hand, s.known, s.value) is distinct from (coalesce(o.on_hand, 0), coalesce(o.known, 0), coalesce(o.value, 0))
     or s.on_hand is distinct from p.on_hand
  order by item_id, location_id limit $4`;

/** The booking at which a look ends; no row where there are no more. $1 workspace, $2 booking behind which, $3 entries. */
export const selectMovedEnd = `
  select booking_id as id from stock_ledger where workspace_id = $1 and booking_id > $2
  order by booking_id, id offset $3 - 1 limit 1`;

/**
 * Selects entries that brought goods of a transfer at another cost than they left with. What is still on the way may make up a difference of
 * quantity, so only bookings that have arrived are compared. $1 workspace, $2 booking behind which, $3 up to which, $4 shown at most.
 */
export const selectWrongMoved = `
  select item_id, location_id, (count(*) over ())::int as count
  from (
    select e.booking_id, min(e.item_id::text)::uuid as item_id, min(e.location_id::text)::uuid as location_id,
           sum(e.on_hand_delta) as on_hand, sum(c.cost) as cost, bool_and(c.is_known) as is_known
    from (
      select booking_id, id, item_id, location_id, on_hand_delta from stock_ledger
      where workspace_id = $1 and booking_id > $2 and booking_id <= $3 and movement_type in ('TransferOut', 'TransferIn') offset 0) e
    cross join lateral (
      select coalesce(sum(cost), 0) as cost, coalesce(sum(quantity), 0) = abs(e.on_hand_delta) and bool_and(cost is not null) as is_known
      from (
        select quantity, cost from cost_layer
        where workspace_id = $1 and item_id = e.item_id and location_id = e.location_id and entry_id = e.id and kind <> 'opening'
        union all
        select quantity, -cost from cost_use
        where workspace_id = $1 and item_id = e.item_id and location_id = e.location_id and entry_id = e.id) every) c
    group by e.booking_id) b
  where on_hand = 0 and is_known and cost <> 0
  order by booking_id limit $4`;
