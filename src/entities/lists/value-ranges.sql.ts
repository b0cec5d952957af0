/**
 * Ranges of the indexes of values. Parameters: $1 workspace, $18 place of the range among all of a search, from 1; $19 number of its index, $20 and
 * $21 its ends, which belong to it. A range of several values has a row for each of them.
 */

/** A range by its place, and the kind of its index. */
export interface RangeOfIndex {
  place: number;
  kind: 'number' | 'text';
}

const tables = { number: 'property_number', text: 'property_text' } as const;

/** SQL: the ids of the entities that are in a range; those with one value in their order. */
export function rangeOf({ place, kind }: RangeOfIndex): string {
  const end = (side: string) => (kind === 'number' ? `r.${side}::float8` : `left(r.${side}, 200)`);
  return `
      select v.id from unnest($18::int[], $19::int[], $20::text[], $21::text[]) as r (place, number, low, high)
      cross join lateral (
        select entity_id as id from ${tables[kind]}
        where workspace_id = $1 and value_index = r.number and value >= ${end('low')} and value <= ${end('high')}
        order by value, entity_id offset 0) as v
      where r.place = ${place}`;
}

/**
 * SQL: whether the id is in all of them, or may be, because its entity waits to be indexed ($17). With `is true` the planner makes no join of it,
 * which on a table that it knows nothing of would compare each id with each: it looks each up in a hash.
 */
export const mayBeInAll = (id: string, ranges: readonly RangeOfIndex[]) =>
  ranges.length === 0
    ? 'true'
    : `(${ranges.map((range) => `(${id} in (${rangeOf(range)})) is true`).join(' and ')} or ${id} = any($17::uuid[]))`;

/** Selects the entities that wait for the job that indexes values, as far as these are $2 at most. $1 workspace. */
export const selectWaiting = `
  select p.id from value_pending v cross join lateral unnest(v.ids) as p (id)
  where v.workspace_id = $1 limit $2`;

/**
 * All values of an index in their order, each counted up to a bound: one probe finds the next value. The archived entities that have it are
 * subtracted, unless they count too. $1 workspace, $2 index, $3 counted at most, $4 values at most, $5 key of the property, $6 whether
 * archived entities count.
 */
export const countValues = (kind: 'number' | 'text') => {
  const table = kind === 'number' ? 'property_number' : 'property_text';
  const next = (condition: string) => `
    (select value from ${table} where workspace_id = $1 and value_index = $2 ${condition} order by value limit 1)`;
  return `
    with recursive found as (
      select ${next('')} as value, 1 as place
      union all
      select ${next('and value > found.value')}, place + 1 from found where found.value is not null and place < $4::int
    ), archived as materialized (
      select value, count(*) as count from (
        select ${kind === 'number' ? 'indexed_number' : 'indexed_word'}(properties -> $5::text) as value from entity
        where workspace_id = $1 and archived_at is not null and not $6::boolean) as a
      where value is not null group by value)
    select f.value::text as value, n.count::int as count from found f
    left join archived a on a.value = f.value
    cross join lateral (
      select count(*) - coalesce(a.count, 0) as count from (
        select from ${table} where workspace_id = $1 and value_index = $2 and value >= f.value and value <= f.value
        limit $3::int + 1 + coalesce(a.count, 0)) as counted) as n
    where f.value is not null order by f.value`;
};
