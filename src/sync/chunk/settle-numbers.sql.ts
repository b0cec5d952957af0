/** SQL of numbers that several new entities of a batch got (see settle-numbers.ts). */

/**
 * A batch that may have given a number twice: it wrote entities from several chunks, and none is left to be written. With the time from
 * which the ids of its entities are, on whichever clock they were made. $1 workspace, $2 batch, $3 seconds that clocks may differ.
 */
export const selectSettled = `
  select floor(extract(epoch from b.started_at - make_interval(secs => $3)) * 1000)::bigint::text as since_ms
  from sync_batch b
  where b.workspace_id = $1 and b.id = $2 and not b.dry_run and b.chunk_count > 1
    and exists (select from sync_chunk where workspace_id = $1 and batch_id = $2 and created > 0)
    and not exists (select from sync_chunk where workspace_id = $1 and batch_id = $2 and phase in ('plan', 'write'))`;

/** All entities that share a number with an entity made since. $1 workspace, $2 the first id of that time, $3 how many at most. */
export const selectSharedNumbers = `
  with shared as materialized (
    select number from entity
    where workspace_id = $1 and id >= $2 and number is not null
    group by number having count(*) > 1
  )
  select e.id, e.guid, e.number from shared s join entity e on e.workspace_id = $1 and e.number = s.number
  limit $3`;

/** The chunks of the batch that brought entities. $1 workspace, $2 batch, $3 guid[]. */
export const selectChunksOf = `
  select distinct chunk from sync_result where workspace_id = $1 and batch_id = $2 and brought && $3::uuid[]
  order by chunk`;

/** $1 workspace, $2 batch, $3 chunk, $4 warnings. */
export const countWarnings = `
  update sync_chunk set warnings = $4 where workspace_id = $1 and batch_id = $2 and ordinal = $3`;
