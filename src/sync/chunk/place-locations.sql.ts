/** SQL that gives locations of a batch their places in the tree. The structure lock is held. */
import { expectedOnce } from '../../entities/revise-entities.sql.ts';

/** Entities by GUID, with what decides whether they may be placed. $1 workspace, $2 guid[]. */
export const selectPlaceable = `
  select g.guid, e.id, e.parent_location_id, c.role in ('location', 'itemAndLocation') as is_location, e.category
  from unnest($2::uuid[]) as g (guid)
  cross join lateral (
    select id, category, parent_location_id from entity where workspace_id = $1 and guid = g.guid limit 1) e
  join category c on c.workspace_id = $1 and c.key = e.category`;

/**
 * Places them, with an entry in the audit trail for each that was there before: a place is no part of a revision, whose history would
 * tell of it. Rows are locked in the order of the array. $1 workspace, $2 id[] ascending, $3 parent id[], with null for none,
 * $4 whether it was there, boolean[], $5 actor.
 */
export const placeEntities = `
  with placed as (
    select r.ctid as place, g.id, g.parent, g.was_there, r.parent_location_id as before
    from unnest($2::uuid[], $3::uuid[], $4::boolean[]) as g (id, parent, was_there)
    cross join lateral (
      select ctid, parent_location_id from entity where workspace_id = $1 and id = g.id limit 1 for no key update) as r
    where ${expectedOnce}
    offset 0
  ), moved as (
    update entity e set parent_location_id = p.parent, version = e.version + 1, updated_at = now()
    from placed p where e.workspace_id = $1 and e.ctid = p.place
    returning e.id, e.version_id, e.guid, e.number, e.category
  ), told as (
    insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key, before, after)
    select $1, uuidv7(), $5, 'update', 'entity', id::text,
           jsonb_build_object('parentLocation', before), jsonb_build_object('parentLocation', parent)
    from placed where was_there
  )
  select id, version_id as "versionId", guid, number, category from moved`;

/** $1 workspace, $2 batch, $3 chunk, $4 places. */
export const savePlaces = `
  update sync_chunk set places = $4 where workspace_id = $1 and batch_id = $2 and ordinal = $3`;

/** The chunks that place locations, when none is left to be written; those that a cancelled batch has written. $1 workspace, $2 batch. */
export const selectPlaces = `
  select c.ordinal, c.places, b.submitted_by, b.dry_run
  from sync_batch b
  join sync_chunk c on c.workspace_id = $1 and c.batch_id = $2 and c.phase = 'done' and c.places is not null
  where b.workspace_id = $1 and b.id = $2 and b.status = 'processing'
    and not exists (
      select from sync_chunk
      where workspace_id = $1 and batch_id = $2
        and (phase = 'link' or phase in ('plan', 'write') and not b.cancelling))
  order by c.ordinal`;

/** $1 workspace, $2 batch, $3 chunk, $4 updated, $5 skipped, $6 warnings. */
export const countSettled = `
  update sync_chunk set updated = $4, skipped = $5, warnings = $6
  where workspace_id = $1 and batch_id = $2 and ordinal = $3`;
