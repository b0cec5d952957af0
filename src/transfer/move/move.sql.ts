/** Taking a workspace to another installation, by the owners of both schemas. Names of publications and the like are `partbook_move_` and hexadecimal digits. */
import type { TenantTable } from '../transfer.sql.ts';

/** $1 slug or id. */
export const selectWorkspaceBy = (column: 'slug' | 'id') => `
  select id, slug, name, created_at::text as "createdAt", state from workspace where ${column} = $1`;

/** Locks the move of a workspace until the connection ends. $1 workspace. */
export const lockMove = `select pg_try_advisory_lock(uuid_hash_extended($1::uuid, 7278623005)) as held`;

export const selectWalLevel = `select setting from pg_settings where name = 'wal_level'`;

/** $1 name. */
export const selectSlot = `
  select active_pid, wal_status, confirmed_flush_lsn::text as lsn from pg_replication_slots where slot_name = $1`;
export const selectPublication = 'select from pg_publication where pubname = $1';
export const selectSubscription = 'select subenabled as enabled from pg_subscription where subname = $1';
export const dropSlot =
  'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1';
/** Finds the reader of the slot; it can be dropped when there is none. $1 name. */
export const endReader =
  'select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1 and active_pid is not null';

/** Rows of the workspace alone, of partitioned tables too: these have no filter of their own. Statements of this kind take no parameters; an id is hexadecimal digits. */
export function createPublication(name: string, tables: readonly TenantTable[], workspaceId: string): string {
  const parts = tables.map((table) => `"${table.name}" where (workspace_id = '${workspaceId}')`);
  return `create publication ${name} for table ${parts.join(', ')} with (publish_via_partition_root = true)`;
}
export const dropPublication = (name: string) => `drop publication if exists ${name}`;

/** Streams the changes that the slot has kept since the copy, and then new ones. */
export function createSubscription(name: string, url: string): string {
  return `create subscription ${name} connection '${url.replaceAll("'", "''")}' publication ${name}
    with (create_slot = false, slot_name = '${name}', copy_data = false, origin = any, disable_on_error = true)`;
}

/** $1 id, $2 slug, $3 name, $4 when it was made. */
export const insertArriving = `
  insert into workspace (id, slug, name, created_at, state) values ($1, $2, $3, $4::timestamptz, 'moving')
  on conflict (id) do nothing`;

/** $1 id, $2 slug. */
export const selectSlugTaken = 'select id from workspace where slug = $2 and id <> $1';

/** Only what the copy ends with makes it. $1 workspace. */
export const selectCopied = 'select from configuration_version where workspace_id = $1';
export const markCopied = `
  insert into configuration_version (workspace_id, version) values ($1, gen_random_uuid())
  on conflict (workspace_id) do update set version = excluded.version`;

/** How much there is that the other side has not confirmed. $1 name. */
export const selectLag = `
  select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), confirmed_flush_lsn)::float8 as bytes
  from pg_replication_slots where slot_name = $1`;

/** Steps of batches and turns of automations can be long: they wait, from shortly before the stop. $1 workspace. */
const REASON = 'is being moved';
export const holdLongWork = `
  insert into operator_pause (workspace_id, work, reason)
  select $1, work, '${REASON}' from unnest(array['batch', 'automation']) as work on conflict do nothing`;
export const releaseLongWork = `delete from operator_pause where workspace_id = $1 and reason = '${REASON}'`;

/** Counts the transactions that are in the workspace. $1 workspace. */
export const selectInside = `
  select l.virtualtransaction as name from pg_locks l,
    (select uuid_hash_extended($1::uuid, 7278623004) as key) k
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and ((l.classid::bigint << 32) | l.objid::bigint) = k.key`;

/** Held when the last transaction that was let in has ended, and until it is given back. $1 workspace. */
export const keepAlone = 'select pg_advisory_lock(uuid_hash_extended($1::uuid, 7278623004))';
export const unlockExclusively = 'select pg_advisory_unlock(uuid_hash_extended($1::uuid, 7278623004))';

/** $1 workspace, $2 from which state, $3 to which, $4 the address where it is. */
export const changeState = `
  update workspace set state = $3, moved_to = $4 where id = $1 and state = $2 returning id`;

/** The last thing that is written on the first side: when it is on the other, everything before it is. $1 workspace, $2 id, $3 slug. */
export const insertMark = `
  insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key, before, after)
  values ($1, $2, '00000000-0000-0000-0000-000000000001', 'update', 'workspace', $3, null, '{"moves": true}')`;
export const insertSystemActor = `
  insert into actor (workspace_id, id, type, name)
  values ($1, '00000000-0000-0000-0000-000000000001', 'system', 'Partbook') on conflict do nothing`;
/** $1 workspace, $2 id. */
export const selectMark = 'select from audit_log where workspace_id = $1 and id = $2';

/** Rows of every table, but for kept answers: what is past its retention goes by whole partitions, on each side for itself. $1 workspace. */
export const countRows = (tables: readonly TenantTable[]) =>
  tables
    .filter(({ name }) => name !== 'kept_answer')
    .map(
      ({ name }) =>
        `select '${name}' as "table", count(*)::float8 as rows from "${name}" where workspace_id = $1`,
    )
    .join(' union all ');

/**
 * Batches in line keep their order, behind those that were accepted there: the sequence is the installation's. Those that have ended
 * keep the places that they had elsewhere: a place is asked for in the line alone, one that is retried gets a new one, and in lists
 * and comparisons batches stand by their ids, which are of time. $1 workspace.
 */
export const renumberWaiting = `
  with ordered as materialized (
    select id from sync_batch where workspace_id = $1 and status in ('queued', 'processing') order by accepted_order
  ), numbered as materialized (select id, nextval('sync_batch_accepted') as place from ordered)
  update sync_batch b set accepted_order = n.place, progressed_at = now() - interval '1 minute'
  from numbered n where b.workspace_id = $1 and b.id = n.id`;
/** Forgets announcements, which were made elsewhere. $1 workspace. */
export const forgetLanes = 'update event_lane set announced_at = null where workspace_id = $1';
export const forgetWebhooks = 'update webhook set announced_at = null where workspace_id = $1';
