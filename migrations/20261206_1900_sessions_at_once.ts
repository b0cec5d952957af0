/**
 * Looks up the sessions of persons as keys are looked up: several by one statement that only reads. Its answer says whether the session is to
 * be prolonged, which another function does, every five minutes at most.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const STALE = `now() - interval '5 minutes'`;

export class SessionsAtOnce extends Migration {
  override name = '20261206_1900_sessions_at_once';

  override up(): void {
    this.addSql(`
      create function authenticate_person_sessions(token_hashes bytea[], wanted_slugs text[])
      returns table (place bigint, member_id uuid, member_workspace_id uuid, member_name text, areas text[], expired boolean,
                     wanted_workspace_id uuid, wanted_workspace_name text, wanted_state text, wanted_moved_to text, is_stale boolean)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      #variable_conflict use_column
      begin
        return query
        select asked.place, m.id, m.workspace_id, m.name, m.areas, s.expires_at <= now(), w.id, w.name, w.state, w.moved_to,
               s.expires_at > now() and (s.used_at < ${STALE} or (m.id is not null and coalesce(p.seen_at < ${STALE}, true)))
        from unnest(token_hashes, wanted_slugs) with ordinality as asked (hash, slug, place)
        cross join lateral (select * from person_session t where t.token_hash = asked.hash limit 1) as s
        left join lateral (select * from workspace t where t.slug = asked.slug limit 1) as w on true
        left join lateral (
          select * from membership t where t.workspace_id = w.id and t.person_id = s.person_id limit 1) as p on true
        left join lateral (
          select * from member t
          where t.workspace_id = p.workspace_id and t.id = p.member_id and t.ended_at is null limit 1) as m on true;
      end $$`);
    this.addSql(grantFunction('authenticate_person_sessions', 'partbook_app', 'partbook_system'));
    this.addSql(`
      create function use_person_session(wanted_hash bytea, wanted_slug text, hours integer) returns void
      language sql volatile security definer set search_path = public, pg_temp as $$
        update person_session s set expires_at = least(now() + make_interval(hours => hours), s.ends_at), used_at = now()
        where s.token_hash = wanted_hash and s.expires_at > now();
        update membership p set seen_at = now()
        from person_session s, workspace w
        where s.token_hash = wanted_hash and s.expires_at > now() and w.slug = wanted_slug
          and p.workspace_id = w.id and p.person_id = s.person_id and coalesce(p.seen_at < ${STALE}, true)
      $$`);
    this.addSql(grantFunction('use_person_session', 'partbook_app', 'partbook_system'));
  }
}
