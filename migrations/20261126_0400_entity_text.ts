/**
 * Texts that are searched lie in blocks of some entities, and what is indexed is the block. A trigram index with a row for each
 * entity took an entry for every trigram of every one of them, some fifty: of the time that PostgreSQL needed for a new entity
 * nearly a quarter. Sixteen entities have most of their trigrams in common. A search looks into the blocks that may have its text
 * and finds the lines. Triggers keep the table, so that no writer can forget: what is found is what is written, in its transaction.
 */
import { IndexMigration } from '../src/db/index-migration.ts';
import { grantTenantTable } from '../src/db/tenant-table.ts';

/** Larger blocks are cheaper to write; in a larger one more texts are looked at that only seem to fit (three words of three entities). */
const BLOCK_ENTITIES = 16;

const blocks = (entities: string, id: string) => `
  insert into entity_text (workspace_id, id, ids, lines)
  select workspace_id, ${id}, array_agg(id),
         E'\\n' || string_agg(line, E'\\n') || E'\\n'
  from (
    select workspace_id, id, line,
           (row_number() over (partition by workspace_id order by line collate "C") - 1) / ${BLOCK_ENTITIES} as block
    from (select workspace_id, id, entity_line(number, name) as line from ${entities}) as lined) as numbered
  group by workspace_id, block`;

/**
 * Nobody waits for it but those who write an entity in the moment that the triggers are made: a million entities take half a minute.
 * Each step is a transaction of its own, and a run that was cut off begins anew.
 */
export class EntityText extends IndexMigration {
  override name = '20261126_0400_entity_text';

  override up(): void {
    this.addSql(`
      drop function if exists block_entity_texts() cascade;
      drop function if exists write_entity_text() cascade;
      drop table if exists entity_text;
      drop function if exists entity_line(text, text)`);
    // As one statement of several, which is one transaction: whoever has the table has its triggers.
    this.addSql([...table, ...functions, ...triggers].join(';'));
    // Of entities from before the triggers: what was written since has its texts by them. One that is renamed meanwhile gets a row
    // of its own, which counts in place of its line here; so no block has the id of an entity, not even that of one alone.
    this.addSql(`
      with written as materialized (select workspace_id, unnest(ids) as id from entity_text)
      ${blocks(
        `entity e where not exists (select from written w where w.workspace_id = e.workspace_id and w.id = e.id)`,
        'uuidv7()',
      )}`);
    // The workspace under an expression of its own, as before: no other index can stand in for this one.
    this.addIndex(
      'entity_text_lines',
      'on entity_text using gin (uuid_send(workspace_id), lines gin_trgm_ops)',
    );
    this.addSql(`alter index entity_text_lines alter column 1 set statistics 0`);
    // Whose lines in blocks are to go (src/entities/lists/drop-stale-lines.ts).
    this.addIndex('entity_text_newer', 'on entity_text (workspace_id, id) where is_newer');
    this.addSql(search);
    this.addSql('drop index concurrently if exists entity_search');
  }
}

const table = [
  `create table entity_text (
     workspace_id uuid not null,
     id uuid not null,
     ids uuid[] not null,
     lines text not null,
     is_newer boolean not null default false,
     primary key (workspace_id, id)
   )`,
  `comment on table entity_text is
     'What entities are found by. A row is a block of entities that were made together, or, with the id of the entity, one that
      was made alone or has another text since: then its line in a block is out of date.'`,
  `comment on column entity_text.lines is
     'Number and name of each in small letters, in the order of ids, each between two ends of lines.'`,
  `comment on column entity_text.is_newer is
     'Of the row of one entity: a block may still have a line of it, which is out of date.'`,
  ...grantTenantTable('entity_text'),
  // No plan depends on them: there is one way to each row.
  `alter table entity_text alter column ids set statistics 0, alter column lines set statistics 0,
     alter column is_newer set statistics 0`,
];

const functions = [
  `create function entity_line(number text, name text) returns text language sql immutable parallel safe
   return translate(lower(coalesce(number, '') || ' ' || name), E'\\n', E'\\v')`,
  `create function block_entity_texts() returns trigger language plpgsql set search_path = public, pg_temp as $$
   begin ${blocks('fresh', 'case when count(*) = 1 then (array_agg(id))[1] else uuidv7() end')}; return null; end $$`,
  // Plans of its own: the threads that apply chunks plan each statement anew, and this one runs for each row. What a
  // subscription applies has no search path.
  `create function write_entity_text() returns trigger language plpgsql
   set search_path = public, pg_temp set plan_cache_mode = auto as $$
   begin
     insert into entity_text (workspace_id, id, ids, lines, is_newer)
     values (new.workspace_id, new.id, array[new.id], E'\\n' || entity_line(new.number, new.name) || E'\\n',
             tg_op = 'UPDATE')
     on conflict (workspace_id, id) do update set lines = excluded.lines;
     return null;
   end $$`,
  ...['entity_line', 'block_entity_texts', 'write_entity_text'].flatMap((name) => [
    `revoke all on function ${name} from public`,
    `grant execute on function ${name} to partbook_app, partbook_system`,
  ]),
];

const triggers = [
  `create trigger entity_text_insert after insert on entity referencing new table as fresh
   for each statement execute function block_entity_texts()`,
  `create trigger entity_text_update after update of number, name on entity
   for each row when (old.number is distinct from new.number or old.name is distinct from new.name)
   execute function write_entity_text()`,
  // What a subscription applies while a workspace moves fires no triggers but those that are made for it, and never those of statements.
  `create trigger entity_text_applied after insert on entity for each row execute function write_entity_text()`,
  `alter table entity enable replica trigger entity_text_applied`,
  `alter table entity enable always trigger entity_text_update`,
];

/**
 * Blocks that have the pattern in a line of theirs, and of these the lines. A line of a block counts where its entity has no
 * row of its own, which is a probe of the primary key for each hit. Both patterns name the workspace for themselves, as before.
 */
const workspace = `current_setting('partbook.workspace_id', true)`;
const search = `
  create or replace function search_entities(patterns text[], entities_max integer)
  returns table (id uuid)
  language sql stable security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = on set plan_cache_mode = force_custom_plan as $$
    select found.id
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
      and newer.is_own is null
    limit entities_max
  $$`;
