/**
 * Operators are persons: an operator's session belongs to a person's session and ends with it, and actions name the person. The operator
 * token still opens everything, as the spare key.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const definer = 'security definer set search_path = public, pg_temp';

export class Operators extends Migration {
  override name = '20261206_1600_operators';

  override up(): void {
    this.addSql(`
      create table person_operator (
        person_id uuid primary key references person (id),
        created_at timestamptz not null default now()
      )`);
    // Without policies nobody but the owner, as whom the functions run, sees a row.
    this.addSql(`alter table person_operator enable row level security`);
    this.addSql(`alter table operator_session add column person_token_hash bytea`);
    this.addSql(`alter table operator_action add column person_id uuid, add column person_name text`);
    const add = (name: string, args: string, answer: string, body: string, kind = 'volatile') => {
      this.addSql(
        `create function ${name}(${args}) returns ${answer} language sql ${kind} ${definer} as $$ ${body} $$`,
      );
      this.addSql(grantFunction(name, 'partbook_system'));
    };
    // About the person of a session that is open, operator or not.
    add(
      'find_operator',
      'hash bytea, seconds integer',
      'table (person_id uuid, name text, is_operator boolean, is_proved boolean)',
      `select p.id, p.name, o.person_id is not null, coalesce(s.proved_at > now() - make_interval(secs => $2), false)
       from person_session s join person p on p.id = s.person_id
       left join person_operator o on o.person_id = p.id
       where s.token_hash = $1 and s.expires_at > now()`,
      'stable',
    );
    add(
      'list_operators',
      'rows integer',
      'table (person_id uuid, name text, created_at timestamptz)',
      `select p.id, p.name, o.created_at from person_operator o join person p on p.id = o.person_id
       order by o.created_at, p.id limit $1`,
      'stable',
    );
    add(
      'add_operator',
      'person uuid',
      'boolean',
      `with added as (insert into person_operator (person_id) values ($1) on conflict do nothing returning 1)
       select exists (select from added)`,
    );
    add(
      'remove_operator',
      'person uuid',
      'table (name text)',
      `with removed as (delete from person_operator o where o.person_id = $1 returning o.person_id)
       select p.name from person p join removed r on r.person_id = p.id`,
    );
    // A sign-in link of a workspace gives a new way in, which its administrators could use: it makes nobody an operator.
    this.addSql(`
      create or replace function clear_ways_in(person uuid) returns void language sql volatile ${definer} as $$
        delete from person_operator o where o.person_id = $1;
        delete from passkey k where k.person_id = $1;
        delete from person_password w where w.person_id = $1;
        delete from person_identity i where i.person_id = $1;
        delete from person_session s where s.person_id = $1
      $$`);
    // Persons of a provider who are members of nothing and have no session; an operator need be no member.
    this.addSql(`
      create or replace function prune_strangers(portion integer) returns bigint language sql volatile ${definer} as $$
        with strangers as materialized (
          select p.id from person p
          where p.created_at < now() - interval '1 day'
            and exists (select from person_identity i where i.person_id = p.id)
            and not exists (select from membership m where m.person_id = p.id)
            and not exists (select from passkey k where k.person_id = p.id)
            and not exists (select from person_password w where w.person_id = p.id)
            and not exists (select from person_session s where s.person_id = p.id)
            and not exists (select from person_operator o where o.person_id = p.id)
          order by p.id limit $1 for update skip locked
        ), identities as (
          delete from person_identity i using strangers s where i.person_id = s.id
        ), gone as (
          delete from person p using strangers s where p.id = s.id returning 1
        )
        select count(*) from gone
      $$`);
  }
}
