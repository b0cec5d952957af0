/** SQL of a chunk's results, which lie by range of indexes (see save-results.ts). */

/** Indexes in one range. */
export const RANGE_INDEXES = 20_000;

/**
 * $1 workspace, $2 batch, $3 chunk, $4 range[], $5 created[], $6 updated[], $7 skipped[], $8 error[], $9 results[],
 * $10 digest or null. What the chunk came to before is replaced with its results, or goes with them.
 */
export const insertResults = `
  with told as (
    insert into sync_digest (workspace_id, batch_id, chunk, digest)
    select $1, $2, $3, $10::bytea where $10::bytea is not null
    on conflict (workspace_id, batch_id, chunk) do update set digest = excluded.digest
  ),
  nothing_to_tell as (
    delete from sync_digest where workspace_id = $1 and batch_id = $2 and chunk = $3 and $10::bytea is null
  )
  insert into sync_result (workspace_id, batch_id, range, chunk, created, updated, skipped, error, results)
  select $1, $2, range, $3, created, updated, skipped, error, results
  from unnest($4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::integer[], $9::bytea[])
    as i (range, created, updated, skipped, error, results)
  on conflict (workspace_id, batch_id, range, chunk) do update
  set created = excluded.created, updated = excluded.updated, skipped = excluded.skipped, error = excluded.error,
      results = excluded.results`;

/** $1 workspace, $2 batch, $3 chunk. */
export const selectChunkResults = `
  select r.results
  from sync_chunk c
  join sync_result r on r.workspace_id = $1 and r.batch_id = $2 and r.chunk = $3
    and r.range between c.first_index / ${RANGE_INDEXES} and c.last_index / ${RANGE_INDEXES}
  where c.workspace_id = $1 and c.batch_id = $2 and c.ordinal = $3`;
