/** Deleting what is left of a workspace, by the owner of the schema. */

/** $1 slug. */
export const selectState = 'select id, state, moved_to as "movedTo" from workspace where slug = $1';

/**
 * Tables with rows of workspaces: first those that refer to others, last the mark that triggers of others make anew.
 */
export const selectAllTenantTables = `
  select c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and exists (select from pg_attribute a
                where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped)
  order by c.relname = 'configuration_version',
           exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f') desc, c.relname`;

/**
 * Quotes a name that the catalogue gave. A place is one in a partition: in the others it is that of any workspace's row. $1 workspace,
 * $2 rows.
 */
export const deletePortion = (table: string) => `
  delete from "${table.replaceAll('"', '""')}"
  where workspace_id = $1 and ctid = any (array(select ctid from "${table.replaceAll('"', '""')}" where workspace_id = $1 limit $2::bigint))`;

/** Quotes a name that the catalogue gave. */
export const countTable = (table: string) => `analyze "${table.replaceAll('"', '""')}"`;

/** Its last trace. $1 workspace. */
export const deleteName = `delete from workspace where id = $1 and state = 'gone'`;
