/**
 * How many entities there are of each category and state. Each pair is counted along its range of entity_state, and
 * no further than to a bound: the cost is that of the pairs, not of the entities.
 */
import { isListed } from '../is-listed.sql.ts';
import { isFound } from './search-patterns.ts';

/**
 * All of a pair are counted, and the archived ones subtracted, so that both counts read an index alone. $1 workspace, $2 categories,
 * $3 states (each null for any), $4 counted at most, $5 `Archived`.
 */
export const countFacets = `
  with archived as materialized (
    select category, state, count(*) as count from entity
    where workspace_id = $1 and archived_at is not null group by category, state)
  select c.key as category, s.state ->> 'name' as state, n.count::int
  from category c
  join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
  cross join lateral jsonb_array_elements(l.states) with ordinality as s (state, place)
  left join archived a on a.category = c.key and a.state = s.state ->> 'name'
  cross join lateral (
    select case when $5::text = 'only' then least(coalesce(a.count, 0), $4 + 1)
                else count(*) - case when $5 = 'false' then coalesce(a.count, 0) else 0 end end as count
    from (
      select from entity
      where workspace_id = $1 and (category, state) >= (c.key, s.state ->> 'name')
        and (category, state) <= (c.key, s.state ->> 'name')
      limit $4 + 1 + case when $5 = 'false' then coalesce(a.count, 0) else 0 end) as counted) as n
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
      select category, state from entity
      where workspace_id = $1 and id = h.id and ${isListed('$6')} offset 0) as e`,
  number: `
    select category, state from entity
    where workspace_id = $1 and number >= $5 and number <= $5 and ${isListed('$6')} order by number, id limit $4 + 1`,
  // Such a text would make the index read all of itself (1.4 M entities: 5 s).
  window: `
    select category, state from (
      select id, category, state, number, name, archived_at from entity
      where workspace_id = $1 order by id limit $4) as looked
    where ${isFound('$5', 'looked')} and ${isListed('$6')}`,
};
/** Whether there may be more than were found or looked at. */
const cut = {
  index: '(select count(*) > $4 from hits)',
  number: '(select count(*) > $4 from hits)',
  window:
    '(select count(*) = 1 from (select from entity where workspace_id = $1 order by id offset $4 limit 1) as beyond)',
};

/** Counts the entities that a text finds. $1 workspace, $2 categories, $3 states (each null for any), $4 hits or entities looked at, at most, $5 text, $6 `Archived`. */
export const countFoundFacets = (by: keyof typeof hits) => `
  with hits as materialized (${hits[by]})
  select category, state, count(*)::int as count, ${cut[by]} as cut
  from hits
  where ($2::text[] is null or category = any($2)) and ($3::text[] is null or state = any($3))
  group by category, state order by category, state`;

/** $1 workspace, $2 numbers, $3 entities of one number at most. Each number is a probe of entity_number. */
export const lookUpNumbers = `
  select n.place::int as place, e.id, e.guid, e.number, e.name, e.category, e.state, e.revision_number, e.archived_at
  from unnest($2::text[]) with ordinality as n (number, place)
  cross join lateral (
    select id, guid, number, name, category, state, revision_number, archived_at from entity
    where workspace_id = $1 and number >= n.number and number <= n.number order by number, id limit $3) as e
  union
  select n.place::int, e.id, e.guid, e.number, e.name, e.category, e.state, e.revision_number, e.archived_at
  from unnest($2::text[]) with ordinality as n (number, place)
  cross join lateral (
    select entity_id from entity_alias
    where workspace_id = $1 and number >= n.number and number <= n.number order by number, id limit $3) as a
  cross join lateral (
    select id, guid, number, name, category, state, revision_number, archived_at from entity
    where workspace_id = $1 and id = a.entity_id offset 0) as e
  order by place, id`;
