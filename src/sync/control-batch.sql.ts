/** SQL of what administrators do with batches. */

/** Locks the batch. $1 workspace, $2 batch. */
export const lockBatch = `
  select status, dry_run, payload_kept from sync_batch
  where workspace_id = $1 and id = $2 and status <> 'receiving' for update`;

/** $1 workspace, $2 batch. */
export const cancelBatch = `
  update sync_batch set status = 'cancelled', finished_at = now(), progressed_at = now()
  where workspace_id = $1 and id = $2`;

/** Back to the end of the line: batches that were accepted meanwhile may be under way. $1 workspace, $2 batch. */
export const requeueBatch = `
  update sync_batch
  set status = 'queued', failure = null, finished_at = null, progressed_at = now(), phase = 'plan', attempts = 0,
      accepted_order = nextval('sync_batch_accepted')
  where workspace_id = $1 and id = $2`;

/**
 * What is applied stays applied: a chunk that is written keeps its plan and is still to be linked, one that is done
 * is left out of the new plan. The others are planned again, because the world has moved on. $1 workspace, $2 batch.
 */
export const replanChunks = `
  update sync_chunk
  set phase = case when phase = 'done' then 'done' else 'plan' end,
      attempts = 0, plan = null, structure = null, has_links = false
  where workspace_id = $1 and batch_id = $2 and phase <> 'link'`;

/** $1 workspace, $2 the new batch, $3 the dry run, $4 actor, $5 request id. */
export const copyBatch = `
  insert into sync_batch (workspace_id, id, accepted_order, status, profile_name, commit_of, submitted_by, request_id,
                          element_count, chunk_count, linked_count)
  select workspace_id, $2, nextval('sync_batch_accepted'), 'queued', profile_name, id, $4, $5, element_count,
         chunk_count, linked_count
  from sync_batch where workspace_id = $1 and id = $3`;

/** $1 workspace, $2 the new batch, $3 the dry run. */
export const copyChunks = `
  insert into sync_chunk (workspace_id, batch_id, ordinal, element_count, first_index, last_index)
  select workspace_id, $2, ordinal, element_count, first_index, last_index
  from sync_chunk where workspace_id = $1 and batch_id = $3`;

/** $1 workspace, $2 the new batch, $3 the dry run. */
export const copyPayload = `
  insert into sync_payload (workspace_id, batch_id, chunk, segment, elements)
  select workspace_id, $2, chunk, segment, elements
  from sync_payload where workspace_id = $1 and batch_id = $3`;

/**
 * Drops the payloads and plans of batches that ended long ago; their results stay. Some batches at a time, each
 * can be large. $1 days, $2 batches at most.
 */
export const prunePayloads = `
  with old as (
    select workspace_id, id from sync_batch
    where payload_kept and finished_at < now() - make_interval(days => $1)
      and status in ('completed', 'cancelled', 'failed')
    order by finished_at limit $2
    for update skip locked
  ), payloads as (
    delete from sync_payload p using old where p.workspace_id = old.workspace_id and p.batch_id = old.id
  ), plans as (
    update sync_chunk c set plan = null, structure = null, basis = null
    from old where c.workspace_id = old.workspace_id and c.batch_id = old.id
  )
  update sync_batch b set payload_kept = false
  from old where b.workspace_id = old.workspace_id and b.id = old.id
  returning 1`;
