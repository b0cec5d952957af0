/**
 * Property definitions say more about their values, categories list their properties, and the values of properties that people filter by
 * are indexed. The index tables hold one row for each value; triggers keep them in the transaction of the writer.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

export class DescribedProperties extends Migration {
  override name = '20261202_4001_described_properties';

  override up(): void {
    this.addSql(`
      alter table property_definition
        add column details jsonb not null default '{}',
        add column filterable boolean not null default false,
        drop constraint property_definition_type_check`);
    this.addSql(`
      alter table property_definition add constraint property_definition_type_check
      check (type in ('text', 'numeric', 'date', 'boolean', 'choice', 'url', 'reference'))`);
    this.addSql(`comment on column property_definition.details is
      'choices, unit, default, pattern, requiredFrom, group and description, as far as they are set.'`);
    this.addSql(`alter table category add column properties jsonb not null default '[]'`);
    this.addSql(`comment on column category.properties is
      'Keys of the properties of its entities, in the order of their forms; all properties if empty.'`);
    this.addSql(`drop trigger property_definition_changes_version on property_definition`);
    this.addSql(`
      create trigger property_definition_changes_version
      after insert or delete or update of key, name, type, details, filterable on property_definition
      for each row execute function change_configuration_version()`);

    this.addSql(`
      create table value_index (
        workspace_id uuid not null,
        number integer not null,
        key text not null,
        kind text not null check (kind in ('number', 'text')),
        filled_to uuid,
        is_filled boolean not null default false,
        is_dropped boolean not null default false,
        primary key (workspace_id, number)
      )`);
    this.addSql(`comment on table value_index is
      'The index of the values of one property definition. A definition that becomes filterable again gets another number, so that rows
       of the dropped index, which a job deletes, are never taken for its own.'`);
    this.addSql(
      `comment on column value_index.filled_to is 'Entities up to this id have been looked at by the job that fills it.'`,
    );
    for (const sql of grantTenantTable('value_index')) this.addSql(sql);
    this.addSql(
      `create unique index value_index_key on value_index (workspace_id, key) where not is_dropped`,
    );
    this.addSql(
      `create index value_index_work on value_index (workspace_id, number) where is_dropped or not is_filled`,
    );
    this.addSql(`
      create table value_pending (
        workspace_id uuid not null,
        id uuid not null,
        ids uuid[] not null,
        primary key (workspace_id, id)
      )`);
    this.addSql(`comment on table value_pending is
      'Entities that were created many at a time and whose values are not indexed yet. To index them while they are created would take several
       times as long as the creation itself.'`);
    this.addSql(`alter table value_pending alter column ids set storage external`);
    for (const sql of grantTenantTable('value_pending')) this.addSql(sql);
    // The key is the whole row: a second index would double what a value costs a sync.
    for (const [table, type] of [
      ['property_number', 'float8'],
      ['property_text', 'text collate "C"'],
    ] as const) {
      this.addSql(`
        create table ${table} (
          workspace_id uuid not null,
          value_index integer not null,
          value ${type} not null,
          entity_id uuid not null,
          primary key (workspace_id, value_index, value, entity_id)
        )`);
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    }
    this.addSql(`comment on table property_text is
      'Values of text, date, boolean, choice, URL and reference properties: their first 200 characters.'`);
    this.addTriggers();
  }

  private addTriggers(): void {
    // What a property of an entity counts as in an index; null for none.
    this.addSql(`
      create function indexed_number(value jsonb) returns float8 language sql immutable parallel safe
      return case when jsonb_typeof(value) = 'number' then (value #>> '{}')::float8 end`);
    this.addSql(`
      create function indexed_word(value jsonb) returns text language sql immutable parallel safe
      return case when jsonb_typeof(value) in ('string', 'boolean') then left(value #>> '{}', 200) collate "C" end`);
    this.addSql(`
      create function index_new_values() returns trigger language plpgsql
      set search_path = public, pg_temp set plan_cache_mode = auto as $$
      begin
        if not exists (select from value_index where not is_dropped) then return null; end if;
        if (select count(*) from fresh) > 50 then
          insert into value_pending (workspace_id, id, ids)
          select workspace_id, uuidv7(), array_agg(id) from fresh group by workspace_id;
          return null;
        end if;
        insert into property_number (workspace_id, value_index, value, entity_id)
        select workspace_id, number, value, id from (
          select f.workspace_id, i.number, indexed_number(f.properties -> i.key) as value, f.id
          from fresh f join value_index i on i.workspace_id = f.workspace_id and i.kind = 'number' and not i.is_dropped) as v
        where value is not null order by number, value
        on conflict do nothing;
        insert into property_text (workspace_id, value_index, value, entity_id)
        select workspace_id, number, value, id from (
          select f.workspace_id, i.number, indexed_word(f.properties -> i.key) as value, f.id
          from fresh f join value_index i on i.workspace_id = f.workspace_id and i.kind = 'text' and not i.is_dropped) as v
        where value is not null order by number, value
        on conflict do nothing;
        return null;
      end $$`);
    // Rows are looked at only where the workspace has an index: a setting of the transaction says so, once a statement.
    this.addSql(`
      create function note_value_indexes() returns trigger language plpgsql
      set search_path = public, pg_temp set plan_cache_mode = auto as $$
      begin
        perform set_config('partbook.has_value_index',
                           exists (select from value_index where not is_dropped)::text, true);
        return null;
      end $$`);
    this.addSql(`
      create function index_changed_values() returns trigger language plpgsql
      set search_path = public, pg_temp set plan_cache_mode = auto as $$
      declare
        i record;
      begin
        for i in select number, key, kind from value_index where workspace_id = new.workspace_id and not is_dropped loop
          continue when (old.properties -> i.key) is not distinct from (new.properties -> i.key);
          if i.kind = 'number' then
            delete from property_number
            where workspace_id = new.workspace_id and value_index = i.number
              and value = indexed_number(old.properties -> i.key) and entity_id = new.id;
            insert into property_number (workspace_id, value_index, value, entity_id)
            select new.workspace_id, i.number, v.value, new.id
            from (select indexed_number(new.properties -> i.key) as value) as v where v.value is not null
            on conflict do nothing;
          else
            delete from property_text
            where workspace_id = new.workspace_id and value_index = i.number
              and value = indexed_word(old.properties -> i.key) and entity_id = new.id;
            insert into property_text (workspace_id, value_index, value, entity_id)
            select new.workspace_id, i.number, v.value, new.id
            from (select indexed_word(new.properties -> i.key) as value) as v where v.value is not null
            on conflict do nothing;
          end if;
        end loop;
        return null;
      end $$`);
    for (const name of [
      'indexed_number',
      'indexed_word',
      'index_new_values',
      'note_value_indexes',
      'index_changed_values',
    ])
      this.addSql(grantFunction(name, 'partbook_app', 'partbook_system'));
    // A subscription fires none of them: its workspace has no index until it is at home here.
    this.addSql(`
      create trigger entity_values_insert after insert on entity referencing new table as fresh
      for each statement execute function index_new_values()`);
    this.addSql(`
      create trigger entity_values_note before update on entity
      for each statement execute function note_value_indexes()`);
    this.addSql(`
      create trigger entity_values_update after update of properties on entity for each row
      when (current_setting('partbook.has_value_index', true) = 'true' and old.properties is distinct from new.properties)
      execute function index_changed_values()`);
  }
}
