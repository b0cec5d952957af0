/** Planning runs and their actions as they are stored. All statements of a workspace take it as $1. */

const shown = `id, status, options, is_what_if, day::text, items, links, counts, is_truncated, failure, stored_run_id,
  actor_type, actor_id, actor_name, created_at::text, started_at::text, finished_at::text, depth, cause_run_id, cause_root_id`;

/** Options have up to hundreds of days and demands. */
export const longColumns = ['weight'] as const;

/** The newest first. $2 id to go on below or null, $3 rows. */
export const selectRuns = `
  select ${shown}, options::text as weight from planning_run
  where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`;

/** $2 id. */
export const selectRun = `select ${shown} from planning_run where workspace_id = $1 and id = $2`;
export const lockRun = `${selectRun} for update`;

export const countUnfinishedRuns = `
  select count(*)::int as count from planning_run where workspace_id = $1 and finished_at is null`;

/**
 * The first queued run with these options; none if a worker is about to begin it. `for share` makes `beginRun` leave it until the transaction
 * has ended. $2 options.
 */
export const shareQueuedRun = `
  select ${shown} from planning_run
  where workspace_id = $1 and finished_at is null and status = 'queued' and not is_what_if and options::jsonb = $2::jsonb
  order by id limit 1 for share skip locked`;

/** $2 id, $3 options, $4 whether it is a what-if run, $5 to $7 the actor, $8 to $10 its cause. */
export const insertRun = `
  insert into planning_run (workspace_id, id, options, is_what_if, actor_type, actor_id, actor_name, depth, cause_run_id, cause_root_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${shown}`;

/** $2 id, $3 status, $4 failure or null. */
export const endRun = `
  update planning_run set status = $3, failure = $4, finished_at = clock_timestamp()
  where workspace_id = $1 and id = $2 and finished_at is null returning ${shown}`;

/** $2 id[]. */
export const selectKnownProjects = `
  select e.id, e.archived_at is not null as is_archived from unnest($2::uuid[]) as i (id)
  cross join lateral (select id, category, archived_at from entity where workspace_id = $1 and id = i.id offset 0) e
  join category c on c.workspace_id = $1 and c.key = e.category
  where c.role = 'project'`;

/** The places of those that exist, from 1. $2 entity[] and $3 revision[], side by side. */
export const selectKnownRevisions = `
  select i.place::int as place from unnest($2::uuid[], $3::int[]) with ordinality as i (id, revision, place)
  where exists (
      select from entity where workspace_id = $1 and id = i.id and revision_number = i.revision offset 0)
    or exists (
      select from entity_revision where workspace_id = $1 and entity_id = i.id and revision_number = i.revision offset 0)`;

/** Order lines and requirements. $2 id[]. */
export const selectDatedRecords = `
  select id from stock_line where workspace_id = $1 and id = any($2::uuid[])
  union all
  select id from material_requirement where workspace_id = $1 and id = any($2::uuid[])`;

/** The first in line of each workspace that does not rest; of the whole instance. $1 rows. */
export const selectFirstRuns = `
  select distinct on (workspace_id) workspace_id, id from planning_run r
  where finished_at is null and exists (select from workspace w where w.id = r.workspace_id and w.state = 'active')
  order by workspace_id, id limit $1`;

/**
 * Lets one run of a workspace at a time be computed. The lock is that of the transaction that reads: it ends with its process, and the next
 * worker takes the run. No other lock is taken beside it.
 */
export const tryLockPlanning = `
  select pg_try_advisory_xact_lock(hashtextextended('planning run in:' || $1::uuid::text, 0)) as is_locked`;

/** Leaves a run that another transaction holds: it waits for nobody, and the next look finds the run again. $2 id. */
export const beginRun = `
  update planning_run set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp())
  where workspace_id = $1 and id = (
    select id from planning_run where workspace_id = $1 and id = $2 and finished_at is null for update skip locked)
  returning attempts`;

/**
 * The last completed run, as it was stored: a commit changes it only before or after. $2 id of a later run.
 */
export const shareLastRun = `
  select id, coalesce(stored_run_id, id) as stored_in, digest from planning_run
  where workspace_id = $1 and id < $2 and status = 'completed' and not is_what_if
  order by id desc limit 1 for share`;

/** Later runs are not compared with runs of which actions were committed. $2 the run that has the actions. */
export const forgetDigests = `
  update planning_run set digest = null
  where workspace_id = $1 and digest is not null and (id = $2 or stored_run_id = $2)`;

/** $2 id, $3 day, $4 items, $5 links, $6 counts, $7 whether actions were left out, $8 digest, $9 the run whose actions it shares or null. */
export const completeRun = `
  update planning_run
  set status = 'completed', day = $3, items = $4, links = $5, counts = $6, is_truncated = $7, digest = $8, stored_run_id = $9,
      finished_at = clock_timestamp()
  where workspace_id = $1 and id = $2 and finished_at is null returning ${shown}`;

