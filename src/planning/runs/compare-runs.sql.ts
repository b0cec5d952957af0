/** Compares the actions of two planning runs. */
import { withNames } from './planning-runs.sql.ts';

/** Actions of two runs, and whether both have the like: by one sort, however many actions an item has. */
const ofEither = `
  select *, case when run_id = $2::uuid then 'added' else 'removed' end as change,
         min(run_id::text) over alike <> max(run_id::text) over alike as is_in_both
  from planning_action
  where workspace_id = $1 and run_id in ($2::uuid, $3::uuid) and $2::uuid <> $3::uuid
  window alike as (partition by item_id, action, line_id, substitute_id, part_on, needed_on, quantity)`;

/**
 * Actions that only one of two runs has, numbered by the dates on which to act: a completed run does not change. $2 and $3 the runs that have the
 * actions, $4 place behind which, $5 rows.
 */
export const selectDifferences = withNames(
  `select * from (
     select *, (row_number() over (order by starts_on, change, ordinal))::int as place
     from (${ofEither}) d where not is_in_both) n
   where place > $4 order by place limit $5`,
  'a.change, a.place, ',
  'a.place',
);
