/** Reads what a build needs: components of lines, what is held and free of them. In the manner of ../records/lines.sql.ts. */
import type { Substitute } from '../../entities/links/link-line.ts';
import { below } from '../../entities/locations.sql.ts';
import { heldParts } from '../../stock/entries/held.sql.ts';

export interface ComponentRow {
  id: string;
  line_id: string;
  per_unit: string | null;
  per_order: string | null;
  substitutes: Substitute[] | null;
}

/** Components of manufacturing lines, in the order of their ids. $1 workspace, $2 line[], $3 components of a line at most. */
export const selectComponentsOfLines = `
  select r.id, r.line_id, r.per_unit, r.per_order, r.substitutes from unnest($2::uuid[]) as n (id)
  cross join lateral (
    select id, line_id, per_unit, per_order, substitutes from material_requirement
    where workspace_id = $1 and line_id >= n.id and line_id <= n.id order by line_id, id limit $3) r
  order by r.id`;

export interface BuiltRow {
  id: string;
  scrapped: string;
  disassembled: string;
}

/** Selects how much output of lines was scrapped and disassembled. $1 workspace, $2 line[]. */
export const selectBuilt = `
  select n.id, s.scrapped, s.disassembled from unnest($2::uuid[]) as n (id)
  cross join lateral (
    select coalesce(sum(-quantity) filter (where reason = 'scrap'), 0)::numeric(30, 6) as scrapped,
           coalesce(sum(-quantity) filter (where reason = 'disassembly'), 0)::numeric(30, 6) as disassembled
    from stock_ledger
    where workspace_id = $1 and line_id = n.id and line_id is not null and movement_type = 'Adjustment') s`;

export interface HeldRow {
  requirement_id: string;
  item_id: string;
  location_id: string;
  held: string;
  /** How much of the component a substitute covers; null for the component itself. */
  covers: string | null;
  /** Number and name of a substitute. */
  number: string | null;
  name: string | null;
}

/**
 * Selects the quantities that requirements hold reserved, those of the components before those of substitutes, the largest first.
 * $1 workspace, $2 requirement[].
 */
export const selectHeldOf = `
  select t.requirement_id, t.item_id, t.location_id, h.held, h.covers, i.number, i.name from unnest($2::uuid[]) as r (id)
  cross join lateral (
    select * from stock_requirement_total where workspace_id = $1 and requirement_id = r.id offset 0) t
  ${heldParts('t')}
  left join lateral (select number, name from entity where workspace_id = $1 and id = t.item_id and h.covers is not null offset 0) i on true
  order by t.requirement_id, h.covers is not null, h.held desc, t.location_id, t.item_id`;

/** Selects positions of items with something available at some locations, in their order. $1 workspace, $2 item[], $3 location[]. */
export const selectFreeAt = `
  select i.id as item_id, p.location_id, p.available from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select location_id, on_hand - reserved as available from stock_position
    where workspace_id = $1 and item_id = i.id and location_id = any ($3::uuid[]) and on_hand > reserved offset 0) p
  join unnest($3::uuid[]) with ordinality as l (id, place) on l.id = p.location_id
  order by i.id, l.place`;

/** Selects locations and all that lie in each, those behind the location that they lie in. $1 workspace, $2 location[], $3 rows at most. */
export const selectLocationsWithin = `
  select l.id from unnest($2::uuid[]) with ordinality as named (id, place)
  cross join lateral (with recursive ${below('named.id')} select id from below limit $3) l
  order by named.place limit $3`;

/** $1 workspace, $2 requirement[], $3 quantity[]. */
export const updateRequirements = `
  update material_requirement r set quantity = given.quantity
  from unnest($2::uuid[], $3::numeric[]) as given (id, quantity)
  where r.workspace_id = $1 and r.id = given.id`;

/** Components of a line that were not issued in full, in the order of their ids. $1 workspace, $2 line, $3 the cancelled state. */
export const selectOpenComponents = `
  select r.id from material_requirement r
  cross join lateral (select state from entity where workspace_id = $1 and id = r.id offset 0) e
  cross join lateral (
    select coalesce(sum(issued), 0) as issued from stock_requirement_total
    where workspace_id = $1 and requirement_id = r.id) t
  where r.workspace_id = $1 and r.line_id = $2 and e.state <> $3 and t.issued < r.quantity
  order by r.id`;

/**
 * Selects the components that were cancelled when their line ended, not by hand before. $1 workspace, $2 requirement[], $3 line, $4 the
 * state in which the line ended.
 */
export const selectCancelledAtEnd = `
  select r.id from unnest($2::uuid[]) as r (id)
  cross join lateral (
    select recorded_at from entity_transition where workspace_id = $1 and entity_id = r.id order by id desc limit 1) t
  where t.recorded_at >= (
    select recorded_at from entity_transition
    where workspace_id = $1 and entity_id = $3 and to_state = $4 order by id desc limit 1)`;

export interface IssueRow {
  /** Which of the amounts it belongs to, from 1. */
  place: number;
  id: string;
  item_id: string;
  location_id: string;
  lot: string | null;
  /** How much of the component was not taken back. */
  remaining: string;
  /** The quantity in the base unit of the item that was issued, and the part of it that the requirement had reserved. */
  quantity: string;
  reserved: string;
  /** Whether a substitute of the component was issued. */
  is_substitute: boolean;
}