/**
 * $2 run; the actions side by side: $3 ordinals, $4 items, $5 actions, $6 exceptions joined by blanks, $7 lines, $8 needed on, $9 starts on,
 * $10 quantities, $11 days late, $12 supplier parts, $13 suppliers, $14 locations, $15 amounts, $16 currencies, $17 bases, $18 substitutes, $19 quantities
 * of them, $20 days of parts, $21 projects joined by blanks.
 */
export const insertActions = `
  insert into planning_action (workspace_id, run_id, ordinal, item_id, action, exceptions, line_id, needed_on, starts_on, quantity,
                               late_days, supplier_part_id, supplier_id, location_id, amount, currency, basis, substitute_id,
                               substitute_quantity, part_on, project_ids)
  select $1, $2, a.ordinal, a.item_id, a.action, string_to_array(a.exceptions, ' '), a.line_id, a.needed_on, a.starts_on, a.quantity,
         a.late_days, a.supplier_part_id, a.supplier_id, a.location_id, a.amount, a.currency, a.basis, a.substitute_id, a.substitute_quantity, a.part_on,
         string_to_array(a.projects, ' ')::uuid[]
  from unnest($3::int[], $4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::date[], $9::date[], $10::numeric[], $11::int[],
              $12::uuid[], $13::uuid[], $14::uuid[], $15::numeric[], $16::text[], $17::text[], $18::uuid[], $19::numeric[], $20::date[], $21::text[])
    as a (ordinal, item_id, action, exceptions, line_id, needed_on, starts_on, quantity, late_days, supplier_part_id, supplier_id,
          location_id, amount, currency, basis, substitute_id, substitute_quantity, part_on, projects)`;

/** Completed runs that are looked at for dismissals, where those before have a scope or projects of their own. */
const DISMISSED_IN_MAX = 20;

/**
 * An action that was dismissed in a completed run before stays dismissed while its need is the same. Runs with a scope lack actions of other items, and
 * runs with projects have other needs: they are looked at back to the last run without either, and the newest that has the action decides. What was due on the day of that run is due on the day of
 * this one. $2 run.
 */
export const keepDismissals = `
  with this as (select day from planning_run where workspace_id = $1 and id = $2),
  recent as (
    select id, coalesce(stored_run_id, id) as stored_in, day,
      coalesce(json_typeof(options -> 'scope'), 'null') = 'null' and coalesce(json_array_length(options -> 'projects'), 0) = 0 as is_whole
    from planning_run
    where workspace_id = $1 and id < $2 and status = 'completed' and not is_what_if
    order by id desc limit ${DISMISSED_IN_MAX}),
  looked as (
    select * from recent
    where id >= coalesce((select id from recent where is_whole order by id desc limit 1), '00000000-0000-0000-0000-000000000000'::uuid))
  update planning_action a set status = 'dismissed'
  from (
    select distinct d.item_id from looked l
    join planning_action d on d.workspace_id = $1 and d.run_id = l.stored_in and d.status = 'dismissed') i
  where a.workspace_id = $1 and a.run_id = $2 and a.item_id = i.item_id
    and (
      select d.status from looked l cross join this
      cross join lateral (
        select status from planning_action d
        where d.workspace_id = $1 and d.run_id = l.stored_in and d.item_id = a.item_id and d.action = a.action
          and d.line_id is not distinct from a.line_id and d.part_on is not distinct from a.part_on and d.substitute_id is not distinct from a.substitute_id and d.quantity = a.quantity
          and (d.needed_on is not distinct from a.needed_on or (a.needed_on = this.day and d.needed_on = l.day))
        limit 1) d
      order by l.id desc limit 1) = 'dismissed'`;

const actionColumns = `a.ordinal, a.item_id, i.number as item_number, i.name as item_name, a.action, a.exceptions, a.line_id,
  l.number as line_number, coalesce(a.part_on, (d.promises -> -1 ->> 'on')::date, d.required_by)::text as line_date, a.part_on::text, a.needed_on::text, a.starts_on::text, a.quantity, a.late_days,
  a.supplier_part_id, s.name as supplier, a.substitute_id, r.number as substitute_number, a.substitute_quantity,
  a.location_id, a.amount::text, a.currency, a.basis, a.status, a.order_id`;

/** Actions with the names of what they concern. */
export const withNames = (actions: string, more = '', order = 'a.ordinal') => `
  select ${more}${actionColumns} from (${actions}) a
  left join lateral (select number, name from entity where workspace_id = $1 and id = a.item_id offset 0) i on true
  left join lateral (select number from entity where workspace_id = $1 and id = a.line_id offset 0) l on true
  left join lateral (select number from entity where workspace_id = $1 and id = a.substitute_id offset 0) r on true
  left join lateral (select required_by, promises from stock_line where workspace_id = $1 and id = a.line_id offset 0) d on true
  left join lateral (select name from supplier where workspace_id = $1 and id = a.supplier_id limit 1) s on true
  order by ${order}`;

