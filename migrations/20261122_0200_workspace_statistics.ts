/**
 * The planner keeps no statistics of `workspace_id`. Those that it had knew only the workspaces that were there at
 * the last ANALYZE: of a new one it believed that every index range is empty, so that any index led by
 * `workspace_id` looked as good as the right one, and each probe by key read the whole workspace.
 */
import { Migration } from '@mikro-orm/migrations';

export class WorkspaceStatistics extends Migration {
  override name = '20261122_0200_workspace_statistics';

  override up(): void {
    // ANALYZE passes over the column from now on, and leaves what it gathered before: that is cleared, once.
    // Tables that come later get this from `grantTenantTable`.
    this.addSql(`
      do $$
      declare tenant record;
      begin
        for tenant in
          select c.oid::regclass as name, n.nspname, c.relname
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          order by c.relname
        loop
          execute format('alter table %s alter column workspace_id set statistics 0', tenant.name);
          perform pg_clear_attribute_stats(tenant.nspname, tenant.relname, 'workspace_id', inherited)
          from unnest(array[false, true]) as inherited;
        end loop;
      end $$`);
  }
}
