/** Reads of the ledger. */

import { callersOf, isOfCaller } from '../../audit/callers.sql.ts';
import { below } from '../../entities/locations.sql.ts';
import { baseUnitOf } from '../../entities/units/item-units.sql.ts';
import { microOfDecimal } from '../../quantity.ts';
import type { EntryTexts, LedgerEntry } from '../entries/ledger-entry.ts';
import type { ConsumeMode, MovementType } from '../entries/movement.ts';
import type { Side } from '../positions/positions.sql.ts';

/** Whose entries are read. */
/** `within`: of a location and all that lie in it. */
export type LedgerBy = Side | 'within' | 'actor' | 'line' | 'requirement' | 'booking' | 'order' | 'all';

/** All that an entry says, of a table or subquery `l`. */
export const entryColumns = `
  l.id, l.item_id, l.location_id, l.sequence, (extract(epoch from l.recorded_at) * 1000000)::bigint as recorded_us,
  l.movement_type, l.quantity, l.on_hand_delta, l.reserved_delta, l.on_order_delta, l.on_hand_after,
  l.reserved_after, l.on_order_after, l.note, l.line_id, l.order_id, l.requirement_id, l.actor_id, l.booking_id, l.reverses_id,
  l.effective_on::text as effective_on, l.reason, l.consume, l.item_revision, l.lot, l.entered_quantity,
  l.entered_unit, l.covered_quantity, l.hash`;

export interface EntryRow {
  id: string;
  item_id: string;
  location_id: string;
  sequence: string;
  recorded_us: string;
  movement_type: MovementType;
  quantity: string;
  on_hand_delta: string;
  reserved_delta: string;
  on_order_delta: string;
  on_hand_after: string;
  reserved_after: string;
  on_order_after: string;
  note: string | null;
  line_id: string | null;
  order_id: string | null;
  requirement_id: string | null;
  actor_id: string;
  booking_id: string | null;
  reverses_id: string | null;
  effective_on: string | null;
  reason: string | null;
  consume: ConsumeMode | null;
  item_revision: number | null;
  lot: string | null;
  entered_quantity: string | null;
  entered_unit: string | null;
  covered_quantity: string | null;
  hash: Buffer;
}

export function entryOfRow(row: EntryRow): LedgerEntry {
  return {
    id: row.id,
    itemId: row.item_id,
    locationId: row.location_id,
    sequence: BigInt(row.sequence),
    recordedUs: BigInt(row.recorded_us),
    movementType: row.movement_type,
    quantity: microOfDecimal(row.quantity),
    onHandDelta: microOfDecimal(row.on_hand_delta),
    reservedDelta: microOfDecimal(row.reserved_delta),
    onOrderDelta: microOfDecimal(row.on_order_delta),
    onHandAfter: microOfDecimal(row.on_hand_after),
    reservedAfter: microOfDecimal(row.reserved_after),
    onOrderAfter: microOfDecimal(row.on_order_after),
    note: row.note,
    lineId: row.line_id,
    orderId: row.order_id,
    requirementId: row.requirement_id,
    actorId: row.actor_id,
    bookingId: row.booking_id,
    reversesId: row.reverses_id,
    effectiveOn: row.effective_on,
    reason: row.reason,
    consume: row.consume,
    itemRevision: row.item_revision,
    lot: row.lot,
    enteredQuantity: row.entered_quantity === null ? null : microOfDecimal(row.entered_quantity),
    enteredUnit: row.entered_unit,
    coveredQuantity: row.covered_quantity === null ? null : microOfDecimal(row.covered_quantity),
    hash: row.hash,
  };
}

/** Numbers of the order and requirement of entry `l`: a probe each, and none where it names neither. */
const orderNumbers = {
  columns:
    ', i.name as item_name, p.name as location_name, o.number as order_number, r.number as requirement_number, v.reversed',
  joins: `
    left join lateral (select number from entity where workspace_id = $1 and id = l.order_id limit 1) o on true
    left join lateral (select number from entity where workspace_id = $1 and id = l.requirement_id limit 1) r on true
    left join lateral (
      select coalesce(sum(abs(quantity)), 0) as reversed from stock_ledger where workspace_id = $1 and reverses_id = l.id) v on true`,
};

/** Whether the entries are found by movement type. */
export function isListedByType(by: LedgerBy): boolean {
  return by === 'item' || by === 'location' || by === 'within' || by === 'actor' || by === 'all';
}

