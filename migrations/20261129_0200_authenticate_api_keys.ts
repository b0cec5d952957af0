/**
 * Who is behind several keys, by one call. What a function costs that runs with the rights of another (its search path is set, and
 * taken back, and the plan looked at again) was paid for each key of a turn, and was a tenth of what small batches cost PostgreSQL.
 * `authenticate_api_key` stays for processes of the release before.
 */
import { Migration } from '@mikro-orm/migrations';

export class AuthenticateApiKeys extends Migration {
  override name = '20261129_0200_authenticate_api_keys';

  override up(): void {
    // LATERAL with LIMIT keeps it a probe of the unique index for each key, whatever is known of the tables.
    this.addSql(`
      create function authenticate_api_keys(key_hashes bytea[], wanted_slugs text[])
      returns table (place bigint, key_id uuid, key_workspace_id uuid, key_name text, permission text,
                     expired boolean, revoked boolean, wanted_workspace_id uuid, wanted_workspace_name text,
                     wanted_state text, wanted_moved_to text)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
        select asked.place, k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false), k.revoked_at is not null, w.id, w.name, w.state, w.moved_to
        from unnest(key_hashes, wanted_slugs) with ordinality as asked (hash, slug, place)
        cross join lateral (select * from api_key where api_key.hash = asked.hash limit 1) as k
        left join lateral (select * from workspace where workspace.slug = asked.slug limit 1) as w on true;
      end $$`);
    this.addSql(`revoke all on function authenticate_api_keys from public`);
    this.addSql(`grant execute on function authenticate_api_keys to partbook_app, partbook_system`);
  }
}
