/** CSV links: addresses with a secret in them, by which spreadsheets read one list and nothing else. Only the hash is kept. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

export class CsvLinks extends Migration {
  override name = '20261201_0003_csv_links';

  override up(): void {
    this.addSql(`
      create table csv_link (
        workspace_id uuid not null,
        id uuid not null,
        name text not null,
        list jsonb not null,
        prefix text not null,
        token_hash bytea not null,
        created_by uuid not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz,
        last_used_at timestamptz,
        revoked_at timestamptz,
        primary key (workspace_id, id)
      )`);
    this.addSql(`create unique index csv_link_token on csv_link (workspace_id, token_hash)`);
    for (const sql of grantTenantTable('csv_link')) this.addSql(sql);
    // It notes the use of a link once a minute at most: a table that is fetched all the time writes next to nothing.
    this.addSql(`
      create function authenticate_csv_link(wanted_hash bytea, wanted_slug text)
      returns table (link_id uuid, expired boolean, revoked boolean, found_workspace_id uuid,
                     found_workspace_name text, found_state text, found_moved_to text)
      language sql volatile security definer set search_path = public, pg_temp as $$
        with used as (
          update csv_link l set last_used_at = now()
          from workspace w
          where w.slug = wanted_slug and w.state = 'active' and l.workspace_id = w.id and l.token_hash = wanted_hash
            and l.revoked_at is null and (l.expires_at is null or l.expires_at > now())
            and (l.last_used_at is null or l.last_used_at < now() - interval '1 minute')
        )
        select l.id, coalesce(l.expires_at <= now(), false), l.revoked_at is not null, w.id, w.name, w.state,
               w.moved_to
        from workspace w
        join csv_link l on l.workspace_id = w.id and l.token_hash = wanted_hash
        where w.slug = wanted_slug
      $$`);
    this.addSql(grantFunction('authenticate_csv_link', 'partbook_app', 'partbook_system'));
  }
}
