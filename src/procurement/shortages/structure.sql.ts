/**
 * The structure above a part and below a project. The recursion is over entities, each visited once however
 * many ways lead to it; the links come with the last step, so that a limit on them ends the walk. LATERAL with
 * OFFSET 0 keeps every step a probe of an index. A project ends both ways: what is below it is its own.
 */

import { hasWords } from '../../entities/lists/search-patterns.ts';
import { childOf, newestReleased } from '../../entities/structure/configured-uses.sql.ts';
import { linksInBaseUnits, revisionLinksInBaseUnits } from '../../entities/units/base-quantity.sql.ts';
import { baseUnitOf } from '../../entities/units/item-units.sql.ts';
import { supplierOf } from '../records/suppliers/suppliers.sql.ts';
import type { ShortageQuery } from './shortages.schema.ts';

const roleOf = (id: string) => `
    cross join lateral (
      select c.role from entity e join category c on c.workspace_id = $1 and c.key = e.category
      where e.workspace_id = $1 and e.id = ${id} offset 0) k`;

/** `isContained`: without losses. */
const packedLine = (quantity: string, line: string, isContained: boolean) => `
          child_id || ' ' || ${quantity}${
            isContained
              ? ''
              : ` || coalesce('%' || (${line} ->> 'lossPercent'), '') || coalesce('+' || (${line} ->> 'lossFixed'), '')`
          }
            || case when ${line} -> 'phantom' = 'true' then '*' else '' end`;

const packedLink = (isContained: boolean) => `case
        when line is null then child_id || ' ' || quantity
        when line ? 'lines' then (
          select string_agg(${packedLine("(one ->> 'quantity')::numeric", 'one', isContained)}, ',')
          from jsonb_array_elements(line -> 'lines') as one)
        else ${packedLine('quantity', 'line', isContained)} end as packed`;

/**
 * Links on the ways up from a part to its projects, as `StructureRow` by the parents, with the quantities that are consumed. $1 workspace,
 * $2 part, $3 links at most.
 */
export const selectLinksAbove = `
  with recursive above (id, role) as (
    select $2::uuid, 'item'
    union
    select l.parent_id, k.role from above a
    cross join lateral (
      select parent_id from entity_link where workspace_id = $1 and child_id = a.id offset 0) l ${roleOf('l.parent_id')}
    where a.role <> 'project'
  )
  select id, 0 as revision, role, count(*)::int as links, string_agg(packed, ',') as children
  from (
    select l.parent_id as id, k.role, l.packed from above a
    cross join lateral (
      select parent_id, ${packedLink(false)} from ${linksInBaseUnits} k where workspace_id = $1 and child_id = a.id offset 0) l
    ${roleOf('l.parent_id')}
    where a.role <> 'project'
    limit $3) as link
  group by id, role`;

/**
 * Every entity below a project, down to its leaves and to other projects, the project itself too, each with
 * its role and its links packed as `child quantity` joined by commas, with `%` and the loss in percent, `+` and the fixed loss behind a quantity
 * that has them, and `*` behind a phantom: a row an entity, not a row a link, and one look at each. Roles are looked up once an entity, not once a link; while the links are
 * followed only those of assemblies. A link of several lines is packed line by line. The limit ends the walk itself: the links that it counts are those that the recursion has yet to
 * follow. $1 workspace, $2 project, $3 links and entities without any, together, at most, $4 items that need not be below the project.
 */
export const selectStructureBelow = (isContained: boolean) => `
  with recursive below (id) as (
    select unnest($2::uuid || $4::uuid[])
    union
    select c.id from below b
    cross join lateral (
      select array_agg(child_id) as ids from entity_link where workspace_id = $1 and parent_id = b.id offset 0) l
    cross join lateral (
      select unnest(l.ids) as id
      where b.id = $2 or not exists (
        select from entity e join category c on c.workspace_id = $1 and c.key = e.category
        where e.workspace_id = $1 and e.id = b.id and c.role = 'project' offset 0)
      offset 0) c
    where l.ids is not null
  )
  select id, 0 as revision, role, count(child_id)::int as links, string_agg(packed, ',') as children
  from (
    select b.id, b.role, l.child_id, l.packed
    from (select b.id, case when b.id = $2 then 'root' else k.role end as role from below b ${roleOf('b.id')}) b
    left join lateral (
      select child_id, ${packedLink(isContained)}
      from ${linksInBaseUnits} k
      where workspace_id = $1 and parent_id = b.id and b.role <> 'project' offset 0) l on true
    limit $3) as link
  group by id, role`;

const linksOfRevision = (columns: string) => `
      select ${columns} from ${revisionLinksInBaseUnits} k
      where workspace_id = $1 and entity_id = b.id and revision_number = b.revision and b.role <> 'project'
      union all
      select ${columns} from ${linksInBaseUnits} k
      where workspace_id = $1 and parent_id = b.id and b.role <> 'project'
        and b.revision = (select revision_number from entity where workspace_id = $1 and id = b.id)`;

