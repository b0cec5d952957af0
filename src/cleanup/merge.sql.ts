/**
 * SQL of a merge. The exclusive configuration lock and the structure lock are held: nobody gives either entity stock, lines, requirements or
 * links meanwhile. $1 is the workspace and $2 the merged entity unless another is said.
 */
import { finalStates } from '../procurement/records/line.ts';
import { heldParts } from '../stock/entries/held.sql.ts';

const finals = [...finalStates].map((state) => `'${state}'`).join(', ');

/** $2 the merged entity, $3 the one that stays. */
export const selectSettings = `
  select (select count(*)::int from entity_alias where workspace_id = $1 and guid is not null) as aliases,
         (select count(*)::int from entity_alias where workspace_id = $1 and entity_id = $2) as further,
         (select unit from item_base_unit where workspace_id = $1 and item_id = $2) as from_unit,
         (select unit from item_base_unit where workspace_id = $1 and item_id = $3) as into_unit,
         (select tracking from stock_tracking where workspace_id = $1 and item_id = $2) as from_tracking,
         (select tracking from stock_tracking where workspace_id = $1 and item_id = $3) as into_tracking,
         exists (select from item_planning where workspace_id = $1 and item_id = $2) as from_plans,
         exists (select from item_planning where workspace_id = $1 and item_id = $3) as into_plans,
         exists (
           select from sync_batch
           where workspace_id = $1 and status in ('queued', 'processing') and chunk_count > 1) as importing`;

/** All assemblies that use the merged entity, archived ones too, as `ParentRow`. $3 the one that stays, $4 rows. */
export const selectParentsOfMerged = `
  select l.parent_id as id, l.quantity, l.line, k.quantity as other_quantity, k.line as other_line, p.guid, p.number, p.name,
         p.category, p.state, p.revision_number
  from (
    select parent_id, quantity, line from entity_link
    where workspace_id = $1 and child_id >= $2 and child_id <= $2 order by child_id, parent_id limit $4) l
  cross join lateral (
    select guid, number, name, category, state, revision_number from entity
    where workspace_id = $1 and id = l.parent_id offset 0) p
  left join lateral (
    select quantity, line from entity_link
    where workspace_id = $1 and parent_id = l.parent_id and child_id = $3 offset 0) k on true
  order by l.parent_id`;

/** Links to children of both, links that wait, and supplier parts, as many as $4 of each. */
export const countLinks = `
  select (select count(*)::int from (
            select from entity_link where workspace_id = $1 and parent_id = $2 limit $4) c) as children,
         exists (select from entity_link where workspace_id = $1 and parent_id = $3) as has_own,
         (select count(*)::int from (
            select from pending_link where workspace_id = $1 and child_id = $2 limit $4) w) as pending,
         (select count(*)::int from (
            select from supplier_part where workspace_id = $1 and item_id = $2 limit $4) s) as supplier_parts`;

export interface PositionRow {
  location_id: string;
  on_hand: string;
  reserved: string;
  on_order: string;
}

/** $3 rows. */
export const selectPositions = `
  select location_id, on_hand::text, reserved::text, on_order::text from stock_position
  where workspace_id = $1 and item_id = $2 and (on_hand <> 0 or reserved <> 0 or on_order <> 0)
  order by location_id limit $3`;

export interface LotRow {
  location_id: string;
  lot: string;
  on_hand: string;
  expires_on: string | null;
  supplier_lot: string | null;
  properties: Record<string, string>;
  /** Whether the lot cannot move: it is kept from use, or the entity that stays has another lot of that number. */
  stands: boolean;
}

