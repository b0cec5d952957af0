/**
 * The floor: workspaces and who may enter them, configuration, entities with revisions and structure,
 * sync batches, the outbox. Every table leads its keys with workspace_id (see ARCHITECTURE.md, Data).
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Floor extends Migration {
  override name = '20261120_0001_floor';

  override up(): void {
    // Two roles without ownership. partbook_app sees one workspace at a time; partbook_system sees all and
    // is entered explicitly, for one transaction, by relays, healing and operator calls.
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

    this.addSql(`
      create table workspace (
        id uuid primary key,
        slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
        name text not null,
        created_at timestamptz not null default now()
      )`);
    this.addSql(`grant select on workspace to partbook_app`);
    this.addSql(`grant select, insert, update on workspace to partbook_system`);
    // Readiness compares it with the release's own migrations.
    this.addSql(`grant select on schema_migration to partbook_app`);

    // Whoever acts: an API key, the operator, an automation. Rows of history point here, so that a name
    // stays readable after its key is revoked.
    this.addSql(`
      create table actor (
        workspace_id uuid not null,
        id uuid not null,
        type text not null check (type in ('apiKey', 'operator', 'automation', 'system')),
        name text not null,
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create table api_key (
        workspace_id uuid not null,
        id uuid not null,
        name text not null,
        permission text not null check (permission in ('read', 'write', 'admin')),
        prefix text not null,
        hash bytea not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz,
        last_used_at timestamptz,
        revoked_at timestamptz,
        primary key (workspace_id, id),
        unique (workspace_id, hash)
      )`);
    // The door: who is this key, and what is the workspace of that slug? It runs before any workspace is
    // known, so it sees past row security, and it gives nothing but this one row.
    this.addSql(`create index api_key_hash on api_key (hash)`);
    this.addSql(`
      create function authenticate_api_key(key_hash bytea, wanted_slug text)
      returns table (key_id uuid, key_workspace_id uuid, key_name text, permission text,
                     expired boolean, revoked boolean, wanted_workspace_id uuid, wanted_workspace_name text)
      language sql stable security definer set search_path = public, pg_temp as $$
        select k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false), k.revoked_at is not null, w.id, w.name
        from api_key k left join workspace w on w.slug = wanted_slug
        where k.hash = key_hash
      $$`);
    this.addSql(`revoke all on function authenticate_api_key from public`);
    this.addSql(`grant execute on function authenticate_api_key to partbook_app, partbook_system`);

    this.addSql(`
      create table idempotency_key (
        workspace_id uuid not null,
        actor_id uuid not null,
        key text not null,
        request_hash bytea not null,
        status smallint not null,
        headers jsonb not null,
        body bytea not null,
        created_at timestamptz not null default now(),
        primary key (workspace_id, actor_id, key)
      )`);
    this.addSql(`create index idempotency_key_age on idempotency_key (workspace_id, created_at)`);

    // Configuration. Keys are what the interface addresses; they never change.
    this.addSql(`
      create table category (
        workspace_id uuid not null,
        key text not null,
        name text not null,
        numbering jsonb not null,
        lifecycle text not null,
        role text not null,
        behaviour text not null,
        hidden_from_new boolean not null,
        tabs jsonb not null default '[]',
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (workspace_id, key)
      )`);
    this.addSql(`
      create table property_definition (
        workspace_id uuid not null,
        key text not null,
        name text not null,
        type text not null check (type in ('text', 'numeric', 'date', 'boolean')),
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (workspace_id, key)
      )`);
    this.addSql(`
      create table lifecycle (
        workspace_id uuid not null,
        key text not null,
        name text not null,
        initial_state text not null,
        states jsonb not null,
        transitions jsonb not null,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (workspace_id, key)
      )`);
    this.addSql(`
      create table number_counter (
        workspace_id uuid not null,
        category text not null,
        next_value bigint not null check (next_value > 0),
        primary key (workspace_id, category)
      )`);
    this.addSql(`
      create table audit_log (
        workspace_id uuid not null,
        id uuid not null,
        recorded_at timestamptz not null default now(),
        actor_id uuid not null,
        action text not null,
        subject_type text not null,
        subject_key text not null,
        before jsonb,
        after jsonb,
        primary key (workspace_id, id)
      )`);

    // Product data. One row holds the current revision; superseded ones lie in entity_revision. No foreign
    // keys on the bulk tables: ids come from joins, and the checks would double the cost of a chunk.
    this.addSql(`
      create table entity (
        workspace_id uuid not null,
        id uuid not null,
        version_id uuid not null,
        guid uuid,
        number text,
        name text not null,
        category text not null,
        state text not null,
        revision_number integer not null default 1,
        properties jsonb not null default '{}',
        sync_hash bytea,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        revised_at timestamptz not null default now(),
        revised_by uuid not null,
        primary key (workspace_id, id)
      ) with (fillfactor = 90)`);
    this.addSql(`create unique index entity_guid on entity (workspace_id, guid) with (fillfactor = 90)`);
    this.addSql(`create index entity_number on entity (workspace_id, number)`);
    this.addSql(`create index entity_category on entity (workspace_id, category, id)`);
    this.addSql(
      `create index entity_search on entity using gin (workspace_id, (coalesce(number, '') || ' ' || name) gin_trgm_ops)`,
    );
    this.addSql(`comment on column entity.sync_hash is
      'Hash of what a sync would write; every writer other than sync sets it to null.'`);
    this.addSql(`
      create table entity_revision (
        workspace_id uuid not null,
        entity_id uuid not null,
        revision_number integer not null,
        version_id uuid not null,
        number text,
        name text not null,
        category text not null,
        state text not null,
        properties jsonb not null,
        created_at timestamptz not null,
        created_by uuid not null,
        superseded_at timestamptz not null default now(),
        primary key (workspace_id, entity_id, revision_number)
      )`);
    this.addSql(`create index entity_revision_version on entity_revision (workspace_id, version_id)`);
    this.addSql(`
      create table entity_revision_link (
        workspace_id uuid not null,
        entity_id uuid not null,
        revision_number integer not null,
        child_id uuid not null,
        quantity numeric(15, 6) not null,
        primary key (workspace_id, entity_id, revision_number, child_id)
      )`);
    this.addSql(`
      create table entity_link (
        workspace_id uuid not null,
        parent_id uuid not null,
        child_id uuid not null,
        quantity numeric(15, 6) not null check (quantity > 0),
        primary key (workspace_id, parent_id, child_id),
        check (parent_id <> child_id)
      ) with (fillfactor = 90)`);
    this.addSql(`create index entity_link_child on entity_link (workspace_id, child_id, parent_id)`);
    this.addSql(`
      create table pending_link (
        workspace_id uuid not null,
        parent_guid uuid not null,
        child_id uuid not null,
        quantity numeric(15, 6) not null check (quantity > 0),
        primary key (workspace_id, parent_guid, child_id)
      )`);
    this.addSql(`create index pending_link_child on pending_link (workspace_id, child_id)`);

    // Sync. Payload, plan and results lie per chunk, not per entity: a million results are a few hundred rows.
    this.addSql(`create sequence sync_batch_accepted`);
    this.addSql(`grant usage on sequence sync_batch_accepted to partbook_app, partbook_system`);
    this.addSql(`
      create table sync_batch (
        workspace_id uuid not null,
        id uuid not null,
        accepted_order bigint,
        status text not null check (status in
          ('receiving', 'queued', 'processing', 'completed', 'cancelled', 'failed')),
        phase text not null default 'plan' check (phase in ('plan', 'structure', 'write', 'link', 'done')),
        profile_name text not null,
        dry_run boolean not null default false,
        submitted_at timestamptz not null default now(),
        started_at timestamptz,
        finished_at timestamptz,
        progressed_at timestamptz not null default now(),
        submitted_by uuid not null,
        request_id text,
        element_count integer not null default 0,
        chunk_count integer not null default 0,
        linked_count integer not null default 0,
        commit_of uuid,
        structure_edits bigint,
        payload_kept boolean not null default true,
        attempts smallint not null default 0,
        counts jsonb,
        failure jsonb,
        primary key (workspace_id, id)
      )`);
    this.addSql(`comment on column sync_batch.linked_count is 'Elements that name a parent.'`);
    this.addSql(`comment on column sync_batch.structure_edits is
      'Count of edits of the structure beside sync when the batch planned its links.'`);
    this.addSql(`create index sync_batch_line on sync_batch (workspace_id, accepted_order)
      where status in ('queued', 'processing')`);
    this.addSql(`create index sync_batch_unfinished on sync_batch (progressed_at)
      where status in ('receiving', 'queued', 'processing')`);
    this.addSql(`create index sync_batch_payload on sync_batch (finished_at) where payload_kept`);
    this.addSql(`create index sync_batch_status on sync_batch (workspace_id, status, id)`);
    this.addSql(`
      create table sync_chunk (
        workspace_id uuid not null,
        batch_id uuid not null,
        ordinal integer not null,
        element_count integer not null,
        first_index integer not null,
        last_index integer not null,
        phase text not null default 'plan' check (phase in ('plan', 'structure', 'write', 'link', 'done')),
        attempts smallint not null default 0,
        has_links boolean not null default false,
        plan bytea,
        structure bytea,
        basis bytea,
        created integer not null default 0,
        updated integer not null default 0,
        skipped integer not null default 0,
        error integer not null default 0,
        warnings integer not null default 0,
        primary key (workspace_id, batch_id, ordinal)
      )`);
    this.addSql(`alter table sync_chunk alter plan set storage external, alter structure set storage external,
      alter basis set storage external`);
    // Chunks are cut by GUID, results are read in payload order: they lie by range of indexes, so that a page
    // is a merge of one range and costs the same wherever it is.
    this.addSql(`
      create table sync_result (
        workspace_id uuid not null,
        batch_id uuid not null,
        range integer not null,
        chunk integer not null,
        created integer not null,
        updated integer not null,
        skipped integer not null,
        error integer not null,
        results bytea not null,
        primary key (workspace_id, batch_id, range, chunk)
      )`);
    this.addSql(`alter table sync_result alter results set storage external`);
    this.addSql(`
      create table sync_payload (
        workspace_id uuid not null,
        batch_id uuid not null,
        chunk integer not null,
        segment integer not null,
        elements bytea not null,
        primary key (workspace_id, batch_id, chunk, segment)
      )`);
    this.addSql(`alter table sync_payload alter elements set storage external`);

    this.addSql(`
      create table outbox (
        workspace_id uuid not null,
        id uuid not null,
        context_type smallint not null,
        events bytea not null,
        event_count integer not null,
        recorded_at timestamptz not null default now(),
        relayed_at timestamptz,
        primary key (workspace_id, id)
      )`);
    this.addSql(`create index outbox_unrelayed on outbox (id) where relayed_at is null`);
    // What somebody listens to: nothing is written to the outbox for a context type that is not here.
    this.addSql(`
      create table event_listener (
        workspace_id uuid not null,
        context_type smallint not null,
        primary key (workspace_id, context_type)
      )`);

    for (const table of [
      'actor',
      'api_key',
      'idempotency_key',
      'category',
      'property_definition',
      'lifecycle',
      'number_counter',
      'audit_log',
      'entity',
      'entity_revision',
      'entity_revision_link',
      'entity_link',
      'pending_link',
      'sync_batch',
      'sync_chunk',
      'sync_payload',
      'sync_result',
      'outbox',
      'event_listener',
    ]) {
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    }
    this.addSql(`revoke update, delete on audit_log, entity_revision, entity_revision_link
      from partbook_app, partbook_system`);
  }
}
