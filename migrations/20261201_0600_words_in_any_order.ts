/**
 * A search finds words in any order, and ignores case, accents and the way in which a character is composed. Texts and queries are
 * folded by one function, so that they always agree. `entity_text` keeps folded lines; the lines that are already there are folded here.
 * `search_entities` and `search_lines` of patterns stay for processes of 0.1.0 until these are replaced.
 */
import { IndexMigration } from '../src/db/index-migration.ts';

/** Accents that Unicode writes as characters of their own, once a text is decomposed. Marks of other scripts are kept. */
const MARKS = String.raw`[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]`;
/** Tab, line feed, vertical tab, form feed, carriage return: a line of a block has no line feed in it. */
const BLANKS = String.raw`\t\n\x0b\f\r`;
/** Blanks that decomposing does not make a space of. */
const WIDE_BLANKS = String.raw`\u0085\u1680\u2028\u2029`;

export class WordsInAnyOrder extends IndexMigration {
  override name = '20261201_0600_words_in_any_order';

  override up(): void {
    // One transaction, which waits for those who are writing an entity: from its commit on, triggers write folded lines.
    this.addSql(['lock table entity in share row exclusive mode', ...functions].join(';'));
    this.addSql(foldBlocks);
  }
}

const workspace = `current_setting('partbook.workspace_id', true)`;

const functions = [
  // A text of ASCII alone, the usual case, is not decomposed, which would take ten times as long.
  `create or replace function fold_text(text text) returns text language sql immutable parallel safe
   return case
     when octet_length(text) = length(text) then translate(lower(text), E'${BLANKS}', '     ')
     else replace(replace(replace(translate(
       lower(regexp_replace(normalize(text, NFKD), '${MARKS}', '', 'g')),
       E'${BLANKS}${WIDE_BLANKS}øłđħŧı', '         oldhti'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
   end`,
  // A blank before the number too: each word of a line has one before it.
  `create or replace function entity_line(number text, name text) returns text language sql immutable parallel safe
   return fold_text(' ' || coalesce(number, '') || ' ' || name)`,
  `create or replace function search_patterns(q text) returns text[] language sql immutable parallel safe
   set search_path = public, pg_temp as $$
     select case when q like 'number:%' and btrim(substr(q, 8)) <> ''
       then array[regexp_replace(fold_text(' ' || btrim(substr(q, 8))), '([\\\\%_])', '\\\\\\1', 'g') || ' %']
       else coalesce(array(
         select case when length(word) > 2 then '%' else '% ' end || regexp_replace(word, '([\\\\%_])', '\\\\\\1', 'g') || '%'
         from regexp_split_to_table(fold_text(q), ' +') as word where word <> ''
         group by word order by length(word) > 2 desc, length(word) desc, word), '{}')
     end
   $$`,
  `comment on function search_patterns is
     'What a line of entity_text is like that has all words of a text: the longest first, which are rarest. A word of one or two
      characters has no trigram but at the beginning of a word, and is looked for there.'`,
  // The index narrows down by the three longest words; of a fourth it would read more than it spares.
  `create or replace function search_lines(q text, hits_max integer)
   returns table (id uuid, line text)
   language sql stable security definer set search_path = public, pg_temp
   set enable_seqscan = off set enable_bitmapscan = on set plan_cache_mode = force_custom_plan as $$
     with wanted as materialized (select search_patterns(q) as patterns)
     select found.id, found.line
     from entity_text t
     cross join lateral unnest(t.ids, string_to_array(btrim(t.lines, E'\\n'), E'\\n')) as found (id, line)
     left join lateral (
       select true as is_own from entity_text own
       where own.workspace_id = t.workspace_id and own.id = found.id limit 1) as newer on t.id <> found.id
     where uuid_send(t.workspace_id) = uuid_send(nullif(${workspace}, '')::uuid)
       and t.lines like (select patterns[1] from wanted)
       and t.lines like (select coalesce(patterns[2], patterns[1]) from wanted)
       and t.lines like (select coalesce(patterns[3], patterns[1]) from wanted)
       and found.line like all ((select patterns from wanted)::text[])
       and newer.is_own is null
     limit hits_max
   $$`,
  ...['fold_text(text)', 'search_patterns(text)', 'search_lines(text, integer)'].flatMap((name) => [
    `revoke all on function ${name} from public`,
    `grant execute on function ${name} to partbook_app, partbook_system`,
  ]),
];

/** Run again after it was cut off, it changes those that are left. */
const foldBlocks = `
  update entity_text t set lines = folded.lines
  from (
    select b.workspace_id, b.id,
           E'\\n' || string_agg(coalesce(entity_line(e.number, e.name), found.line), E'\\n' order by found.place) || E'\\n' as lines
    from entity_text b
    cross join lateral unnest(b.ids, string_to_array(btrim(b.lines, E'\\n'), E'\\n')) with ordinality as found (id, line, place)
    left join entity e on e.workspace_id = b.workspace_id and e.id = found.id
    group by b.workspace_id, b.id
  ) as folded
  where t.workspace_id = folded.workspace_id and t.id = folded.id and t.lines <> folded.lines`;
