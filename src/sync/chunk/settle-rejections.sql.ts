/** SQL that settles what was rejected (see settle-rejections.ts). */

/** A resend of a resend, and so on, goes back no further than this. */
const SOURCES_MAX = 100;

/** The batches whose elements this one sends again, the nearest first. A dry run brings nothing in. $1 workspace, $2 batch. */
export const selectSources = `
  with recursive source as (
    select resend_of as id, 1 as depth from sync_batch where workspace_id = $1 and id = $2 and not dry_run
    union all
    select b.resend_of, s.depth + 1 from source s join sync_batch b on b.workspace_id = $1 and b.id = s.id
    where s.depth < ${SOURCES_MAX}
  )
  select id from source where id is not null order by depth`;

/** $1 workspace, $2 batch. */
export const selectRejectedRanges = `
  select distinct range from sync_result where workspace_id = $1 and batch_id = $2 and error > 0 order by range`;

/** $1 workspace, $2 batch, $3 range. */
export const selectRejections = `
  select chunk, results from sync_result
  where workspace_id = $1 and batch_id = $2 and range = $3 and error > 0 order by chunk`;

/** $1 workspace, $2 batch, $3 range. */
export const selectAccepted = `
  select chunk, results from sync_result
  where workspace_id = $1 and batch_id = $2 and range = $3 and created + updated + skipped > 0 order by chunk`;

/** $1 workspace, $2 batch, $3 range, $4 chunk, $5 results. */
export const updateResults = `
  update sync_result set results = $5 where workspace_id = $1 and batch_id = $2 and range = $3 and chunk = $4`;

/** $1 workspace, $2 batch, $3 elements, $4 digest of their problems. */
export const saveStillRejected = `
  update sync_batch set still_rejected = $3, open_problems = $4 where workspace_id = $1 and id = $2`;
