/**
 * SQL of the tree in a configuration other than the current one. A node is an entity in one of its revisions (`nodeOf` in
 * packed-links.ts), so that two revisions of one part can stand in one tree.
 */
import {
  childOf,
  configuredFields,
  hasConfiguredChildren,
  keptRevision,
  newestReleased,
} from './configured-uses.sql.ts';
import { linesOfLinks } from './tree.sql.ts';

/** Links of a revision, current or kept. `now` is SQL of the number of the current revision. */
const linksOfRevision = (
  columns: string,
  { id, revision, now }: Record<'id' | 'revision' | 'now', string>,
) => `
      select ${columns} from entity_revision_link
      where workspace_id = $1 and entity_id = ${id} and revision_number = ${revision}
      union all
      select ${columns} from entity_link where workspace_id = $1 and parent_id = ${id} and ${revision} = ${now}`;

const currentRevision = (id: string) => `
    cross join lateral (
      select revision_number from entity where workspace_id = $1 and id = ${id} offset 0) as now`;

/**
 * The children of these revisions, packed as by selectChildren in tree.sql.ts, with the node behind the quantity. $1 workspace, $2 parent
 * id[], $3 links at most, $4 revision number[], $5 node[] side by side, $6 configuration, $7 and $8 categories and states in which
 * entities are released.
 */
export const selectConfiguredChildren = `
  select node as parent_id, count(*)::int as links,
         string_agg(child_id || ' ' || quantity || '/' || child_node || case when has_line then '*' else '' end, ',' order by child_id)
           as children
  from (
    select i.node, l.child_id, l.quantity, l.has_line,
           case when w.revision_number is not null then w.revision_number || 'r'
             else e.revision_number || case $6 when 'asReleased' then 'u' else 'c' end end as child_node
    from unnest($2::uuid[], $4::int[], $5::text[]) as i (id, revision, node)
    ${currentRevision('i.id')}
    cross join lateral (${linksOfRevision('child_id, quantity, line is not null as has_line', {
      id: 'i.id',
      revision: 'i.revision',
      now: 'now.revision_number',
    })} offset 0) as l
    ${childOf({ parent: 'i.id', revision: 'i.revision', configuration: '$6' })}
    cross join lateral (
      select case when $6 = 'latestReleased' then ${newestReleased('e', { categories: '$7', states: '$8' })}
        else p.child_revision end as revision_number offset 0) as w
    limit $3) as link
  group by node`;

/**
 * Selects the fields that the tree shows of each occurrence, in their order. $1 workspace, $2 id[], $3 revision number[], $4 parent id[]
 * and $5 its revision number[], null for the root, $6 configuration.
 */
export const selectConfiguredEntities = `
  select e.id, ${configuredFields}, l.revision as revision_number, ${hasConfiguredChildren('l.revision')}
  from unnest($2::uuid[], $3::int[], $4::uuid[], $5::int[]) with ordinality
    as l (child_id, revision, parent_id, parent_revision, place)
  ${childOf({ parent: 'l.parent_id', revision: 'l.parent_revision', configuration: '$6' })}
  ${keptRevision('l.revision')}
  order by l.place`;

/** Reads lines as selectLines in tree.sql.ts does, but of links of revisions. $5 revision number[] of the parents. */
export const selectConfiguredLines = linesOfLinks(
  '$2::uuid[], $3::uuid[], $5::int[]',
  'parent_id, child_id, revision, place',
  `select line from entity_revision_link
      where workspace_id = $1 and entity_id = i.parent_id and revision_number = i.revision and child_id = i.child_id and line is not null
      union all
      select line from entity_link
      where workspace_id = $1 and parent_id = i.parent_id and child_id = i.child_id and line is not null
        and i.revision = (select revision_number from entity where workspace_id = $1 and id = i.parent_id)`,
);
