/** Statements of timelines of planned items. */
import { inGeneration } from '../runs/planning-actions.sql.ts';

/** Numbers of entities. $1 workspace, $2 ids. */
export const selectNumbers = `
  select e.id, e.number from unnest($2::uuid[]) as i (id)
  cross join lateral (select id, number from entity where workspace_id = $1 and id = i.id offset 0) e`;

/** Components of items by their current structures, each once. $1 workspace, $2 parent[], $3 rows. */
export const selectComponents = `
  select distinct k.child_id as id from unnest($2::uuid[]) as i (id)
  cross join lateral (select child_id from entity_link where workspace_id = $1 and parent_id = i.id offset 0) k
  order by k.child_id limit $3`;

/**
 * The links of phantoms among those that a statement reads, with the number of all that it read: a bound of the statement bounds the work. `upwards`
 * reads links up from children; its parameters are those of this one.
 */
export const selectPhantomLinks = (upwards: string) => `
  select count(*)::int as seen,
         coalesce(json_agg(json_build_object('parent_id', parent_id, 'child_id', child_id, 'quantity', quantity::text, 'line', line))
                    filter (where (line ->> 'phantom')::boolean or line ? 'lines'), '[]') as links
  from (${upwards}) k`;

/** Selects the items that have open manufacturing lines, or actions of these kinds in a run. $2 series, $3 generation, $4 item[], $5 kinds. */
export const selectMadeItems = `
  select i.id from unnest($4::uuid[]) as i (id)
  where exists (select from stock_line where workspace_id = $1 and item_id = i.id and type = 'manufacturingOrder' offset 0)
    or exists (
      select from planning_action
      where workspace_id = $1 and run_id = $2 and item_id = i.id and ${inGeneration()} and action = any($5::text[]) offset 0)`;

/** Selects what a run proposes to make of items, and how it changes their lines, in the order of their numbers. $2 series, $3 generation, $4 item[], $5 kinds, $6 rows. */
export const selectMadeOfItems = `
  select a.* from unnest($4::uuid[]) as i (id)
  cross join lateral (
    select item_id, action, line_id, part_on::text, needed_on::text, starts_on::text, quantity from planning_action
    where workspace_id = $1 and run_id = $2 and item_id = i.id and ${inGeneration()} and action = any($5::text[])
      and status <> 'committed' order by ordinal offset 0) a
  limit $6`;
