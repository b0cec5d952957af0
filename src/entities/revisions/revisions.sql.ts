/** SQL of an entity's revisions: the current one lies in `entity`, the superseded ones in `entity_revision`. */
import { keptRevision, newestReleased } from '../structure/configured-uses.sql.ts';

const columns = (table: string, id: string, since: string, by: string) => `
  select revision_number, version_id, guid, number, name, category, state, properties,
         encode(picture, 'hex') as picture, ${since} as created_at,
         ${by} as created_by
  from ${table} where workspace_id = $1 and ${id} = $2`;
const current = columns('entity', 'id', 'revised_at', 'revised_by');
const superseded = columns('entity_revision', 'entity_id', 'created_at', 'created_by');

const shown = (revisions: string) => `
  select r.*, coalesce(a.type, 'system') as actor_type, coalesce(a.name, '') as actor_name,
         coalesce((
           select l.states @> jsonb_build_array(jsonb_build_object('name', r.state, 'released', true))
           from category c join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
           where c.workspace_id = $1 and c.key = r.category), false) as released
  from (${revisions}) as r
  left join actor a on a.workspace_id = $1 and a.id = r.created_by
  order by r.revision_number desc`;

/** Newest first. $1 workspace, $2 entity, $3 revision number to go on below or null, $4 rows. */
export const selectRevisions = shown(`
  (${current} and ($3::int is null or revision_number < $3))
  union all
  (${superseded} and ($3::int is null or revision_number < $3) order by revision_number desc limit $4)
  order by revision_number desc limit $4`);

/** $1 workspace, $2 entity, $3 revision numbers. */
export const selectSomeRevisions = shown(`
  ${current} and revision_number = any($3::int[]) union all ${superseded} and revision_number = any($3::int[])`);

const linksOf = (revision: string) => `
  select l.*, p.child_revision as revision, p.child_number as number, p.child_name as name from (
  select child_id, quantity, line from entity_revision_link
  where workspace_id = $1 and entity_id = $2 and revision_number = ${revision}
  union all
  select child_id, quantity, line from entity_link
  where workspace_id = $1 and parent_id = $2
    and ${revision} = (select revision_number from entity where workspace_id = $1 and id = $2)) as l
  left join lateral (
    select child_revision, child_number, child_name from released_link
    where $6::text = 'asReleased' and workspace_id = $1 and entity_id = $2 and revision_number = ${revision}
      and child_id = l.child_id offset 0) as p on true`;

/**
 * Selects differences in the structure of two revisions: null is no link. $1 workspace, $2 entity, $3 and $4
 * revision numbers, $5 rows, $6 configuration, $7 and $8 categories and states in which entities are released.
 */
export const compareStructures = `
  select d.id, d.before, d.after, d.line_before, d.line_after, d.revision_before, d.revision_after,
         case when d.pinned_name is not null then d.pinned_number when k.name is not null then k.number else e.number end as number,
         coalesce(d.pinned_name, k.name, e.name) as name
  from (
    select coalesce(a.child_id, b.child_id) as id, a.quantity as before, b.quantity as after,
           a.line as line_before, b.line as line_after, a.revision as revision_before, b.revision as revision_after,
           case when b.name is not null then b.number else a.number end as pinned_number,
           coalesce(b.name, a.name) as pinned_name
    from (${linksOf('$3::int')}) as a
    full join (${linksOf('$4::int')}) as b on b.child_id = a.child_id
    where a.quantity is distinct from b.quantity or a.line is distinct from b.line or a.revision is distinct from b.revision
    order by 1 limit $5) as d
  cross join lateral (select * from entity where workspace_id = $1 and id = d.id offset 0) as e
  cross join lateral (
    select case when $6 = 'latestReleased' then ${newestReleased('e', { categories: '$7', states: '$8' })} end as revision_number
    offset 0) as w
  ${keptRevision('w.revision_number')}
  order by d.id`;
