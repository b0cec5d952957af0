/** Statements of what waits for a member. $1 is the workspace. Each reads along an index up to a bound, as those of the overview do. */

import { requirementSums } from '../../procurement/records/requirements.sql.ts';

/** A row without an id says how many there are where none is shown. */
const counted = (first: string, all: string) => `
  select first.*, (select count(*) from ${all})::int as counted from (select) one left join (${first}) first on true`;

/** Open requirements, the earliest date first: of the oldest $2. $3 rows. */
export const selectOpenRequirements = `
  with open as materialized (
    select e.id, e.number from category c
    cross join lateral (
      select id, number from entity
      where workspace_id = $1 and category = c.key and state >= 'Open' and state <= 'Open'
      order by category, state, id limit $2) e
    where c.workspace_id = $1 and c.behaviour = 'materialRequirement'
    order by e.id limit $2
  )
  ${counted(
    `select r.id, r.number, r.quantity, r.quantity - s.reserved - greatest(0, s.ordered - s.converted) as open, r.required_by::text, r.item_id,
            i.number as item_number, i.name as item_name, r.project_id, j.number as project_number, j.name as project_name
     from (
       select o.id, o.number, r.quantity, r.required_by, r.item_id, r.project_id from open o
       cross join lateral (
         select quantity, required_by, item_id, project_id from material_requirement
         where workspace_id = $1 and id = o.id offset 0) r
       order by r.required_by nulls last, o.id limit $3) r
     ${requirementSums}
     left join lateral (select number, name from entity where workspace_id = $1 and id = r.item_id offset 0) i on true
     left join lateral (select number, name from entity where workspace_id = $1 and id = r.project_id offset 0) j on true`,
    'open',
  )}
  order by first.required_by nulls last, first.id`;

/** Open count tasks of a member, the earliest date first: of the oldest $2. $3 rows, $4 member. */
export const selectOwnCountIds = `
  with open as materialized (
    select id, due_on from count_task
    where workspace_id = $1 and status = 'open' and assigned_to = $4 order by id limit $2
  )
  ${counted('select id, due_on from open order by due_on nulls last, id limit $3', 'open')}
  order by first.due_on nulls last, first.id`;

/** The member and its keys. $2 member. */
const mine = `
  mine as materialized (
    select $2::uuid as id
    union (select id from actor where workspace_id = $1 and member_id = $2 order by id desc limit 100)
  )`;

/** Imports that failed or have errors, since $3, of the newest $4 of each key. $2 member, $5 rows. */
export const selectFaultyImports = `
  with ${mine}, faulty as materialized (
    select b.* from mine m
    cross join lateral (
      select id, profile_name, status, dry_run, counts, finished_at from sync_batch
      where workspace_id = $1 and submitted_by = m.id and finished_at is not null and id >= $3
      order by id desc limit $4) b
    where not b.dry_run
      and (b.status = 'failed' or (b.status = 'completed' and (b.counts ->> 'error')::int > 0))
      and not exists (
        select from sync_batch r where r.workspace_id = $1 and r.resend_of is not null and r.resend_of = b.id offset 0)
  )
  ${counted(
    `select id, profile_name, status, coalesce((counts ->> 'error')::int, 0) as errors, finished_at::text from faulty
     order by id desc limit $5`,
    'faulty',
  )}
  order by first.id desc`;

/** The newest planning runs that ended since $3, of the newest $4, with their open actions, counted up to $5. $2 member. */
export const selectOwnPlans = `
  with ${mine}
  select r.id, r.status, r.finished_at::text, a.open
  from (
    select p.* from mine m
    cross join lateral (
      select id, status, is_what_if, generation, finished_at,
             case when series_id is not null then series_id when stored_run_id is not null then stored_run_id else id end as series
      from planning_run
      where workspace_id = $1 and actor_id = m.id order by id desc limit $4) p
    where not p.is_what_if and p.status in ('completed', 'failed') and p.finished_at >= $3::timestamptz
    order by p.id desc limit $4) r
  cross join lateral (
    select count(*) filter (where status = 'open' and action <> 'none')::int as open from (
      select status, action from planning_action
      where workspace_id = $1 and run_id = r.series and from_generation <= r.generation and until_generation > r.generation
      order by ordinal limit $5) f) a
  where r.status = 'failed' or a.open > 0
  order by r.id desc`;

/** Unread lines that mention a member, counted up to $3. $2 member. */
export const countMentions = `
  select count(*)::int as counted from (
    select from inbox_line where workspace_id = $1 and member_id = $2 and kind = 'mentioned' and read_at is null limit $3) m`;
