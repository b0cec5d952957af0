/** API keys with areas of their own. A key without them has those of its level, as all keys had before. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

/** The answer of each way in: the key, what it may do, and the workspace that was asked for. */
const found = `
  key_id uuid, key_workspace_id uuid, key_name text, permission text, expired boolean, revoked boolean,
  wanted_workspace_id uuid, wanted_workspace_name text, wanted_state text, wanted_moved_to text, areas text[]`;

export class AreasOfKeys extends Migration {
  override name = '20261203_2000_areas_of_keys';

  override up(): void {
    // The level of a key with areas is the highest one that they contain: a process of the release before grants no more.
    this.addSql(`
      alter table api_key add column areas text[] check (
        'read' = any(areas)
        and areas <@ array['read', 'stock', 'procurement', 'engineering', 'configuration', 'admin']
      )`);
    // The columns of a function's answer cannot be added in place. Statements of running processes name the columns they want.
    this.addSql(`drop function authenticate_api_keys(bytea[], text[])`);
    this.addSql(`
      create function authenticate_api_keys(key_hashes bytea[], wanted_slugs text[])
      returns table (place bigint, ${found})
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
        select asked.place, k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false), k.revoked_at is not null, w.id, w.name, w.state, w.moved_to,
               k.areas
        from unnest(key_hashes, wanted_slugs) with ordinality as asked (hash, slug, place)
        cross join lateral (select * from api_key where api_key.hash = asked.hash limit 1) as k
        left join lateral (select * from workspace where workspace.slug = asked.slug limit 1) as w on true;
      end $$`);
    this.addSql(grantFunction('authenticate_api_keys', 'partbook_app', 'partbook_system'));
    this.addSql(`drop function authenticate_web_session(bytea, text, integer)`);
    this.addSql(`
      create function authenticate_web_session(wanted_hash bytea, wanted_slug text, hours integer)
      returns table (${found})
      language sql volatile security definer set search_path = public, pg_temp as $$
        with slid as (
          update web_session s set expires_at = now() + make_interval(hours => hours)
          from workspace w
          where w.slug = wanted_slug and w.state = 'active' and s.workspace_id = w.id and s.token_hash = wanted_hash
            and s.expires_at > now()
            and s.expires_at < now() + make_interval(hours => hours) * 15 / 16
        )
        select k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false) or s.expires_at <= now(), k.revoked_at is not null,
               w.id, w.name, w.state, w.moved_to, k.areas
        from workspace w
        join web_session s on s.workspace_id = w.id and s.token_hash = wanted_hash
        join api_key k on k.workspace_id = s.workspace_id and k.id = s.key_id
        where w.slug = wanted_slug
      $$`);
    this.addSql(grantFunction('authenticate_web_session', 'partbook_app', 'partbook_system'));
  }
}
