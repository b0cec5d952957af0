/** Reads of ledger entries that are taken back. */
import { entryColumns } from '../../stock/ledger/ledger.sql.ts';

/** Selects entries by id: a probe of `stock_ledger_all` for each type. $1 workspace, $2 id[], $3 movement type[]. */
export const selectEntries = `
  select ${entryColumns} from unnest($2::uuid[]) as wanted (id)
  cross join lateral (
    select * from stock_ledger where workspace_id = $1 and movement_type = any ($3::text[]) and id = wanted.id limit 1) l
  order by l.id`;

/** Selects the entries of bookings in the order in which they were written. $1 workspace, $2 booking[], $3 rows at most. */
export const selectBookings = `
  select ${entryColumns} from stock_ledger l
  where l.workspace_id = $1 and l.booking_id = any ($2::uuid[]) order by l.id limit $3`;

/** Selects the manufacturing lines of which requirements are components. $1 workspace, $2 requirement[]. */
export const selectLinesOfComponents = `
  select r.id, r.line_id from unnest($2::uuid[]) as wanted (id)
  cross join lateral (select id, line_id from material_requirement where workspace_id = $1 and id = wanted.id offset 0) r`;

/**
 * Selects the newest movements that took stock from a position after an entry. $1 workspace, $2 item, $3 location, $4 sequence of that
 * entry, $5 rows.
 */
export const selectTakers = `
  select ${entryColumns}, o.number as order_number, r.number as requirement_number
  from (
    select * from stock_ledger
    where workspace_id = $1 and item_id = $2 and location_id = $3 and sequence > $4
      and (on_hand_delta < 0 or reserved_delta > 0)
    order by sequence desc limit $5) l
  left join lateral (select number from entity where workspace_id = $1 and id = l.order_id limit 1) o on true
  left join lateral (select number from entity where workspace_id = $1 and id = l.requirement_id limit 1) r on true
  order by l.sequence desc`;

export interface SupplyRow {
  required: string;
  reserved: string;
  under_way: string;
  received: string;
  arrived: string;
}

/** Selects what a requirement needs and has. $1 workspace, $2 requirement. */
export const selectSupply = `
  select r.quantity as required, t.reserved, t.under_way, t.received, t.arrived
  from material_requirement r
  cross join lateral (
    select coalesce(sum(reserved), 0) as reserved, coalesce(sum(ordered - received), 0) as under_way,
           coalesce(sum(received - returned), 0) as received, coalesce(sum(arrived), 0) as arrived
    from stock_requirement_total where workspace_id = $1 and requirement_id = r.id) t
  where r.workspace_id = $1 and r.id = $2`;
