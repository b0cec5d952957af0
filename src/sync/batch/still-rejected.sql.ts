/**
 * Finds rejected elements that no later import has accepted. `sync_result` keeps the GUIDs that a batch has brought and refused; an
 * element is fixed when a later batch brings its GUID. The GUIDs of later batches are read one by one, which costs about a tenth of a
 * second per half a million: small batches, such as resends, come first, and reading ends at a bound.
 */

/**
 * `rejecting` selects the batches: id, profile_name, errors. An element that several of them rejected counts in the newest, or in `each`.
 * $1 workspace, $2 elements of later batches at most, $3 rejected elements at most.
 */
const stillRejected = (rejecting: string, counted: 'in the newest' | 'in each') => `
  with rejecting as materialized (${rejecting}),
  refused as materialized (
    select distinct on (${counted === 'in each' ? 'guid, batch_id' : 'guid'}) guid, batch_id from (
      select g.guid, b.id as batch_id from (select id from rejecting order by id desc) b
      cross join lateral (
        select refused from sync_result
        where workspace_id = $1 and batch_id = b.id and refused is not null offset 0) r
      cross join lateral unnest(r.refused) as g (guid)
      limit $3) counted
    order by guid, batch_id desc
  ),
  later as materialized (
    select id from (
      select id, sum(element_count) over (order by element_count, id desc) as elements from sync_batch
      where workspace_id = $1 and id > (select id from rejecting order by id limit 1)
        and status <> 'receiving' and not dry_run) summed
    where elements <= $2
  ),
  accepted as materialized (
    select distinct f.guid, f.batch_id from later l
    cross join lateral (select brought from sync_result where workspace_id = $1 and batch_id = l.id offset 0) r
    cross join lateral unnest(r.brought) as g (guid)
    join refused f on f.guid = g.guid and f.batch_id < l.id
  ),
  open as materialized (select guid, batch_id from refused except all select guid, batch_id from accepted)`;

/**
 * Rejected elements of a batch `b` that no later batch has accepted. Elements without a GUID cannot be followed: the next completed import
 * from the same source replaces them.
 */
const leftOver = `
  (select count(*) from open o where o.batch_id = b.id)::int + case when exists (
    select from sync_batch n
    where n.workspace_id = $1 and (n.profile_name, n.id) > (b.profile_name, b.id)
      and n.profile_name <= b.profile_name and n.status = 'completed' and not n.dry_run and n.resend_of is null)
  then 0 else greatest(0, b.errors - coalesce((
    select sum(cardinality(refused)) from sync_result where workspace_id = $1 and batch_id = b.id), 0))::int end`;

/** Selects the batches of a window that have rejected elements left, the newest first. $4 first id of the window, $5 batches at most. */
export const selectStillRejecting = `
  ${stillRejected(
    `
    select id, profile_name, submitted_at, (counts ->> 'error')::int as errors from (
      select id, profile_name, submitted_at, counts, dry_run, results_kept, brought_kept from sync_batch
      where workspace_id = $1 and id >= $4 and status <> 'receiving' order by id desc limit $5) newest
    where not dry_run and results_kept and brought_kept and counts ->> 'error' <> '0'`,
    'in the newest',
  )}
  select * from (
    select b.id as "batchId", b.profile_name as "profileName",
           floor(extract(epoch from b.submitted_at) / 3600)::int as hour, ${leftOver} as rejected
    from rejecting b) left_over
  where rejected > 0 order by "batchId" desc`;

/** Counts the elements of each batch that are still rejected. $4 batch[]. */
export const countStillRejected = `
  ${stillRejected(
    `
    select id, profile_name, (counts ->> 'error')::int as errors from sync_batch
    where workspace_id = $1 and id = any ($4::uuid[]) and results_kept and brought_kept`,
    'in each',
  )}
  select b.id as "batchId", ${leftOver} as rejected from rejecting b`;

/** Selects the GUIDs of a batch that are still rejected. $4 batch. */
export const selectStillRejected = `
  ${stillRejected(`select id, profile_name, 0 as errors from sync_batch where workspace_id = $1 and id = $4`, 'in each')}
  select guid from open order by guid`;

/** The batches that resend elements of a batch, the newest first, along sync_batch_resend. $1 workspace, $2 batch, $3 rows. */
export const selectResends = `
  select id as "batchId", status, dry_run as "dryRun", coalesce((counts ->> 'error')::int, 0) as errors from sync_batch
  where workspace_id = $1 and resend_of = $2 and status <> 'receiving'
  order by id desc limit $3`;
