/** SQL of what a batch did not bring any more. */

/**
 * Condition for chunks stored by this release: during a rolling replacement the columns may be missing from some
 * chunks. A probe, not a join, of batch `b`.
 */
const isNamed = `
  b.results_kept and b.brought_kept and not exists (
    select from sync_result r where r.workspace_id = $1 and r.batch_id = b.id and r.brought is null offset 0)`;

/**
 * The batch, and behind it what its elements were sent with before: of one whose elements were sent again, that batch, and so on.
 * $1 workspace, $2 batch, $3 how many at most.
 */
export const selectCompared = `
  with recursive sent as (
    select id, resend_of, 1 as place from sync_batch
    where workspace_id = $1 and id = $2 and status <> 'receiving'
    union all
    select b.id, b.resend_of, place + 1
    from sent join sync_batch b on b.workspace_id = $1 and b.id = sent.resend_of where place < $3
  )
  select b.id, b.status, b.profile_name, b.resend_of, b.element_count, ${isNamed} as named
  from sent join sync_batch b on b.workspace_id = $1 and b.id = sent.id order by place`;

/**
 * Batches before it (by id, UUIDv7) of the same definition that wrote anything, the newest first: a range of sync_batch_profile.
 * Compared as pairs and in the order of both, which no other index has (see uses.sql.ts). $1 workspace, $2 profile, $3 batch, $4 rows.
 */
export const selectEarlier = `
  select b.id, b.submitted_at, b.element_count, ${isNamed} as named
  from sync_batch b
  where b.workspace_id = $1 and (b.profile_name, b.id) < ($2, $3) and b.profile_name >= $2 and not b.dry_run
    and b.status in ('completed', 'cancelled', 'failed')
  order by b.profile_name desc, b.id desc limit $4`;

/**
 * Entities that the earlier batches brought and these did not, in the order of their GUIDs. One grouping of all GUIDs in place
 * of an anti-join: it costs the same whatever the planner thinks how many there are. A million of either side is half a second of
 * PostgreSQL. $1 workspace, $2 these batches, $3 earlier ones, the newest first, $4 GUID to go on after, $5 rows.
 */
export const selectAbsent = `
  select a.guid, a.place, e.id, e.number, e.name, e.category, e.state, e.revision_number
  from (
    select n.guid, min(n.place)::int as place
    from (
      select g.guid, b.place
      from unnest($3::uuid[]) with ordinality as b (id, place)
      cross join lateral (
        select brought from sync_result where workspace_id = $1 and batch_id = b.id offset 0) as r
      cross join lateral unnest(r.brought) as g (guid)
      union all
      select g.guid, 0
      from unnest($2::uuid[]) as b (id)
      cross join lateral (
        select brought, refused from sync_result where workspace_id = $1 and batch_id = b.id offset 0) as r
      cross join lateral (select unnest(r.brought) union all select unnest(r.refused)) as g (guid)
    ) as n
    where $4::uuid is null or n.guid > $4
    group by n.guid having min(n.place) > 0
    order by n.guid) as a
  cross join lateral (
    select id, number, name, category, state, revision_number from entity
    where workspace_id = $1 and guid = a.guid offset 0) as e
  limit $5`;

/**
 * Sets the memory in which a million GUIDs are grouped, which may take twice that: a workspace has one such read at a time, and a web process
 * LONG_READS_MAX.
 */
export const roomForGrouping = `select set_config('work_mem', '64MB', true)`;
