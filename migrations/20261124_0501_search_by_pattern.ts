/**
 * A search for a text of one or two characters has two patterns. As two conditions of which one holds they left the planner a
 * choice: two passes over the index, or one over all rows of the workspace. Each names the workspace for itself now, in words of
 * its own, since what both have in common the planner would take out of them and look up alone.
 */
import { Migration } from '@mikro-orm/migrations';

export class SearchByPattern extends Migration {
  override name = '20261124_0501_search_by_pattern';

  override up(): void {
    const workspace = `current_setting('partbook.workspace_id', true)`;
    const text = `coalesce(e.number, '') || ' ' || e.name`;
    this.addSql(`
      create or replace function search_entities(patterns text[], entities_max integer)
      returns table (id uuid)
      language sql stable security definer set search_path = public, pg_temp
      set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
      set enable_bitmapscan = on set plan_cache_mode = force_custom_plan as $$
        select e.id from entity e
        where (uuid_send(e.workspace_id) = uuid_send(nullif(${workspace}, '')::uuid) and ${text} ilike patterns[1])
          or (uuid_send(e.workspace_id) = decode(replace(${workspace}, '-', ''), 'hex') and ${text} ilike patterns[2])
        limit entities_max
      $$`);
  }
}
