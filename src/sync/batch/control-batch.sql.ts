/** SQL of what administrators do with batches. */

/** Locks the batch. $1 workspace, $2 batch. */
export const lockBatch = `
  select status, dry_run, payload_kept from sync_batch
  where workspace_id = $1 and id = $2 and status <> 'receiving' for update`;

/**
 * Locks a batch in its last pass beside the transactions that link. A cancelled batch is linked to its end too, so
 * their work needs no wait. Their locks overlap, and PostgreSQL grants shared locks before exclusive ones, so
 * waiting for all of them would take until the end of the pass. $1 workspace, $2 batch.
 */
export const lockLinkingBatch = `
  select status, dry_run, payload_kept from sync_batch
  where workspace_id = $1 and id = $2 and status = 'processing' and phase = 'link' for no key update`;

/**
 * Ends the batch, or, where chunks are written and not linked yet, sends it straight to its last pass: it ends after
 * that. The other chunks stay in the phase that they are in, which nobody enters again: their rows are not touched,
 * because whoever claims one waits for the batch's row while he holds it. Who was the first to cancel it is kept.
 * $1 workspace, $2 batch, $3 kind and $4 name of who cancels, $5 why or null.
 */
export const cancelBatch = `
  update sync_batch
  set cancelling = l.any, phase = case when l.any then 'link' else phase end,
      structure_edits = case when l.any then -1 else structure_edits end,
      status = case when l.any then status else 'cancelled' end,
      finished_at = case when l.any then null else now() end, progressed_at = now(),
      cancellation = coalesce(cancellation,
        jsonb_build_object('at', now(), 'type', $3::text, 'name', $4::text, 'reason', $5::text))
  from (
    select exists (select from sync_chunk where workspace_id = $1 and batch_id = $2 and phase = 'link') as any) l
  where workspace_id = $1 and id = $2 returning finished_at is not null as ended`;

/**
 * Back to the end of the line: batches that were accepted meanwhile may be under way. One that failed while it was
 * being cancelled has only links to make, and a commit that has begun to write goes on with the plan that was checked:
 * what it wrote itself would make it stale. $1 workspace, $2 batch, $3 its place.
 */
export const requeueBatch = `
  update sync_batch
  set status = 'queued', failure = null, finished_at = null, progressed_at = now(), attempts = 0,
      phase = case when cancelling then 'link' when commit_of is not null and phase in ('write', 'link') then phase
        else 'plan' end,
      accepted_order = $3
  where workspace_id = $1 and id = $2`;

/** $1 workspace, $2 batch. */
export const forgetAttempts = `
  update sync_chunk set attempts = 0 where workspace_id = $1 and batch_id = $2 and attempts > 0`;

/**
 * Plans chunks again for a retry. Applied work stays: a written chunk keeps its plan and is still to be linked; a
 * finished one is left out. The others are planned again, because data may have changed: also chunks that only the
 * plan had finished in a batch that failed before its structure pass, and all chunks of a dry run. A chunk left out
 * of an exact batch keeps its plan for the links that it names. Runs before the batch is queued. $1 workspace, $2
 * batch.
 */
export const replanChunks = `
  update sync_chunk c
  set phase = case when stays then 'done' else 'plan' end,
      plan = case when stays and b.structure_mode = 'exact' then c.plan end, structure = null, has_links = false,
      applied = stays
  from (
    select k.ordinal, b.structure_mode,
           k.phase = 'done' and not b.dry_run
             and (k.created + k.updated > 0 or b.phase not in ('plan', 'structure')) as stays
    from sync_batch b join sync_chunk k on k.workspace_id = $1 and k.batch_id = $2 and k.phase <> 'link'
    where b.workspace_id = $1 and b.id = $2 and not (b.commit_of is not null and b.phase in ('write', 'link'))
  ) as b
  where c.workspace_id = $1 and c.batch_id = $2 and c.ordinal = b.ordinal`;

