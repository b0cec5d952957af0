/**
 * Persons of an OpenID Connect provider: known by (issuer, subject), never by an e-mail. Only the functions below reach refresh tokens and
 * sessions. Rules map groups of the provider to areas; a member is managed by hand or by groups, never by both.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

const definer = 'security definer set search_path = public, pg_temp';

export class Identities extends Migration {
  override name = '20261204_6100_identities';

  override up(): void {
    this.addSql(`
      create table person_identity (
        issuer text not null,
        subject text not null,
        person_id uuid not null references person (id),
        refresh_token text,
        check_at timestamptz,
        answered_at timestamptz not null default now(),
        created_at timestamptz not null default now(),
        primary key (issuer, subject)
      )`);
    this.addSql(`create index person_identity_person on person_identity (person_id)`);
    this.addSql(`create index person_identity_due on person_identity (check_at) where check_at is not null`);
    this.addSql(`alter table person_identity enable row level security`);
    this.addSql(
      `alter table person_session add column issuer text, add column subject text, add column sid text, add column id_token text`,
    );
    this.addSql(
      `create index person_session_identity on person_session (issuer, subject) where issuer is not null`,
    );
    this.addSql(`create index person_session_sid on person_session (issuer, sid) where sid is not null`);
    // `provider`: a sign-in that is at the provider. `logout`: a log-out that was announced and is not to be announced twice.
    this.addSql(`alter table sign_in_attempt drop constraint sign_in_attempt_purpose_check`);
    this.addSql(`alter table sign_in_attempt add constraint sign_in_attempt_purpose_check
      check (purpose in ('signIn', 'register', 'provider', 'logout'))`);
    this.addSql(`alter table member add column managed text not null default 'hand'
      constraint member_managed_check check (managed in ('hand', 'groups'))`);
    this.addSql(`
      create table group_rule (
        workspace_id uuid not null,
        group_name text not null,
        areas text[] not null check (
          'read' = any(areas) and areas <@ array['read', 'stock', 'procurement', 'engineering', 'configuration', 'admin']),
        primary key (workspace_id, group_name)
      )`);
    // By hash, so that no statement of one workspace takes it in place of the primary key.
    this.addSql(`create index group_rule_hash on group_rule (md5(group_name))`);
    for (const sql of grantTenantTable('group_rule')) this.addSql(sql);
    this.#functions();
  }

  #functions(): void {
    const add = (name: string, args: string, answer: string, body: string, kind = 'volatile') => {
      this.addSql(
        `create function ${name}(${args}) returns ${answer} language sql ${kind} ${definer} as $$ ${body} $$`,
      );
      this.addSql(grantFunction(name, 'partbook_system'));
    };
    // Returns the person of an identity, who is made if nobody has it, under the name that the provider gives now.
    add(
      'know_identity',
      'issuer text, subject text, new_person uuid, name text',
      'uuid',
      `with known as (
         select i.person_id from person_identity i where i.issuer = $1 and i.subject = $2
       ), renamed as (
         update person p set name = $4 from known k where p.id = k.person_id and p.name <> $4
       ), made as (
         insert into person (id, name) select $3, $4 where not exists (select from known) returning id
       ), linked as (
         insert into person_identity (issuer, subject, person_id) select $1, $2, m.id from made m returning person_id
       )
       select k.person_id from known k union all select l.person_id from linked l`,
    );
    // Gives the identity to a person; returns whose it is then.
    add(
      'connect_identity',
      'issuer text, subject text, person uuid',
      'uuid',
      `with linked as (
         insert into person_identity (issuer, subject, person_id) values ($1, $2, $3)
         on conflict (issuer, subject) do nothing returning person_id
       )
       select l.person_id from linked l
       union all select i.person_id from person_identity i where i.issuer = $1 and i.subject = $2 limit 1`,
    );
    add(
      'bind_person_session',
      'hash bytea, issuer text, subject text, sid text, id_token text, hours integer',
      'void',
      `update person_session s set issuer = $2, subject = $3, sid = $4, id_token = $5,
         ends_at = least(s.ends_at, now() + make_interval(hours => $6)),
         expires_at = least(s.expires_at, now() + make_interval(hours => $6))
       where s.token_hash = $1`,
    );
    add(
      'keep_refresh_token',
      'issuer text, subject text, token text, seconds integer',
      'void',
      `update person_identity i set refresh_token = $3, answered_at = now(),
         check_at = case when $3 is null then null else now() + make_interval(secs => $4) end
       where i.issuer = $1 and i.subject = $2`,
    );
    // One process at a time asks about an identity: nobody else finds it due before the lease is over.
    add(
      'claim_identity_check',
      'issuer text, lease integer',
      'table (subject text, person_id uuid, refresh_token text, silent_seconds float8, is_open boolean)',
      `update person_identity i set check_at = now() + make_interval(secs => $2)
       from (select d.issuer, d.subject from person_identity d where d.issuer = $1 and d.check_at <= now()
             order by d.check_at limit 1 for update skip locked) due
       where i.issuer = due.issuer and i.subject = due.subject
       returning i.subject, i.person_id, i.refresh_token, extract(epoch from now() - i.answered_at)::float8,
         exists (select from person_session s where s.issuer = i.issuer and s.subject = i.subject and s.expires_at > now())`,
    );
    // Writes what the provider answered, unless a sign-in has brought another token meanwhile.
    add(
      'answer_identity_check',
      'issuer text, subject text, former text, token text, seconds integer',
      'boolean',
      `with written as (
         update person_identity i set refresh_token = $4, answered_at = now(),
           check_at = case when $4 is null then null else now() + make_interval(secs => $5) end
         where i.issuer = $1 and i.subject = $2 and i.refresh_token = $3 returning 1
       )
       select exists (select from written)`,
    );
    add(
      'end_sessions_of_identity',
      'issuer text, subject text, sid text',
      'table (person_id uuid)',
      `delete from person_session s
       where s.issuer = $1 and ($2 is null or s.subject = $2) and ($3 is null or s.sid = $3) and ($2 is not null or $3 is not null)
       returning s.person_id`,
    );
    add(
      'find_identity_token',
      'hash bytea',
      'table (issuer text, id_token text)',
      'select s.issuer, s.id_token from person_session s where s.token_hash = $1 and s.issuer is not null',
      'stable',
    );
    // Persons of a provider who are members of nothing and have no session: their next sign-in makes them again.
    add(
      'prune_strangers',
      'portion integer',
      'bigint',
      `with strangers as materialized (
         select p.id from person p
         where p.created_at < now() - interval '1 day'
           and exists (select from person_identity i where i.person_id = p.id)
           and not exists (select from membership m where m.person_id = p.id)
           and not exists (select from passkey k where k.person_id = p.id)
           and not exists (select from person_password w where w.person_id = p.id)
           and not exists (select from person_session s where s.person_id = p.id)
         order by p.id limit $1 for update skip locked
       ), identities as (
         delete from person_identity i using strangers s where i.person_id = s.id
       ), gone as (
         delete from person p using strangers s where p.id = s.id returning 1
       )
       select count(*) from gone`,
    );
    // A new way to sign in replaces the provider's too: its administrators could come back with it.
    this.addSql(`
      create or replace function clear_ways_in(person uuid) returns void language sql volatile ${definer} as $$
        delete from passkey k where k.person_id = $1;
        delete from person_password w where w.person_id = $1;
        delete from person_identity i where i.person_id = $1;
        delete from person_session s where s.person_id = $1
      $$`);
    this.addSql(`
      create or replace function describe_person(person uuid) returns jsonb language sql stable ${definer} as $$
        select jsonb_build_object('id', p.id, 'name', p.name,
          'userName', (select w.user_name from person_password w where w.person_id = p.id),
          'identities', (select coalesce(jsonb_agg(jsonb_build_object('issuer', i.issuer, 'createdAt', i.created_at)
              order by i.created_at), '[]') from person_identity i where i.person_id = p.id),
          'passkeys', (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'createdAt', k.created_at,
              'lastUsedAt', k.last_used_at, 'credentialId', encode(k.credential_id, 'base64'), 'transports', k.transports)
              order by k.id), '[]') from passkey k where k.person_id = p.id),
          'sessions', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'agent', s.agent, 'createdAt', s.created_at,
              'usedAt', s.used_at) order by s.used_at desc), '[]')
              from person_session s where s.person_id = p.id and s.expires_at > now()))
        from person p where p.id = $1
      $$`);
  }
}