/** A location and those that lie in it. $1 workspace, $2 location, $3 rows. */
export const selectLocationsWithin = `with recursive ${below('$2::uuid')} select id from below limit $3`;

/**
 * A page of the entries of an item, a location, a caller, a line, a requirement, a booking, an order or of all, as a merge of one short index range for each
 * movement type: it costs a page whether the types wanted are all or one, frequent or rare, among any number of entries. Those of a caller include the
 * entries of its keys and of automations that acted for it (`callersOf`). Those of a line, a requirement or a
 * booking are one range, in whose index there is no type: each of fifteen would be all of the entries where there is none of its type. Those of an order are
 * a range for each of its lines.
 * The ranges are merged by what the index holds, and only the entries of the page are fetched; what is looked
 * up for each is a probe, which tables that were never analysed make a hash of everything when it is a join.
 * $1 workspace, $2 the entity or the caller, or null (for `within` the locations, uuid[]), $3 movement type[], $4 and $5 the ids that it lies
 * between, or null, $6 rows.
 *
 * With `effective` the page has the entries that happened from day $7 to day $8, and others between them for which `fits` is false: a page
 * costs as many entries as it may hold, whatever fits. `late` adds the entries between the ids $9 and $10 that state a day.
 */
export function selectLedgerPage(
  by: LedgerBy,
  order: 'asc' | 'desc',
  { withOrders = false, effective = false, late = false } = {},
): string {
  const { columns, joins } = withOrders ? orderNumbers : { columns: '', joins: '' };
  // "One of these, of which there is one, in the order of entity and id": an order that only its own index has, and as cheap as equality,
  // with which the planner may walk the index of all and filter its way through everybody's entries. So it may where it expects few
  // of a type, as between two bounds of which it knows nothing: those that are not there are left out, and pairs are no narrow range.
  const column =
    by === 'all' ? null : by === 'order' ? 'line_id' : by === 'within' ? 'location_id' : `${by}_id`;
  const ownOf = (of: string) => (column === null ? '$2::uuid is null' : `${column} = any (array[${of}])`);
  const inOrder = column === null ? `id ${order}` : `${column} ${order}, id ${order}`;
  const isTyped = isListedByType(by);
  const counts = by === 'actor' ? 'and (id, id) >= (place.since, place.since)' : '';
  const range = (types: string, of = '$2::uuid') => `
        select id from stock_ledger
        where workspace_id = $1 and ${ownOf(of)} and movement_type = ${types} ${counts}
          and ($4::uuid is null or (id, id) > ($4, $4)) and ($5::uuid is null or (id, id) < ($5, $5))
        order by ${inOrder} limit $6`;
  const places =
    by === 'within'
      ? 'cross join unnest($2::uuid[]) as place (id)'
      : by === 'actor'
        ? `cross join (${callersOf('$2::uuid')}) as place`
        : '';
  const typed = `
      select wanted.movement_type, ranged.id from unnest($3::text[]) as wanted (movement_type)
      ${places}
      cross join lateral (${range('wanted.movement_type', places === '' ? '$2::uuid' : 'place.id')}
      ) ranged
      order by ranged.id ${order} limit $6`;
  const withLate = `
      select * from (
        (${typed})
        union all
        (select movement_type, id from stock_ledger
         where workspace_id = $1 and effective_on is not null
           and ($9::uuid is null or id > $9) and ($10::uuid is null or id < $10)
         order by id ${order} limit $6)) either
      order by id ${order} limit $6`;
  const page = isTyped
    ? late
      ? withLate
      : typed
    : by === 'order'
      ? `
      select line.id as line_id, ranged.id from stock_line line
      cross join lateral (${range('any($3::text[])', 'line.id')}
      ) ranged
      where line.workspace_id = $1 and line.order_id = $2
      order by ranged.id ${order} limit $6`
      : range('any($3::text[])');
  const ownRow = ownOf(by === 'order' ? 'page.line_id' : '$2::uuid');
  const owners = by === 'within' ? 'any ($2::uuid[])' : 'any (array[$2::uuid])';
  const ofOwner =
    by === 'actor'
      ? isOfCaller({ id: 'l.id', actorId: 'l.actor_id' }, '$2::uuid')
      : `l.${column} = ${owners}`;
  const isOwn = column === null || !late ? '' : `and ${ofOwner}`;
  const day = `coalesce(l.effective_on, (l.recorded_at at time zone 'UTC')::date)`;
  const fits = effective
    ? `, (($7::date is null or ${day} >= $7) and ($8::date is null or ${day} <= $8)
             and l.movement_type = any ($3) ${isOwn}) as fits`
    : ', true as fits';
  return `
    select ${entryColumns}, i.number as item_number, p.number as location_number, ${baseUnitOf('l.item_id')} as unit,
           coalesce(a.type, 'system') as actor_type, coalesce(a.name, '') as actor_name${columns}${fits}
    from (${page}
    ) page
    cross join lateral (
      select * from stock_ledger
      where workspace_id = $1 and ${isTyped ? 'movement_type = any (array[page.movement_type])' : ownRow}
        and id = any (array[page.id]) order by ${isTyped ? 'movement_type' : column}, id limit 1
    ) l
    left join lateral (select number, name from entity where workspace_id = $1 and id = l.item_id limit 1) i on true
    left join lateral (select number, name from entity where workspace_id = $1 and id = l.location_id limit 1) p on true
    left join lateral (select type, name from actor where workspace_id = $1 and id = l.actor_id limit 1) a on true${joins}
    order by page.id ${order}`;
}

