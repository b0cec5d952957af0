/** Compares the actions of two planning runs. */
import { inGeneration, withNames } from './planning-actions.sql.ts';

const ofRun = (change: 'added' | 'removed', series: string, generation: string) => `
  select *, '${change}' as change from planning_action
  where workspace_id = $1 and run_id = ${series}::uuid and ${inGeneration(`${generation}::int`)}
    and ($2::uuid <> $4::uuid or $3::int <> $5::int)`;

/** Actions of two runs, and whether both have the like: by one sort, however many actions an item has. */
const ofEither = `
  select *, min(change) over alike <> max(change) over alike as is_in_both
  from (${ofRun('added', '$2', '$3')} union all ${ofRun('removed', '$4', '$5')}) e
  window alike as (partition by item_id, action, line_id, substitute_id, part_on, needed_on, quantity)`;

/**
 * Actions that only one of two runs has, numbered by the dates on which to act: a completed run does not change. $2 and $4 the series that have the
 * actions, $3 and $5 generations in them, $6 place behind which, $7 rows.
 */
export const selectDifferences = withNames(
  `select * from (
     select *, (row_number() over (order by starts_on, change, ordinal))::int as place
     from (${ofEither}) d where not is_in_both) n
   where place > $6 order by place limit $7`,
  'a.change, a.place, ',
  'a.place',
);
