/**
 * Persons who sign in: they belong to the installation, and so do their passkeys, passwords and sessions. The service's roles have no
 * right to these tables and reach them through the functions below, which answer about one person at a time.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const definer = 'security definer set search_path = public, pg_temp';

export class Persons extends Migration {
  override name = '20261203_1000_persons';

  override up(): void {
    this.addSql(
      `create table person (id uuid primary key, name text not null, created_at timestamptz not null default now())`,
    );
    this.addSql(`
      create table passkey (
        credential_id bytea primary key,
        id uuid not null unique,
        person_id uuid not null references person (id),
        public_key bytea not null,
        counter bigint not null,
        transports text[] not null,
        name text not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz
      )`);
    this.addSql(`create index passkey_person on passkey (person_id)`);
    this.addSql(`
      create table person_password (
        person_id uuid primary key references person (id),
        user_name text not null,
        hash text not null,
        changed_at timestamptz not null default now()
      )`);
    this.addSql(`create unique index person_password_user_name on person_password (lower(user_name))`);
    this.addSql(`
      create table person_session (
        token_hash bytea primary key,
        id uuid not null unique,
        person_id uuid not null references person (id),
        agent text not null,
        created_at timestamptz not null default now(),
        used_at timestamptz not null default now(),
        expires_at timestamptz not null
      )`);
    this.addSql(`create index person_session_person on person_session (person_id, created_at)`);
    this.addSql(`create index person_session_age on person_session (expires_at)`);
    // The challenge of a passkey that is being made or used. It is deleted by its use.
    this.addSql(`
      create table sign_in_attempt (
        token_hash bytea primary key,
        purpose text not null check (purpose in ('signIn', 'register')),
        challenge text not null,
        expires_at timestamptz not null
      )`);
    this.addSql(`create index sign_in_attempt_age on sign_in_attempt (expires_at)`);
    // Without policies nobody but the owner, as whom the functions run, sees a row.
    for (const table of ['person', 'passkey', 'person_password', 'person_session', 'sign_in_attempt'])
      this.addSql(`alter table ${table} enable row level security`);
    this.#functions();
  }

  /** Only transactions of the instance sign somebody in, so only partbook_system may call these. */
  #functions(): void {
    const add = (name: string, args: string, answer: string, body: string, kind = 'volatile') => {
      this.addSql(
        `create function ${name}(${args}) returns ${answer} language sql ${kind} ${definer} as $$ ${body} $$`,
      );
      this.addSql(grantFunction(name, 'partbook_system'));
    };
    add('add_person', 'id uuid, name text', 'void', 'insert into person (id, name) values ($1, $2)');
    // A session that is used is prolonged, at most once in a sixteenth of its life.
    add(
      'find_person_session',
      'hash bytea, hours integer',
      'table (person_id uuid, name text, session_id uuid, expires_at timestamptz)',
      `with slid as (
         update person_session s set expires_at = now() + make_interval(hours => $2), used_at = now()
         where s.token_hash = $1 and s.expires_at > now() and s.expires_at < now() + make_interval(hours => $2) * 15 / 16
       )
       select p.id, p.name, s.id, s.expires_at from person_session s join person p on p.id = s.person_id
       where s.token_hash = $1 and s.expires_at > now()`,
    );
    add(
      'begin_person_session',
      'hash bytea, id uuid, person uuid, agent text, hours integer, keep integer',
      'timestamptz',
      `delete from person_session s where s.token_hash in (
         select o.token_hash from person_session o where o.person_id = $3 order by o.created_at desc, o.token_hash offset $6 - 1);
       insert into person_session (token_hash, id, person_id, agent, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(hours => $5)) returning expires_at`,
    );
    // Ends one session, or all but the one that is kept.
    add(
      'end_person_sessions',
      'person uuid, wanted uuid, kept bytea',
      'table (id uuid)',
      `delete from person_session s
       where s.person_id = $1 and ($2 is null or s.id = $2) and ($3 is null or s.token_hash <> $3) returning s.id`,
    );
    add(
      'describe_person',
      'person uuid',
      'jsonb',
      `select jsonb_build_object('id', p.id, 'name', p.name,
         'userName', (select w.user_name from person_password w where w.person_id = p.id),
         'passkeys', (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'createdAt', k.created_at,
             'lastUsedAt', k.last_used_at, 'credentialId', encode(k.credential_id, 'base64'), 'transports', k.transports)
             order by k.id), '[]') from passkey k where k.person_id = p.id),
         'sessions', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'agent', s.agent, 'createdAt', s.created_at,
             'usedAt', s.used_at) order by s.used_at desc), '[]')
             from person_session s where s.person_id = p.id and s.expires_at > now()))
       from person p where p.id = $1`,
      'stable',
    );
    add(
      'add_passkey',
      'credential bytea, id uuid, person uuid, public_key bytea, counter bigint, transports text[], name text',
      'void',
      `insert into passkey (credential_id, id, person_id, public_key, counter, transports, name)
       values ($1, $2, $3, $4, $5, $6, $7)`,
    );
    add(
      'find_passkey',
      'credential bytea',
      'table (person_id uuid, name text, public_key bytea, counter bigint, transports text[])',
      `select p.id, p.name, k.public_key, k.counter, k.transports
       from passkey k join person p on p.id = k.person_id where k.credential_id = $1`,
      'stable',
    );
    add(
      'use_passkey',
      'credential bytea, counter bigint',
      'void',
      `update passkey k set counter = greatest(k.counter, $2), last_used_at = now() where k.credential_id = $1`,
    );
    // Locks the person, so that of two that remove a way to sign in at once, the second sees what is left.
    add('lock_person', 'person uuid', 'uuid', 'select p.id from person p where p.id = $1 for update');
    add(
      'remove_passkey',
      'person uuid, wanted uuid',
      'table (id uuid)',
      'delete from passkey k where k.person_id = $1 and k.id = $2 returning k.id',
    );
    add(
      'set_person_password',
      'person uuid, user_name text, hash text',
      'void',
      `insert into person_password (person_id, user_name, hash) values ($1, $2, $3)
       on conflict (person_id) do update set user_name = $2, hash = $3, changed_at = now()`,
    );
    add(
      'find_person_password',
      'user_name text',
      'table (person_id uuid, name text, hash text)',
      `select p.id, p.name, w.hash from person_password w join person p on p.id = w.person_id
       where lower(w.user_name) = lower($1)`,
      'stable',
    );
    add(
      'clear_ways_in',
      'person uuid',
      'void',
      `delete from passkey k where k.person_id = $1;
       delete from person_password w where w.person_id = $1;
       delete from person_session s where s.person_id = $1`,
    );
    add(
      'begin_sign_in_attempt',
      'hash bytea, purpose text, challenge text, seconds integer',
      'void',
      `insert into sign_in_attempt (token_hash, purpose, challenge, expires_at)
       values ($1, $2, $3, now() + make_interval(secs => $4))`,
    );
    add(
      'take_sign_in_attempt',
      'hash bytea, purpose text',
      'table (challenge text)',
      `delete from sign_in_attempt a where a.token_hash = $1 and a.purpose = $2 and a.expires_at > now() returning a.challenge`,
    );
    add(
      'prune_sign_ins',
      'portion integer',
      'bigint',
      `with attempts as (
         delete from sign_in_attempt where token_hash = any (array(
           select token_hash from sign_in_attempt where expires_at < now() order by expires_at limit $1 for update skip locked))
         returning 1
       ), sessions as (
         delete from person_session where token_hash = any (array(
           select token_hash from person_session where expires_at < now() order by expires_at limit $1 for update skip locked))
         returning 1
       )
       select greatest((select count(*) from attempts), (select count(*) from sessions))`,
    );
  }
}
