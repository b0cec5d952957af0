/**
 * The statements of a search. Each reads one index in the order of the page and stops after a window of rows,
 * so that a page costs the same on ten million entities as on ten thousand.
 *
 * Parameters of all walks: $1 workspace, $2 id to go on after, $3 rows of the window, $4 ids wanted, $5 category,
 * $6 state, $7 text (these three null for any), $8 number (null but for walkNumber), $9 `Archived`. The answer is one row:
 * `walked` rows looked at, the `last` of them, and the `ids` that fit.
 */
import { entitiesOfCategory } from '../entities-of-category.sql.ts';
import { isListed } from '../is-listed.sql.ts';
import { isFound } from './search-patterns.ts';

const walk = (window: string) => `
  with walked as materialized (
    select id, category, state, number, name, archived_at from (${window}) as e
  )
  select (select count(*)::int from walked) as walked, (select max(id::text) from walked) as last,
         array(
           select id::text from walked
           where ($5::text is null or category = $5) and ($6::text is null or state = $6)
             and ($7::text is null or ${isFound('$7', 'walked')}) and $8::text is not distinct from $8
             and ${isListed('$9')}
           order by id limit $4) as ids`;

/** Walks the primary key. */
export const walkAll = walk(`
  select id, category, state, number, name, archived_at from entity where workspace_id = $1 and id > $2
  order by id limit $3`);

// "From the key to the key, in the order of key and id" instead of "equal to the key, in the order of the id":
// the same rows in the same order, but one that only the one index has. With equality the planner may walk the
// primary key and filter its way through all entities (see configuration/usage.sql.ts).

/** Walks entity_number. */
export const walkNumber = walk(`
  select id, category, state, number, name, archived_at from entity
  where workspace_id = $1 and (number, id) > ($8, $2) and number <= $8
  order by number, id limit $3`);

/** Walks entity_archived: the archived entities alone. */
export const walkArchived = walk(`
  select id, category, state, number, name, archived_at from entity
  where workspace_id = $1 and id > $2 and archived_at is not null
  order by id limit $3`);

export const walkCategory = walk(
  entitiesOfCategory('id, category, state, number, name, archived_at', {
    category: '$5',
    after: '$2',
    rows: '$3',
  }),
);

/** Walks entity_state. */
export const walkCategoryState = walk(`
  select id, category, state, number, name, archived_at from entity
  where workspace_id = $1 and (category, state, id) > ($5, $6, $2) and (category, state) <= ($5, $6)
  order by category, state, id limit $3`);

/**
 * Walks a state of all categories: merges the walks of each category whose lifecycle has such a state. An index by workspace, state and id
 * would do it without a merge, but every write of a sync would have to maintain it.
 */
export const walkState = walk(`
  select e.id, e.category, e.state, e.number, e.name, e.archived_at
  from category c
  join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
    and l.states @> jsonb_build_array(jsonb_build_object('name', $6::text))
  cross join lateral (
    select id, category, state, number, name, archived_at from entity
    where workspace_id = $1 and (category, state, id) > (c.key, $6, $2) and (category, state) <= (c.key, $6)
    order by category, state, id limit $3) as e
  where c.workspace_id = $1
  order by e.id limit $3`);

/**
 * Leaves the planner, in this transaction, only the index that has the order of a walk. On a table that was filled but not analysed, the
 * planner would otherwise fetch and sort whole categories (1 M rows: 2.5 s against 4 ms).
 */
export const preferIndexOrder = `
  select set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true),
         set_config('enable_incremental_sort', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`;

/**
 * Settings for prepared statements for which only one plan is possible. They are planned once per connection; planning was a third of the
 * cost of a short statement.
 */
export const keepIndexOrder = `${preferIndexOrder},
         set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_hashjoin', 'off', true),
         set_config('enable_mergejoin', 'off', true)`;

/**
 * Searches by the trigram index (`entity_text`, ADR 60). $1 workspace, $2 id to go on after, $3 hits at
 * most, $4 ids wanted, $5 category, $6 state, $7 text, $8 `Archived`. If the number of hits is $3, there
 * are more, and `ids` is not a page.
 */
export const searchByTrigrams = `
  with hits as materialized (select id from search_lines($7::text, $3))
  select (select count(*)::int from hits) as hits,
         array(
           select e.id::text from hits h
           cross join lateral (
             select id, category, state, archived_at from entity where workspace_id = $1 and id = h.id offset 0) as e
           where e.id > $2 and ($5::text is null or e.category = $5) and ($6::text is null or e.state = $6)
             and ${isListed('$8')}
           order by e.id limit $4) as ids`;

/** Categories that a search is confined to. $1 workspace, $2 keys, $3 states, $4 roles, each null for any. */
export const selectSearchScope = `
  select c.key from category c
  join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
  where c.workspace_id = $1 and ($2::text[] is null or c.key = any($2)) and ($4::text[] is null or c.role = any($4))
    and ($3::text[] is null or exists (
      select from jsonb_array_elements(l.states) as s (state) where s.state ->> 'name' = any($3)))
  order by c.key`;

/** Ids of those that have a number: a range of entity_number. $1 workspace, $2 number, $3 at most. */
export const selectOfNumber = `
  select id from entity where workspace_id = $1 and number >= $2 and number <= $2 order by number, id limit $3`;

/** Entities into which others of these numbers were merged. $1 workspace, $2 number[], $3 aliases at most. */
export const selectByMergedNumber = `
  select distinct a.entity_id as id from unnest($2::text[]) as n (number)
  cross join lateral (
    select entity_id from entity_alias
    where workspace_id = $1 and number >= n.number and number <= n.number order by number, id limit $3) as a
  order by a.entity_id`;
