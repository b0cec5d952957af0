/**
 * Open demand and supply of an item: ranges of indexes by item, the newest lines and requirements first, to a
 * bound.
 */
import { linesOf } from '../records/lines.sql.ts';
import { requirementsOf } from '../records/requirements.sql.ts';

/** In which states a line or a requirement still comes or goes: a draft promises nothing yet. */
const hasState = (id: string, states: string) =>
  `exists (select from entity where workspace_id = $1 and id = ${id} and state in (${states}) offset 0)`;

/** Lines that are at work, and drafts if they are wanted, of the newest $3 of each item. $1 workspace, $2 item[]. */
export const selectLinesOfItems = (drafts: boolean) =>
  linesOf(`
  select n.* from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select * from stock_line where workspace_id = $1 and item_id >= i.id and item_id <= i.id
    order by item_id desc, id desc limit $3) n
  where ${hasState('n.id', `'Ordered', 'Reserved'${drafts ? `, 'Draft'` : ''}`)}`);

/**
 * Requirements that are not cancelled, of the newest $3 of each item or project. $1 workspace, $2 item[] or project[]. Those that are
 * covered count too: what is ordered for them is not reserved yet.
 */
export const selectRequirementsAtWork = (of: 'item_id' | 'project_id') =>
  requirementsOf(`
  select r.* from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select * from material_requirement where workspace_id = $1 and ${of} >= i.id and ${of} <= i.id
    order by ${of} desc, id desc limit $3) r
  where ${hasState('r.id', `'Open', 'Covered'`)}`);

/** Counts them for each, to the bound and one. $1 to $3 as above. */
export const countLooked = (table: 'stock_line' | 'material_requirement', of: 'item_id' | 'project_id') => `
  select i.id, n.count from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select count(*)::int as count from (
      select from ${table} where workspace_id = $1 and ${of} = i.id limit $3 + 1) counted) n`;

/** Sums of each item over all locations, $3 at most. $1 workspace, $2 item[]. */
export const sumPositions = `
  select i.id, s.* from unnest($2::uuid[]) as i (id)
  cross join lateral (
  select count(*)::int as locations, (count(*) filter (where on_hand > 0))::int as stocked, coalesce(sum(on_hand), 0) as on_hand, coalesce(sum(reserved), 0) as reserved,
         coalesce(sum(on_order), 0) as on_order,
         coalesce((
           select sum(in_transit) from (
             select in_transit from stock_transit
             where workspace_id = $1 and item_id = i.id and closed_at is null limit $3 + 1) t), 0) as in_transit
  from (select on_hand, reserved, on_order from stock_position where workspace_id = $1 and item_id = i.id limit $3 + 1) p) s`;

/** $1 workspace, $2 entity, $3 counted at most, $4 whether it is a location, $5 positions looked at for something that is on hand or on order. */
export const countAround = `
  select (select count(*)::int from (
            select from stock_position where $4::boolean and workspace_id = $1 and location_id = $2 limit $3) n) as items,
         least(s.stocked, $3)::int as stocked, least(s.ordered, $3)::int as ordered,
         (select count(*)::int from (
            select from entity_link where workspace_id = $1 and parent_id = $2 limit $3) n) as uses,
         (select count(*)::int from (
            select from entity_link where workspace_id = $1 and child_id = $2 limit $3) n) as used_in
  from (
    select count(*) filter (where on_hand > 0) as stocked, count(*) filter (where on_order > 0) as ordered
    from (
      select on_hand, on_order from stock_position where $4::boolean and workspace_id = $1 and location_id = $2
      order by item_id limit $5) p) s`;
