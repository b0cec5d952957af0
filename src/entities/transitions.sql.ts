/** The history of transitions: append-only by privilege. */
import { isOfCaller } from '../audit/callers.sql.ts';

/** $1 workspace, $2 entity, $3 id, $4 version, $5 revision number, $6 from, $7 to, $8 note, $9 actor. */
export const insertTransition = `
  insert into entity_transition (workspace_id, entity_id, id, version_id, revision_number, from_state, to_state,
                                 note, actor_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/**
 * Records the revisions of the children of a revision that is released, once, and selects the first children that are not released, with
 * their number. $1 workspace, $2 entity, $3 revision number, $4 and $5 categories and states in which entities are released, side by
 * side, $6 rows.
 */
export const pinChildren = `
  with child as materialized (
    select l.child_id as id, c.number, c.name, c.state, c.category, c.revision_number
    from entity_link l
    cross join lateral (
      select number, name, state, category, revision_number from entity
      where workspace_id = $1 and id = l.child_id offset 0) c
    where l.workspace_id = $1 and l.parent_id = $2
  ), pinned as (
    insert into released_link (workspace_id, entity_id, revision_number, child_id, child_revision, child_number, child_name)
    select $1, $2, $3, id, revision_number, number, name from child order by id
    on conflict do nothing
  )
  select id, number, name, state, (count(*) over ())::int as count from child
  where (category, state) not in (select * from unnest($4::text[], $5::text[]))
  order by number, id limit $6`;

/**
 * Newest first: ids are UUIDv7. A page looks at a bounded number of transitions. $1 workspace, $2 entity, $3 id to go on below or null,
 * $4 rows, $5 how many are looked at, $6 caller or null, a member with its keys.
 */
export const selectTransitions = `
  select t.id, t.version_id, t.revision_number, t.from_state, t.to_state, t.note, t.recorded_at, t.actor_id,
         coalesce(a.type, 'system') as actor_type, coalesce(a.name, '') as actor_name
  from (
    select * from entity_transition
    where workspace_id = $1 and entity_id = $2 and ($3::uuid is null or id < $3)
    order by id desc limit $5) as t
  left join actor a on a.workspace_id = $1 and a.id = t.actor_id
  where $6::uuid is null or ${isOfCaller({ id: 't.id', actorId: 't.actor_id' }, '$6::uuid')}
  order by t.id desc limit $4`;

/** The last transition that a page looks at, where there may be more behind it. $1 workspace, $2 entity, $3 as above, $4 how many. */
export const selectTransitionsEnd = `
  select id from entity_transition
  where workspace_id = $1 and entity_id = $2 and ($3::uuid is null or id < $3)
  order by id desc offset $4 - 1 limit 1`;

/** Tells whether an entity was ever moved to one of these states. $1 workspace, $2 entity, $3 states. */
export const wasReleased = `
  select exists (
    select from entity_transition where workspace_id = $1 and entity_id = $2 and to_state = any ($3::text[])) as released`;
