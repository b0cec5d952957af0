/**
 * A membership is marked every five minutes while its person works, in place of every hour, and a session says within five minutes when it was
 * used last.
 */
import { Migration } from '@mikro-orm/migrations';

const definer = 'security definer set search_path = public, pg_temp';
const STALE = `now() - interval '5 minutes'`;
/** A session that is used is prolonged, at most once in a sixteenth of its life, and never beyond its end. */
const slide = (hash: string, hours: string) => `
  update person_session s set expires_at = least(now() + make_interval(hours => ${hours}), s.ends_at), used_at = now()
  where s.token_hash = ${hash} and s.expires_at > now() and (s.used_at < ${STALE}
    or (s.expires_at < s.ends_at and s.expires_at < now() + make_interval(hours => ${hours}) * 15 / 16))`;

export class SeenLately extends Migration {
  override name = '20261206_1800_seen_lately';

  override up(): void {
    this.addSql(`
      create or replace function find_person_session(hash bytea, hours integer)
      returns table (person_id uuid, name text, session_id uuid, expires_at timestamptz)
      language sql volatile ${definer} as $$
        with slid as (${slide('$1', '$2')})
        select p.id, p.name, s.id, s.expires_at from person_session s join person p on p.id = s.person_id
        where s.token_hash = $1 and s.expires_at > now()
      $$`);
    this.addSql(`
      create or replace function authenticate_person_session(wanted_hash bytea, wanted_slug text, hours integer)
      returns table (member_id uuid, member_workspace_id uuid, member_name text, areas text[], expired boolean,
                     wanted_workspace_id uuid, wanted_workspace_name text, wanted_state text, wanted_moved_to text)
      language sql volatile ${definer} as $$
        with slid as (${slide('wanted_hash', 'hours')}), seen as (
          update membership p set seen_at = now()
          from person_session s, workspace w
          where s.token_hash = wanted_hash and s.expires_at > now() and w.slug = wanted_slug
            and p.workspace_id = w.id and p.person_id = s.person_id and (p.seen_at is null or p.seen_at < ${STALE})
        )
        select m.id, m.workspace_id, m.name, m.areas, s.expires_at <= now(), w.id, w.name, w.state, w.moved_to
        from person_session s
        left join workspace w on w.slug = wanted_slug
        left join membership p on p.workspace_id = w.id and p.person_id = s.person_id
        left join member m on m.workspace_id = p.workspace_id and m.id = p.member_id and m.ended_at is null
        where s.token_hash = wanted_hash
      $$`);
  }
}
