/**
 * A search that leaves the planner no choice. Its index began with `workspace_id` as all others do, so that the bitmap of any of
 * them could be taken for it: while little is known of the table, all rows of a workspace looked as few as those that have a
 * text, and a search read the whole of it. Under an expression of its own the workspace is in this index and in no other.
 */
import { Migration } from '@mikro-orm/migrations';

export class SearchIndex extends Migration {
  override name = '20261124_0500_search_index';

  override up(): void {
    // Made before the other goes, which keeps everybody else from the table until the commit: while it is made, entities are read.
    this.addSql(
      `create index entity_search_alone on entity
       using gin (uuid_send(workspace_id), (coalesce(number, '') || ' ' || name) gin_trgm_ops)`,
    );
    // ANALYZE would learn of this expression which workspaces there are, as it would of the column.
    this.addSql(`alter index entity_search_alone alter column 1 set statistics 0`);
    this.addSql(`drop index entity_search`);
    this.addSql(`alter index entity_search_alone rename to entity_search`);
    this.addSql(`
      create or replace function search_entities(patterns text[], entities_max integer)
      returns table (id uuid)
      language sql stable security definer set search_path = public, pg_temp
      set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
      set enable_bitmapscan = on set plan_cache_mode = force_custom_plan as $$
        select e.id from entity e
        where uuid_send(e.workspace_id) = uuid_send(nullif(current_setting('partbook.workspace_id', true), '')::uuid)
          and (coalesce(e.number, '') || ' ' || e.name ilike patterns[1]
            or coalesce(e.number, '') || ' ' || e.name ilike coalesce(patterns[2], patterns[1]))
        limit entities_max
      $$`);
  }
}
