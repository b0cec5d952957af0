/** Locks requirements and reads what they hold, for transfers of reserved stock. */
import { heldParts } from '../entries/held.sql.ts';

/**
 * Locks requirements, as everything does that releases or issues what they hold; before any position. $1 workspace, $2 requirement[], in
 * order.
 */
export const lockRequirements = `
  select e.id from unnest($2::uuid[]) as wanted (id)
  cross join lateral (select id from entity where workspace_id = $1 and id = wanted.id for update) e`;

export interface HeldRow {
  place: number;
  held: string;
  /** How much of the required item a substitute covers; null for the required item itself. */
  covers: string | null;
  order_id: string | null;
}

/**
 * Selects the quantities that requirements hold reserved at locations, apart those of substitutes, and the order of each requirement. Under
 * the lock of a position nobody changes what is held there. $1 workspace, $2 requirement[], $3 item[], $4 location[].
 */
export const selectHeld = `
  select w.place::int, h.held::text, h.covers::text, o.order_id
  from unnest($2::uuid[], $3::uuid[], $4::uuid[]) with ordinality as w (requirement_id, item_id, location_id, place)
  cross join lateral (
    select * from stock_requirement_total
    where workspace_id = $1 and requirement_id = w.requirement_id and item_id = w.item_id
      and location_id = w.location_id offset 0) t
  ${heldParts('t')}
  left join lateral (
    select order_id from stock_ledger where workspace_id = $1 and requirement_id = w.requirement_id
    order by id desc limit 1) o on true
  order by w.place, h.covers nulls first`;
