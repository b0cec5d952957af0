/**
 * Searches by part of a number or a name. Texts lie in blocks of sixteen entities, and the trigram index has an entry for each
 * trigram of a block: an index of each entity would cost a quarter of what a new entity costs. Larger blocks are cheaper to
 * write, but more texts of them are looked at in vain. Triggers keep the table, in the transaction of the writer.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

export class EntitySearch extends Migration {
  override name = '20261201_0006_entity_search';

  override up(): void {
    this.addSql(`
      create table entity_text (
        workspace_id uuid not null,
        id uuid not null,
        ids uuid[] not null,
        lines text not null,
        is_newer boolean not null default false,
        primary key (workspace_id, id)
      )`);
    this.addSql(`comment on table entity_text is
     'What entities are found by. A row is a block of entities that were made together, or, with the id of the entity, one that
      was made alone or has another text since: then its line in a block is out of date.'`);
    this.addSql(`comment on column entity_text.lines is
     'Number and name of each in small letters, in the order of ids, each between two ends of lines.'`);
    this.addSql(`comment on column entity_text.is_newer is
     'Of the row of one entity: a block may still have a line of it, which is out of date.'`);
    for (const sql of grantTenantTable('entity_text')) this.addSql(sql);
    // No plan needs statistics here: there is one way to each row.
    this.addSql(`alter table entity_text alter column ids set statistics 0, alter column lines set statistics 0,
      alter column is_newer set statistics 0`);
    // The workspace is in this index as an expression that no other index has, so that the planner cannot take another one.
    this.addSql(
      `create index entity_text_lines on entity_text using gin (uuid_send(workspace_id), lines gin_trgm_ops)`,
    );
    this.addSql(`alter index entity_text_lines alter column 1 set statistics 0`);
    // Finds the lines in blocks that are out of date (src/entities/lists/drop-stale-lines.ts).
    this.addSql(`create index entity_text_newer on entity_text (workspace_id, id) where is_newer`);

    this.addSql(`
      create function entity_line(number text, name text) returns text language sql immutable parallel safe
      return translate(lower(coalesce(number, '') || ' ' || name), E'\\n', E'\\v')`);
    this.addSql(`
      create function block_entity_texts() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        insert into entity_text (workspace_id, id, ids, lines)
        select workspace_id, case when count(*) = 1 then (array_agg(id))[1] else uuidv7() end, array_agg(id),
               E'\\n' || string_agg(line, E'\\n') || E'\\n'
        from (
          select workspace_id, id, line,
                 (row_number() over (partition by workspace_id order by line collate "C") - 1) / 16 as block
          from (select workspace_id, id, entity_line(number, name) as line from fresh) as lined) as numbered
        group by workspace_id, block;
        return null;
      end $$`);
    // Its plans may be kept: it runs for each row, while the threads that apply chunks plan each statement anew.
    this.addSql(`
      create function write_entity_text() returns trigger language plpgsql
      set search_path = public, pg_temp set plan_cache_mode = auto as $$
      begin
        insert into entity_text (workspace_id, id, ids, lines, is_newer)
        values (new.workspace_id, new.id, array[new.id], E'\\n' || entity_line(new.number, new.name) || E'\\n',
                tg_op = 'UPDATE')
        on conflict (workspace_id, id) do update set lines = excluded.lines;
        return null;
      end $$`);
    for (const name of ['entity_line', 'block_entity_texts', 'write_entity_text'])
      this.addSql(grantFunction(name, 'partbook_app', 'partbook_system'));
    this.addSql(`
      create trigger entity_text_insert after insert on entity referencing new table as fresh
      for each statement execute function block_entity_texts()`);
    this.addSql(`
      create trigger entity_text_update after update of number, name on entity
      for each row when (old.number is distinct from new.number or old.name is distinct from new.name)
      execute function write_entity_text()`);
    // A subscription fires no triggers of statements, and triggers of rows only where they are enabled for it.
    this.addSql(
      `create trigger entity_text_applied after insert on entity for each row execute function write_entity_text()`,
    );
    this.addSql(`alter table entity enable replica trigger entity_text_applied`);
    this.addSql(`alter table entity enable always trigger entity_text_update`);

    // Row-level security keeps LIKE from being an index condition, because LIKE is not leakproof. These functions see past it and
    // answer for the workspace of the transaction alone. A search for one or two characters has two patterns; each names the
    // workspace in words of its own, because the planner would take what they have in common out and look it up alone. A line
    // of a block counts where its entity has no row of its own, which is one probe of the primary key.
    const workspace = `current_setting('partbook.workspace_id', true)`;
    const found = `
        from entity_text t
        cross join lateral unnest(t.ids, string_to_array(btrim(t.lines, E'\\n'), E'\\n')) as found (id, line)
        left join lateral (
          select true as is_own from entity_text own
          where own.workspace_id = t.workspace_id and own.id = found.id limit 1) as newer on t.id <> found.id
        where ((uuid_send(t.workspace_id) = uuid_send(nullif(${workspace}, '')::uuid)
                and t.lines like E'%\\n' || translate(lower(patterns[1]), E'\\n', E'\\v') || E'\\n%')
            or (uuid_send(t.workspace_id) = decode(replace(${workspace}, '-', ''), 'hex')
                and t.lines like E'%\\n' || translate(lower(patterns[2]), E'\\n', E'\\v') || E'\\n%'))
          and (found.line like translate(lower(patterns[1]), E'\\n', E'\\v')
            or found.line like translate(lower(patterns[2]), E'\\n', E'\\v'))
          and newer.is_own is null`;
    const settings = `language sql stable security definer set search_path = public, pg_temp
      set enable_seqscan = off set enable_bitmapscan = on set plan_cache_mode = force_custom_plan`;
    this.addSql(`
      create function search_entities(patterns text[], entities_max integer) returns table (id uuid)
      ${settings} as $$
        select found.id ${found}
        limit entities_max
      $$`);
    this.addSql(grantFunction('search_entities', 'partbook_app'));
    // With the lines, so that the best hits can be chosen without a look at each entity.
    this.addSql(`
      create function search_lines(patterns text[], hits_max integer) returns table (id uuid, line text)
      ${settings} as $$
        select found.id, found.line ${found}
        limit hits_max
      $$`);
    this.addSql(grantFunction('search_lines', 'partbook_app', 'partbook_system'));
  }
}
