/**
 * SQL of structures in a configuration other than the current one. `$5` and `$6` are categories and states, side by side, in which
 * entities are released. LATERAL with OFFSET 0 keeps each look-up a probe, as in uses.sql.ts.
 */

const FIRST = '00000000-0000-0000-0000-000000000000';

const isReleased = (row: string, pairs: { categories: string; states: string }) =>
  `(${row}.category, ${row}.state) in (select * from unnest(${pairs.categories}::text[], ${pairs.states}::text[]))`;

/**
 * Kept revisions of an entity, the newest first. The range in place of an equality leaves the planner no way but the primary key, backwards:
 * with equality it may sort all revisions, of which an entity can have a hundred thousand.
 */
const newestFirst = (e: string, condition: string) => `
    where r.workspace_id = $1 and (r.entity_id, r.revision_number) <= (${e}.id, 2147483647) and r.entity_id >= ${e}.id
      and ${condition}
    order by r.entity_id desc, r.revision_number desc limit 1`;

/** The number of the newest released revision of an entity, whose current row is `e`; null if it was never released. */
export const newestReleased = (e: string, pairs: { categories: string; states: string }) => `
  case when ${isReleased(e, pairs)} then ${e}.revision_number else (
    select r.revision_number from entity_revision r ${newestFirst(e, isReleased('r', pairs))}) end`;

/** $1 workspace, $2 entity, $3 and $4 categories and states. */
export const selectNewestReleased = `
  select ${newestReleased('e', { categories: '$3', states: '$4' })} as revision_number
  from entity e where e.workspace_id = $1 and e.id = $2`;

const pairs = { categories: '$7', states: '$8' };

interface Place {
  /** SQL of the id and the revision number of the parent. */
  parent: string;
  revision: string;
  /** SQL of the configuration. */
  configuration: string;
}

/** The current row `e` of a child `l.child_id`, and the revision `p` of it with which the parent was released. */
export const childOf = ({ parent, revision, configuration }: Place) => `
  cross join lateral (select * from entity where workspace_id = $1 and id = l.child_id offset 0) as e
  left join lateral (
    select child_revision, child_number, child_name from released_link
    where ${configuration}::text = 'asReleased' and workspace_id = $1 and entity_id = ${parent}
      and revision_number = ${revision} and child_id = l.child_id offset 0) as p on true`;

/** The kept revision `k` of `e`; no row if the revision is the current one. */
export const keptRevision = (revision: string) => `
  left join lateral (
    select number, name, category, state, picture from entity_revision
    where workspace_id = $1 and entity_id = e.id and revision_number = ${revision}
      and ${revision} <> e.revision_number offset 0) as k on true`;

/** The identity and the state of `e` as `p` or `k` has them. */
export const configuredFields = `
  case when p.child_revision is not null then p.child_number when k.name is not null then k.number else e.number end as number,
  coalesce(p.child_name, k.name, e.name) as name, coalesce(k.category, e.category) as category,
  coalesce(k.state, e.state) as state, e.archived_at is not null as is_archived,
  encode(case when k.name is not null then k.picture else e.picture end, 'hex') as picture`;

/** Whether the revision of `e` has children. */
export const hasConfiguredChildren = (revision: string) => `
  case when ${revision} = e.revision_number
    then exists (select from entity_link where workspace_id = $1 and parent_id = e.id offset 0)
    else exists (
      select from entity_revision_link
      where workspace_id = $1 and entity_id = e.id and revision_number = ${revision} offset 0) end as has_children`;

/**
 * Children of one revision in a configuration. $1 workspace, $2 parent id, $3 child id to go on after or null, $4 rows, $5 revision
 * number, $6 configuration, $7 and $8 categories and states.
 */
export const selectConfiguredUses = `
  select l.child_id as id, l.quantity, l.line, ${configuredFields}, n.revision_number,
         case when w.revision_number is not null then $6 when $6 = 'asReleased' then 'unknown' else 'current' end as revision_source,
         ${hasConfiguredChildren('n.revision_number')}, true as has_parents
  from (
    select * from (
      (select child_id, quantity, line from entity_revision_link
       where workspace_id = $1 and entity_id = $2 and (revision_number, child_id) > ($5, coalesce($3::uuid, '${FIRST}'))
         and revision_number <= $5
       order by revision_number, child_id limit $4)
      union all
      (select child_id, quantity, line from entity_link
       where workspace_id = $1 and (parent_id, child_id) > ($2, coalesce($3::uuid, '${FIRST}')) and parent_id <= $2
         and $5 = (select revision_number from entity where workspace_id = $1 and id = $2)
       order by parent_id, child_id limit $4)) as either
    order by child_id limit $4) as l
  ${childOf({ parent: '$2', revision: '$5', configuration: '$6' })}
  cross join lateral (
    select case when $6 = 'latestReleased' then ${newestReleased('e', pairs)} else p.child_revision end as revision_number
    offset 0) as w
  cross join lateral (select coalesce(w.revision_number, e.revision_number) as revision_number offset 0) as n
  ${keptRevision('n.revision_number')}
  order by l.child_id`;

