/** Statements about standard costs. */

export interface StandardRow {
  id: string;
  cost: string | null;
  note: string | null;
}

/** Selects the last standard cost of an item, whether it is in force or was removed. $1 workspace, $2 item. */
export const selectLastStandard = `
  select id as standard_id, cost::text as standard from standard_cost
  where workspace_id = $1 and item_id = $2 order by id desc limit 1`;

/** Selects standard costs of an item, the newest first. $1 workspace, $2 item, $3 before which, $4 rows. */
export const selectStandards = `
  select id, cost::text, note from standard_cost
  where workspace_id = $1 and item_id = $2 and id < $3::uuid order by id desc limit $4`;

/** $1 workspace, $2 item, $3 id, $4 cost, $5 note, $6 actor, $7 time. */
export const insertStandard = `
  insert into standard_cost (workspace_id, item_id, id, cost, note, actor_id, recorded_at)
  values ($1, $2, $3, $4, $5, $6, $7)`;

export interface VarianceRow {
  entry_id: string;
  location_id: string;
  location_number: string | null;
  location_name: string;
  layer: string;
  kind: 'priced' | 'unpriced' | 'returned' | 'built';
  quantity: string;
  standard: string;
  cost: string;
  paid: string | null;
  price: string | null;
  currency: string | null;
  line_id: string | null;
}

/** Selects what arrived of an item at a standard cost, the newest first. $1 workspace, $2 item, $3 entry, $4 location and $5 layer before which, $6 rows. */
export const selectVariances = `
  select v.*, l.number as location_number, l.name as location_name
  from (
    select entry_id, location_id, layer::text, kind, quantity::text, standard::text, cost::text, paid::text, price::text, currency, line_id
    from cost_layer
    where workspace_id = $1 and item_id = $2 and standard is not null and (entry_id, location_id, layer) < ($3::uuid, $4::uuid, $5::bigint)
    order by entry_id desc, location_id desc, cost_layer.layer desc limit $6) v
  cross join lateral (select number, name from entity where workspace_id = $1 and id = v.location_id limit 1) l
  order by v.entry_id desc, v.location_id desc, v.layer::bigint desc`;
