/**
 * The statements of sorted searches. Either the entities that can fit are few: then they are gathered from one
 * index, sorted, and paged by the key. Or they are many, and the page is walked in the order of an index that has
 * it, through a window of rows. Both page by the same key, so one page may take the one way and the next the other.
 *
 * Parameters of all: $1 workspace, $2 rows that are looked at, $3 entities wanted, $4 categories, $5 states,
 * $6 text, $7 number (these four null for any), $8 whether the page goes on after a key, $9 that key, $10 its id, $11 `Archived`. Null keys come last, whichever the order.
 */
import { listedColumns } from '../entity.sql.ts';
import { isListed } from '../is-listed.sql.ts';
import { isFound } from './search-patterns.ts';

export type Sort = 'created' | 'number' | 'name' | 'updatedAt';
export type Order = 'asc' | 'desc';

/** SQL: whether the entity in the range of that name fits. */
export const fits = (entity: string, archived: string) => `
  ($4::text[] is null or category = any($4)) and ($5::text[] is null or state = any($5))
  and ($6::text is null or ${isFound('$6', entity)})
  and ($7::text is null or number = $7) and ${isListed(archived)}`;

/** Sort keys; times have equal length, so that their text sorts as the time does. */
const keys: Record<Sort, string> = {
  created: `''`,
  number: 'number',
  name: 'name',
  updatedAt: `to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`,
};

/** Sources of candidates, each a range of one index; see search-entities.sql.ts for the form of the bounds. */
export const sources = {
  all: `select id from entity where workspace_id = $1 order by id limit $2`,
  number: `
    select id from entity where workspace_id = $1 and number >= $7 and number <= $7 order by number, id limit $2`,
  categories: `
    select e.id from unnest($4::text[]) as c (key) cross join lateral (
      select id from entity where workspace_id = $1 and category >= c.key and category <= c.key
      order by category, state, id limit $2) as e limit $2`,
  states: `
    select e.id from unnest($4::text[]) as c (key) cross join unnest($5::text[]) as s (name) cross join lateral (
      select id from entity
      where workspace_id = $1 and (category, state) >= (c.key, s.name) and (category, state) <= (c.key, s.name)
      order by category, state, id limit $2) as e limit $2`,
  text: `select id from search_lines($6::text, $2)`,
} as const;
export type Source = keyof typeof sources;

/** The first page of few entities: one row with how many candidates there are, and the ids and keys of the page. */
export function sortFew(source: Source, sort: Sort, order: Order): string {
  const beyond = order === 'asc' ? '>' : '<';
  return `
    with candidates as materialized (${sources[source]}),
    sorted as (
      select e.id, ${keys[sort]} as key from candidates c
      cross join lateral (
        select id, number, name, category, state, updated_at, archived_at from entity
        where workspace_id = $1 and id = c.id offset 0) as e
      where ${fits('e', '$11')}
    ),
    page as (
      select id, key, row_number() over (order by key is null, key ${order}, id ${order}) as place from sorted
      where not $8::boolean or (key is null and $9::text is not null)
        or (key is not null and $9::text is not null and (key, id) ${beyond} ($9, $10::uuid))
        or (key is null and $9::text is null and id ${beyond} $10::uuid)
      order by place limit $3
    )
    select (select count(*)::int from candidates) as walked,
           coalesce((select jsonb_agg(jsonb_build_array(id, key) order by place) from page), '[]') as page`;
}

/** A window in the order of the index entity_number, those without a number behind; or of the primary key. */
export function walkSorted(sort: 'created' | 'number', order: Order): string {
  const beyond = order === 'asc' ? '>' : '<';
  const range = (condition: string, by: string) => `(
    select id, number, name, category, state, archived_at from entity
    where workspace_id = $1 and ${condition} order by ${by} limit $2)`;
  const byId = `id ${order}`;
  const byNumber = `number ${order}, id ${order}`;
  const [window, by] =
    sort === 'created'
      ? [range(`(not $8::boolean or $9::text is null or id ${beyond} $10::uuid)`, byId), byId]
      : [
          `${range(
            `number is not null and (not $8::boolean or ($9::text is not null and (number, id) ${beyond} ($9, $10::uuid)))`,
            byNumber,
          )} union all ${range(
            `number is null and (not $8::boolean or $9::text is not null or id ${beyond} $10::uuid)`,
            byNumber,
          )}`,
          `number is null, ${byNumber}`,
        ];
  return `
    with walked as materialized (
      select *, ${keys[sort]} as key, row_number() over (order by ${by}) as place
      from (${window}) as e order by place limit $2),
    page as (select id, key, place from walked where ${fits('walked', '$11')} order by place limit $3)
    select (select count(*)::int from walked) as walked,
           (select jsonb_build_array(id, key) from walked order by place desc limit 1) as last,
           coalesce((select jsonb_agg(jsonb_build_array(id, key) order by place) from page), '[]') as page`;
}

