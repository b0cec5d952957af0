/** SQL that finds what was sent to a batch by what became of it. */
import { canFit, RANGE_INDEXES } from '../chunk/save-results.sql.ts';

/** $1 workspace, $2 batch. */
export const selectSource = `
  select payload_kept from sync_batch
  where workspace_id = $1 and id = $2 and status <> 'receiving'`;

/** Whether it is all still there; retention waits until the transaction has ended. $1 workspace, $2 batch. */
export const keepSource = `
  select payload_kept and results_kept as kept from sync_batch where workspace_id = $1 and id = $2 for key share`;

/** The next range with results that can fit. $1 workspace, $2 batch, $3 kind, $4 facts[], $5 from range. */
export const selectNextRange = `
  select min(r.range) as range from sync_result r
  where r.workspace_id = $1 and r.batch_id = $2 and r.range >= $5 and ${canFit('$3', '$4')}`;

/** $1 workspace, $2 batch, $3 chunk[]. */
export const selectPlaces = `
  select ordinal, coalesce(bucket, ordinal) as bucket, slot_from, slot_to from sync_chunk
  where workspace_id = $1 and batch_id = $2 and ordinal = any($3::integer[])`;

/**
 * Buckets behind one, in order, with those of their chunks in which anything can fit.
 * $1 workspace, $2 batch, $3 kind, $4 facts[], $5 behind this bucket, $6 buckets at most.
 */
export const selectBuckets = `
  select coalesce(c.bucket, c.ordinal) as bucket, array_agg(c.ordinal order by c.ordinal) as chunks
  from sync_chunk c
  where c.workspace_id = $1 and c.batch_id = $2 and coalesce(c.bucket, c.ordinal) > $5
    and exists (
      select from sync_result r
      where r.workspace_id = $1 and r.batch_id = $2 and r.chunk = c.ordinal
        and r.range between c.first_index / ${RANGE_INDEXES} and c.last_index / ${RANGE_INDEXES}
        and ${canFit('$3', '$4')})
  group by 1 order by 1 limit $6`;
