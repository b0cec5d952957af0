/** What the soak reads of the database, past the service. */

/** Backends of the service, and the one that asks last. */
export const selectBackends = `
  select pid from pg_stat_activity
  where application_name like 'partbook%' or pid = pg_backend_pid()
  order by pid = pg_backend_pid(), pid`;

/**
 * $1 workspace. Entities are those with a GUID; receipts are what the automation makes of batches. A body that
 * never arrived whole is no batch.
 */
export const selectTotals = `
  select
    (select count(*)::int from entity where workspace_id = $1 and guid is not null) as entities,
    (select count(*)::int from entity_link where workspace_id = $1) as links,
    (select coalesce(sum(quantity), 0)::float8 from entity_link where workspace_id = $1) as quantity,
    (select count(*)::int from entity_revision where workspace_id = $1) as revisions,
    (select count(*)::int from entity_revision_link where workspace_id = $1) as "revisionLinks",
    (select count(*)::int from entity_transition where workspace_id = $1) as transitions,
    (select count(*)::int from sync_batch where workspace_id = $1 and status <> 'receiving') as batches,
    (select count(*)::int from entity where workspace_id = $1 and guid is null) as receipts`;

/** Batches that are in no receipt, or in several. $1 workspace. */
export const selectWrongReceipts = `
  select b.id, count(e.id)::int as receipts
  from sync_batch b
  left join entity e on e.workspace_id = b.workspace_id and e.guid is null and e.name = b.id::text
  where b.workspace_id = $1 and b.status <> 'receiving'
  group by b.id having count(e.id) <> 1 limit 5`;

/** $1 workspace, $2 GUIDs. The number of revisions is that of the superseded ones and the current one. */
export const selectEntities = `
  select e.guid, e.number, e.name, e.state, e.revision_number as "revisionNumber",
    coalesce((e.properties->>'Created')::int, 0) as created,
    coalesce((e.properties->>'Updated')::int, 0) as updates,
    1 + (select count(*)::int from entity_revision r
         where r.workspace_id = e.workspace_id and r.entity_id = e.id) as revisions,
    p.guid as "parentGuid", coalesce(l.quantity, 1)::float8 as quantity,
    (select count(*)::int from entity_link c
     where c.workspace_id = e.workspace_id and c.parent_id = e.id) as children
  from entity e
  left join entity_link l on l.workspace_id = e.workspace_id and l.child_id = e.id
  left join entity p on p.workspace_id = l.workspace_id and p.id = l.parent_id
  where e.workspace_id = $1 and e.guid = any ($2::uuid[])`;

/** Events that have been recorded, and what waits. $1 workspace. */
export const selectEvents = `
  select context_type as "contextType", sum(event_count)::int as events from outbox
  where workspace_id = $1 and target_run_id is null group by context_type`;

/** $1 workspace. */
export const countUnread = `
  select count(*)::int as unread from outbox where workspace_id = $1 and not automation_done`;

/** Runs that are not the first and only attempt are told by `events`. $1 workspace. */
export const selectRuns = `
  select context_type as "contextType", count(*)::int as runs,
    count(*) filter (where status = 'succeeded')::int as succeeded,
    count(distinct (event_id, event_index))::int as events
  from automation_run where workspace_id = $1 group by context_type`;

/** $1 workspace. */
export const selectFailedRuns = `
  select context_type as "contextType", status, error, context from automation_run
  where workspace_id = $1 and status <> 'succeeded' limit 3`;
