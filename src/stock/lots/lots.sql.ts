/** Statements about tracked items and lots. */
import type { LotStatus } from '../entries/movement.ts';
import type { LotKind } from '../movements/lot-stock.ts';

/** $1 workspace, $2 item. */
export const selectTracking = 'select tracking from stock_tracking where workspace_id = $1 and item_id = $2';

/** Waits for the writers that open positions (`stock_tracking_of`), and keeps others from it. $1 workspace. */
export const lockTracking = `
  select pg_advisory_xact_lock(hashtextextended('tracking in:' || $1::uuid::text, 0))`;

/** Locks the positions of an item, in the order of their key. $1 workspace, $2 item. */
export const lockPositionsOfItem = `
  select location_id from stock_position where workspace_id = $1 and item_id = $2 order by location_id for update`;

/** $1 workspace, $2 item, $3 tracking. */
export const upsertTracking = `
  insert into stock_tracking (workspace_id, item_id, tracking) values ($1, $2, $3)
  on conflict (workspace_id, item_id) do update set tracking = excluded.tracking`;

/** $1 workspace, $2 item. */
export const deleteTracking = 'delete from stock_tracking where workspace_id = $1 and item_id = $2';

/** The positions are locked. $1 workspace, $2 item. */
export const startLots = `
  update stock_position set in_lots = 0 where workspace_id = $1 and item_id = $2 and in_lots is null`;

/** The positions are locked, and hold no lot. $1 workspace, $2 item. */
export const endLots = 'update stock_position set in_lots = null where workspace_id = $1 and item_id = $2';

/** Whether anything of an item is in lots. $1 workspace, $2 item. */
export const selectLotsInStock = `
  select coalesce(sum(in_lots), 0)::text as in_lots from stock_position where workspace_id = $1 and item_id = $2`;

export interface UnassignedRow {
  location_id: string;
  number: string | null;
  name: string;
  quantity: string;
  /** Over all locations. */
  total: string;
}

/** Stock of a tracked item that is in no lot. $1 workspace, $2 item, $3 rows. */
export const selectUnassigned = `
  select p.location_id, e.number, e.name, p.quantity::text as quantity, p.total::text as total
  from (
    select location_id, on_hand - coalesce(in_lots, 0) as quantity, sum(on_hand - coalesce(in_lots, 0)) over () as total
    from stock_position where workspace_id = $1 and item_id = $2 and on_hand > coalesce(in_lots, 0)
    order by location_id limit $3) p
  left join lateral (select number, name from entity where workspace_id = $1 and id = p.location_id limit 1) e on true
  order by p.location_id`;

export interface LotRow {
  id: string;
  item_id: string;
  item_number: string | null;
  item_name: string;
  number: string;
  kind: LotKind;
  expires_on: string | null;
  supplier_lot: string | null;
  status: LotStatus;
  properties: Record<string, string>;
  version: number;
  created_at: Date;
  on_hand: string;
}

const shown = (lots: string, order: string) => `
  select l.id, l.item_id, i.number as item_number, i.name as item_name, l.number, l.kind, l.expires_on::text as expires_on,
         l.supplier_lot, l.status, l.properties, l.version, l.created_at, p.on_hand
  from (${lots}) l
  left join lateral (select number, name from entity where workspace_id = $1 and id = l.item_id limit 1) i on true
  left join lateral (
    select coalesce(sum(on_hand), 0)::numeric(30, 6)::text as on_hand from stock_lot_position
    where workspace_id = $1 and item_id = l.item_id and lot = l.number) p on true
  order by ${order}`;

/** Lots of an item by number. $1 workspace, $2 item, $3 number behind which or null, $4 the only number or null, $5 rows. */
export const selectLotsOfItem = shown(
  `select * from stock_lot
   where workspace_id = $1 and item_id = $2 and ($3::text is null or number > $3) and ($4::text is null or number = $4)
   order by number limit $5`,
  'l.number',
);

/** Lots by expiry. $1 workspace, $2 the day before which, $3 day and $4 id behind which or null, $5 rows. */
export const selectLotsByExpiry = shown(
  `select * from stock_lot
   where workspace_id = $1 and expires_on < $2::date and ($3::date is null or (expires_on, id) > ($3, $4::uuid))
   order by expires_on, id limit $5`,
  'l.expires_on, l.id',
);

/** All lots in the order of their creation. $1 workspace, $2 id behind which, $3 rows. */
export const selectAllLots = shown(
  'select * from stock_lot where workspace_id = $1 and id > $2 order by id limit $3',
  'l.id',
);

/** Lots that are kept from use, in the order of their creation. $1 workspace, $2 status, $3 id behind which, $4 rows. */
export const selectLotsByStatus = shown(
  `select * from stock_lot
   where workspace_id = $1 and status = $2 and status <> 'available' and id > $3 order by id limit $4`,
  'l.id',
);

/** $1 workspace, $2 id. */
export const selectLot = shown('select * from stock_lot where workspace_id = $1 and id = $2', 'l.id');

/** $1 workspace, $2 id. */
export const lockLot = 'select version from stock_lot where workspace_id = $1 and id = $2 for update';

/** $1 workspace, $2 id, $3 expires on, $4 supplier lot, $5 properties. */
export const updateLot = `
  update stock_lot set expires_on = $3::date, supplier_lot = $4, properties = $5::jsonb, version = version + 1
  where workspace_id = $1 and id = $2`;

/** The positions of the item are locked. $1 workspace, $2 id, $3 status. */
export const updateLotStatus =
  'update stock_lot set status = $3, version = version + 1 where workspace_id = $1 and id = $2';

export interface LotPlaceRow {
  location_id: string;
  number: string | null;
  name: string;
  on_hand: string;
  held: string;
}

/** Selects where a lot is in stock, and how much of it reservations hold there. $1 workspace, $2 item, $3 lot, $4 rows. */
export const selectLotPlaces = `
  select p.location_id, e.number, e.name, p.on_hand::text as on_hand, h.held::text as held
  from (
    select location_id, on_hand from stock_lot_position
    where workspace_id = $1 and item_id = $2 and lot = $3 and on_hand > 0 order by location_id limit $4) p
  left join lateral (select number, name from entity where workspace_id = $1 and id = p.location_id limit 1) e on true
  cross join lateral (
    select coalesce(sum(quantity), 0) as held from stock_lot_hold
    where workspace_id = $1 and item_id = $2 and location_id = p.location_id and lot = $3) h
  order by p.location_id`;

/** Selects the manufacturing line that received a lot last. $1 workspace, $2 item, $3 lot. */
export const selectBuilderOfLot = `
  select line_id from stock_ledger
  where workspace_id = $1 and item_id = $2 and lot = $3 and movement_type = 'MOReceipt' and reverses_id is null
  order by id desc limit 1`;