/** Maximum of numbers that begin with the text. */
const NUMBERS_MAX = 200;
/** Blocks that are looked at before the index is asked for all that have the text: some 4000 of the entities made last. */
const NEAR_BLOCKS = 256;
/** Number of matches that makes a text common; the best are then chosen from these. */
const NEAR_ENOUGH = 'greatest(60, 2 * $3::int)';
const NEAR_MAX = 'greatest(120, 2 * $3::int)';
/**
 * So few say that it is rare. Between the two, further blocks are walked, as many as should have enough: of a text of several words the index
 * reads all that it has of each of their trigrams, and has no order to stop in (`M7 x 33` among a million: 31 ms, and 5 for the walk).
 */
const NEAR_SOME = 12;
const FURTHER_BLOCKS_MAX = 2100;
/** Maximum of what the index finds: words that are seldom together cost it a dozen blocks for each. */
const FAR_MAX = 'greatest(60, 2 * $3::int)';
/** Maximum of hits where a filter, which lines do not know, may leave few of them. */
const FAR_FILTERED_MAX = 2000;
/**
 * Number of entities of some categories or states that are read at once: there are seldom more locations, for
 * example.
 */
const KIND_FEW = 1000;
/** Chosen by their lines, or as many as are wanted; only of these the entities are looked at. */
const CHOSEN_MAX = 'greatest(40, $3::int + 20)';

/** Patterns compared with texts and lines, computed once: a kept plan knows no parameters. */
const typed = `
  typed as materialized (
    select search_patterns($6) as patterns, whole, literal || '%' as beginning, '% ' || literal || '%' as word
    from (select fold_text($6) as whole, regexp_replace(fold_text($6), '([\\\\%_])', '\\\\\\1', 'g') as literal) as one)`;
const of = (column: string) => `(select ${column} from typed)`;

/** Finds entities whose number begins with the text, by entity_number. */
const numbered = `
  numbered as materialized (
    select distinct on (id) id, number, name from unnest($8::text[]) as t (text) cross join lateral (
      select id, number, name, category, state, archived_at from entity
      where workspace_id = $1 and number >= t.text order by number, id limit ${NUMBERS_MAX}) as e
    where fold_text(number) like ${of('beginning')} and ${fits('e', '$9')}
  )`;

const areFew = '(select count(*) from numbered) < $3';

/** Lines that fit, of blocks in their order. */
const linesOf = (condition: string, blocks: string) => `
      select found.id, found.line
      from (select id, ids, lines from entity_text where workspace_id = $1 and ${condition}
            order by id desc ${blocks}) as t
      cross join lateral unnest(t.ids, string_to_array(btrim(t.lines, E'\\n'), E'\\n')) as found (id, line)
      where t.lines like all (${of('patterns')}::text[]) and found.line like all (${of('patterns')}::text[])
        -- Nobody probes for what is out of date where nothing is.
        and (t.id = found.id
          or not (select exists (select from entity_text where workspace_id = $1 and is_newer))
          or not exists (select from entity_text own where own.workspace_id = $1 and own.id = found.id offset 0))
        -- The same of archived entities, which would take the places of others.
        and ($9::text <> 'false'
          or not (select exists (select from entity where workspace_id = $1 and archived_at is not null))
          or not exists (
            select from entity own
            where own.workspace_id = $1 and own.id = found.id and own.archived_at is not null offset 0))`;
const near = (condition: string) => linesOf(condition, `limit ${NEAR_BLOCKS}`);

/**
 * Finds entities by text if numbers leave room on the page: first in the newest blocks, then by the index, which
 * would read everything it has of a common text. Their lines tell which are likely to be the best.
 */