/**
 * Issues of requirements that were not taken back in full, the newest first: as many as it takes to bring back an amount of each.
 * $1 workspace, $2 requirement[], $3 amount[], $4 entries at most, $5 booking[]: only issues of this booking; null: of any booking but
 * $6. Under the locks of their positions the figures stay.
 */
export const selectIssues = `
  select r.place::int, l.id, l.item_id, l.location_id, l.lot, l.remaining, l.quantity, l.reserved, l.is_substitute
  from unnest($2::uuid[], $3::numeric[], $5::uuid[]) with ordinality as r (id, amount, booking_id, place)
  cross join lateral (
    select i.*, sum(i.remaining) over (order by i.id desc) - i.remaining as newer
    from (
      select e.id, e.requirement_id, e.item_id, e.location_id, e.lot, -e.quantity - b.taken_back as quantity,
             coalesce(e.covered_quantity, -e.quantity) - b.uncovered as remaining,
             -e.reserved_delta - b.reserved_again as reserved, e.covered_quantity is not null as is_substitute
      from stock_ledger e
      cross join lateral (
        select coalesce(sum(quantity), 0)::numeric(15, 6) as taken_back,
               coalesce(sum(coalesce(-covered_quantity, quantity)), 0)::numeric(15, 6) as uncovered,
               coalesce(sum(reserved_delta), 0)::numeric(15, 6) as reserved_again
        from stock_ledger where workspace_id = $1 and reverses_id = e.id) b
      where e.workspace_id = $1 and e.requirement_id >= r.id and e.requirement_id <= r.id and e.movement_type = 'MRIssue'
        and e.reverses_id is null
        and case when r.booking_id is null then e.booking_id is null or e.booking_id <> all ($6::uuid[])
                 else e.booking_id = r.booking_id end) i
    where i.remaining > 0 and i.quantity > 0) l
  where l.newer < r.amount
  order by r.place, l.id desc limit $4`;

export interface UnitsRow {
  booking_id: string | null;
  /** Is null for units in no lot, and for units that failed. */
  lot: string | null;
  kind: 'built' | 'failed' | 'apart';
  quantity: string;
}

/**
 * Selects what became of the units of a line, in order: entries that built units, without what was taken back of them, wrote off failed
 * ones, and took units apart. $1 workspace, $2 line, $3 entries at most.
 */
export const selectUnits = `
  select l.booking_id, case when l.kind = 'failed' then null else l.lot end as lot, l.kind, abs(l.quantity + b.taken_back)::text as quantity
  from (
    select id, booking_id, lot, quantity,
           case when movement_type = 'MOReceipt' then 'built' when reason = 'scrap' then 'failed' else 'apart' end as kind
    from stock_ledger
    where workspace_id = $1 and line_id = $2 and reverses_id is null
      and (movement_type = 'MOReceipt'
           or movement_type = 'Adjustment' and quantity < 0 and reason in ('scrap', 'disassembly'))
    order by id limit $3) l
  cross join lateral (
    select coalesce(sum(quantity), 0) as taken_back from stock_ledger where workspace_id = $1 and reverses_id = l.id) b
  order by l.id`;

export interface IssuedRow {
  requirement_id: string;
  booking_id: string;
  issued: string;
}

/** Selects what was issued in bookings and not taken back. $1 workspace, $2 requirement[], $3 booking[], $4 rows at most. */
export const selectIssuedInBookings = `
  select r.id as requirement_id, i.booking_id, i.issued::text as issued from unnest($2::uuid[]) as r (id)
  cross join lateral (
    select e.booking_id, sum(coalesce(e.covered_quantity, -e.quantity) - b.uncovered) as issued
    from stock_ledger e
    cross join lateral (
      select coalesce(sum(coalesce(-covered_quantity, quantity)), 0) as uncovered from stock_ledger where workspace_id = $1 and reverses_id = e.id) b
    where e.workspace_id = $1 and e.requirement_id >= r.id and e.requirement_id <= r.id and e.movement_type = 'MRIssue'
      and e.reverses_id is null and e.booking_id = any ($3::uuid[])
    group by e.booking_id) i
  where i.issued > 0
  limit $4`;

/** How the category of a line takes components. $1 workspace, $2 line. */
export const selectConsume = `
  select c.consume from entity e join category c on c.workspace_id = $1 and c.key = e.category
  where e.workspace_id = $1 and e.id = $2`;

export interface SubstituteRow {
  guid: string;
  id: string;
  number: string | null;
  name: string;
  available: string;
}

/** Items with their available stock over all locations, never below zero. $1 workspace, $2 GUID[]. */
export const selectSubstitutes = `
  select e.guid, e.id, e.number, e.name, p.available from unnest($2::uuid[]) as s (guid)
  cross join lateral (
    select guid, id, number, name from entity where workspace_id = $1 and guid = s.guid offset 0) e
  cross join lateral (
    select coalesce(sum(on_hand - reserved) filter (where on_hand > reserved), 0)::numeric(30, 6) as available
    from stock_position where workspace_id = $1 and item_id = e.id) p`;
