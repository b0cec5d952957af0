/** SQL of a chunk's results, which lie by range of indexes (see save-results.ts). */

/** Indexes in one range. */
export const RANGE_INDEXES = 20_000;

/**
 * The insert of a chunk's results. $1 workspace, $2 batch, $3 chunk, $4 range[], $5 created[], $6 updated[], $7 skipped[],
 * $8 error[], $9 results[], $10 digest or null, $11 facts[], those of a portion in one text with commas, $12 GUIDs of all portions
 * one behind the other, $13 where those of a portion begin among them, $14 where those of refused elements begin, $15 where
 * they end.
 */
const insertedResults = `
  insert into sync_result (workspace_id, batch_id, range, chunk, created, updated, skipped, error, results,
                           facts, brought, refused)
  select $1, $2, range, $3, created, updated, skipped, error, results, string_to_array(facts, ','),
         ($12::uuid[])[brought_from : refused_from - 1],
         case when refused_end > refused_from then ($12::uuid[])[refused_from : refused_end - 1] end
  from unnest($4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::integer[], $9::bytea[], $11::text[],
              $13::integer[], $14::integer[], $15::integer[])
    as i (range, created, updated, skipped, error, results, facts, brought_from, refused_from, refused_end)`;

/** Parameters as above. */
const insertedDigest = `
  insert into sync_digest (workspace_id, batch_id, chunk, digest)
  select $1, $2, $3, $10::bytea where $10::bytea is not null`;

/** Replaces the results and the digest of a chunk. Parameters as above. */
export const insertResults = `
  with told as (
    ${insertedDigest}
    on conflict (workspace_id, batch_id, chunk) do update set digest = excluded.digest
  ),
  nothing_to_tell as (
    delete from sync_digest where workspace_id = $1 and batch_id = $2 and chunk = $3 and $10::bytea is null
  )
  ${insertedResults}
  on conflict (workspace_id, batch_id, range, chunk) do update
  set created = excluded.created, updated = excluded.updated, skipped = excluded.skipped, error = excluded.error,
      results = excluded.results, facts = excluded.facts, brought = excluded.brought, refused = excluded.refused`;

/**
 * Whether a portion `r` can hold results of a kind (null: any) that have certain facts (see filter-results.ts). Of what
 * an earlier release stored, nobody knows the facts.
 */
export const canFit = (kind: string, facts: string): string => `
  case ${kind}::text when 'created' then r.created > 0 when 'updated' then r.updated > 0
    when 'skipped' then r.skipped > 0 when 'error' then r.error > 0 else true end
  and (r.facts is null or r.facts @> ${facts}::text[])`;

/** $1 workspace, $2 batch, $3 chunk. */
export const selectChunkResults = `
  select r.results
  from sync_chunk c
  join sync_result r on r.workspace_id = $1 and r.batch_id = $2 and r.chunk = $3
    and r.range between c.first_index / ${RANGE_INDEXES} and c.last_index / ${RANGE_INDEXES}
  where c.workspace_id = $1 and c.batch_id = $2 and c.ordinal = $3`;

/** The portions of one range that can fit. $1 workspace, $2 batch, $3 kind, $4 facts[], $5 range. */
export const selectPortions = `
  select r.chunk, r.results from sync_result r
  where r.workspace_id = $1 and r.batch_id = $2 and r.range = $5 and ${canFit('$3', '$4')}`;

/** $1 workspace, $2 batch, $3 guid[]. */
export const selectRejectedAmong = `
  select distinct guid from sync_result r cross join unnest(r.refused) as guid
  where r.workspace_id = $1 and r.batch_id = $2 and r.refused is not null and guid = any ($3::uuid[])`;