/** The next parent behind `after`, by a current or a kept link: two probes. */
const nextParent = (after: string, op: '>' | '>=') => `
  least(
    (select parent_id from entity_link
     where workspace_id = $1 and (child_id, parent_id) ${op} ($2, ${after}) and child_id <= $2
     order by child_id, parent_id limit 1),
    (select entity_id from entity_revision_link
     where workspace_id = $1 and (child_id, entity_id) ${op} ($2, ${after}) and child_id <= $2
     order by child_id, entity_id limit 1))`;

const ofRevision = `
      select l.quantity, l.line, r.number, r.name, r.category, r.state, r.revision_number, r.picture`;

/**
 * Parents whose newest released revision contains the entity, and with $6 also their current revisions: parent by parent however many
 * revisions each has. The statement relies on the order of the recursion, so that LIMIT ends it. $1 workspace, $2 child id, $3 parent
 * and $4 revision number to go on after, $5 rows, $6 whether current revisions count, $7 and $8 categories and states, $9 `Archived`.
 */
export const selectReleasedWhereUsed = `
  with recursive parent (id) as (
    select ${nextParent('$3::uuid', '>=')}
    union all
    select ${nextParent('p.id', '>')} from parent p where p.id is not null
  )
  select p.id, u.quantity, u.line, u.number, u.name, u.category, u.state, u.revision_number,
         e.archived_at is not null as is_archived, encode(u.picture, 'hex') as picture, true as has_children,
         exists (select from entity_link where workspace_id = $1 and child_id = p.id offset 0) as has_parents
  from parent p
  cross join lateral (select * from entity where workspace_id = $1 and id = p.id offset 0) as e
  cross join lateral (select ${newestReleased('e', pairs)} as revision_number offset 0) as n
  cross join lateral (
    (${ofRevision}
      from entity_link l cross join lateral (select e.number, e.name, e.category, e.state, e.revision_number, e.picture) as r
      where l.workspace_id = $1 and l.parent_id = p.id and l.child_id = $2
        and ($6::boolean or n.revision_number = e.revision_number))
    union all
    (${ofRevision}
      from entity_revision_link l
      join entity_revision r on r.workspace_id = $1 and r.entity_id = p.id and r.revision_number = l.revision_number
      where l.workspace_id = $1 and l.entity_id = p.id and l.revision_number = n.revision_number and l.child_id = $2)
    order by revision_number desc offset 0) as u
  where p.id is not null and (p.id > $3 or u.revision_number < $4)
    and ($9::text = 'true' or (e.archived_at is not null) = ($9 = 'only'))
  limit $5`;

/**
 * The parents of these entities by their newest released revisions, packed as in tree.sql.ts; with $4 also by their current ones, whose
 * quantity then counts. A star stands behind links that only an earlier, released revision of the parent has. $1 workspace, $2 child id[], $3 links at most, $4 whether current revisions count, $5 and $6 categories and states.
 */
export const selectReleasedParents = `
  select child_id, count(*)::int as links,
         string_agg(parent_id || ' ' || quantity || case when is_kept then '*' else '' end, ',' order by parent_id) as parents
  from (
    select c.id as child_id, p.id as parent_id, coalesce(l.quantity, k.quantity) as quantity, l.quantity is null as is_kept
    from unnest($2::uuid[]) as c (id)
    cross join lateral (
      select parent_id as id from entity_link
      where workspace_id = $1 and (child_id, parent_id) > (c.id, '${FIRST}') and child_id <= c.id
      union
      select entity_id from entity_revision_link
      where workspace_id = $1 and (child_id, entity_id) > (c.id, '${FIRST}') and child_id <= c.id offset 0) as p
    cross join lateral (select * from entity where workspace_id = $1 and id = p.id offset 0) as e
    cross join lateral (
      select ${newestReleased('e', { categories: '$5', states: '$6' })} as revision_number offset 0) as n
    left join lateral (
      select quantity from entity_link
      where workspace_id = $1 and parent_id = p.id and child_id = c.id
        and ($4::boolean or n.revision_number = e.revision_number) offset 0) as l on true
    left join lateral (
      select quantity from entity_revision_link
      where workspace_id = $1 and entity_id = p.id and revision_number = n.revision_number and child_id = c.id
        and n.revision_number <> e.revision_number offset 0) as k on true
    where l.quantity is not null or k.quantity is not null
    limit $3) as link
  group by child_id order by child_id`;

/** Reads assemblies as their newest released revisions are. $1 workspace, $2 id[], $3 and $4 categories and states. */
export const selectReleasedAssemblies = `
  select e.id, coalesce(k.number, case when k.name is null then e.number end) as number, coalesce(k.name, e.name) as name,
         coalesce(k.category, e.category) as category, coalesce(k.state, e.state) as state, w.revision_number,
         e.archived_at is not null as is_archived,
         encode(case when k.name is not null then k.picture else e.picture end, 'hex') as picture
  from unnest($2::uuid[]) as i (id)
  cross join lateral (select * from entity where workspace_id = $1 and id = i.id offset 0) as e
  cross join lateral (
    select ${newestReleased('e', { categories: '$3', states: '$4' })} as revision_number offset 0) as w
  ${keptRevision('w.revision_number')}
  where w.revision_number is not null`;
