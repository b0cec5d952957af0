/** Statements about looks at reorder points, and about the items below them. */
import { waitingWorkspaces } from '../../db/turns/waiting-workspaces.sql.ts';

/** Workspaces with looks, of the whole instance: one probe of the key for each of them, however many looks it has. $1 rows. */
export const selectLooking = `
  with recursive ${waitingWorkspaces('reorder_look')}
  select workspace_id from waiting where workspace_id is not null limit $1`;

/** Lets one process at a time look at the items of a workspace. The lock ends with the transaction. $1 workspace. */
export const tryLockLooks = `
  select pg_try_advisory_xact_lock(hashtextextended('reorder looks in:' || $1::uuid::text, 0)) as is_locked`;

/**
 * Takes the looks at the first items. A transaction that commits later adds a look of its own, so its figures are seen then. $1 workspace, $2
 * looks.
 */
export const takeLooks = `
  delete from reorder_look l
  using (
    select item_id, id from reorder_look where workspace_id = $1 order by item_id, id limit $2) taken
  where l.workspace_id = $1 and l.item_id = taken.item_id and l.id = taken.id
  returning l.item_id, l.depth, l.run_id, l.root_id`;

/** The slug of the workspace while somebody listens; a listener that ends waits for the transaction. $1 workspace. */
export const holdListeners = `
  select (select slug from workspace where id = $1) as slug
  from event_listener where workspace_id = $1 and context_type = 11 for share`;

/** Keeps items that are below their points, and returns those that were not so far. $1 workspace, $2 item[]. */
export const insertCrossed = `
  insert into reorder_crossing (workspace_id, item_id) select $1, unnest($2::uuid[])
  on conflict do nothing returning item_id`;

/** $1 workspace, $2 item[]. */
export const forgetCrossed = `
  delete from reorder_crossing where workspace_id = $1 and item_id = any($2::uuid[])`;