/**
 * Callers in the order of their ids, and whether they, their keys, or automations that acted for them, have moved stock: a probe for each, of
 * which no plan makes a hash of the ledger.
 * $1 workspace, $2 id to go on behind or null, $3 rows.
 */
export const selectLedgerActors = `
  select a.id, a.type, a.name, moved.id is not null as has_moved
  from (select id, type, name from actor where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit $3) a
  left join lateral (
    select entry.id from (${callersOf('a.id')}) as who
    cross join lateral (
      select id from stock_ledger where workspace_id = $1 and actor_id = any (array[who.id])
        and (id, id) >= (who.since, who.since)
      order by actor_id, movement_type, id limit 1) entry limit 1
  ) moved on true
  order by a.id`;

/** An entry as it is proved: nothing but texts, since its hash is made of them. */
export interface EntryProofRow extends EntryTexts {
  /** In hex. */
  hash: string;
}

const proofColumns = `
  l.id, l.item_id as "itemId", l.location_id as "locationId", l.sequence,
  (extract(epoch from l.recorded_at) * 1000000)::bigint as "recordedUs", l.movement_type as "movementType",
  l.quantity, l.on_hand_delta as "onHandDelta", l.reserved_delta as "reservedDelta",
  l.on_order_delta as "onOrderDelta", l.on_hand_after as "onHandAfter", l.reserved_after as "reservedAfter",
  l.on_order_after as "onOrderAfter", l.note, l.line_id as "lineId", l.order_id as "orderId",
  l.requirement_id as "requirementId", l.actor_id as "actorId", l.booking_id as "bookingId",
  l.reverses_id as "reversesId", l.effective_on::text as "effectiveOn", l.reason, l.consume, l.item_revision::text as "itemRevision", l.lot,
  l.entered_quantity as "enteredQuantity", l.entered_unit as "enteredUnit", l.covered_quantity as "coveredQuantity",
  encode(l.hash, 'hex') as hash`;

/** Selects entries in order of positions and sequence, behind a key. $1 workspace, $2 item, $3 location, $4 sequence, $5 rows. */
export const selectEntriesBehind = `
  select ${proofColumns} from stock_ledger l
  where l.workspace_id = $1 and (l.item_id, l.location_id, l.sequence) > ($2::uuid, $3::uuid, $4::bigint)
  order by l.item_id, l.location_id, l.sequence limit $5`;

/**
 * Selects entries of one position. $1 workspace, $2 item, $3 location, $4 after this sequence, $5 up to this, $6
 * rows.
 */
export const selectEntriesOf = `
  select ${proofColumns} from stock_ledger l
  where l.workspace_id = $1 and l.item_id = $2 and l.location_id = $3 and l.sequence > $4 and l.sequence <= $5
  order by l.sequence limit $6`;

/** A position as it is proved. */
export interface PositionProofRow {
  itemId: string;
  locationId: string;
  onHand: string;
  reserved: string;
  onOrder: string;
  sequence: string;
  /** In hex. */
  hash: string;
}

/** Between two keys, in order. $1 workspace, $2 item and $3 location behind, $4 item and $5 location before, $6 rows. */
export const selectPositionsBetween = `
  select item_id as "itemId", location_id as "locationId", on_hand as "onHand", reserved, on_order as "onOrder",
         sequence, encode(hash, 'hex') as hash
  from stock_position
  where workspace_id = $1 and (item_id, location_id) > ($2::uuid, $3::uuid)
    and (item_id, location_id) < ($4::uuid, $5::uuid)
  order by item_id, location_id limit $6`;