/** Lots in stock. $3 the entity that stays, $4 rows. */
export const selectLots = `
  select p.location_id, p.lot, p.on_hand::text, l.expires_on::text, l.supplier_lot, l.properties,
         l.status <> 'available' or coalesce(o.kind <> l.kind or o.status <> 'available' or o.expires_on <> l.expires_on
           or o.supplier_lot <> l.supplier_lot or (o.kind = 'serial' and exists (
             select from stock_lot_position where workspace_id = $1 and item_id = $3 and lot = p.lot and on_hand > 0)), false)
         as stands
  from (
    select location_id, lot, on_hand from stock_lot_position
    where workspace_id = $1 and item_id = $2 and on_hand > 0 order by location_id, lot limit $4) p
  cross join lateral (
    select * from stock_lot where workspace_id = $1 and item_id = $2 and number = p.lot offset 0) l
  left join lateral (
    select kind, status, coalesce(expires_on, l.expires_on) as expires_on, coalesce(supplier_lot, l.supplier_lot) as supplier_lot
    from stock_lot where workspace_id = $1 and item_id = $3 and number = p.lot offset 0) o on true
  order by p.location_id, p.lot`;

export interface OpenLineRow {
  id: string;
  type: 'purchaseOrder' | 'salesOrder' | 'manufacturingOrder';
  order_id: string;
  requirement_id: string | null;
  item_revision: number | null;
}

/** $3 rows. */
export const selectOpenLines = `
  select n.id, n.type, n.order_id, n.requirement_id, n.item_revision from stock_line n
  cross join lateral (select state from entity where workspace_id = $1 and id = n.id offset 0) e
  where n.workspace_id = $1 and n.item_id >= $2 and n.item_id <= $2 and e.state not in (${finals})
  order by n.item_id, n.id limit $3`;

/** Selects the amounts of the merged entity that lines hold. $3 lines. */
export const selectHeldByLines = `
  select t.line_id, t.location_id, t.reserved::text, t.on_order::text,
         greatest(0, least(t.on_order, t.ordered_for - t.received_for))::text as for_requirement
  from unnest($3::uuid[]) as i (id)
  cross join lateral (
    select * from stock_line_total where workspace_id = $1 and line_id = i.id and item_id = $2 offset 0) t
  where t.reserved <> 0 or t.on_order <> 0 order by t.line_id, t.location_id`;

export interface HeldByLine {
  line_id: string;
  location_id: string;
  reserved: string;
  on_order: string;
  for_requirement: string;
}

/** $3 rows. */
export const selectOpenRequirements = `
  select r.id, l.order_id from material_requirement r
  cross join lateral (select state from entity where workspace_id = $1 and id = r.id offset 0) e
  left join lateral (select order_id from stock_line where workspace_id = $1 and id = r.line_id offset 0) l on true
  where r.workspace_id = $1 and r.item_id >= $2 and r.item_id <= $2 and e.state in ('Open', 'Covered')
  order by r.item_id, r.id limit $3`;

/** Selects requirements of other items that hold the entity as a substitute. $3 rows. */
export const selectSubstituteHolders = `
  select r.id, l.order_id from (
    select distinct requirement_id from stock_requirement_total
    where workspace_id = $1 and item_id = $2 and substitute_held <> 0 order by requirement_id limit $3) t
  cross join lateral (
    select id, line_id, item_id from material_requirement where workspace_id = $1 and id = t.requirement_id offset 0) r
  left join lateral (select order_id from stock_line where workspace_id = $1 and id = r.line_id offset 0) l on true
  where r.item_id <> $2
  order by r.id`;

/** Selects the amounts of the merged entity that requirements hold, apart those that are substitutes. $3 requirements. */
export const selectHeldByRequirements = `
  select t.requirement_id, t.location_id, h.held::text, h.covers::text from unnest($3::uuid[]) as i (id)
  cross join lateral (
    select * from stock_requirement_total where workspace_id = $1 and requirement_id = i.id and item_id = $2 offset 0) t
  ${heldParts('t')}
  order by t.requirement_id, t.location_id, h.covers nulls first`;

export interface HeldByRequirement {
  requirement_id: string;
  location_id: string;
  held: string;
  covers: string | null;
}

/** Lots that reservations of lines and requirements hold. $3 rows. */
export const selectHolds = `
  select location_id, lot, holder_id, quantity::text from stock_lot_hold
  where workspace_id = $1 and item_id = $2 order by location_id, lot, holder_id limit $3`;

