/** When batches of any workspace were begun and done, in milliseconds; those alone that have ended. $1 ids. By the owner of the schema. */
export const selectEnds = `
  select id, extract(epoch from started_at)::float8 * 1000 as started, extract(epoch from finished_at)::float8 * 1000 as finished
  from sync_batch where id = any($1::uuid[]) and finished_at is not null`;
