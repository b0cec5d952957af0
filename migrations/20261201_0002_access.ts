/** Who may enter a workspace: API keys, the sessions of browsers that signed in with one, and the actors that history names. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

/** What each way in answers about the caller and the workspace that it asked for. */
const found = `
  key_id uuid, key_workspace_id uuid, key_name text, permission text, expired boolean, revoked boolean,
  wanted_workspace_id uuid, wanted_workspace_name text, wanted_state text, wanted_moved_to text`;

export class Access extends Migration {
  override name = '20261201_0002_access';

  override up(): void {
    // Rows of history point to an actor, so that its name stays readable when its key is revoked.
    this.addSql(`
      create table actor (
        workspace_id uuid not null,
        id uuid not null,
        type text not null check (type in ('apiKey', 'operator', 'automation', 'system')),
        name text not null,
        primary key (workspace_id, id)
      )`);
    for (const sql of grantTenantTable('actor')) this.addSql(sql);

    // Only the hash of a key is kept. The second index finds a key before its workspace is known.
    this.addSql(`
      create table api_key (
        workspace_id uuid not null,
        id uuid not null,
        name text not null,
        permission text not null check (permission in ('read', 'write', 'admin')),
        prefix text not null,
        hash bytea not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz,
        last_used_at timestamptz,
        revoked_at timestamptz,
        primary key (workspace_id, id),
        unique (workspace_id, hash)
      )`);
    this.addSql(`create index api_key_hash on api_key (hash)`);
    for (const sql of grantTenantTable('api_key')) this.addSql(sql);

    // A session can do what its key can do: it is joined to the key at each request, so that it ends with the key.
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

    // These functions run before a workspace is known. They see past row-level security and answer with one row for each key.
    // Several keys are looked up in one call, because entering a function with other rights costs more than the look-up.
    // LATERAL with LIMIT keeps it a probe of the index for each key, whatever the planner knows of the tables.
    this.addSql(`
      create function authenticate_api_keys(key_hashes bytea[], wanted_slugs text[])
      returns table (place bigint, ${found})
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
        select asked.place, k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false), k.revoked_at is not null, w.id, w.name, w.state, w.moved_to
        from unnest(key_hashes, wanted_slugs) with ordinality as asked (hash, slug, place)
        cross join lateral (select * from api_key where api_key.hash = asked.hash limit 1) as k
        left join lateral (select * from workspace where workspace.slug = asked.slug limit 1) as w on true;
      end $$`);
    this.addSql(grantFunction('authenticate_api_keys', 'partbook_app', 'partbook_system'));
    // A session that is used is prolonged, at most once in a sixteenth of its life, so that most requests write nothing.
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
               w.id, w.name, w.state, w.moved_to
        from workspace w
        join web_session s on s.workspace_id = w.id and s.token_hash = wanted_hash
        join api_key k on k.workspace_id = s.workspace_id and k.id = s.key_id
        where w.slug = wanted_slug
      $$`);
    this.addSql(grantFunction('authenticate_web_session', 'partbook_app', 'partbook_system'));
  }
}
