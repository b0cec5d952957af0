/**
 * Statistics of `workspace_id` that the planner is given instead of gathered ones (tenant-table.ts,
 * docs/adr/0068-a-workspace-is-the-whole-table.md).
 */
import type { Client } from 'pg';

/**
 * A workspace is taken for the whole of each of its tables. ANALYZE passes over the column, so what is told here stays; a dump that is
 * restored, and a table that a migration has just made, lack it. A table that is being vacuumed is left for the next start.
 */
const tell = `
  do $$
  declare tenant record;
  begin
    set local lock_timeout = '2s';
    for tenant in
      select n.nspname::text as schema, c.relname::text as name, c.relkind = 'p' as inherited
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        -- Somebody may keep a table of his own there.
        and pg_has_role(c.relowner, 'usage')
        and not exists (
          select from pg_stats s
          where s.schemaname = n.nspname and s.tablename = c.relname and s.attname = 'workspace_id' and s.n_distinct = 1)
      order by c.relname
    loop
      begin
        perform pg_restore_attribute_stats(
          'schemaname', tenant.schema, 'relname', tenant.name, 'attname', 'workspace_id',
          'inherited', tenant.inherited, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real);
      exception when lock_not_available then
        raise notice '% is in use', tenant.name;
      end;
    end loop;
  end $$`;

export async function tellOfWorkspaces(client: Client): Promise<void> {
  await client.query(tell);
}