/**
 * $2 run, $3 ordinal to go on behind, $4 action or null, $5 exception or null, $6 item or null, $7 status or null, $8 supplier or null, $9
 * `proposal`, `exception` or null, $10 project that they serve or null, $11 rows.
 */
export const selectActions = withNames(`
  select * from planning_action
  where workspace_id = $1 and run_id = $2 and ordinal > $3 and ($4::text is null or action = $4)
    and ($5::text is null or exceptions @> array[$5::text]) and ($6::uuid is null or item_id = $6)
    and ($7::text is null or status = $7) and ($8::uuid is null or supplier_id = $8)
    and ($9::text is null or case $9 when 'proposal' then action <> 'none' else exceptions <> '{}' end)
    and ($10::uuid is null or project_ids @> array[$10::uuid])
  order by ordinal limit $11`);

/** Whether it is known which projects the actions of a run serve: of all or of none. $2 run. */
export const selectServedKnown = `
  select project_ids is not null as is_known from planning_action
  where workspace_id = $1 and run_id = $2 order by ordinal limit 1`;

/** Uses of substitutes in place of these items, or of these items in place of others. $2 run, $3 item[], $4 rows. */
export const selectSubstituteUses = `
  select item_id, substitute_id, needed_on::text, quantity, substitute_quantity from planning_action
  where workspace_id = $1 and run_id = $2 and action = 'useSubstitute'
    and (item_id = any($3::uuid[]) or substitute_id = any($3::uuid[]))
  order by ordinal limit $4`;

/** The substitutes that are used in place of these items, with the facts on which that rests. $2 run, $3 item[]. */
export const selectSubstituteBases = `
  select a.item_id, a.substitute_id, a.basis from unnest($3::uuid[]) as i (id)
  cross join lateral (
    select item_id, substitute_id, basis from planning_action
    where workspace_id = $1 and run_id = $2 and item_id = i.id and action = 'useSubstitute' offset 0) a`;

/** Actions to commit or to dismiss; their rows are locked. $2 run, $3 ordinals or null, $4 actions, $5 rows. */
export const lockActions = withNames(`
  select * from planning_action
  where workspace_id = $1 and run_id = $2 and (($3::int[] is null and status = 'open' and action = any($4::text[])) or ordinal = any($3::int[]))
  order by ordinal limit $5 for update`);

/** $2 run, $3 ordinals, $4 status, $5 orders. */
export const updateActions = `
  update planning_action a set status = $4, order_id = g.order_id
  from unnest($3::int[], $5::uuid[]) as g (ordinal, order_id)
  where a.workspace_id = $1 and a.run_id = $2 and a.ordinal = g.ordinal`;

/** Further actions of items rest on what a commit has made. $2 run, $3 items, $4 bases. */
export const updateBases = `
  update planning_action a set basis = g.basis
  from unnest($3::uuid[], $4::text[]) as g (item_id, basis)
  where a.workspace_id = $1 and a.run_id = $2 and a.item_id = g.item_id and a.action <> 'useSubstitute' and a.status = 'open'`;

/** Likewise uses of these items as substitutes. $2 run, $3 items, $4 bases. */
export const updateSubstituteBases = `
  update planning_action a set basis = g.basis
  from unnest($3::uuid[], $4::text[]) as g (item_id, basis)
  where a.workspace_id = $1 and a.run_id = $2 and a.substitute_id = g.item_id and a.status = 'open'`;

/** Actions of the whole instance that no younger run shares. $1 days, $2 rows. */
export const prunePlanningActions = `
  delete from planning_action d using (
    select a.workspace_id, a.run_id, a.ordinal from planning_run r
    cross join lateral (
      select workspace_id, run_id, ordinal from planning_action
      where workspace_id = r.workspace_id and run_id = r.id limit $2) as a
    where r.finished_at < now() - make_interval(days => $1) and not exists (
      select from planning_run where workspace_id = r.workspace_id and stored_run_id = r.id
        and finished_at >= now() - make_interval(days => $1))
    limit $2) as o
  where d.workspace_id = o.workspace_id and d.run_id = o.run_id and d.ordinal = o.ordinal
  returning 1`;

/** Deletes old runs of the whole instance that have no actions left. $1 days, $2 rows. */
export const prunePlanningRuns = `
  delete from planning_run d using (
    select workspace_id, id from planning_run r
    where finished_at < now() - make_interval(days => $1) and not exists (
      select from planning_action where workspace_id = r.workspace_id and run_id = r.id)
    limit $2) as o
  where d.workspace_id = o.workspace_id and d.id = o.id
  returning 1`;
