/**
 * Members of a workspace: the persons who may work in it, under the name and with the areas that it gives them. A member is an actor; a
 * membership says which person of this installation it is, and stays here when the workspace moves.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

const areas = `
  areas text[] not null check (
    'read' = any(areas) and areas <@ array['read', 'stock', 'procurement', 'engineering', 'configuration', 'admin'])`;
const definer = 'security definer set search_path = public, pg_temp';
const ofTransaction = `nullif(current_setting('partbook.workspace_id', true), '')::uuid`;

export class Members extends Migration {
  override name = '20261203_1010_members';

  override up(): void {
    this.addSql(`alter table actor drop constraint actor_type_check`);
    this.addSql(`alter table actor add constraint actor_type_check
      check (type in ('apiKey', 'member', 'operator', 'automation', 'system')) not valid`);
    this.addSql(`
      create table member (
        workspace_id uuid not null,
        id uuid not null,
        name text not null,
        ${areas},
        created_at timestamptz not null default now(),
        ended_at timestamptz,
        primary key (workspace_id, id)
      )`);
    // Nobody takes the name of another.
    this.addSql(
      `create unique index member_name on member (workspace_id, lower(name)) where ended_at is null`,
    );
    this.addSql(`
      create table membership (
        workspace_id uuid not null,
        member_id uuid not null,
        person_id uuid not null references person (id),
        primary key (workspace_id, member_id),
        unique (workspace_id, person_id),
        foreign key (workspace_id, member_id) references member (workspace_id, id)
      )`);
    this.addSql(`create index membership_person on membership (person_id)`);
    // A link that makes a member, or lets an existing one in (member_id). Only the hash of its secret is kept.
    this.addSql(`
      create table invitation (
        workspace_id uuid not null,
        id uuid not null,
        member_id uuid,
        name text not null,
        ${areas},
        token_hash bytea not null,
        created_by uuid not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        primary key (workspace_id, id)
      )`);
    this.addSql(`create unique index invitation_token on invitation (workspace_id, token_hash)`);
    this.addSql(`create index invitation_hash on invitation (token_hash)`);
    for (const table of ['member', 'membership', 'invitation'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    // Keys of a member end with it.
    this.addSql(`alter table api_key add column member_id uuid`);

    // Answers what the functions of keys answer, with the member in place of the key.
    this.addSql(`
      create function authenticate_person_session(wanted_hash bytea, wanted_slug text, hours integer)
      returns table (member_id uuid, member_workspace_id uuid, member_name text, areas text[], expired boolean,
                     wanted_workspace_id uuid, wanted_workspace_name text, wanted_state text, wanted_moved_to text)
      language sql volatile ${definer} as $$
        with slid as (
          update person_session s set expires_at = now() + make_interval(hours => hours), used_at = now()
          where s.token_hash = wanted_hash and s.expires_at > now()
            and s.expires_at < now() + make_interval(hours => hours) * 15 / 16
        )
        select m.id, m.workspace_id, m.name, m.areas, s.expires_at <= now(), w.id, w.name, w.state, w.moved_to
        from person_session s
        left join workspace w on w.slug = wanted_slug
        left join membership p on p.workspace_id = w.id and p.person_id = s.person_id
        left join member m on m.workspace_id = p.workspace_id and m.id = p.member_id and m.ended_at is null
        where s.token_hash = wanted_hash
      $$`);
    this.addSql(grantFunction('authenticate_person_session', 'partbook_app', 'partbook_system'));
    this.addSql(`
      create function end_person_session(wanted_hash bytea) returns void
      language sql volatile ${definer} as $$ delete from person_session where token_hash = wanted_hash $$`);
    this.addSql(grantFunction('end_person_session', 'partbook_app', 'partbook_system'));
    // The functions below answer about members of the transaction's workspace alone.
    this.addSql(`
      create function is_member_elsewhere(wanted uuid) returns boolean
      language sql stable ${definer} as $$
        select exists (
          select from membership p
          join membership o on o.person_id = p.person_id and o.workspace_id <> p.workspace_id
          join member m on m.workspace_id = o.workspace_id and m.id = o.member_id and m.ended_at is null
          where p.workspace_id = ${ofTransaction} and p.member_id = wanted)
      $$`);
    this.addSql(grantFunction('is_member_elsewhere', 'partbook_app'));
    this.addSql(`
      create function end_sessions_of_member(wanted uuid) returns void
      language sql volatile ${definer} as $$
        delete from person_session s using membership p
        where p.workspace_id = ${ofTransaction} and p.member_id = wanted and s.person_id = p.person_id
          and not exists (
            select from membership o join member m on m.workspace_id = o.workspace_id and m.id = o.member_id
            where o.person_id = p.person_id and o.workspace_id <> p.workspace_id and m.ended_at is null)
      $$`);
    this.addSql(grantFunction('end_sessions_of_member', 'partbook_app'));
    this.addSql(`
      create function see_members(wanted uuid[])
      returns table (member_id uuid, seen_at timestamptz, passkeys integer, has_password boolean)
      language sql stable ${definer} as $$
        select p.member_id, (select max(s.used_at) from person_session s where s.person_id = p.person_id),
               (select count(*)::int from passkey k where k.person_id = p.person_id),
               exists (select from person_password w where w.person_id = p.person_id)
        from membership p where p.workspace_id = ${ofTransaction} and p.member_id = any(wanted)
      $$`);
    this.addSql(grantFunction('see_members', 'partbook_app'));
  }
}