const ofAnyKind = (byIndex: boolean): string => {
  const nearCount = '(select near_count from counted)';
  const areNear = `${nearCount} >= ${NEAR_ENOUGH}`;
  const areWalked = `${nearCount} + (select count(*) from further) >= ${NEAR_ENOUGH}`;
  const chosen = (found: string) => `
    candidates as (
      select id from ${found}
      order by case when line like ' ' || ${of('beginning')} then 1
                 when ' ' || split_part(line, ' ', 2) || ' ' like all (${of('patterns')}::text[]) then 2
                 when line like ${of('word')} then 3 else 4 end,
               strpos(substr(line, 2), ' '), line collate "C"
      limit ${CHOSEN_MAX})`;
  const lines = `
    near as materialized (${near(areFew)}
      limit ${NEAR_MAX}),`;
  if (!byIndex) return `${lines}${chosen('near')}`;
  return `${lines}
    counted as materialized (select count(*) as near_count from near),
    further as materialized (${linesOf(
      `(${nearCount} >= ${NEAR_SOME} and not ${areNear})`,
      `offset ${NEAR_BLOCKS} limit least(${FURTHER_BLOCKS_MAX}, ${NEAR_BLOCKS} * ${NEAR_ENOUGH} / greatest(${nearCount}, ${NEAR_SOME}))`,
    )}
      limit ${NEAR_ENOUGH}),
    found as (
      select id, line from near where ${areWalked}
      union all
      select id, line from further where ${areWalked}
      union all
      select id, line from search_lines($6::text, ${FAR_MAX}) where ${areFew} and not ${areWalked}),${chosen('found')}`;
};

/**
 * Finds entities of some categories or states, which lines do not know. If there are few of these, all are read.
 * Otherwise what counts is how many matches the filter leaves; if neither the newest nor the first of the index are
 * enough, matches are rare and more of the filter's own range is read.
 */
const ofKinds = (range: 'categories' | 'states', byIndex: boolean): string => {
  const kept = (lines: string, condition: string) => `
      select e.id from ${lines} as l
      cross join lateral (
        select id, category, state from entity where workspace_id = $1 and id = l.id offset 0) as e
      where ${condition} and category = any($4) and ($5::text[] is null or state = any($5))
      limit ${NEAR_MAX}`;
  const nearCount = '(select count(*) from near)';
  const farCount = '(select count(*) from far)';
  const areMany = `${areFew} and (select count(*) from kind) = ${KIND_FEW}`;
  return `
    kind as materialized (select id from (${sources[range].replaceAll('$2', String(KIND_FEW))}) as k where ${areFew}),
    near as materialized (${kept(`(${near(areMany)})`, 'true')}),
    far as materialized (${kept(
      `search_lines($6::text, ${FAR_FILTERED_MAX})`,
      `${byIndex} and ${areMany} and ${nearCount} < ${NEAR_ENOUGH}`,
    )}),
    candidates as (
      select id from kind where not (${areMany})
      union all
      select id from near
      union all
      select id from far
      union all
      select id from (${sources[range]}) as r where ${areMany} and ${nearCount} + ${farCount} < ${NEAR_ENOUGH})`;
};

/**
 * The place in which the best are searched: entities of one number, of some categories or states, or all; and whether the index
 * knows the text.
 */
export interface BestOf {
  source: 'number' | 'categories' | 'states' | 'all';
  byIndex: boolean;
}

function candidatesOf({ source, byIndex }: BestOf): string {
  if (source === 'number') return `candidates as (${sources.number})`;
  return source === 'all' ? ofAnyKind(byIndex) : ofKinds(source, byIndex);
}

/**
 * The best for a text that is being typed: numbers that are it, numbers that begin with it, numbers that have all its words, names that
 * begin with it, names with words that do, the rest; the shorter number first. Of the numbers that begin with it, entity_number gives the first two
 * hundred; the others come from the source, as far as that is bounded. $1 to $7 as above, $8 what
 * such numbers may begin with, in several cases, $9 `Archived`.
 */
const rankEntities = (best: BestOf): string => `
    with ${typed}, ${numbered}, ${candidatesOf(best)}
    select id, row_number() over (order by rank, length(number), number, id) as place from (
      select id, number, case when fold_text(number) = ${of('whole')} then 0
        when fold_text(number) like ${of('beginning')} then 1
        when entity_line(number, '') like all (${of('patterns')}::text[]) then 2
        when fold_text(name) like ${of('beginning')} then 3
        when fold_text(name) like ${of('word')} then 4
        else 5 end as rank
      from (
        select id, number, name from numbered
        union
        select e.id, number, name from candidates c
        cross join lateral (
          select id, number, name, category, state, archived_at from entity where workspace_id = $1 and id = c.id offset 0) as e
        where ${fits('e', '$9')} and $2::int > 0) as fitting
    ) as ranked
    order by place limit $3`;

/**
 * Selects the best as a page for `readPage`: one of a few texts, whose form allows only the plan of
 * `keepIndexOrder`.
 */
export const selectBest = (best: BestOf): string => `
  select ${listedColumns} from (${rankEntities(best)}) as i
  cross join lateral (select * from entity where workspace_id = $1 and id = i.id offset 0) as e order by i.place`;
