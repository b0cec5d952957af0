/** SQL that reads batches and their results. */
import { canFit } from '../chunk/save-results.sql.ts';

/** Counts are summed over the chunks while a batch is under way, and stored when it completes. */
const columns = `
  b.id, b.status, b.profile_name, b.dry_run, b.submitted_at, b.started_at, b.finished_at, b.element_count,
  b.failure, b.commit_of, b.resend_of, b.structure_mode, b.results_kept, b.cancellation, a.type as actor_type, a.id as actor_id, a.name as actor_name,
  coalesce(b.counts, (
    select jsonb_build_object('created', coalesce(sum(c.created), 0), 'updated', coalesce(sum(c.updated), 0),
      'skipped', coalesce(sum(c.skipped), 0), 'error', coalesce(sum(c.error), 0),
      'warnings', coalesce(sum(c.warnings), 0))
    from sync_chunk c where c.workspace_id = b.workspace_id and c.batch_id = b.id)) as counts`;

/** $1 workspace, $2 batch. */
export const selectBatch = `
  select ${columns}
  from sync_batch b left join actor a on a.workspace_id = b.workspace_id and a.id = b.submitted_by
  where b.workspace_id = $1 and b.id = $2 and b.status <> 'receiving'`;

/** Several, of any workspaces: for the instance. $1 workspace[], $2 batch[] beside it. */
export const selectFollowed = `
  select ${columns}
  from unnest($1::uuid[], $2::uuid[]) as w (workspace_id, id)
  join sync_batch b using (workspace_id, id)
  left join actor a on a.workspace_id = b.workspace_id and a.id = b.submitted_by
  where b.status <> 'receiving'`;

/** Newest first, by id (UUIDv7). $1 workspace, $2 status or null, $3 profile or null, $4 before id or null, $5 limit, $6 dry runs, or null. */
export const selectBatches = `
  select ${columns}
  from sync_batch b left join actor a on a.workspace_id = b.workspace_id and a.id = b.submitted_by
  where b.workspace_id = $1 and b.status <> 'receiving' and ($2::text is null or b.status = $2)
    and ($3::text is null or b.profile_name = $3) and ($4::uuid is null or b.id < $4)
    and ($6::boolean is null or b.dry_run = $6)
  order by b.id desc limit $5`;

/**
 * The portions of the next range that can have results of that kind (null: any) with these facts, at or behind a range, and
 * whether there is another one behind it. $1 workspace, $2 batch, $3 kind, $4 facts[], $5 from range.
 */
export const selectNextPortions = `
  with next as materialized (
    select distinct r.range from sync_result r
    where r.workspace_id = $1 and r.batch_id = $2 and r.range >= $5 and ${canFit('$3', '$4')}
    order by r.range limit 2)
  select r.range, r.results, (select count(*) > 1 from next) as more
  from sync_result r
  where r.workspace_id = $1 and r.batch_id = $2 and r.range = (select min(range) from next) and ${canFit('$3', '$4')}`;

/**
 * The first range's portions of a batch that has no more elements than that, and whether its results are kept: in one statement, since
 * what is no longer kept is deleted a piece at a time. One row without results where there are none. $1 workspace, $2 batch, $3 elements.
 */
export const selectFewPortions = `
  select b.results_kept as kept, r.results from sync_batch b
  left join sync_result r on b.results_kept and r.workspace_id = $1 and r.batch_id = $2 and r.range = 0
  where b.workspace_id = $1 and b.id = $2 and b.element_count <= $3`;

/** Finds those of these batches that have ended. $1 workspace[], $2 batch[] beside it. */
export const selectEnded = `
  select b.id from unnest($1::uuid[], $2::uuid[]) as w (workspace_id, id)
  join sync_batch b using (workspace_id, id)
  where b.status in ('completed', 'cancelled', 'failed')`;

/** $1 workspace, $2 batch, $3 chunk to go on after, $4 rows. A range of the primary key. */
export const selectDigests = `
  select chunk, digest from sync_digest
  where workspace_id = $1 and batch_id = $2 and chunk > $3 order by chunk limit $4`;
