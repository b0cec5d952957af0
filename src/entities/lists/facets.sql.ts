/**
 * How many entities there are of each category and state. Each pair is counted along its range of entity_state, and
 * no further than to a bound: the cost is that of the pairs, not of the entities.
 */
import { hasWords } from './search-patterns.ts';

/** $1 workspace, $2 categories, $3 states (each null for any), $4 counted at most. */
export const countFacets = `
  select c.key as category, s.state ->> 'name' as state, n.count::int
  from category c
  join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
  cross join lateral jsonb_array_elements(l.states) with ordinality as s (state, place)
  cross join lateral (
    select count(*) as count from (
      select from entity
      where workspace_id = $1 and (category, state) >= (c.key, s.state ->> 'name')
        and (category, state) <= (c.key, s.state ->> 'name')
      limit $4 + 1) as counted) as n
  where c.workspace_id = $1 and ($2::text[] is null or c.key = any($2))
    and ($3::text[] is null or s.state ->> 'name' = any($3)) and n.count > 0
  order by c.key, s.place`;

/**
 * How the entities are found that have a text: by the trigram index, or where it knows nothing of the text by looking; those
 * of one number by the index of numbers.
 */
const hits = {
  index: `
    select e.category, e.state from search_lines($5::text, $4 + 1) h
    cross join lateral (
      select category, state from entity where workspace_id = $1 and id = h.id offset 0) as e`,
  number: `
    select category, state from entity
    where workspace_id = $1 and number >= $5 and number <= $5 order by number, id limit $4 + 1`,
  // Such a text would make the index read all of itself (1.4 M entities: 5 s).
  window: `
    select category, state from (
      select category, state, number, name from entity
      where workspace_id = $1 order by id limit $4) as looked
    where ${hasWords('$5')}`,
};
/** Whether there may be more than were found or looked at. */
const cut = {
  index: '(select count(*) > $4 from hits)',
  number: '(select count(*) > $4 from hits)',
  window:
    '(select count(*) = 1 from (select from entity where workspace_id = $1 order by id offset $4 limit 1) as beyond)',
};

/** Of what a text finds. $1 workspace, $2 categories, $3 states (each null for any), $4 hits or entities looked at, at most, $5 text. */
export const countFoundFacets = (by: keyof typeof hits) => `
  with hits as materialized (${hits[by]})
  select category, state, count(*)::int as count, ${cut[by]} as cut
  from hits
  where ($2::text[] is null or category = any($2)) and ($3::text[] is null or state = any($3))
  group by category, state order by category, state`;

/** $1 workspace, $2 numbers, $3 entities of one number at most. Each number is a probe of entity_number. */
export const lookUpNumbers = `
  select n.place::int as place, e.id, e.guid, e.number, e.name, e.category, e.state, e.revision_number
  from unnest($2::text[]) with ordinality as n (number, place)
  cross join lateral (
    select id, guid, number, name, category, state, revision_number from entity
    where workspace_id = $1 and number >= n.number and number <= n.number order by number, id limit $3) as e
  order by n.place, e.id`;
