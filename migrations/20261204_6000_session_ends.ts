/**
 * Sessions of persons end, however much they are used, and remember when the person last proved to be the one who signed in. A membership
 * remembers when it was last used, so that a workspace learns nothing about a person's work elsewhere.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const definer = 'security definer set search_path = public, pg_temp';
/** A session that is used is prolonged, at most once in a sixteenth of its life, and never beyond its end. */
const slide = (hash: string, hours: string) => `
  update person_session s set expires_at = least(now() + make_interval(hours => ${hours}), s.ends_at), used_at = now()
  where s.token_hash = ${hash} and s.expires_at > now() and s.expires_at < s.ends_at
    and s.expires_at < now() + make_interval(hours => ${hours}) * 15 / 16`;

export class SessionEnds extends Migration {
  override name = '20261204_6000_session_ends';

  override up(): void {
    // Sessions that are open, and those that an older process still begins, end after thirty days.
    this.addSql(
      `alter table person_session add column ends_at timestamptz not null default now() + interval '30 days'`,
    );
    this.addSql(`alter table person_session add column proved_at timestamptz`);
    this.addSql(`alter table membership add column seen_at timestamptz`);
    const add = (name: string, args: string, answer: string, body: string) => {
      this.addSql(
        `create function ${name}(${args}) returns ${answer} language sql volatile ${definer} as $$ ${body} $$`,
      );
      this.addSql(grantFunction(name, 'partbook_system'));
    };
    add(
      'open_person_session',
      'hash bytea, id uuid, person uuid, agent text, hours integer, days integer, keep integer',
      'timestamptz',
      `delete from person_session s where s.token_hash in (
         select o.token_hash from person_session o where o.person_id = $3 order by o.created_at desc, o.token_hash offset $7 - 1);
       insert into person_session (token_hash, id, person_id, agent, expires_at, ends_at, proved_at)
       values ($1, $2, $3, $4, least(now() + make_interval(hours => $5), now() + make_interval(days => $6)),
               now() + make_interval(days => $6), now()) returning expires_at`,
    );
    add(
      'prove_person_session',
      'hash bytea',
      'void',
      'update person_session s set proved_at = now() where s.token_hash = $1',
    );
    add(
      'is_session_proved',
      'hash bytea, seconds integer',
      'boolean',
      `select exists (select from person_session s
         where s.token_hash = $1 and s.proved_at > now() - make_interval(secs => $2))`,
    );
    this.addSql(`
      create or replace function find_person_session(hash bytea, hours integer)
      returns table (person_id uuid, name text, session_id uuid, expires_at timestamptz)
      language sql volatile ${definer} as $$
        with slid as (${slide('$1', '$2')})
        select p.id, p.name, s.id, s.expires_at from person_session s join person p on p.id = s.person_id
        where s.token_hash = $1 and s.expires_at > now()
      $$`);
    // The membership is marked about once an hour.
    this.addSql(`
      create or replace function authenticate_person_session(wanted_hash bytea, wanted_slug text, hours integer)
      returns table (member_id uuid, member_workspace_id uuid, member_name text, areas text[], expired boolean,
                     wanted_workspace_id uuid, wanted_workspace_name text, wanted_state text, wanted_moved_to text)
      language sql volatile ${definer} as $$
        with slid as (${slide('wanted_hash', 'hours')}), seen as (
          update membership p set seen_at = now()
          from person_session s, workspace w
          where s.token_hash = wanted_hash and s.expires_at > now() and w.slug = wanted_slug
            and p.workspace_id = w.id and p.person_id = s.person_id
            and (p.seen_at is null or p.seen_at < now() - interval '1 hour')
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
