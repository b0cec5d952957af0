/**
 * What VACUUM and ANALYZE have counted of a table is believed until they count again, and meanwhile it can be wrong without
 * bound: of a table that was emptied and could not be made shorter, or that was counted beside its first large insertion,
 * they remember pages without rows, and every later page is one without rows then. All indexes of it cost the same, and a
 * probe of a key may read a whole workspace. A plan that is kept was made for the pages that there were.
 */
import { Migration } from '@mikro-orm/migrations';

export class SettleStatistics extends Migration {
  override name = '20261128_0300_settle_statistics';

  override up(): void {
    // Such a table is taken for one that was never counted: its rows are estimated by the pages that there are and the width
    // of a row. So is one that has become more than twice as long since, which also ends the plans that were kept of it; of
    // every doubling once, because what it was looked at with is remembered in `relpages`. What was gathered of the columns of a few
    // rows says nothing of many: that of those which are not among them there are none.
    //
    // The lock is that of VACUUM and ANALYZE: while one of these is at a table, it is left for the next time, sooner than
    // PostgreSQL would cancel an automatic one for it.
    this.addSql(`
      create function settle_statistics() returns integer
      language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '50ms' as $$
      declare
        doubtful record;
        settled integer := 0;
      begin
        for doubtful in
          select s.name, s.pages, s.relpages as counted from (
            select c.relname::text as name, c.relpages, c.reltuples,
                   (pg_relation_size(c.oid) / current_setting('block_size')::integer)::integer as pages
            from pg_class c
            join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
            where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')) as s
          where s.pages > 2 * s.relpages + 10 or (s.reltuples >= 0 and s.reltuples < s.relpages)
          order by s.name
        loop
          begin
            perform pg_restore_relation_stats(
              'schemaname', 'public', 'relname', doubtful.name, 'relpages', doubtful.pages, 'reltuples', '-1'::real);
            if doubtful.counted <= 10 then
              perform pg_clear_attribute_stats('public', doubtful.name, s.attname::text, false) from pg_stats s
              where s.schemaname = 'public' and s.tablename = doubtful.name and s.attname <> 'workspace_id' and not s.inherited;
            end if;
            settled := settled + 1;
          exception when lock_not_available then
            null;
          end;
        end loop;
        return settled;
      exception when lock_not_available then
        return settled;
      end $$`);
    this.addSql(`revoke all on function settle_statistics from public`);
    this.addSql(`grant execute on function settle_statistics to partbook_system`);
  }
}
