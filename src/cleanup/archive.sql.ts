/**
 * SQL that finds what keeps an entity from being archived, or from being taken back. The exclusive configuration lock is held, so nobody adds to it
 * meanwhile. Each statement returns a count and up to five examples; counts stop at a bound.
 */
import { finalStates } from '../procurement/records/line.ts';

export const COUNTED_MAX = 1000;
const EXAMPLES_MAX = 5;

const finals = [...finalStates].map((state) => `'${state}'`).join(', ');

/** `ids` selects ids of entities that count, at most one more than the bound. */
const counting = (ids: string) => `
  with found as materialized (select id from (${ids}) as all_found limit ${COUNTED_MAX + 1})
  select (select count(*)::int from found) as count,
         coalesce((
           select jsonb_agg(jsonb_build_object('id', e.id, 'number', e.number, 'name', e.name) order by f.id)
           from (select id from found order by id limit ${EXAMPLES_MAX}) f
           cross join lateral (select id, number, name from entity where workspace_id = $1 and id = f.id offset 0) e), '[]') as examples`;

/** Positions with stock of an item, or at a location, and their sums. $1 workspace, $2 entity. */
export const sumStock = (side: 'item_id' | 'location_id') => `
  select count(*)::int as count, coalesce(sum(on_hand), 0)::text as on_hand, coalesce(sum(reserved), 0)::text as reserved,
         coalesce(sum(on_order), 0)::text as on_order
  from (
    select on_hand, reserved, on_order from stock_position
    where workspace_id = $1 and ${side} = $2 and (on_hand <> 0 or reserved <> 0 or on_order <> 0)
    limit ${COUNTED_MAX + 1}) as p`;

/** Lines of an item that have not ended, drafts too. $1 workspace, $2 entity. */
export const countOpenLines = counting(`
  select n.id from stock_line n
  cross join lateral (select state from entity where workspace_id = $1 and id = n.id offset 0) e
  where n.workspace_id = $1 and n.item_id = $2 and e.state not in (${finals})`);

/** Lines at a location that have not ended: no index has the locations of lines, so all open lines are looked at. $1, $2 as above. */
export const countOpenLinesAt = counting(`
  select o.id from category c
  join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
  cross join lateral (
    select s.state ->> 'name' as name from jsonb_array_elements(l.states) s (state)
    where s.state ->> 'name' not in (${finals})) s
  cross join lateral (
    select e.id from entity e
    where e.workspace_id = $1 and e.category = c.key and e.state >= s.name and e.state <= s.name
      and exists (select from stock_line where workspace_id = $1 and id = e.id and location_id = $2 offset 0)
    order by e.category, e.state, e.id) o
  where c.workspace_id = $1 and c.behaviour in ('purchaseOrderLine', 'salesOrderLine', 'manufacturingOrderLine')`);

/** Requirements that still need something, or have something reserved that is not issued. $1 workspace, $2 item or project. */
export const countOpenRequirements = (of: 'item_id' | 'project_id') =>
  counting(`
  select r.id from material_requirement r
  cross join lateral (select state from entity where workspace_id = $1 and id = r.id offset 0) e
  where r.workspace_id = $1 and r.${of} = $2
    and (e.state = 'Open' or (e.state = 'Covered' and exists (
      select from stock_requirement_total t
      where t.workspace_id = $1 and t.requirement_id = r.id having sum(t.reserved) > sum(t.issued) offset 0)))`);

/**
 * Assemblies that use the entity and are neither released nor archived. $1 workspace, $2 entity, $3 and $4 categories and states in
 * which entities are released.
 */
export const countUnreleasedParents = counting(`
  select p.id from entity_link l
  cross join lateral (
    select id, category, state from entity
    where workspace_id = $1 and id = l.parent_id and archived_at is null offset 0) p
  where l.workspace_id = $1 and l.child_id = $2
    and not exists (
      select from unnest($3::text[], $4::text[]) as r (category, state)
      where r.category = p.category and r.state = p.state)`);

/** Links that wait for a parent. $1 workspace, $2 entity. */
export const countPendingParents = `
  select count(*)::int as count, '[]'::jsonb as examples from (
    select from pending_link where workspace_id = $1 and child_id = $2 limit ${COUNTED_MAX + 1}) as p`;

/** Locations that lie in the location and are not archived. $1 workspace, $2 entity. */
export const countLocationsIn = counting(`
  select id from entity where workspace_id = $1 and parent_location_id = $2 and archived_at is null`);

/** Archived children. $1 workspace, $2 entity. */
export const countArchivedChildren = counting(`
  select c.id from entity_link l
  cross join lateral (
    select id from entity where workspace_id = $1 and id = l.child_id and archived_at is not null offset 0) c
  where l.workspace_id = $1 and l.parent_id = $2`);

/** The archived location that an entity lies in. $1 workspace, $2 entity. */
export const countArchivedAround = counting(`
  select p.id from entity e
  cross join lateral (
    select id from entity where workspace_id = $1 and id = e.parent_location_id and archived_at is not null offset 0) p
  where e.workspace_id = $1 and e.id = $2`);

/** The entity that an entity was merged into. $1 workspace, $2 entity. */
export const countMergedInto = counting(
  'select entity_id as id from entity_alias where workspace_id = $1 and id = $2',
);
