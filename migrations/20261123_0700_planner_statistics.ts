/**
 * What the planner is told instead of what it would gather: that a workspace may be all of its table. Without anything it
 * takes a workspace for one row in 200, and where it believes that a table is small, for a single row: then every index
 * led by `workspace_id` looks as good as the right one, and a probe by key may read the whole workspace.
 */
import { Migration } from '@mikro-orm/migrations';

export class PlannerStatistics extends Migration {
  override name = '20261123_0700_planner_statistics';

  override up(): void {
    // One value in all rows (`n_distinct`), kept as it is because ANALYZE passes over the column (statistics 0). A copy that
    // was restored from a dump has lost it; workers call this again and again (src/operations/settle-statistics.ts).
    //
    // Beside it, what VACUUM and ANALYZE count where rows come faster than they count: pages that are filled already and
    // hardly a row that is committed. With fewer rows than pages a table is taken for one that was never looked at, of
    // which the planner estimates the rows by the pages that there are and the width of a row.
    //
    // The lock is that of VACUUM and ANALYZE: while one of these is at a table, it is left for the next time, sooner than
    // PostgreSQL would cancel an automatic one for it.
    this.addSql(`
      create function settle_statistics() returns integer
      language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '50ms' as $$
      declare
        tenant record;
        settled integer := 0;
      begin
        for tenant in
          select n.nspname::text as schema, c.relname::text as name, c.relkind = 'p' as inherited,
                 c.relkind = 'r' and c.relpages > 0 and c.reltuples >= 0 and c.reltuples < c.relpages as is_doubtful,
                 not exists (
                   select from pg_stats s
                   where s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname
                     and s.n_distinct = 1 and s.most_common_vals is null and s.histogram_bounds is null) as is_unknown
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
          where n.nspname = 'public' and c.relkind in ('r', 'p')
          order by c.relname
        loop
          continue when not (tenant.is_doubtful or tenant.is_unknown);
          begin
            if tenant.is_unknown then
              perform pg_clear_attribute_stats(tenant.schema, tenant.name, 'workspace_id', tenant.inherited);
              perform pg_restore_attribute_stats(
                'schemaname', tenant.schema, 'relname', tenant.name, 'attname', 'workspace_id'::text,
                'inherited', tenant.inherited, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real);
            end if;
            if tenant.is_doubtful then
              perform pg_clear_relation_stats(tenant.schema, tenant.name);
            end if;
            settled := settled + 1;
          exception when lock_not_available then
            null;
          end;
        end loop;
        return settled;
      end $$`);
    this.addSql(`revoke all on function settle_statistics from public`);
    this.addSql(`grant execute on function settle_statistics to partbook_system`);
    this.addSql(`select settle_statistics()`);
    // A search has the choice between the trigrams and all rows of the workspace, by their bitmaps. What the trigrams cost is
    // certain, and how many rows a workspace has is not: rows are made dear, so that few of them are read.
    this.addSql(`alter function search_entities(text[], integer) set cpu_tuple_cost = 100`);
  }
}
