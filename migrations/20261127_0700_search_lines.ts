/**
 * While somebody types, the best of what fits are chosen, and what chooses is the line that was found: without it each of two
 * thousand hits was a look at its entity. The same search as `search_entities`, with the lines.
 */
import { Migration } from '@mikro-orm/migrations';

export class SearchLines extends Migration {
  override name = '20261127_0700_search_lines';

  override up(): void {
    const workspace = `current_setting('partbook.workspace_id', true)`;
    this.addSql(`
      create function search_lines(patterns text[], hits_max integer)
      returns table (id uuid, line text)
      language sql stable security definer set search_path = public, pg_temp
      set enable_seqscan = off set enable_bitmapscan = on set plan_cache_mode = force_custom_plan as $$
        select found.id, found.line
        from entity_text t
        cross join lateral unnest(t.ids, string_to_array(btrim(t.lines, E'\\n'), E'\\n')) as found (id, line)
        left join lateral (
          select true as is_own from entity_text own
          where own.workspace_id = t.workspace_id and own.id = found.id limit 1) as newer on t.id <> found.id
        where ((uuid_send(t.workspace_id) = uuid_send(nullif(${workspace}, '')::uuid)
                and t.lines like E'%\\n' || translate(lower(patterns[1]), E'\\n', E'\\v') || E'\\n%')
            or (uuid_send(t.workspace_id) = decode(replace(${workspace}, '-', ''), 'hex')
                and t.lines like E'%\\n' || translate(lower(patterns[2]), E'\\n', E'\\v') || E'\\n%'))
          and (found.line like translate(lower(patterns[1]), E'\\n', E'\\v')
            or found.line like translate(lower(patterns[2]), E'\\n', E'\\v'))
          and newer.is_own is null
        limit hits_max
      $$`);
    this.addSql(`revoke all on function search_lines from public`);
    this.addSql(`grant execute on function search_lines to partbook_app, partbook_system`);
  }
}
