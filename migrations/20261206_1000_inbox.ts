/**
 * Members follow entities, imports, import profiles and saved views. The inbox is a third reader of the outbox: it turns what happens there
 * into lines of those who follow it.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

/** The context type of *import not clean*, which concerns every member who submits imports. */
const IMPORT_NOT_CLEAN = 10;
const INBOX_LISTENER = '00000000-0000-0000-0000-0000000000ff';

export class Inbox extends Migration {
  override name = '20261206_1000_inbox';

  override up(): void {
    // inbox_after: the last member who was told of the events that begin with inbox_next. Rows from before are read: nobody followed.
    this.addSql(`
      alter table outbox
        add column inbox_next integer not null default 0,
        add column inbox_after uuid,
        add column inbox_done boolean not null default true,
        add column actor_id uuid`);
    this.addSql(`alter table event_lane drop constraint event_lane_reader_check`);
    this.addSql(
      `alter table event_lane add constraint event_lane_reader_check check (reader in ('automation', 'webhook', 'inbox'))`,
    );

    // subject_key is the id of the entity, import or view, or the name of the import profile. "automatic": the member took part.
    this.addSql(`
      create table subscription (
        workspace_id uuid not null,
        id uuid not null,
        member_id uuid not null,
        subject_type text not null check (subject_type in ('entity', 'import', 'importProfile', 'view')),
        subject_key text not null,
        below boolean not null,
        stock boolean not null,
        muted boolean not null,
        automatic boolean not null,
        created_at timestamptz not null default now(),
        primary key (workspace_id, id),
        unique (workspace_id, member_id, subject_type, subject_key)
      )`);
    this.addSql(
      `create index subscription_subject on subscription (workspace_id, subject_type, subject_key, member_id)`,
    );
    this.addSql(`create index subscription_below on subscription (workspace_id) where below`);
    this.addSql(`create index subscription_stock on subscription (workspace_id) where stock`);

    // Events of one kind about one subject are one line for as long as it is unread. The other ids are those of the latest event.
    this.addSql(`
      create table inbox_line (
        workspace_id uuid not null,
        id uuid not null,
        member_id uuid not null,
        kind text not null,
        subject_type text not null,
        subject_key text not null,
        entity_id uuid,
        batch_id uuid,
        comment_id uuid,
        actor_id uuid,
        detail text,
        events integer not null,
        first_at timestamptz not null,
        last_at timestamptz not null,
        read_at timestamptz,
        primary key (workspace_id, id)
      ) with (fillfactor = 80)`);
    this.addSql(`
      create unique index inbox_line_unread on inbox_line (workspace_id, member_id, kind, subject_type, subject_key)
      where read_at is null`);
    this.addSql(`create index inbox_line_latest on inbox_line (workspace_id, member_id, last_at, id)`);
    this.addSql(`create index inbox_line_age on inbox_line (last_at)`);
    for (const table of ['subscription', 'inbox_line'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);

    // Whoever submits an import is told when it ends with errors, and follows nothing for it: a workspace with members listens.
    this.addSql(`
      insert into event_listener (workspace_id, context_type, listener_id)
      select distinct workspace_id, ${IMPORT_NOT_CLEAN}, '${INBOX_LISTENER}'::uuid from member on conflict do nothing`);
  }
}