export interface HoldOfLot {
  location_id: string;
  lot: string;
  holder_id: string;
  quantity: string;
}

/** $2 id[] in order. */
export const lockForMove = `
  select from unnest($2::uuid[]) as i (id)
  cross join lateral (select from entity where workspace_id = $1 and id = i.id for update) e`;

/** The entity that stays ($3) has no children. */
export const moveChildren = `
  with moved as (
    delete from entity_link where workspace_id = $1 and parent_id = $2 returning child_id, quantity, line)
  insert into entity_link (workspace_id, parent_id, child_id, quantity, line)
  select $1, $3, child_id, quantity, line from moved order by child_id`;

/** Quantities of both for one parent add up. $3 the entity that stays. */
export const movePendingLinks = `
  with moved as (
    delete from pending_link where workspace_id = $1 and child_id = $2 returning parent_guid, quantity, line)
  insert into pending_link as w (workspace_id, parent_guid, child_id, quantity, line)
  select $1, parent_guid, $3, quantity, line from moved order by parent_guid
  on conflict (workspace_id, parent_guid, child_id) do update
  set quantity = least(999999999.999999, w.quantity + excluded.quantity)`;

/** $2 line[], $3 the entity that stays. */
export const moveLines =
  'update stock_line set item_id = $3 where workspace_id = $1 and id = any ($2::uuid[])';
/** $2 requirement[], $3 the entity that stays. */
export const moveRequirements =
  'update material_requirement set item_id = $3 where workspace_id = $1 and id = any ($2::uuid[])';

/** Units that the entity that stays ($3) does not have; the base units are the same. */
export const addUnits = `
  insert into item_unit (workspace_id, item_id, unit, numerator, denominator)
  select workspace_id, $3, unit, numerator, denominator from item_unit where workspace_id = $1 and item_id = $2
  on conflict do nothing`;

/** Moves supplier parts; one with a number that the entity that stays ($3) has from the supplier, too, is left. */
export const moveSupplierParts = `
  update supplier_part p set item_id = $3, version = version + 1
  where workspace_id = $1 and item_id = $2 and not exists (
    select from supplier_part o
    where o.workspace_id = $1 and o.item_id = $3 and o.supplier_id = p.supplier_id and o.sku = p.sku)`;

/** Moves the comments to the entity that stays ($3). */
export const moveComments = 'update comment set entity_id = $3 where workspace_id = $1 and entity_id = $2';

/**
 * Moves the planning to the entity that stays ($3), which has none. Supplier parts have moved: of one that was left, the part with its number
 * takes its place.
 */
export const movePlanning = `
  update item_planning p set item_id = $3, version = version + 1, supplier_part_id = (
    select coalesce(twin.id, own.id) from supplier_part own
    left join supplier_part twin on twin.workspace_id = $1 and twin.item_id = $3 and twin.supplier_id = own.supplier_id and twin.sku = own.sku
    where own.workspace_id = $1 and own.id = p.supplier_part_id)
  where workspace_id = $1 and item_id = $2`;

/** $4 the GUID that becomes an alias, $5 the number. Aliases of the merged entity become those of the one that stays ($3). */
export const insertAlias = `
  with followed as (update entity_alias set entity_id = $3 where workspace_id = $1 and entity_id = $2)
  insert into entity_alias (workspace_id, id, entity_id, guid, number, merged_at)
  values ($1, $2, $3, $4, $5, clock_timestamp())`;

export const archiveMerged = `
  update entity set guid = null, number = null, archived_at = coalesce(archived_at, now()), sync_hash = null,
    version = version + 1, updated_at = now()
  where workspace_id = $1 and id = $2
  returning archived_at::text`;

/** $2 the entity that stays, $3 a GUID and $4 a number for one that has none. */
export const touchStaying = `
  update entity set guid = coalesce(guid, $3), number = coalesce(number, $4), sync_hash = null,
    version = version + 1, updated_at = now()
  where workspace_id = $1 and id = $2`;