/**
 * Reads the same as selectStructureBelow, in a configuration other than the current one: a row for each revision of an entity, the newest last. The project itself is as
 * it is now, and its items are their newest released revisions. $4 configuration, $5 and $6 categories and states in which entities
 * are released, $7 a revision of the root or null: the root is then an item like those below it, and not a project. The items of $8 are read like
 * those of the project.
 */
export const selectConfiguredBelow = (isContained: boolean) => `
  with recursive below (id, revision, role) as (
    select id, coalesce($7::integer, revision_number), case when $7::integer is null then 'root' else 'item' end
    from entity where workspace_id = $1 and id = $2
    union all
    select e.id, coalesce(${newestReleased('e', { categories: '$5', states: '$6' })}, e.revision_number), k.role
    from unnest($8::uuid[]) as i (id)
    cross join lateral (
      select id, category, state, revision_number from entity where workspace_id = $1 and id = i.id offset 0) e
    ${roleOf('i.id')}
    union
    select l.child_id, coalesce(w.revision_number, e.revision_number), k.role from below b
    cross join lateral (${linksOfRevision('child_id')} offset 0) l
    ${childOf({ parent: 'b.id', revision: 'b.revision', configuration: '$4' })}
    cross join lateral (
      select case when $4 = 'latestReleased' or b.role = 'root' then ${newestReleased('e', { categories: '$5', states: '$6' })}
        else p.child_revision end as revision_number offset 0) w
    ${roleOf('l.child_id')}
  )
  select id, revision, role, count(child_id)::int as links, string_agg(packed, ',') as children
  from (
    select b.id, b.revision, b.role, l.child_id, l.packed from below b
    left join lateral (${linksOfRevision(`child_id, ${packedLink(isContained)}`)} offset 0) l on true
    limit $3) as link
  group by id, revision, role order by revision`;

export interface StructureRow {
  id: string;
  /** Number of the revision; 0 in the current structure. */
  revision: number;
  role: string;
  links: number;
  children: string | null;
}

/** Items whose planning says that they are bought. $1 workspace, $2 item[]. */
export const selectBought = `
  select item_id as id from item_planning
  where workspace_id = $1 and item_id = any($2::uuid[]) and make_or_buy = 'buy'`;

/** Items that have, or had, components. $1 workspace, $2 item[]. */
export const selectAssemblies = `
  select i.id from unnest($2::uuid[]) as i (id)
  where exists (select from entity_link where workspace_id = $1 and parent_id = i.id offset 0)
    or exists (select from entity_revision_link where workspace_id = $1 and entity_id = i.id offset 0)`;

/** $1 workspace, $2 id[]. */
export const selectNames = `
  select e.id, e.number, e.name, encode(e.picture, 'hex') as picture, e.revision_number as revision, ${baseUnitOf('i.id')} as unit
  from unnest($2::uuid[]) as i (id)
  cross join lateral (select id, number, name, picture, revision_number from entity where workspace_id = $1 and id = i.id offset 0) e`;

/**
 * Over all locations. On order without what belongs to requirements of others: supply that was ordered for a requirement covers no
 * other need, until the requirement is cancelled. $1 workspace, $2 item[], $3 project.
 */
export const selectStockOfItems = `
  select i.id, p.available, p.on_order - o.promised as on_order from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select sum(on_hand - reserved) as available, sum(on_order) as on_order from stock_position
    where workspace_id = $1 and item_id = i.id) p
  cross join lateral (
    select coalesce(sum(t.ordered - t.received), 0) as promised
    from stock_requirement_total t
    cross join lateral (
      select project_id from material_requirement where workspace_id = $1 and id = t.requirement_id offset 0) r
    cross join lateral (select state from entity where workspace_id = $1 and id = t.requirement_id offset 0) e
    where t.workspace_id = $1 and t.item_id = i.id and t.ordered <> t.received and r.project_id is distinct from $3
      and e.state <> 'Cancelled') o
  where p.available is not null`;

const sortKeys: Record<ShortageQuery['sort'], string> = {
  structure: 'i.place',
  number: 'e.number',
  name: 'e.name',
  supplier: 'u.name',
  shortageQty: 'i.short',
};

/**
 * Positions of the items that match, from 1, in their order. $1 workspace, $2 item[], $3 how much each is short,
 * float8[], $4 a text or null, $5 a number or null.
 */
export function selectMatchingItems({ sort, order }: Pick<ShortageQuery, 'sort' | 'order'>): string {
  const key = sortKeys[sort];
  return `
    select i.place::integer as place
    from unnest($2::uuid[], $3::float8[]) with ordinality as i (id, short, place)
    cross join lateral (select number, name from entity where workspace_id = $1 and id = i.id offset 0) e
    ${sort === 'supplier' ? `left join lateral (${supplierOf('i.id')}) u on true` : ''}
    where ($4::text is null or ${hasWords('$4', 'e')}) and ($5::text is null or e.number = $5)
    order by ${key} is null, ${key} ${order}, i.place`;
}
