/**
 * Batches of a sync. Payload, plan and results are stored for each chunk, not for each element: a million results are a few
 * hundred rows. Columns of bytes are stored uncompressed, because the service has compressed them.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

const phases = `check (phase in ('plan', 'structure', 'write', 'link', 'done'))`;

export class Sync extends Migration {
  override name = '20261201_0007_sync';

  override up(): void {
    // Batches of a workspace are applied in the order of this sequence.
    this.addSql(`create sequence sync_batch_accepted`);
    this.addSql(`grant usage on sequence sync_batch_accepted to partbook_app, partbook_system`);

    // payload_kept, results_kept: the batch still shows them. results_left: rows of results are still there, and are deleted
    // in pieces once the batch no longer shows them.
    this.addSql(`
      create table sync_batch (
        workspace_id uuid not null,
        id uuid not null,
        accepted_order bigint,
        status text not null check (status in
          ('receiving', 'queued', 'processing', 'completed', 'cancelled', 'failed')),
        phase text not null default 'plan' ${phases},
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
        commit_of uuid,
        structure_edits bigint,
        payload_kept boolean not null default true,
        attempts smallint not null default 0,
        counts jsonb,
        failure jsonb,
        cancelling boolean not null default false,
        results_kept boolean not null default true,
        results_left boolean not null default true,
        resend_of uuid,
        traceparent text,
        structure_mode text not null default 'additive' check (structure_mode in ('additive', 'exact')),
        brought_kept boolean not null default true,
        cancellation jsonb,
        primary key (workspace_id, id)
      )`);
    this.addSql(`comment on column sync_batch.structure_edits is
      'Count of edits of the structure beside sync when the batch planned its links.'`);
    this.addSql(`comment on column sync_batch.cancelling is
      'Cancelled, and goes on only to link what is written.'`);
    this.addSql(`comment on column sync_batch.resend_of is
      'The batch whose elements this one sends again, at the places that they had there.'`);
    this.addSql(`comment on column sync_batch.brought_kept is
      'Whether its results say which GUIDs it brought; those of earlier releases do not.'`);
    this.addSql(`create index sync_batch_line on sync_batch (workspace_id, accepted_order)
      where status in ('queued', 'processing')`);
    this.addSql(`create index sync_batch_unfinished on sync_batch (progressed_at)
      where status in ('receiving', 'queued', 'processing')`);
    this.addSql(`create index sync_batch_status on sync_batch (workspace_id, status, id)`);
    this.addSql(`create index sync_batch_profile on sync_batch (workspace_id, profile_name, id)`);
    // Each of these finds what is old enough to be deleted.
    this.addSql(`create index sync_batch_payload on sync_batch (finished_at) where payload_kept`);
    this.addSql(
      `create index sync_batch_results on sync_batch (finished_at) where results_kept and not payload_kept`,
    );
    this.addSql(`create index sync_batch_results_left on sync_batch (finished_at)
      where not results_kept and results_left`);
    this.addSql(`create index sync_batch_bare on sync_batch (finished_at) where not results_left`);
    for (const sql of grantTenantTable('sync_batch')) this.addSql(sql);

    // bucket, slot_from and slot_to say which part of the payload belongs to the chunk (src/sync/elements/payload-codec.ts).
    this.addSql(`
      create table sync_chunk (
        workspace_id uuid not null,
        batch_id uuid not null,
        ordinal integer not null,
        element_count integer not null,
        first_index integer not null,
        last_index integer not null,
        phase text not null default 'plan' ${phases},
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
        bucket integer,
        slot_from smallint not null default 0,
        slot_to smallint not null default 64,
        applied boolean not null default false,
        leaves boolean not null default false,
        primary key (workspace_id, batch_id, ordinal)
      )`);
    this.addSql(`alter table sync_chunk alter plan set storage external, alter structure set storage external,
      alter basis set storage external`);
    this.addSql(`comment on column sync_chunk.bucket is
      'The chunk of sync_payload that its elements lie in; its own ordinal where null.'`);
    this.addSql(`comment on column sync_chunk.applied is
      'Done before a retry of an exact batch: its plan is kept only for the links that it names.'`);
    this.addSql(`comment on column sync_chunk.leaves is
      'No element of the batch names an entity of this chunk as its parent; false where that is not known.'`);
    for (const sql of grantTenantTable('sync_chunk')) this.addSql(sql);

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
    for (const sql of grantTenantTable('sync_payload')) this.addSql(sql);

    // Chunks are cut by GUID, but results are read in the order of the payload. They are stored by range of indexes, so that a page
    // merges the rows of one range and costs the same wherever it is.
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
        facts text[],
        brought uuid[],
        refused uuid[],
        primary key (workspace_id, batch_id, range, chunk)
      )`);
    // GUIDs do not compress: trying to costs more than storing them.
    this.addSql(`alter table sync_result alter results set storage external, alter brought set storage external,
      alter refused set storage external`);
    this.addSql(`comment on column sync_result.facts is
      'Codes of errors and warnings in the portion, and changed:fields, changed:structure. Null: not known, any of them.'`);
    this.addSql(`comment on column sync_result.brought is
      'GUIDs of the elements that were taken; null where an earlier release stored the results.'`);
    this.addSql(`comment on column sync_result.refused is
      'GUIDs of the elements that were refused; null for none.'`);
    for (const sql of grantTenantTable('sync_result')) this.addSql(sql);

    // The errors and warnings of a chunk in groups: a summary of a million elements is read as quickly as one of ten.
    this.addSql(`
      create table sync_digest (
        workspace_id uuid not null,
        batch_id uuid not null,
        chunk integer not null,
        digest bytea not null,
        primary key (workspace_id, batch_id, chunk)
      )`);
    this.addSql(`comment on table sync_digest is
      'Only of chunks that have anything to tell. Batches that ended before this table was made have no digest.'`);
    for (const sql of grantTenantTable('sync_digest')) this.addSql(sql);

    // The locks and the look-ups that a small batch begins with, in one call instead of six. The function is volatile, so that
    // each of its statements sees what is there once the locks before it are held.
    this.addSql(`
      create function open_small_batch(
        wanted uuid, is_linked boolean, out configuration text, out listened smallint[],
        out links_wait boolean, out holds_structure boolean
      ) language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended('accept:' || wanted, 0));
        if exists (
          select from sync_batch where workspace_id = wanted and status in ('queued', 'processing')) then
          raise exception 'there are batches before it' using errcode = 'PB409';
        end if;
        perform pg_advisory_xact_lock_shared(7278623, hashtext(wanted::text));
        perform set_config('partbook.configuration_held', 'yes', true);
        select version into configuration from configuration_version where workspace_id = wanted;
        listened := array(select distinct context_type from event_listener where workspace_id = wanted);
        links_wait := exists (select from pending_link where workspace_id = wanted);
        holds_structure := is_linked or links_wait;
        if holds_structure then
          perform pg_advisory_xact_lock(hashtextextended('structure:' || wanted, 0));
          links_wait := exists (select from pending_link where workspace_id = wanted);
        end if;
      end $$`);
    this.addSql(grantFunction('open_small_batch', 'partbook_app'));
  }
}
