/**
 * Product data. A row of entity is the current revision; superseded revisions are in entity_revision. The bulk tables have no
 * foreign keys: their ids come from joins, and the checks would double the cost of a sync.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

const lineComment = (table: string) => `comment on column ${table}.line is
  'findNumber, referenceDesignators (sorted, each once), unit and note, as far as they are said; null for none of them.'`;

export class Entities extends Migration {
  override name = '20261201_0005_entities';

  override up(): void {
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
    this.addSql(`comment on column entity.sync_hash is
      'Hash of what a sync would write; behind it that of the element as it was sent, and its quantity where it is not 1. Every writer other than sync sets it to null.'`);
    this.addSql(`create unique index entity_guid on entity (workspace_id, guid) with (fillfactor = 90)`);
    // Numbers need not be unique: with the id behind the number, a page of equal numbers is a range of the index too.
    this.addSql(`create index entity_number on entity (workspace_id, number, id)`);
    // It also finds the entities of a category, state by state.
    this.addSql(`create index entity_state on entity (workspace_id, category, state, id)`);
    // The first version of an entity has the entity's id and is found by the primary key.
    this.addSql(
      `create index entity_further_version on entity (workspace_id, version_id) where version_id <> id`,
    );
    for (const sql of grantTenantTable('entity')) this.addSql(sql);

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
        guid uuid,
        primary key (workspace_id, entity_id, revision_number)
      )`);
    this.addSql(`create index entity_revision_version on entity_revision (workspace_id, version_id)`);
    for (const sql of grantTenantTable('entity_revision')) this.addSql(sql);
    this.addSql(`
      create table entity_revision_link (
        workspace_id uuid not null,
        entity_id uuid not null,
        revision_number integer not null,
        child_id uuid not null,
        quantity numeric(15, 6) not null,
        line jsonb,
        primary key (workspace_id, entity_id, revision_number, child_id)
      )`);
    this.addSql(lineComment('entity_revision_link'));
    for (const sql of grantTenantTable('entity_revision_link')) this.addSql(sql);
    this.addSql(`
      create table entity_transition (
        workspace_id uuid not null,
        entity_id uuid not null,
        id uuid not null,
        version_id uuid not null,
        revision_number integer not null,
        from_state text not null,
        to_state text not null,
        note text,
        actor_id uuid not null,
        recorded_at timestamptz not null default now(),
        primary key (workspace_id, entity_id, id)
      )`);
    this.addSql(
      `comment on column entity_transition.version_id is 'The revision that the entity had after it.'`,
    );
    for (const sql of grantTenantTable('entity_transition')) this.addSql(sql);
    // History stays as it is.
    this.addSql(`revoke update, delete on entity_revision, entity_revision_link, entity_transition
      from partbook_app, partbook_system`);

    this.addStructure();
  }

  /** Who is made of what. */
  private addStructure(): void {
    this.addSql(`
      create table entity_link (
        workspace_id uuid not null,
        parent_id uuid not null,
        child_id uuid not null,
        quantity numeric(15, 6) not null check (quantity > 0),
        line jsonb,
        primary key (workspace_id, parent_id, child_id),
        check (parent_id <> child_id)
      ) with (fillfactor = 90)`);
    this.addSql(lineComment('entity_link'));
    this.addSql(`create index entity_link_child on entity_link (workspace_id, child_id, parent_id)`);
    for (const sql of grantTenantTable('entity_link')) this.addSql(sql);
    // Links whose parent has not been sent yet.
    this.addSql(`
      create table pending_link (
        workspace_id uuid not null,
        parent_guid uuid not null,
        child_id uuid not null,
        quantity numeric(15, 6) not null check (quantity > 0),
        line jsonb,
        primary key (workspace_id, parent_guid, child_id)
      )`);
    this.addSql(lineComment('pending_link'));
    this.addSql(
      `create index pending_link_child_parent on pending_link (workspace_id, child_id, parent_guid)`,
    );
    for (const sql of grantTenantTable('pending_link')) this.addSql(sql);
    this.addSql(`
      create table structure_edit (
        workspace_id uuid primary key,
        edits bigint not null
      )`);
    this.addSql(`comment on table structure_edit is
      'Counts links that were made other than by sync, under the structure lock. A batch that finds another count
       than when it planned its links looks for cycles again before it writes them.'`);
    for (const sql of grantTenantTable('structure_edit')) this.addSql(sql);

    // "Where is R17?" is a range of this table's key.
    this.addSql(`
      create table link_designator (
        workspace_id uuid not null,
        designator text not null,
        parent_id uuid not null,
        child_id uuid not null,
        primary key (workspace_id, designator, parent_id, child_id)
      )`);
    this.addSql(`comment on table link_designator is
      'The designators of the links that are, in capitals. Triggers of entity_link keep it, so that no writer can forget.'`);
    for (const sql of grantTenantTable('link_designator')) this.addSql(sql);
    // The collation "C" turns only a to z into capitals, which is the same on every machine.
    this.addSql(`
      create function designators_of(line jsonb) returns text[] language sql immutable parallel safe
      return array(select distinct upper(d.designator collate "C")
                   from jsonb_array_elements_text(coalesce(line -> 'referenceDesignators', '[]')) as d (designator))`);
    // It sets a search path because a subscription, which applies the rows of a workspace that moves, has none.
    this.addSql(`
      create function index_link_designators() returns trigger language plpgsql set search_path = public, pg_temp as $$
      declare
        gone text[] := case when tg_op = 'INSERT' then '{}' else designators_of(old.line) end;
        here text[] := case when tg_op = 'DELETE' then '{}' else designators_of(new.line) end;
      begin
        if tg_op <> 'INSERT' then
          delete from link_designator
          where workspace_id = old.workspace_id and designator = any (gone) and parent_id = old.parent_id
            and child_id = old.child_id and designator <> all (here);
        end if;
        if tg_op <> 'DELETE' then
          insert into link_designator (workspace_id, designator, parent_id, child_id)
          select new.workspace_id, d.designator, new.parent_id, new.child_id
          from unnest(here) as d (designator) where d.designator <> all (gone);
        end if;
        return null;
      end $$`);
    for (const name of ['designators_of', 'index_link_designators'])
      this.addSql(grantFunction(name, 'partbook_app', 'partbook_system'));
    // PostgreSQL checks the conditions before it queues a trigger: a link without designators costs nothing. "Always": also for
    // rows that a subscription applies.
    const named = (row: 'old' | 'new') => `${row}.line -> 'referenceDesignators'`;
    for (const [event, of, when] of [
      ['insert', '', `${named('new')} is not null`],
      ['delete', '', `${named('old')} is not null`],
      ['update', 'of line', `${named('old')} is distinct from ${named('new')}`],
    ] as const) {
      this.addSql(`
        create trigger entity_link_designators_${event} after ${event} ${of} on entity_link
        for each row when (${when}) execute function index_link_designators()`);
      this.addSql(`alter table entity_link enable always trigger entity_link_designators_${event}`);
    }
  }
}
