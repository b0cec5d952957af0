/**
 * Sessions of people who signed in with an API key in a browser. A session is the key's, never more: it is joined
 * to the key whenever it is shown, so that what ends the key ends it.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class WebSession extends Migration {
  override name = '20261122_0700_web_session';

  override up(): void {
    this.addSql(`
      create table web_session (
        workspace_id uuid not null,
        token_hash bytea not null,
        key_id uuid not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        primary key (workspace_id, token_hash),
        foreign key (workspace_id, key_id) references api_key (workspace_id, id)
      )`);
    this.addSql(`create index web_session_key on web_session (workspace_id, key_id, created_at)`);
    this.addSql(`create index web_session_age on web_session (expires_at)`);
    for (const sql of grantTenantTable('web_session')) this.addSql(sql);
    // The other door beside authenticate_api_key, with the same answer. It lets the session slide: an update at
    // most once in a sixteenth of its life, so that most requests write nothing.
    this.addSql(`
      create function authenticate_web_session(wanted_hash bytea, wanted_slug text, hours integer)
      returns table (key_id uuid, key_workspace_id uuid, key_name text, permission text,
                     expired boolean, revoked boolean, wanted_workspace_id uuid, wanted_workspace_name text)
      language sql volatile security definer set search_path = public, pg_temp as $$
        with slid as (
          update web_session s set expires_at = now() + make_interval(hours => hours)
          from workspace w
          where w.slug = wanted_slug and s.workspace_id = w.id and s.token_hash = wanted_hash
            and s.expires_at > now()
            and s.expires_at < now() + make_interval(hours => hours) * 15 / 16
        )
        select k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false) or s.expires_at <= now(), k.revoked_at is not null,
               w.id, w.name
        from workspace w
        join web_session s on s.workspace_id = w.id and s.token_hash = wanted_hash
        join api_key k on k.workspace_id = s.workspace_id and k.id = s.key_id
        where w.slug = wanted_slug
      $$`);
    this.addSql(`revoke all on function authenticate_web_session from public`);
    this.addSql(`grant execute on function authenticate_web_session to partbook_app, partbook_system`);
  }
}
