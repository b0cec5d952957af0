/**
 * Whether a workspace is worked on here: `active`, `moving` while it is being taken to another installation or brought from
 * one, `gone` when it is worked on elsewhere. All that obeys it obeys it here: callers are told by the functions that
 * authenticate them, whoever writes in a workspace enters it first, and what looks over all workspaces does not see
 * those that rest.
 */
import { Migration } from '@mikro-orm/migrations';
import { restingHidden } from '../src/db/tenant-table.ts';

export class WorkspaceState extends Migration {
  override name = '20261123_0500_workspace_state';

  override up(): void {
    this.addSql(`
      alter table workspace
        add column state text not null default 'active' check (state in ('active', 'moving', 'gone')),
        add column moved_to text check (length(moved_to) between 1 and 500)`);
    this.addSql(`comment on column workspace.moved_to is
      'Of one that is gone: the address of the installation that has it, for whoever still asks here.'`);
    this.addSql(`create index workspace_resting on workspace (id) where state <> 'active'`);
    // States are for the owner of the schema to change: who could make a workspace gone could delete its ledger.
    this.addSql(`revoke insert, update on workspace from partbook_system`);
    this.addSql(`grant insert (id, slug, name, created_at) on workspace to partbook_system`);
    this.addSql(`
      create function refuse_workspace_state() returns trigger language plpgsql as $$
      begin
        if (old.state, new.state) in (('active', 'gone'), ('gone', 'active'), ('gone', 'moving')) then
          raise exception 'a workspace that is % does not become %', old.state, new.state
            using errcode = 'object_not_in_prerequisite_state';
        end if;
        return new;
      end $$`);
    this.addSql(`
      create trigger workspace_state before update of state on workspace
      for each row execute function refuse_workspace_state()`);

    // Every transaction that writes in a workspace begins with it. Whoever takes a workspace away makes it 'moving' first and
    // then takes this lock alone: it has it when the last transaction that was let in has ended. "Try", because that one waits for
    // nobody else, and whoever comes meanwhile is told at once.
    this.addSql(`
      create function enter_workspace(wanted uuid) returns void language plpgsql as $$
      declare found_state text := 'moving';
      begin
        if pg_try_advisory_xact_lock_shared(uuid_hash_extended(wanted, 7278623004)) then
          select state into found_state from workspace where id = wanted;
        end if;
        if found_state <> 'active' then
          raise exception 'the workspace is %', found_state
            using errcode = case found_state when 'gone' then 'PB410' else 'PB503' end;
        end if;
      end $$`);

    for (const name of [
      'authenticate_api_key(bytea, text)',
      'authenticate_web_session(bytea, text, integer)',
    ])
      this.addSql(`drop function ${name}`);
    this.addSql(`
      create function authenticate_api_key(key_hash bytea, wanted_slug text)
      returns table (key_id uuid, key_workspace_id uuid, key_name text, permission text,
                     expired boolean, revoked boolean, wanted_workspace_id uuid, wanted_workspace_name text,
                     wanted_state text, wanted_moved_to text)
      language sql stable security definer set search_path = public, pg_temp as $$
        select k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false), k.revoked_at is not null, w.id, w.name, w.state, w.moved_to
        from api_key k left join workspace w on w.slug = wanted_slug
        where k.hash = key_hash
      $$`);
    this.addSql(`
      create function authenticate_web_session(wanted_hash bytea, wanted_slug text, hours integer)
      returns table (key_id uuid, key_workspace_id uuid, key_name text, permission text,
                     expired boolean, revoked boolean, wanted_workspace_id uuid, wanted_workspace_name text,
                     wanted_state text, wanted_moved_to text)
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
    for (const name of ['authenticate_api_key', 'authenticate_web_session']) {
      this.addSql(`revoke all on function ${name} from public`);
      this.addSql(`grant execute on function ${name} to partbook_app, partbook_system`);
    }

    this.addSql(`
      do $$
      declare tenant text;
      begin
        for tenant in
          select c.relname from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
          join pg_policy p on p.polrelid = c.oid and p.polname = c.relname || '_of_instance'
          where c.relnamespace = 'public'::regnamespace
        loop
          execute format('alter policy %I on %I using (${restingHidden}) with check (${restingHidden})',
                         tenant || '_of_instance', tenant);
        end loop;
      end $$`);

    // Row by row, because a statement's trigger does not see whose rows they are; nothing else is ever deleted there.
    this.addSql(`drop trigger stock_ledger_append_only on stock_ledger`);
    this.addSql(`
      create trigger stock_ledger_append_only before update or truncate on stock_ledger
      for each statement execute function refuse_ledger_change()`);
    this.addSql(`
      create function refuse_ledger_deletion() returns trigger language plpgsql as $$
      begin
        if exists (select from workspace where id = old.workspace_id and state = 'gone') then return old; end if;
        raise exception 'the stock ledger is append-only: DELETE refused' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`
      create trigger stock_ledger_stays before delete on stock_ledger
      for each row execute function refuse_ledger_deletion()`);
  }
}
