/** Statements about the value of stock, by item: one probe of the ledger and one of the steps for each position. */

import { below } from '../../entities/locations.sql.ts';
import { baseUnitOf } from '../../entities/units/item-units.sql.ts';

export interface ValueRow {
  item_id: string;
  item_number: string | null;
  item_name: string;
  unit: string | null;
  on_hand: string;
  known: string;
  value: string;
  standard: string | null;
}

/** Which positions are valued: all, those at a location and all that lie in it, or those of an item. */
export type ValueOf = 'all' | 'below' | 'item';

/**
 * Items in order, and their positions. $1 workspace, $2 item to continue after, $3 items, $4 the entry id before which everything was recorded, $5 the
 * location or the item.
 */
const positionsOf: Record<ValueOf, string> = {
  all: `
    with page as materialized (
      select distinct item_id from stock_position where workspace_id = $1 and item_id > $2 order by item_id limit $3
    ), placed as (
      select p.item_id, p.location_id from page cross join lateral (
        select item_id, location_id from stock_position where workspace_id = $1 and item_id = page.item_id offset 0) p
    )`,
  item: `
    with placed as (
      select item_id, location_id from stock_position where workspace_id = $1 and item_id = $5 and item_id > $2 and $3::int > 0)`,
  below: `
    with recursive ${below('$5::uuid')}, page as materialized (
      select distinct k.item_id from below b cross join lateral (
        select item_id from stock_position
        where workspace_id = $1 and location_id = b.id and item_id > $2 order by item_id limit $3) k
      order by k.item_id limit $3
    ), placed as (
      select p.item_id, p.location_id from below b cross join lateral (
        select item_id, location_id from stock_position
        where workspace_id = $1 and location_id = b.id and item_id > $2
          and item_id <= (select item_id from page order by item_id desc limit 1) offset 0) p
    )`,
};

const summed = `
  summed as (
    select p.item_id, sum(e.on_hand) as on_hand, coalesce(sum(s.known), 0)::numeric(30, 6) as known,
           coalesce(sum(s.value), 0)::numeric(60, 6) as value
    from placed p
    cross join lateral (
      select on_hand_after as on_hand from stock_ledger
      where workspace_id = $1 and item_id = p.item_id and location_id = p.location_id and id < $4 order by id desc limit 1) e
    left join lateral (
      select known, value from cost_step
      where workspace_id = $1 and item_id = p.item_id and location_id = p.location_id and id < $4 order by id desc limit 1) s on true
    group by p.item_id
  )`;

export const selectValues = (of: ValueOf) => `
  ${positionsOf[of]}, ${summed}
  select s.item_id, s.on_hand::text, s.known::text, s.value::text, i.number as item_number, i.name as item_name,
         ${baseUnitOf('s.item_id')} as unit, c.cost::text as standard
  from summed s
  left join lateral (
    select cost from standard_cost where workspace_id = $1 and item_id = s.item_id and id < $4 order by id desc limit 1) c on true
  cross join lateral (select number, name from entity where workspace_id = $1 and id = s.item_id limit 1) i
  order by s.item_id`;

/** Selects the last item that such a page looks at, whether it had stock or not; no row where there is none. */
export const selectValuesEnd = (of: ValueOf) => `
  ${positionsOf[of]}
  select item_id as id, (select count(distinct item_id)::int from placed) as items from placed
  where $4::uuid is not null order by item_id desc limit 1`;

export interface OpenRow {
  location_id: string;
  location_number: string | null;
  location_name: string;
  origin_id: string;
  layer: string;
  quantity: string;
  cost: string | null;
  standard: string | null;
  price: string | null;
  currency: string | null;
  line_id: string | null;
}

/**
 * Selects what is left of the layers of an item, by location and age. $1 workspace, $2 item, $3 location, $4 origin and $5 layer to continue after,
 * $6 rows.
 */
export const selectLayersOfItem = `
  select o.*, l.number as location_number, l.name as location_name, c.price::text, c.currency, c.standard::text
  from (
    select location_id, origin_id, layer::text, quantity::text, cost::text, line_id from cost_open
    where workspace_id = $1 and item_id = $2 and (location_id, origin_id, layer) > ($3::uuid, $4::uuid, $5::bigint)
    order by location_id, origin_id, cost_open.layer limit $6) o
  cross join lateral (select number, name from entity where workspace_id = $1 and id = o.location_id limit 1) l
  left join lateral (
    select price, currency, standard from cost_layer
    where workspace_id = $1 and item_id = $2 and location_id = o.location_id and layer >= o.layer::bigint and layer <= o.layer::bigint
    order by layer limit 1) c on true
  order by o.location_id, o.origin_id, o.layer::bigint`;

/** Selects positions of an item with stock. $1 workspace, $2 item, $3 the location or null, $4 rows. */
export const selectStockOfItem = `
  select location_id from stock_position
  where workspace_id = $1 and item_id = $2 and on_hand > 0 and ($3::uuid is null or location_id = $3)
  order by location_id limit $4`;

/** Counts what is left of layers of an item. $1 workspace, $2 item, $3 the location or null, $4 at most. */
export const countLayersOfItem = `
  select count(*)::int as layers from (
    select from cost_open where workspace_id = $1 and item_id = $2 and ($3::uuid is null or location_id = $3) limit $4) o`;

/** $1 workspace, then an array for each column. */
export const insertRevaluations = `
  insert into cost_revaluation (workspace_id, item_id, location_id, id, layer, quantity, cost_before, cost_after, note, actor_id, recorded_at)
  select $1, * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[], $6::numeric[], $7::numeric[], $8::numeric[], $9::text[],
                           $10::uuid[], $11::timestamptz[])`;
