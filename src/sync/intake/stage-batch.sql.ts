/** SQL that stages a batch: its segments, its chunks and, last, its place in the workspace's line. */

/** Batches of a workspace are accepted one after another, so that places are given in order of commit. */
export const lockAcceptance = `select pg_advisory_xact_lock(hashtextextended('accept:' || $1, 0))`;

/**
 * A place behind all that were given before, under the lock above. A statement of its own: an UPDATE that calls it is none that a
 * database could run which is spread by workspace.
 */
export const takePlace = `select nextval('sync_batch_accepted')::text as place`;

/** $1 workspace, $2 more than this is too many. */
export const countUnfinished = `
  select count(*)::integer as unfinished from (
    select from sync_batch
    where workspace_id = $1 and status in ('queued', 'processing') limit $2 + 1) as unfinished_batches`;

/** $1 workspace, $2 batch, $3 profile, $4 dry run, $5 actor, $6 request id, $7 the batch that is sent again or null, $8 traceparent or null, $9 structure. */
export const insertReceiving = `
  insert into sync_batch (workspace_id, id, status, profile_name, dry_run, submitted_by, request_id, resend_of,
                          traceparent, structure_mode)
  values ($1, $2, 'receiving', $3, $4, $5, $6, $7, $8, $9)`;

/**
 * Says that the body still arrives, and holds off the sweep (heal-batches.ts) until the transaction ends. No row:
 * it was swept, with every segment stored until then. $1 workspace, $2 batch.
 */
export const keepReceiving = `
  update sync_batch set progressed_at = now()
  where workspace_id = $1 and id = $2 and status = 'receiving' returning id`;

/** $1 workspace, $2 batch, $3 its place, $4 elements, $5 chunks. */
export const acceptBatch = `
  update sync_batch
  set status = 'queued', accepted_order = $3, submitted_at = now(),
      progressed_at = now(), element_count = $4, chunk_count = $5
  where workspace_id = $1 and id = $2`;

/** An empty batch is complete as soon as it is accepted. Parameters as above, without counts. */
export const acceptEmptyBatch = `
  update sync_batch
  set status = 'completed', phase = 'done', accepted_order = $3, submitted_at = now(),
      started_at = now(), finished_at = now(), progressed_at = now(),
      counts = '{"total": 0, "created": 0, "updated": 0, "skipped": 0, "error": 0, "warnings": 0}'
  where workspace_id = $1 and id = $2`;

/**
 * Takes the locks of a small batch that is applied where it is accepted (acceptance, configuration, and the structure where
 * $2 says that elements name parents or links wait for some), and tells what there is to know before its entities are read. Fails where
 * batches stand before it. $1 workspace, $2 whether any element names a parent.
 */
export const openSmallBatch = 'select * from open_small_batch($1, $2)';

const applied = (further: string) => `
  with payload as (
    insert into sync_payload (workspace_id, batch_id, chunk, segment, elements) values ($1, $2, 0, 0, $8)
  ), chunk as (
    insert into sync_chunk (workspace_id, batch_id, ordinal, element_count, first_index, last_index, bucket, phase,
                            created, updated, skipped, error, warnings)
    values ($1, $2, 0, $6, 0, $6 - 1, 0, 'done', $9, $10, $11, $12, $13)
  ), results as (
    insert into sync_result (workspace_id, batch_id, range, chunk, created, updated, skipped, error, results, facts,
                             brought, refused)
    values ($1, $2, 0, 0, $9, $10, $11, $12, $16, $17, $18, $19)
  )${further}
  insert into sync_batch (workspace_id, id, status, phase, accepted_order, profile_name, submitted_by, request_id,
                          element_count, chunk_count, counts, submitted_at, started_at, finished_at, traceparent,
                          structure_mode)
  values ($1, $2, 'completed', 'done', nextval('sync_batch_accepted'), $3, $4, $5, $6, 1, $7, now(), now(),
          clock_timestamp(), $14, $15)
  returning submitted_at, started_at, finished_at`;

/**
 * A batch that is applied in the transaction that accepts it, with what is kept of any: its payload in one segment, the chunk
 * that it was, and its results, which are one portion. $1 workspace, $2 batch, $3 profile, $4 actor, $5 request id, $6 elements, $7 counts,
 * $8 segment, $9 created, $10 updated, $11 skipped, $12 error, $13 warnings, $14 traceparent, $15 structure, $16 results, $17 facts[],
 * $18 GUIDs that were taken, $19 those that were refused or null.
 */
export const insertApplied = applied('');

/** Also inserts a digest. Most batches have none, and writing to one more table costs as much as this. $20 digest. */
export const insertAppliedAndDigest = applied(`, told as (
    insert into sync_digest (workspace_id, batch_id, chunk, digest) values ($1, $2, 0, $20)
  )`);

/** $1 workspace, $2 batch, $3 ordinal[], $4 elements[], $5 first[], $6 last[], $7 bucket[], $8 from slot[], $9 to slot[], $10 leaves[]. */
export const insertChunks = `
  insert into sync_chunk (workspace_id, batch_id, ordinal, element_count, first_index, last_index, bucket, slot_from,
                          slot_to, leaves)
  select $1, $2, * from unnest($3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::integer[],
                               $8::smallint[], $9::smallint[], $10::boolean[])`;

/** The column `chunk` is the bucket. $1 workspace, $2 batch, $3 bucket[], $4 segment[], $5 elements[]. */
export const insertPayload = `
  insert into sync_payload (workspace_id, batch_id, chunk, segment, elements)
  select $1, $2, * from unnest($3::integer[], $4::integer[], $5::bytea[])`;

/**
 * Deletes the rows of a body that never arrived completely, but nothing of an accepted batch: if the answer to a
 * commit was lost, nobody knows the outcome. $1 workspace, $2 batch.
 */
export const dropReceiving = `
  with gone as (
    delete from sync_batch where workspace_id = $1 and id = $2 and status = 'receiving' returning workspace_id, id
  )
  delete from sync_payload p using gone where p.workspace_id = gone.workspace_id and p.batch_id = gone.id`;