/** Removes the results of chunks that are planned again. $1 workspace, $2 batch. */
export const forgetResults = `
  with again as (
    update sync_chunk set created = 0, updated = 0, skipped = 0, error = 0, warnings = 0
    where workspace_id = $1 and batch_id = $2 and phase = 'plan'
    returning ordinal
  )
  delete from sync_result r using again
  where r.workspace_id = $1 and r.batch_id = $2 and r.chunk = again.ordinal`;

/** $1 workspace, $2 the new batch, $3 the dry run, $4 actor, $5 request id, $6 traceparent or null. */
export const copyBatch = `
  insert into sync_batch (workspace_id, id, accepted_order, status, profile_name, commit_of, submitted_by, request_id,
                          traceparent, element_count, chunk_count, structure_mode)
  select workspace_id, $2, nextval('sync_batch_accepted'), 'queued', profile_name, id, $4, $5, $6, element_count,
         chunk_count, structure_mode
  from sync_batch where workspace_id = $1 and id = $3`;

/** $1 workspace, $2 the new batch, $3 the dry run. */
export const copyChunks = `
  insert into sync_chunk (workspace_id, batch_id, ordinal, element_count, first_index, last_index, bucket, slot_from,
                          slot_to)
  select workspace_id, $2, ordinal, element_count, first_index, last_index, bucket, slot_from, slot_to
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

/**
 * Says of batches that ended long ago that their results are gone: nobody reads them from then on. Only those without
 * a payload, which can be neither retried nor committed. $1 days, $2 batches at most.
 */
export const forgetOldResults = `
  with old as (
    select workspace_id, id from sync_batch
    where results_kept and not payload_kept and finished_at < now() - make_interval(days => $1)
    order by finished_at limit $2
    for update skip locked
  )
  update sync_batch b set results_kept = false
  from old where b.workspace_id = old.workspace_id and b.id = old.id
  returning 1`;

/**
 * Deletes such results with their digests, a piece of one batch at a time: a batch of millions has many thousands of rows. Answers with
 * the batch while there is one. $1 rows at most.
 */
export const pruneResults = `
  with batch as (
    select workspace_id, id from sync_batch
    where not results_kept and results_left order by finished_at limit 1
    for update skip locked
  ), gone as (
    delete from sync_result r using batch
    where r.workspace_id = batch.workspace_id and r.batch_id = batch.id and (r.range, r.chunk) in (
      select range, chunk from sync_result
      where workspace_id = batch.workspace_id and batch_id = batch.id order by range, chunk limit $1)
    returning 1
  ), digests as (
    delete from sync_digest d using batch where d.workspace_id = batch.workspace_id and d.batch_id = batch.id
  ), done as (
    update sync_batch b set results_left = false
    from batch where b.workspace_id = batch.workspace_id and b.id = batch.id and (select count(*) from gone) < $1
  )
  select (select count(*) from gone)::int as rows from batch`;

/** Deletes batches that have neither payload nor results, with their chunks. $1 days, $2 batches at most. */
export const pruneBatches = `
  with old as (
    select workspace_id, id from sync_batch
    where not results_left and not payload_kept and finished_at < now() - make_interval(days => $1)
    order by finished_at limit $2
    for update skip locked
  ), chunks as (
    delete from sync_chunk c using old where c.workspace_id = old.workspace_id and c.batch_id = old.id
  ), comments as (
    delete from comment c using old where c.workspace_id = old.workspace_id and c.batch_id = old.id
  )
  delete from sync_batch b using old where b.workspace_id = old.workspace_id and b.id = old.id
  returning 1`;

/** Whether entities with GUIDs were merged since a batch of several chunks was sent. $1 workspace, $2 batch. */
export const selectMergedSince = `
  select exists (
    select from sync_batch b where b.workspace_id = $1 and b.id = $2 and b.chunk_count > 1
      and exists (
        select from entity_alias
        where workspace_id = $1 and merged_at > b.submitted_at and guid is not null)) as merged`;
