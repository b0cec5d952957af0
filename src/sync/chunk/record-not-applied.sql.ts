/** Reads what a batch that has not been applied has written. */

/** The batch with the counts of its chunks. $1 workspace, $2 batch. */
export const selectWritten = `
  select b.dry_run, b.profile_name, c.created, c.updated, c.error from sync_batch b
  cross join lateral (
    select coalesce(sum(created), 0)::int as created, coalesce(sum(updated), 0)::int as updated,
           coalesce(sum(error), 0)::int as error
    from sync_chunk where workspace_id = $1 and batch_id = $2) c
  where b.workspace_id = $1 and b.id = $2`;
