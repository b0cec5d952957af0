/** Statements about goods in transit. A row is written under the lock of the positions that its entries move. */

export interface TransitRow {
  id: string;
  item_id: string;
  item_number: string | null;
  item_name: string;
  from_id: string;
  from_number: string | null;
  from_name: string;
  to_id: string;
  to_number: string | null;
  to_name: string;
  lot: string | null;
  note: string | null;
  quantity: string;
  received: string;
  in_transit: string;
  sent_at: string;
  closed_at: string | null;
}

const label = (column: string, as: string) => `
  left join lateral (select number, name from entity where workspace_id = $1 and id = t.${column}_id limit 1) ${as} on true`;

const shown = (transits: string) => `
  select t.id, t.item_id, item.number as item_number, item.name as item_name, t.from_id, source.number as from_number,
         source.name as from_name, t.to_id, target.number as to_number, target.name as to_name, t.lot, t.note, t.quantity,
         t.received, t.in_transit, t.sent_at, t.closed_at
  from (${transits}) t ${label('item', 'item')} ${label('from', 'source')} ${label('to', 'target')}
  order by t.id desc`;

/** Selects goods under way, of all items or of one, or all that ever were. $1 workspace, $2 id behind which, $3 rows, $4 item of one item. */
export const selectTransits = {
  open: shown(`
    select * from stock_transit where workspace_id = $1 and closed_at is null and id < $2 order by id desc limit $3`),
  item: shown(`
    select * from stock_transit
    where workspace_id = $1 and closed_at is null and item_id >= $4 and item_id <= $4 and id < $2
    order by item_id desc, id desc limit $3`),
  all: shown(`select * from stock_transit where workspace_id = $1 and id < $2 order by id desc limit $3`),
};

/** $1 workspace, $2 id. */
export const selectTransit = shown('select * from stock_transit where workspace_id = $1 and id = $2');

/** Locks the goods before any position. $1 workspace, $2 id. */
export const lockTransit = 'select id from stock_transit where workspace_id = $1 and id = $2 for update';

/** Selects which of these bookings are of goods in transit. $1 workspace, $2 booking[]. */
export const selectTransitsOfBookings =
  'select id from stock_transit where workspace_id = $1 and id = any ($2::uuid[]) order by id limit 1';

/** $1 workspace, $2 id[], $3 item[], $4 from[], $5 to[], $6 lot[], $7 quantity[], $8 note. */
export const insertTransits = `
  insert into stock_transit (workspace_id, id, item_id, from_id, to_id, lot, quantity, in_transit, note)
  select $1, v.id, v.item_id, v.from_id, v.to_id, v.lot, v.quantity, v.quantity, $8
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::numeric[])
    as v (id, item_id, from_id, to_id, lot, quantity)`;

/** $1 workspace, $2 id, $3 quantity that arrived, $4 quantity that is not in transit any more. */
export const updateTransit = `
  update stock_transit
  set received = received + $3::numeric, in_transit = in_transit - $4::numeric,
      closed_at = case when in_transit = $4::numeric then now() end
  where workspace_id = $1 and id = $2`;
