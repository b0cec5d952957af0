/** What the faults read of the database, past the service. There is one workspace. */

/** Batches of $1 that are not there, or have not completed. */
export const selectLost = `
  select sent.id, coalesce(b.status, 'gone') as status, b.failure
  from unnest($1::uuid[]) as sent (id) left join sync_batch b on b.id = sent.id
  where b.status is distinct from 'completed'`;

/** A body that never arrived whole is none. */
export const countBatches = `select count(*)::int as batches from sync_batch where status <> 'receiving'`;

/** Entities that batches made: one for each of their elements, which all have GUIDs of their own. */
export const countSent = `select count(*)::int as entities from entity where guid is not null`;
