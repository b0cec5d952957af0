/**
 * Searches find entities by the texts of properties that are marked searchable. An entity that has such a text has one line with its
 * number, its name and these texts, so that the words of a search may lie in any of them. Triggers keep the lines as they keep the indexes
 * of filterable properties, in the transaction of the writer; the same job fills them.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

const workspace = `nullif(current_setting('partbook.workspace_id', true), '')::uuid`;

export class SearchableProperties extends Migration {
  override name = '20261205_3000_searchable_properties';

  override up(): void {
    this.addSql(`alter table property_definition add column searchable boolean not null default false`);
    this.addSql(`drop trigger property_definition_changes_version on property_definition`);
    this.addSql(`
      create trigger property_definition_changes_version
      after insert or delete or update of key, name, type, details, filterable, searchable on property_definition
      for each row execute function change_configuration_version()`);
    this.addSql(`
      alter table value_index
        add column keys text[],
        drop constraint value_index_kind_check,
        add constraint value_index_kind_check check (kind in ('number', 'text') and keys is null or kind = 'words' and keys is not null)`);
    this.addSql(`comment on column value_index.keys is
      'Of kind words, the one index with the key '''' of all searchable properties: their keys. property_line has its lines.'`);
    this.addSql(`
      create table property_line (
        workspace_id uuid not null,
        entity_id uuid not null,
        line text not null,
        primary key (workspace_id, entity_id)
      )`);
    this.addSql(`comment on table property_line is
      'Entities with a text in a searchable property: number, name and these texts as searches compare them, as lines of entity_text.'`);
    for (const sql of grantTenantTable('property_line')) this.addSql(sql);
    this.addSql(`alter table property_line alter column line set statistics 0`);
    this.addSql(
      `create index property_line_lines on property_line using gin (uuid_send(workspace_id), line gin_trgm_ops)`,
    );
    this.addSql(`alter index property_line_lines alter column 1 set statistics 0`);
    this.addTriggers();
    this.addSearch();
  }

  private addTriggers(): void {
    this.addSql(`
      create function property_line_of(number text, name text, properties jsonb, keys text[]) returns text
      language sql immutable parallel safe
      return (
        select entity_line(number, name) || string_agg(fold_text(' ' || left(properties ->> key, 1000)), '' order by place)
        from unnest(keys) with ordinality as k (key, place)
        where jsonb_typeof(properties -> key) = 'string' and properties ->> key <> '')`);
    this.addSql(grantFunction('property_line_of', 'partbook_app', 'partbook_system'));
    this.addSql(`
      create or replace function index_new_values() returns trigger language plpgsql
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
        insert into property_line (workspace_id, entity_id, line)
        select workspace_id, id, line from (
          select f.workspace_id, f.id, property_line_of(f.number, f.name, f.properties, i.keys) as line
          from fresh f join value_index i on i.workspace_id = f.workspace_id and i.kind = 'words') as v
        where line is not null order by id
        on conflict do nothing;
        return null;
      end $$`);
    this.addSql(`
      create or replace function index_changed_values() returns trigger language plpgsql
      set search_path = public, pg_temp set plan_cache_mode = auto as $$
      declare
        i record;
        new_line text;
      begin
        for i in select number, key, kind, keys from value_index where workspace_id = new.workspace_id and not is_dropped loop
          if i.kind = 'words' then
            new_line := property_line_of(new.number, new.name, new.properties, i.keys);
            if new_line is null then
              delete from property_line where workspace_id = new.workspace_id and entity_id = new.id;
            else
              insert into property_line (workspace_id, entity_id, line) values (new.workspace_id, new.id, new_line)
              on conflict (workspace_id, entity_id) do update set line = excluded.line
              where property_line.line <> excluded.line;
            end if;
            continue;
          end if;
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
    this.addSql(`drop trigger entity_values_update on entity`);
    this.addSql(`
      create trigger entity_values_update after update of number, name, properties on entity for each row
      when (current_setting('partbook.has_value_index', true) = 'true'
        and (old.properties is distinct from new.properties or old.name <> new.name or old.number is distinct from new.number))
      execute function index_changed_values()`);
  }

  /** As before, and what property_line finds. A workspace without any line of a kind pays one probe for it. */
  private addSearch(): void {
    const linesOf = (table: string, entity: string) => `
            (select ${entity} as id, line from ${table} p
            where exists (select from ${table} where workspace_id = ${workspace})
              and q not like 'number:%'
              and uuid_send(p.workspace_id) = uuid_send(${workspace})
              and p.line like (select patterns[1] from wanted)
              and p.line like (select coalesce(patterns[2], patterns[1]) from wanted)
              and p.line like (select coalesce(patterns[3], patterns[1]) from wanted)
              and p.line like all ((select patterns from wanted)::text[])
            limit hits_max)`;
    this.addSql(`
      create or replace function search_lines(q text, hits_max integer)
      returns table (id uuid, line text)
      language sql stable security definer set search_path = public, pg_temp
      set enable_seqscan = off set enable_bitmapscan = on set plan_cache_mode = force_custom_plan as $$
        with wanted as materialized (select search_patterns(q) as patterns),
        named as (
          select found.id, found.line
          from entity_text t
          cross join lateral unnest(t.ids, string_to_array(btrim(t.lines, E'\\n'), E'\\n')) as found (id, line)
          left join lateral (
            select true as is_own from entity_text own
            where own.workspace_id = t.workspace_id and own.id = found.id limit 1) as newer on t.id <> found.id
          where uuid_send(t.workspace_id) = uuid_send(${workspace})
            and t.lines like (select patterns[1] from wanted)
            and t.lines like (select coalesce(patterns[2], patterns[1]) from wanted)
            and t.lines like (select coalesce(patterns[3], patterns[1]) from wanted)
            and found.line like all ((select patterns from wanted)::text[])
            and newer.is_own is null
          limit hits_max),
        others as (
          select distinct on (p.id) p.id, p.line
          from (${linesOf('supplier_part', 'item_id')}
            union all ${linesOf('property_line', 'entity_id')}) as p
          where not exists (
            select from entity e
            where e.workspace_id = ${workspace} and e.id = p.id
              and entity_line(e.number, e.name) like all ((select patterns from wanted)::text[])
            offset 0))
        select * from (select * from named union all select * from others) as found limit hits_max
      $$`);
  }
}
