/** Statements about lots that reservations hold. */

export interface HoldRow {
  lot_id: string;
  lot: string;
  item_id: string;
  item_number: string | null;
  location_id: string;
  location_number: string | null;
  location_name: string;
  line_id: string | null;
  requirement_id: string | null;
  holder_number: string | null;
  quantity: string;
}

const shown = (holds: string) => `
  select l.id as lot_id, h.lot, h.item_id, i.number as item_number, h.location_id, p.number as location_number, p.name as location_name,
         h.line_id, h.requirement_id, e.number as holder_number, h.quantity::text as quantity
  from (${holds}) h
  cross join lateral (
    select id from stock_lot where workspace_id = $1 and item_id = h.item_id and number = h.lot offset 0) l
  left join lateral (select number from entity where workspace_id = $1 and id = h.item_id limit 1) i on true
  left join lateral (select number, name from entity where workspace_id = $1 and id = h.location_id limit 1) p on true
  left join lateral (select number from entity where workspace_id = $1 and id = h.holder_id limit 1) e on true
  order by h.item_id, h.location_id, h.lot, h.holder_id`;

/** Selects the holds of a line or requirement. $1 workspace, $2 line or requirement, $3 rows. */
export const selectHoldsOfHolder = shown(
  `select * from stock_lot_hold where workspace_id = $1 and holder_id = $2
   order by item_id, location_id, lot limit $3`,
);

/** Selects the holds of a lot. $1 workspace, $2 item, $3 lot, $4 rows. */
export const selectHoldsOfLot = shown(
  `select * from stock_lot_hold where workspace_id = $1 and item_id = $2 and lot = $3
   order by location_id, holder_id limit $4`,
);

export interface HolderRow {
  /** The order of a line. */
  order_id: string | null;
}

/** Selects a sales line of the item. $1 workspace, $2 id, $3 item. */
export const selectHoldingLine = `
  select order_id from stock_line where workspace_id = $1 and id = $2 and item_id = $3 and type = 'salesOrder'`;

/** Selects a requirement of the item. $1 workspace, $2 id, $3 item. */
export const selectHoldingRequirement = `
  select n.order_id
  from material_requirement r
  left join stock_line n on n.workspace_id = $1 and n.id = r.line_id
  where r.workspace_id = $1 and r.id = $2 and r.item_id = $3`;
