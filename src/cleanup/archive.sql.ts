/**
 * SQL that finds what keeps an entity from being archived, or from being taken back. The exclusive configuration lock is held, so nobody adds to it
 * meanwhile. Each statement returns a count and up to five examples; counts stop at a bound, and so does the number of rows that are looked at.
 */
import { finalStates } from '../procurement/records/line.ts';

export const COUNTED_MAX = 1000;
const EXAMPLES_MAX = 5;

const finals = [...finalStates].map((state) => `'${state}'`).join(', ');

/**
 * `looked` selects ids by an index range, of which one more than $3 are read; `ids` selects those of `looked` that count, of which one more
 * than the bound are counted. `is_cut`: there are more that were not looked at. $1 workspace, $2 entity, $3 how many are looked at.
 */
const counting = (looked: string, ids: string) => `
  with looked as materialized (select id from (${looked}) as all_looked limit $3::int + 1),
  found as materialized (select id from (${ids}) as all_found limit ${COUNTED_MAX + 1})
  select (select count(*)::int from found) as count, (select count(*) > $3::int from looked) as is_cut,
         coalesce((
           select jsonb_agg(jsonb_build_object('id', e.id, 'number', e.number, 'name', e.name) order by f.id)
           from (select id from found order by id limit ${EXAMPLES_MAX}) f
           cross join lateral (select id, number, name from entity where workspace_id = $1 and id = f.id offset 0) e), '[]') as examples`;

/** Positions with stock of an item, or at a location, and their sums. $1 workspace, $2 entity, $3 how many are looked at. */
export const sumStock = (side: 'item_id' | 'location_id') => `
  with looked as materialized (
    select on_hand, reserved, on_order from stock_position
    where workspace_id = $1 and ${side} = $2 limit $3::int + 1)
  select count(*)::int as count, (select count(*) > $3::int from looked) as is_cut, coalesce(sum(on_hand), 0)::text as on_hand,
         coalesce(sum(reserved), 0)::text as reserved, coalesce(sum(on_order), 0)::text as on_order
  from (
    select * from looked where on_hand <> 0 or reserved <> 0 or on_order <> 0 limit ${COUNTED_MAX + 1}) as p`;

const inState = (states: string) => `
  cross join lateral (select state from entity where workspace_id = $1 and id = o.id offset 0) e
  where ${states}`;

/** Lines of an item that have not ended, drafts too, the newest first: older ones have mostly ended. */
export const countOpenLines = counting(
  'select id from stock_line where workspace_id = $1 and item_id = $2 order by item_id desc, id desc',
  `select o.id from looked o ${inState(`e.state not in (${finals})`)}`,
);

/** Entities of categories with such behaviours in such states. */
const entitiesInStates = (behaviours: string, states: string) => `
  select e.id from category c
  join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
  cross join lateral (
    select s.state ->> 'name' as name from jsonb_array_elements(l.states) s (state)
    where s.state ->> 'name' ${states}) s
  cross join lateral (
    select id from entity
    where workspace_id = $1 and category = c.key and state >= s.name and state <= s.name
    order by category, state, id) e
  where c.workspace_id = $1 and c.behaviour in (${behaviours})`;

/** Lines that count, among all open lines: no index has the locations of lines, and an item may have had very many. */
export const countOpenLinesAmongAll = (of: 'item_id' | 'location_id') =>
  counting(
    entitiesInStates("'purchaseOrderLine', 'salesOrderLine', 'manufacturingOrderLine'", `not in (${finals})`),
    `select o.id from looked o
     where exists (select from stock_line where workspace_id = $1 and id = o.id and ${of} = $2 offset 0)`,
  );

const needsSomething = `
  (e.state = 'Open' or (e.state = 'Covered' and exists (
    select from stock_requirement_total t
    where t.workspace_id = $1 and t.requirement_id = o.id having sum(t.reserved) > sum(t.issued) offset 0)))`;

/** Requirements of an item or project that still need something, or have something reserved that is not issued; the newest first. */
export const countOpenRequirements = (of: 'item_id' | 'project_id') =>
  counting(
    `select id from material_requirement where workspace_id = $1 and ${of} = $2 order by ${of} desc, id desc`,
    `select o.id from looked o ${inState(needsSomething)}`,
  );

/** Requirements that count, among all open and covered ones. */
export const countOpenRequirementsAmongAll = (of: 'item_id' | 'project_id') =>
  counting(
    entitiesInStates("'materialRequirement'", "in ('Open', 'Covered')"),
    `select o.id from looked o
     cross join lateral (select from material_requirement where workspace_id = $1 and id = o.id and ${of} = $2 offset 0) r
     ${inState(needsSomething)}`,
  );

/**
 * Assemblies that use the entity and are neither released nor archived. $4 and $5 categories and states in which entities are released.
 */
export const countUnreleasedParents = counting(
  'select parent_id as id from entity_link where workspace_id = $1 and child_id = $2',
  `select p.id from looked l
   cross join lateral (
     select id, category, state from entity
     where workspace_id = $1 and id = l.id and archived_at is null offset 0) p
   where not exists (
     select from unnest($4::text[], $5::text[]) as r (category, state)
     where r.category = p.category and r.state = p.state)`,
);

/** Links that wait for a parent. $1 workspace, $2 entity. */
export const countPendingParents = `
  select count(*)::int as count, false as is_cut, '[]'::jsonb as examples from (
    select from pending_link where workspace_id = $1 and child_id = $2 limit ${COUNTED_MAX + 1}) as p`;

const ofLooked = (not: '' | 'not') => `
  select o.id from looked o
  cross join lateral (
    select from entity where workspace_id = $1 and id = o.id and archived_at is ${not} null offset 0) e`;

/** Locations that lie in the location and are not archived. */
export const countLocationsIn = counting(
  'select id from entity where workspace_id = $1 and parent_location_id = $2',
  ofLooked(''),
);

/** Archived children. */
export const countArchivedChildren = counting(
  'select child_id as id from entity_link where workspace_id = $1 and parent_id = $2',
  ofLooked('not'),
);

/** The archived location that an entity lies in. */
export const countArchivedAround = counting(
  'select parent_location_id as id from entity where workspace_id = $1 and id = $2',
  ofLooked('not'),
);

/** The entity that an entity was merged into. */
export const countMergedInto = counting(
  'select entity_id as id from entity_alias where workspace_id = $1 and id = $2',
  'select id from looked',
);
