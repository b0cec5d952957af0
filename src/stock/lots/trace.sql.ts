/**
 * Steps of a trace, from ledger entries. Each statement takes a few hundred lots: $1 workspace, $2 item[], $3 lot[], $4 rows at most.
 * What was taken back does not count.
 */

const net = (entry: string) => `
  cross join lateral (
    select coalesce(sum(quantity), 0) as taken_back from stock_ledger where workspace_id = $1 and reverses_id = ${entry}.id) ${entry}_back`;

/** Entries of the lots of a frontier, of some types. */
const entriesOf = (types: readonly string[]) => `
  from unnest($2::uuid[], $3::text[]) with ordinality as f (item_id, lot, place)
  cross join lateral (
    select id, item_id, movement_type, quantity, recorded_at, line_id, order_id, requirement_id, booking_id from stock_ledger
    where workspace_id = $1 and item_id = f.item_id and lot = f.lot and reverses_id is null
      and movement_type in (${types.map((type) => `'${type}'`).join(', ')})
    order by id offset 0) e
  ${net('e')}`;

export interface MovementStepRow {
  place: number;
  entry_id: string;
  movement_type: 'POReceipt' | 'SOShipment' | 'SOReturn' | 'POReturn';
  quantity: string;
  recorded_at: Date;
  line_id: string | null;
  order_id: string | null;
  order_number: string | null;
}

/** Receipts, or shipments and returns, of lots. */
export const selectMovementSteps = (direction: 'up' | 'down') => `
  select f.place::int, e.id as entry_id, e.movement_type, (e.quantity + e_back.taken_back)::numeric(15, 6)::text as quantity,
         e.recorded_at, e.line_id, e.order_id, o.number as order_number
  ${entriesOf(direction === 'up' ? ['SOShipment', 'SOReturn', 'POReturn'] : ['POReceipt'])}
  left join lateral (select number from entity where workspace_id = $1 and id = e.order_id limit 1) o on true
  where e.quantity + e_back.taken_back <> 0
  order by f.place, e.id limit $4`;

export interface BuildStepRow {
  place: number;
  item_id: string;
  /** The lot; null if the output or the component is in none. */
  lot: string | null;
  line_id: string;
  quantity: string;
}

/** Whether an issue and a receipt of a line belong together: one booking, or an issue that was booked without a receipt. */
const ofOneBooking = (issue: string, receipt: string) => `(
    ${issue}.booking_id = ${receipt}.booking_id
    or not exists (
      select from stock_ledger x
      where x.workspace_id = $1 and x.booking_id = ${issue}.booking_id and x.line_id = ${receipt}.line_id
        and x.movement_type = 'MOReceipt'))`;

/** Adds issues up: each counts once, however many receipts it belongs to. */
const addedUp = (issues: string) => `
  select place, item_id, lot, line_id, sum(quantity)::numeric(30, 6)::text as quantity from (${issues}) issue
  group by place, item_id, lot, line_id
  order by place, item_id, lot nulls last limit $4`;

/** Outputs that lots were issued for. */
const outputs = addedUp(`
  select distinct f.place::int as place, e.id, m.item_id, m.lot, m.line_id, -(e.quantity + e_back.taken_back) as quantity
  ${entriesOf(['MRIssue'])}
  cross join lateral (
    select line_id from material_requirement where workspace_id = $1 and id = e.requirement_id offset 0) r
  cross join lateral (
    select m.id, m.item_id, m.lot, m.line_id, m.booking_id, m.quantity from stock_ledger m
    where m.workspace_id = $1 and m.line_id = r.line_id and m.movement_type = 'MOReceipt' and m.reverses_id is null
    offset 0) m
  ${net('m')}
  where e.quantity + e_back.taken_back < 0 and m.quantity + m_back.taken_back > 0 and ${ofOneBooking('e', 'm')}`);

/** Components that were issued for lots. */
const components = addedUp(`
  select distinct f.place::int as place, i.id, i.item_id, i.lot, e.line_id, -(i.quantity + i_back.taken_back) as quantity
  ${entriesOf(['MOReceipt'])}
  cross join lateral (
    select id from material_requirement where workspace_id = $1 and line_id = e.line_id offset 0) r
  cross join lateral (
    select i.id, i.item_id, i.lot, i.booking_id, i.quantity from stock_ledger i
    where i.workspace_id = $1 and i.requirement_id = r.id and i.movement_type = 'MRIssue' and i.reverses_id is null
    offset 0) i
  ${net('i')}
  where e.quantity + e_back.taken_back > 0 and i.quantity + i_back.taken_back < 0 and ${ofOneBooking('i', 'e')}`);

export const selectBuildSteps = (direction: 'up' | 'down') => (direction === 'up' ? outputs : components);

/** Present numbers and names. $1 workspace, $2 item[]. */
export const selectItemNames = `
  select e.id, e.number, e.name from unnest($2::uuid[]) as wanted (id)
  cross join lateral (select id, number, name from entity where workspace_id = $1 and id = wanted.id limit 1) e`;
