/**
 * Workspaces, and the two roles that the service works as. Every other table belongs to a workspace: its keys begin with
 * workspace_id, and row-level security compares that column with the workspace of the transaction (src/db/tenant-table.ts).
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

export class Workspaces extends Migration {
  override name = '20261201_0001_workspaces';

  override up(): void {
    // Neither role owns anything. partbook_app sees the workspace of its transaction. partbook_system sees all workspaces: relays,
    // healing and calls of the operator take it explicitly, for one transaction.
    this.addSql(`
      do $$
      declare role_name text;
      begin
        foreach role_name in array array['partbook_app', 'partbook_system'] loop
          if not exists (select from pg_roles where rolname = role_name) then
            begin
              execute format('create role %I nologin', role_name);
            exception when duplicate_object or unique_violation then null;
            end;
          end if;
          if not pg_has_role(current_user, role_name, 'SET') then
            execute format('grant %I to %I', role_name, current_user);
          end if;
        end loop;
      end $$`);
    this.addSql(`create extension if not exists pg_trgm`);
    this.addSql(`create extension if not exists btree_gin`);
    // The readiness check compares it with the migrations of the release.
    this.addSql(`grant select on schema_migration to partbook_app`);

    // state: 'moving' while the workspace is copied to or from another installation, 'gone' when another installation has it.
    this.addSql(`
      create table workspace (
        id uuid primary key,
        slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
        name text not null,
        created_at timestamptz not null default now(),
        state text not null default 'active' check (state in ('active', 'moving', 'gone')),
        moved_to text check (length(moved_to) between 1 and 500),
        active_since timestamptz
      )`);
    this.addSql(`comment on column workspace.moved_to is
      'Of one that is gone: the address of the installation that has it, for whoever still asks here.'`);
    this.addSql(`create index workspace_resting on workspace (id) where state <> 'active'`);
    // Work that waits in a workspace that became active again is announced soon after.
    this.addSql(`create index workspace_arrived on workspace (active_since) where active_since is not null`);
    // Only the owner of the schema changes a state: a login that could make a workspace 'gone' could delete its ledger.
    this.addSql(`grant select on workspace to partbook_app, partbook_system`);
    this.addSql(`grant insert (id, slug, name, created_at) on workspace to partbook_system`);
    this.addSql(`
      create function refuse_workspace_state() returns trigger language plpgsql as $$
      begin
        if (old.state, new.state) in (('active', 'gone'), ('gone', 'active'), ('gone', 'moving')) then
          raise exception 'a workspace that is % does not become %', old.state, new.state
            using errcode = 'object_not_in_prerequisite_state';
        end if;
        if old.state <> 'active' and new.state = 'active' then new.active_since := now(); end if;
        return new;
      end $$`);
    this.addSql(`
      create trigger workspace_state before update of state on workspace
      for each row execute function refuse_workspace_state()`);

    // Every transaction that writes in a workspace calls this first and holds the lock in share mode. A move sets the state to
    // 'moving' and then takes the lock exclusively, which it gets when the last transaction from before has ended. The lock is
    // tried, not waited for: a caller that comes during a move is told at once.
    this.addSql(`
      create function enter_workspace(wanted uuid) returns void language plpgsql as $$
      declare found_state text := 'moving';
      begin
        if pg_try_advisory_xact_lock_shared(uuid_hash_extended(wanted, 7278623004)) then
          select state into found_state from workspace where id = wanted;
        end if;
        found_state := coalesce(found_state, 'gone');
        if found_state <> 'active' then
          raise exception 'the workspace is %', found_state
            using errcode = case found_state when 'gone' then 'PB410' else 'PB503' end;
        end if;
      end $$`);

    // A web that reads from standbys writes a number here and waits until the standby shows it.
    this.addSql(`
      create table standby_mark (
        web_id uuid primary key,
        mark bigint not null,
        written_at timestamptz not null default now()
      )`);
    this.addSql(`comment on table standby_mark is
      'Of each web that reads from a standby the last number that it has written: a standby that shows one has all from before it.'`);
    this.addSql(`grant select on standby_mark to partbook_app`);
    this.addSql(`grant select, insert, update, delete on standby_mark to partbook_system`);

    // The planner's counts of a table can be wrong without bound between two runs of ANALYZE: of a table that was emptied but kept
    // its pages, or that was counted beside its first large insertion, it remembers pages without rows. This function makes such
    // a table look as if it had never been counted, so that its rows are estimated from its pages. It does the same for a table
    // that has more than doubled since, once for each doubling, which also ends plans that were kept for the smaller table.
    // It takes the lock that VACUUM and ANALYZE take, and leaves a table for its next call rather than wait for them.
    this.addSql(`
      create function settle_statistics() returns integer
      language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '50ms' as $$
      declare
        doubtful record;
        settled integer := 0;
      begin
        for doubtful in
          select s.name, s.pages, s.relpages as counted from (
            select c.relname::text as name, c.relpages, c.reltuples,
                   (pg_relation_size(c.oid) / current_setting('block_size')::integer)::integer as pages
            from pg_class c
            join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
            where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')) as s
          where s.pages > 2 * s.relpages + 10 or (s.reltuples >= 0 and s.reltuples < s.relpages)
          order by s.name
        loop
          begin
            perform pg_restore_relation_stats(
              'schemaname', 'public', 'relname', doubtful.name, 'relpages', doubtful.pages, 'reltuples', '-1'::real);
            -- What was gathered about the columns of a few rows says nothing about many.
            if doubtful.counted <= 10 then
              perform pg_clear_attribute_stats('public', doubtful.name, s.attname::text, false) from pg_stats s
              where s.schemaname = 'public' and s.tablename = doubtful.name and s.attname <> 'workspace_id' and not s.inherited;
            end if;
            settled := settled + 1;
          exception when lock_not_available then
            null;
          end;
        end loop;
        return settled;
      exception when lock_not_available then
        return settled;
      end $$`);
    this.addSql(grantFunction('settle_statistics', 'partbook_system'));
  }
}
