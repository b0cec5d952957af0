/** Compares the actions of two planning runs. */
import { withNames } from './planning-runs.sql.ts';

/** Actions of `a` that `b` does not have: one probe of an index for each, also where nothing is known of the table. */
const onlyIn = (change: string, a: string, b: string) => `
  select *, '${change}' as change from planning_action a
  where a.workspace_id = $1 and a.run_id = ${a} and not exists (
    select from (
      select * from planning_action where workspace_id = $1 and run_id = ${b} and item_id = a.item_id offset 0) b
    where b.action = a.action and b.line_id is not distinct from a.line_id and b.substitute_id is not distinct from a.substitute_id and b.part_on is not distinct from a.part_on and b.needed_on is not distinct from a.needed_on and b.quantity = a.quantity)`;

/**
 * Actions that only one of two runs has, numbered by the dates on which to act: a completed run does not change. $2 and $3 the runs that have the
 * actions, $4 place behind which, $5 rows.
 */
export const selectDifferences = withNames(
  `select * from (
     select *, (row_number() over (order by starts_on, change, ordinal))::int as place
     from (${onlyIn('added', '$2::uuid', '$3::uuid')} union all ${onlyIn('removed', '$3::uuid', '$2::uuid')}) d) n
   where place > $4 order by place limit $5`,
  'a.change, a.place, ',
  'a.place',
);
