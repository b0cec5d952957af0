/** Bulk edits and their results as they are stored. All statements of a workspace take it as $1. */

const shown = `id, status, dry_run, filter, change, source_id, source_use, reason, expected, changed, unchanged, refused, failure,
  actor_type, actor_id, actor_name, created_at::text, started_at::text, finished_at::text`;

/** Filters name up to a thousand entities, and changes have long texts: pages are bounded by their bytes. */
export const longColumns = ['weight'] as const;

/** The newest first. $2 id to go on below or null, $3 rows. */
export const selectBulkEdits = `
  select ${shown}, filter::text || change::text as weight from bulk_edit
  where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`;

/** $2 id. */
export const selectBulkEdit = `select ${shown} from bulk_edit where workspace_id = $1 and id = $2`;

/** Waits for the step that is under way. $2 id. */
export const lockBulkEdit = `${selectBulkEdit} for update`;

/** Lets one caller at a time accept bulk edits, so that their number stays within its limit. The count is a statement behind it. */
export const lockUnfinished = `
  select pg_advisory_xact_lock(hashtextextended('unfinished bulk edits of:' || $1::uuid::text, 0))`;

export const countUnfinished = `
  select count(*)::int as count from bulk_edit where workspace_id = $1 and finished_at is null`;

/** $2 id, $3 dry run, $4 filter, $5 change, $6 source, $7 its use, $8 reason, $9 expected, $10 to $12 the actor. */
export const insertBulkEdit = `
  insert into bulk_edit (workspace_id, id, dry_run, filter, change, source_id, source_use, reason, expected,
                         actor_type, actor_id, actor_name)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${shown}`;

/** $2 id, $3 status, $4 failure or null. */
export const endBulkEdit = `
  update bulk_edit set status = $3, failure = $4, finished_at = clock_timestamp()
  where workspace_id = $1 and id = $2 and finished_at is null returning ${shown}`;

/** The first in line of each workspace that does not rest; of the whole instance. $1 rows. */
export const selectFirstInLine = `
  select distinct on (workspace_id) workspace_id, id from bulk_edit b
  where finished_at is null and exists (select from workspace w where w.id = b.workspace_id and w.state = 'active')
  order by workspace_id, id limit $1`;

/** $2 id. */
export const selectStep = `
  select ${shown}, place::text from bulk_edit where workspace_id = $1 and id = $2 and finished_at is null`;

/**
 * Claims a step: no row if another worker has it, or if it was taken meanwhile. The row is locked before all others. $2 id, $3 the place
 * where the step begins.
 */
export const claimStep = `
  select from bulk_edit
  where workspace_id = $1 and id = $2 and finished_at is null and place::text is not distinct from $3
  for update skip locked`;

/** $2 id, $3 place, $4 changed, $5 unchanged, $6 refused, $7 whether it is the last step. */
export const noteStep = `
  update bulk_edit
  set place = $3, changed = changed + $4, unchanged = unchanged + $5, refused = refused + $6, attempts = 0,
      started_at = coalesce(started_at, clock_timestamp()), status = case when $7 then 'completed' else 'running' end,
      finished_at = case when $7 then clock_timestamp() end
  where workspace_id = $1 and id = $2`;

/** $2 id. */
export const countAttempt = `
  update bulk_edit set attempts = attempts + 1
  where workspace_id = $1 and id = $2 and finished_at is null returning attempts`;

/** $2 bulk edit; the results side by side: $3 entities, $4 results, $5 changes, $6 codes, $7 messages. */
export const insertResults = `
  insert into bulk_edit_result (workspace_id, bulk_edit_id, entity_id, result, changes, code, message)
  select $1, $2, r.entity_id, r.result, r.changes::json, r.code, r.message
  from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[]) as r (entity_id, result, changes, code, message)`;

/** Differences of another bulk edit. $2 bulk edit, $3 entity to go on behind or null, $4 rows. */
export const selectChanges = `
  select entity_id, changes from bulk_edit_result
  where workspace_id = $1 and bulk_edit_id = $2 and ($3::uuid is null or entity_id > $3) and result = 'changed'
  order by entity_id limit $4`;

/** $2 bulk edit, $3 result or null, $4 entity to go on behind or null, $5 rows. */
export const selectResults = `
  select r.entity_id, e.number, e.name, r.result, r.changes::text as changes, r.code, r.message
  from (
    select * from bulk_edit_result
    where workspace_id = $1 and bulk_edit_id = $2 and ($3::text is null or result = $3)
      and ($4::uuid is null or entity_id > $4)
    order by entity_id limit $5) as r
  cross join lateral (select number, name from entity where workspace_id = $1 and id = r.entity_id offset 0) as e
  order by r.entity_id`;

/** GUIDs by which a sync orders its locks. $2 id[]. */
export const selectGuids = 'select id, guid from entity where workspace_id = $1 and id = any ($2::uuid[])';

/** Reads the values that a change is compared with; the rows are locked. $2 id[]. */
export const selectBefore = `
  select id, category, state, revision_number, properties from entity where workspace_id = $1 and id = any ($2::uuid[])`;

/** Results stay while another bulk edit applies or undoes them. Of the whole instance. $1 days, $2 rows. */
export const pruneBulkEditResults = `
  delete from bulk_edit_result d using (
    select r.* from bulk_edit b
    cross join lateral (
      select workspace_id, bulk_edit_id, entity_id from bulk_edit_result
      where workspace_id = b.workspace_id and bulk_edit_id = b.id limit $2) as r
    where b.finished_at < now() - make_interval(days => $1) and not exists (
      select from bulk_edit u where u.workspace_id = b.workspace_id and u.finished_at is null and u.source_id = b.id)
    limit $2) as o
  where d.workspace_id = o.workspace_id and d.bulk_edit_id = o.bulk_edit_id and d.entity_id = o.entity_id
  returning 1`;

/** Deletes old bulk edits of the whole instance that have no results left. $1 days, $2 rows. */
export const pruneBulkEdits = `
  delete from bulk_edit d using (
    select workspace_id, id from bulk_edit b
    where finished_at < now() - make_interval(days => $1) and not exists (
      select from bulk_edit_result where workspace_id = b.workspace_id and bulk_edit_id = b.id)
    limit $2) as o
  where d.workspace_id = o.workspace_id and d.id = o.id
  returning 1`;
