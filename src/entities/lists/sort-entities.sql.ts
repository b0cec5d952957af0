/**
 * The statements of sorted searches. Either the entities that can fit are few: then they are gathered from one
 * index, sorted, and paged by the key. Or they are many, and the page is walked in the order of an index that has
 * it, through a window of rows. Both page by the same key, so one page may take the one way and the next the other.
 *
 * Parameters of all: $1 workspace, $2 rows that are looked at, $3 entities wanted, $4 categories, $5 states,
 * $6 patterns (these three null for any), $7 whether the page goes on after a key, $8 that key, $9 its id,
 * $10 number (null for any). Null keys come last, whichever the order.
 */
export type Sort = 'created' | 'number' | 'name' | 'updatedAt';
export type Order = 'asc' | 'desc';

const fits = `
  ($4::text[] is null or category = any($4)) and ($5::text[] is null or state = any($5))
  and ($6::text[] is null or coalesce(number, '') || ' ' || name ilike any($6))
  and ($10::text is null or number = $10)`;

/** Of equal length where it is a time, so that its text sorts as the time does. */
const keys: Record<Sort, string> = {
  created: `''`,
  number: 'number',
  name: 'name',
  updatedAt: `to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`,
};

/** Where candidates come from, each a range of one index; see search-entities.sql.ts for the form of the bounds. */
const sources = {
  all: `select id from entity where workspace_id = $1 order by id limit $2`,
  number: `
    select id from entity where workspace_id = $1 and number >= $10 and number <= $10 order by number, id limit $2`,
  categories: `
    select e.id from unnest($4::text[]) as c (key) cross join lateral (
      select id from entity where workspace_id = $1 and category >= c.key and category <= c.key
      order by category, id limit $2) as e limit $2`,
  states: `
    select e.id from unnest($4::text[]) as c (key) cross join unnest($5::text[]) as s (name) cross join lateral (
      select id from entity
      where workspace_id = $1 and (category, state) >= (c.key, s.name) and (category, state) <= (c.key, s.name)
      order by category, state, id limit $2) as e limit $2`,
  text: `select id from search_entities($6::text[], $2)`,
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
        select id, number, name, category, state, updated_at from entity
        where workspace_id = $1 and id = c.id offset 0) as e
      where ${fits}
    ),
    page as (
      select id, key, row_number() over (order by key is null, key ${order}, id ${order}) as place from sorted
      where not $7::boolean or (key is null and $8::text is not null)
        or (key is not null and $8::text is not null and (key, id) ${beyond} ($8, $9::uuid))
        or (key is null and $8::text is null and id ${beyond} $9::uuid)
      order by place limit $3
    )
    select (select count(*)::int from candidates) as walked,
           coalesce((select jsonb_agg(jsonb_build_array(id, key) order by place) from page), '[]') as page`;
}

/** A window in the order of the index entity_number, those without a number behind; or of the primary key. */
export function walkSorted(sort: 'created' | 'number', order: Order): string {
  const beyond = order === 'asc' ? '>' : '<';
  const range = (condition: string, by: string) => `(
    select id, number, name, category, state from entity
    where workspace_id = $1 and ${condition} order by ${by} limit $2)`;
  const byId = `id ${order}`;
  const byNumber = `number ${order}, id ${order}`;
  const [window, by] =
    sort === 'created'
      ? [range(`(not $7::boolean or $8::text is null or id ${beyond} $9::uuid)`, byId), byId]
      : [
          `${range(
            `number is not null and (not $7::boolean or ($8::text is not null and (number, id) ${beyond} ($8, $9::uuid)))`,
            byNumber,
          )} union all ${range(
            `number is null and (not $7::boolean or $8::text is not null or id ${beyond} $9::uuid)`,
            byNumber,
          )}`,
          `number is null, ${byNumber}`,
        ];
  return `
    with walked as materialized (
      select *, ${keys[sort]} as key, row_number() over (order by ${by}) as place
      from (${window}) as e order by place limit $2),
    page as (select id, key, place from walked where ${fits} order by place limit $3)
    select (select count(*)::int from walked) as walked,
           (select jsonb_build_array(id, key) from walked order by place desc limit 1) as last,
           coalesce((select jsonb_agg(jsonb_build_array(id, key) order by place) from page), '[]') as page`;
}

/**
 * The best for a text that is being typed: numbers that are it, numbers that begin with it, names that do, words
 * that do, the rest; the shorter number first. Of the numbers that begin with it, entity_number gives the first two
 * hundred; the others come from the source, as far as that is bounded. $1 to $6 and $10 as above, $7 the text,
 * $8 the pattern of what begins with it, $9 what such numbers may begin with, in several cases.
 */
export function rankEntities(source: Source | null): string {
  return `
    with candidates as materialized (
      select e.id from unnest($9::text[]) as t (text) cross join lateral (
        select id from entity where workspace_id = $1 and number >= t.text order by number, id limit 200) as e
      ${source === null ? '' : `union select id from (${sources[source]}) as more`}
    )
    select id from (
      select e.id, number, case when lower(number) = lower($7::text) then 0
        when number ilike $8::text then 1
        when name ilike $8::text then 2
        when name ilike '% ' || $8::text then 3
        else 4 end as rank
      from candidates c
      cross join lateral (
        select id, number, name, category, state from entity where workspace_id = $1 and id = c.id offset 0) as e
      where ${fits} and $2::int > 0
    ) as ranked
    order by rank, length(number), number, id limit $3`;
}
